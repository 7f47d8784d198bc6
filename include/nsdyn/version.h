/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/**
 * @file
 * @brief The release you compile against and the release you run with.
 */
#ifndef NSDYN_VERSION_H
#define NSDYN_VERSION_H

#include <stdint.h>

#include "export.h"

#define NSDYN_VERSION_MAJOR 0 /**< Release of these headers, first number. */
#define NSDYN_VERSION_MINOR 1 /**< Second number. */
#define NSDYN_VERSION_MICRO 0 /**< Third number. */

/** The three numbers as text, for example "0.1.0". */
#define NSDYN_VERSION_STRING "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @brief Release of the library that is running, as text, for example "0.1.0".
 *
 * It may be newer than #NSDYN_VERSION_STRING, which is fixed when you compile: the library keeps
 * its ABI, so a program need not be rebuilt.
 *
 * @return a constant string; never NULL, never to be freed.
 */
NSDYN_API const char *nsdyn_version_string(void);

/**
 * @brief Release of the running library as three numbers.
 *
 * @param[out] major,minor,micro  each may be NULL.
 */
NSDYN_API void nsdyn_version(int32_t *major, int32_t *minor, int32_t *micro);

#ifdef __cplusplus
}
#endif

#endif
