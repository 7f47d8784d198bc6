/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Files that drivers read, and how long they take over what is in them. */
#ifndef EXAMPLES_COMMON_FILE_H
#define EXAMPLES_COMMON_FILE_H

#include <stddef.h>

#include "options.h"

/* The whole file, or stdin for "-"; the caller's to free. NULL where it cannot be read. */
char *file_read(const char *path, size_t *length);

/* Does `work` again and again, and prints the least and the middle duration. */
void time_repeats(const output *out, int repeat, void (*work)(void *user), void *user);

#endif
