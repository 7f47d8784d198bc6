/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What a message calls a user's thing: "body 3 (crate)". */
#ifndef NSD_BASE_BUILDER_LABEL_H
#define NSD_BASE_BUILDER_LABEL_H

#include <stdint.h>

enum { NSD_NAME_LENGTH = 32, NSD_LABEL_LENGTH = 64 };

/* The first 31 bytes of a name, cut between two characters, and zeros behind them; NULL is no name. */
void nsd_name_copy(char own[NSD_NAME_LENGTH], const char *given);

/* "body 3 (crate)", or "body 3" where `name` is empty; `what` has at most 15 bytes. Returns `text`. */
const char *nsd_label_text(const char *what, int32_t number, const char *name, char text[NSD_LABEL_LENGTH]);

#endif
