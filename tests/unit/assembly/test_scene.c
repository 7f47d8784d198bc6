/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "assembly/scene.h"

#include "stepper/object.h"
#include "stepping.h"

/* Room is made for half as much again; what is counted in an int has a limit, and is not asked for. */
START_TEST(room_grows_ahead_and_has_a_limit)
{
  model m;
  model_clear(&m, 3);
  m.constraints = 1;
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  nsd_scene *scene = &s->scene;
  ck_assert_int_eq(nsd_scene_reserve(scene, 4, &s->fault), NSDYN_OK);
  ck_assert(scene->room_contacts == 6 && scene->room_rows == NSD_CONTACT_ROWS * 6 + 1);
  const nsd_closed *before = scene->closed.contact;
  ck_assert_int_eq(nsd_scene_begin(scene, 6, &s->fault), NSDYN_OK);
  ck_assert_ptr_eq(scene->closed.contact, before);
  ck_assert_int_eq(nsd_scene_reserve(scene, (size_t)1 << 30, &s->fault), NSDYN_ERR_TOO_LARGE);
  ck_assert(scene->room_contacts == 6 && scene->closed.contact == before);
  nsdyn_stepper_free(s);
}
END_TEST

/* Rows stand contact by contact, as their laws say. */
START_TEST(rows_stand_in_order)
{
  model m;
  model_clear(&m, 4);
  model_add_contact(&m, -1.0, 0, 1, 0.5, 0.0);
  model_add_contact(&m, 1.0, 0, 1, 0.5, 0.0); /* open */
  model_add_contact(&m, -2.0, 1, -1, 0.0, 0.0);
  model_add_contact(&m, -3.0, 2, 3, 0.0, 0.0);
  m.known = 3;
  m.contact[3].key = 9;
  m.constraints = 1;
  m.constraint[0].n[3] = 1.0;
  const double q[4] = {0.0};
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  nsd_scene *scene = &s->scene;
  ck_assert_int_eq(nsd_scene_look(scene, 0.0, q, 0.0, &s->fault), NSDYN_OK);
  ck_assert_int_eq(nsd_scene_direct(scene, 0.0, q, &s->fault), NSDYN_OK);
  ck_assert(scene->closed.count == 3 && scene->closed.known == 2 && scene->closed.contact_rows == 5 &&
            scene->closed.rows == 6);
  static const struct {
    int index, row, rows;
    double gap;
  } expected[] = {{0, 0, 2, -1.0}, {2, 2, 1, -2.0}, {-1, 3, 2, -3.0}};
  for (int k = 0; k < 3; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    ck_assert(c->index == expected[k].index && c->row == expected[k].row && c->rows == expected[k].rows);
    ck_assert(c->gap == expected[k].gap);
  }
  const double W[24] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1};
  ck_assert_mem_eq(scene->directions.W, W, sizeof W);
  nsdyn_stepper_free(s);
}
END_TEST

SUITE("assembly/scene", TEST(room_grows_ahead_and_has_a_limit), TEST(rows_stand_in_order))
