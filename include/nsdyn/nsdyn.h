/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/**
 * @file
 * @brief All of nsdyn but the adapters for GSL (nsdyn/gsl.h).
 */
#ifndef NSDYN_NSDYN_H
#define NSDYN_NSDYN_H

#include "base.h"
#include "contact.h"
#include "event.h"
#include "geometry.h"
#include "lcp.h"
#include "multibody.h"
#include "rotation.h"
#include "setvalued.h"
#include "solid.h"
#include "stepper.h"
#include "study.h"
#include "system.h"
#include "version.h"
#include "world.h"

#endif
