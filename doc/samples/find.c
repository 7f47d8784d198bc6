/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdio.h>

/* Beads on a vertical wire: any of them may touch any other, and the floor. q: heights of their centres. */
enum { BEADS = 3, FLOOR = BEADS };
struct beads {
  double m, r, g;              /* mass, radius, gravity */
  int32_t on_floor, on_others; /* numbers of the two laws */
};

static int mass(void *user, double t, const double *q, double *M)
{
  (void)t, (void)q;
  for (int i = 0; i < BEADS; i++) {
    M[i * BEADS + i] = ((const struct beads *)user)->m;
  }
  return 0;
}
static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const struct beads *beads = user;
  (void)t, (void)q, (void)u;
  for (int i = 0; i < BEADS; i++) {
    h[i] = -beads->m * beads->g;
  }
  return 0;
}

/* Bead i above body j, a bead or the floor: the gap opens as i rises, and as bead j falls. */
static int report(const struct beads *beads, nsdyn_contact_sink *sink, int i, int j, double gap)
{
  static const double up[1] = {1.0}, down[1] = {-1.0};
  const nsdyn_contact_block block[2] = {{.offset = i, .count = 1, .values = up},
                                        {.offset = j, .count = 1, .values = down}};
  nsdyn_found_contact found;
  nsdyn_found_contact_init(&found, sizeof found);
  found.key = 100 * i + j; /* the same pair has the same key, at all times */
  found.gap = gap;
  found.law = j == FLOOR ? beads->on_floor : beads->on_others;
  found.block = block;
  found.blocks = j == FLOOR ? 1 : 2; /* the floor has no velocities */
  return nsdyn_contact_sink_add(sink, &found);
}
static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  (void)u;
  const struct beads *beads = user;
  (void)t;
  for (int i = 0; i < BEADS; i++) {
    int failed = q[i] - beads->r > margin ? 0 : report(beads, sink, i, FLOOR, q[i] - beads->r);
    for (int j = 0; j < i && !failed; j++) { /* bead i began above bead j and cannot pass it */
      const double gap = q[i] - q[j] - 2.0 * beads->r;
      failed = gap > margin ? 0 : report(beads, sink, i, j, gap); /* a NaN is reported, and refused */
    }
    if (failed) {
      return failed; /* the message tells what was wrong with the record */
    }
  }
  return 0;
}

static void print(const nsdyn_event_driver *driver)
{
  for (int64_t k = 0; k < nsdyn_event_driver_events(driver); k++) {
    nsdyn_event event;
    nsdyn_event_init(&event, sizeof event);
    nsdyn_event_driver_event(driver, k, &event);
    if (event.before[0] < -1e-9) { /* those that were hit; contacts below take part in the impact */
      printf("%.9f s: %s, key %d\n", event.t, nsdyn_event_name(event.kind), (int)event.key);
    }
  }
  for (int k = 0; k < nsdyn_event_driver_active(driver); k++) {
    nsdyn_contact_state state;
    nsdyn_contact_state_init(&state, sizeof state);
    nsdyn_event_driver_active_contact(driver, k, &state);
    printf("key %3d: force %.6f N\n", (int)state.key, state.force[0]);
  }
}

int main(void)
{
  struct beads beads = {.m = 0.1, .r = 0.01, .g = 9.81};
  const double q[BEADS] = {0.06, 0.11, 0.21}, u[BEADS] = {0.0}; /* gaps: 0.05, 0.03, 0.08 m */
  nsdyn_system_def def;
  nsdyn_contact_law law;
  nsdyn_system *sys = NULL;
  nsdyn_event_driver *driver = NULL;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = BEADS;
  def.user = &beads;
  def.mass = mass;
  def.force = force;
  def.find = find;
  nsdyn_contact_law_init(&law, sizeof law);
  law.friction = NSDYN_FRICTION_NONE; /* blocks have one row then */
  if (nsdyn_system_new(NULL, &def, &sys, NULL) || nsdyn_system_add_law(sys, &law, &beads.on_floor) ||
      nsdyn_system_add_law(sys, &law, &beads.on_others) ||
      nsdyn_event_driver_new(NULL, sys, NULL, &driver, NULL) ||
      nsdyn_event_driver_set_state(driver, 0.0, q, u)) {
    return 1;
  }
  const nsdyn_status status = nsdyn_event_driver_advance(driver, 1.0);
  if (status) {
    fprintf(stderr, "%s: %s\n", nsdyn_status_name(status), nsdyn_event_driver_message(driver));
  }
  print(driver);
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  return status != NSDYN_OK;
}
