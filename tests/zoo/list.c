/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "zoo.h"

#define ZOO(name) extern const zoo_machine zoo_##name;
#include "zoo_list.h"
#undef ZOO

#define ZOO(name) &zoo_##name,
const zoo_machine *const zoo_list[] = {
#include "zoo_list.h"
};
#undef ZOO

#define ZOO(name) ZOO_NUMBER_##name,
enum {
#include "zoo_list.h"
  ZOO_NUMBERS
};
const int zoo_count = ZOO_NUMBERS;
