/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/**
 * @file
 * @brief How exported functions are marked. Included by the other headers; nothing here is for users.
 */
#ifndef NSDYN_EXPORT_H
#define NSDYN_EXPORT_H

#if defined(__GNUC__)
#define NSDYN_API __attribute__((visibility("default")))
#else
#define NSDYN_API
#endif

#endif
