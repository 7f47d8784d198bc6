/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Numbers as text, independent of the locale: the decimal point is a point everywhere. */
#ifndef NSD_BASE_NUMBER_H
#define NSD_BASE_NUMBER_H

#include <stddef.h>

#define NSD_NUMBER_LENGTH 32 /* longest text of a double, with its end */

/* The shortest decimal text that reads back as the same double; "nan", "inf" and "-inf" else.
 * Returns `text`, so that it can stand in an argument list. */
const char *nsd_number_text(double value, char text[NSD_NUMBER_LENGTH]);

/* Reads a decimal number, "inf", "+inf" or "-inf" from `text` up to `end`. Returns the first
 * character behind it, or NULL where there is no number; a number too large for a double is none, nor is
 * one of more than 800 characters, nor "nan". */
const char *nsd_number_read(const char *text, const char *end, double *value);

#endif
