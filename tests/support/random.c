/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "random.h"

#include <math.h>

random_state random_seed(uint64_t seed)
{
  random_state random = {seed * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u};
  return random;
}

/* splitmix64 */
uint64_t random_bits(random_state *random)
{
  uint64_t z = (random->s += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

double random_unit(random_state *random)
{
  return (double)(random_bits(random) >> 11) * 0x1p-53;
}

double random_between(random_state *random, double low, double high)
{
  return low + (high - low) * random_unit(random);
}

double random_normal(random_state *random)
{
  const double u = 1.0 - random_unit(random);
  return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * random_unit(random));
}

int random_below(random_state *random, int n)
{
  return (int)(random_bits(random) % (uint64_t)n);
}

double random_scale(random_state *random, double decades)
{
  return pow(10.0, random_between(random, -decades, decades));
}
