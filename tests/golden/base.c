/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What lib/base computes. */
#include <string.h>

#include "base/number.h"
#include "hash.h"
#include "nsdyn/rotation.h"

void golden_number(hash *h)
{
  char text[NSD_NUMBER_LENGTH];
  stream from = stream_begin(1);
  for (int k = 0; k < 3000; k++) {
    double value = 0.0;
    nsd_number_text(stream_any(&from), text);
    nsd_number_read(text, text + strlen(text), &value);
    hash_bytes(h, text, strlen(text));
    hash_double(h, value);
  }
}

void golden_rotation(hash *h)
{
  double p[4], r[4], v[3], out[9];
  stream from = stream_begin(2);
  for (int k = 0; k < 3000; k++) {
    for (int i = 0; i < 4; i++) {
      p[i] = k % 3 ? stream_number(&from) : stream_scaled(&from);
    }
    for (int i = 0; i < 3; i++) {
      v[i] = k % 5 ? stream_number(&from) : stream_scaled(&from);
    }
    const double dt = stream_number(&from);
    hash_double(h, nsdyn_quaternion_normalize(p, r));
    hash_doubles(h, 4, r);
    nsdyn_quaternion_multiply(p, r, out);
    nsdyn_quaternion_conjugate(out, out);
    hash_doubles(h, 4, out);
    nsdyn_quaternion_rotate(p, v, out);
    nsdyn_quaternion_rotate_back(out, v, out);
    hash_doubles(h, 3, out);
    nsdyn_quaternion_to_matrix(p, out);
    hash_doubles(h, 9, out);
    nsdyn_quaternion_from_matrix(out, r);
    hash_doubles(h, 4, r);
    nsdyn_quaternion_from_axis_angle(v, 8.0 * dt, r);
    hash_doubles(h, 4, r);
    nsdyn_quaternion_rate_world(p, v, r);
    nsdyn_quaternion_omega_body(p, r, out);
    hash_doubles(h, 3, out);
    nsdyn_quaternion_rate_body(p, v, r);
    nsdyn_quaternion_omega_world(p, r, out);
    hash_doubles(h, 3, out);
    nsdyn_quaternion_retract_world(p, v, dt, r);
    nsdyn_quaternion_retract_body(r, v, dt, r);
    hash_doubles(h, 4, r);
  }
}
