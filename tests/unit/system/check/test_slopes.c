/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "polynomial.h"

typedef struct planted {
  int defect, extra;
  int32_t kind;
  const char *callback;
  int where;       /* 0: of contact, 1: of constraint, 2: of found contact, 3: of none */
  int row, column; /* −2: whichever */
} planted;

static const planted cases[] = {
    {POLY_SIGN_OF_GAP, 0, NSDYN_DEFECT_SLOPE, "direction", 0, 0, -2},
    {POLY_ROWS_EXCHANGED, 0, NSDYN_DEFECT_SLOPE, "direction", 0, 0, -2},
    {POLY_NO_W, 0, NSDYN_DEFECT_SLOPE, "direction", 0, 0, -2},
    {POLY_MISSING_ELEMENT, 0, NSDYN_DEFECT_SLOPE, "direction", 0, 0, 2},
    {POLY_WRONG_RATE, 0, NSDYN_DEFECT_RATE, "direction", 0, 0, -1},
    {POLY_MISSING_RATE, 0, NSDYN_DEFECT_RATE, "direction", 0, 0, -1},
    {POLY_SIGN_OF_BIAS, POLY_HAS_BIAS, NSDYN_DEFECT_BIAS, "bias", 0, -2, -1},
    {POLY_WRONG_RETRACT, POLY_RETRACTS, NSDYN_DEFECT_MOTION, "retract", 3, 1, 1},
    {POLY_WRONG_KINEMATICS, POLY_RETRACTS | POLY_MOVES, NSDYN_DEFECT_MOTION, "retract", 3, 1, 1},
    {POLY_WRONG_KINEMATICS, POLY_MOVES, NSDYN_DEFECT_SLOPE, "direction", 4, 0, 1},
    {POLY_SIGN_OF_CONSTRAINT, 0, NSDYN_DEFECT_SLOPE, "constraint", 1, 1, -2},
    {POLY_WRONG_CONSTRAINT_RATE, 0, NSDYN_DEFECT_RATE, "constraint", 1, 1, -1},
    {POLY_WRONG_CONSTRAINT_BIAS, POLY_HAS_BIAS, NSDYN_DEFECT_BIAS, "constraint_bias", 1, 1, -1},
    {POLY_FOUND_SLOPE, 0, NSDYN_DEFECT_SLOPE, "find", 2, 0, 2},
    {POLY_FOUND_RATE, 0, NSDYN_DEFECT_RATE, "find", 2, 0, -1},
    {POLY_FOUND_BIAS, 0, NSDYN_DEFECT_BIAS, "find", 2, 0, -1}};

/* In all units, at all times: by name, row and column. */
START_TEST(defects_are_found_and_named)
{
  static const double times[] = {0.0, 0.2, 1e6}, lengths[] = {1.0, 1e-6, 1e4};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const int seeds = random_cases(30);
    for (int seed = 0; seed < seeds; seed++) {
      random_state r = random_seed((uint64_t)seed);
      const planted *c = &cases[k];
      poly p;
      double q[4], u[4];
      const int has_all = c->where < 3;
      poly_random(&p, &r, 4, has_all ? 2 : c->where == 4, has_all ? 2 : 0, has_all ? 1 : 0);
      p.L = lengths[seed % 3];
      p.defect = c->defect;
      p.which = c->where == 2 || c->where == 4 ? 0 : 1;
      p.column = c->row == -2 ? seed % 2 : 2;
      for (int i = 0; i < 4; i++) {
        q[i] = p.L * poly_uniform(&r);
        u[i] = p.u[i] = p.L * (0.5 + random_between(&r, 0.0, 1.0));
      }
      for (int i = 0; i < 5; i++) { /* what is said of it must not be zero by chance */
        p.gap[i].A = p.gap[i].A < 0.0 ? p.gap[i].A - 0.2 : p.gap[i].A + 0.2;
        p.gap[i].omega += p.gap[i].omega < 0.0 ? -1.0 : 1.0;
        p.gap[i].n[2] += 4.0;
      }
      nsdyn_system *sys = poly_system(&p, c->extra, 0);
      nsdyn_system_check_report report = fresh_report();
      const nsdyn_status status = nsdyn_system_check(sys, times[seed / 3 % 3], q, u, &report);
      REQUIRE(status == NSDYN_ERR_INCONSISTENT, "defect %d, seed %d: %s", c->defect, seed,
              nsdyn_status_name(status));
      REQUIRE(report.defect == c->kind && strcmp(report.callback, c->callback) == 0, "defect %d, seed %d: %s",
              c->defect, seed, nsdyn_system_message(sys));
      REQUIRE(report.contact == (c->where == 0   ? 1
                                 : c->where == 4 ? 0
                                                 : -1) &&
                  report.constraint == (c->where == 1 ? 1 : -1) && (c->where != 2 || report.key == 1000),
              "defect %d, seed %d: %s", c->defect, seed, nsdyn_system_message(sys));
      REQUIRE((c->row == -2 || report.row == c->row) && (c->column == -2 || report.column == c->column),
              "defect %d, seed %d: %s", c->defect, seed, nsdyn_system_message(sys));
      if (c->defect == POLY_SIGN_OF_BIAS) {
        REQUIRE(report.row == p.column, "seed %d: row %d", seed, (int)report.row);
      }
      nsdyn_system_free(sys);
    }
  }
}
END_TEST

/* ---- gaps that are not smooth ---- */

typedef struct kinky {
  double at;         /* of the kink */
  double given, far; /* what direction says; from where on the gap is infinite */
} kinky;

static int kink_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = 2.0;
  return 0;
}

static int kink_gap(void *user, double t, const double *q, double *g)
{
  const kinky *k = user;
  (void)t;
  g[0] = q[0] > k->far ? INFINITY : 0.3 + fabs(q[0] - k->at);
  return 0;
}

static int kink_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const kinky *k = user;
  (void)t, (void)q, (void)i;
  w_hat[0] = 0.0;
  W[0] = k->given;
  return 0;
}

/* At the kink both slopes are as good as what is between, further out none is; beside it one is right. */
START_TEST(kinks_are_told_from_errors)
{
  static const struct {
    double at, given, far;
    nsdyn_status status;
    int unclear;
  } tries[] = {{0.5, 1.0, INFINITY, NSDYN_OK, 1},
               {0.5, -1.0, INFINITY, NSDYN_OK, 1},
               {0.5, 5.0, INFINITY, NSDYN_ERR_INCONSISTENT, 0},
               {0.5 - 1e-7, 1.0, INFINITY, NSDYN_OK, 0},
               {0.5 + 1e-7, -1.0, INFINITY, NSDYN_OK, 0},
               {0.5 + 1e-7, 1.0, INFINITY, NSDYN_ERR_INCONSISTENT, 0},
               {0.2, 1.0, 0.5 + 1e-6, NSDYN_OK, 0},
               {0.2, -1.0, 0.5 + 1e-6, NSDYN_ERR_INCONSISTENT, 0},
               {0.2, 7.0, 0.4, NSDYN_OK, 0}};
  for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
    kinky user = {tries[k].at, tries[k].given, tries[k].far};
    nsdyn_system_def def;
    nsdyn_system *sys;
    const double q = 0.5, u = 0.0;
    nsdyn_system_def_init(&def, sizeof def);
    def.nq = def.nu = def.ncontacts = 1;
    def.user = &user;
    def.mass = kink_mass;
    def.gap = kink_gap;
    def.direction = kink_direction;
    ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
    nsdyn_system_check_report report = fresh_report();
    const nsdyn_status status = nsdyn_system_check(sys, 0.0, &q, &u, &report);
    ck_assert_msg(status == tries[k].status && report.unclear == tries[k].unclear,
                  "try %d: %s, %d unclear: %s", (int)k, nsdyn_status_name(status), (int)report.unclear,
                  nsdyn_system_message(sys));
    nsdyn_system_free(sys);
  }
}
END_TEST

/* ---- found contacts that leave w̄ out ---- */

/* A bowl: g = q² − 1, w̄ = 2 u². */
static int bowl_find(void *user, double t, const double *q, const double *u, double margin,
                     nsdyn_contact_sink *sink)
{
  const double slope = 2.0 * q[0];
  const nsdyn_contact_block block = {0, 1, &slope};
  nsdyn_found_contact found;
  (void)t, (void)margin;
  nsdyn_found_contact_init(&found, sizeof found);
  found.gap = q[0] * q[0] - 1.0;
  found.blocks = 1;
  found.block = &block;
  if (u) {
    found.w_bar[0] = *(const double *)user;
  }
  return nsdyn_contact_sink_add(sink, &found);
}

/* The default, no number, asks the driver for differences, and is no mistake; a zero is one here. */
START_TEST(found_contacts_may_leave_w_bar_out)
{
  static const double given[] = {NAN, 2.0 * 3.0 * 3.0, -2.0 * 3.0 * 3.0, 0.0};
  for (int k = 0; k < 4; k++) {
    nsdyn_system_def def;
    nsdyn_system *sys;
    nsdyn_contact_law law;
    int32_t number;
    const double q = 1.5, u = 3.0;
    double w_bar = given[k];
    nsdyn_system_def_init(&def, sizeof def);
    def.nq = def.nu = 1;
    def.user = &w_bar;
    def.mass = kink_mass;
    def.find = bowl_find;
    ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
    nsdyn_contact_law_init(&law, sizeof law);
    law.friction = NSDYN_FRICTION_NONE;
    ck_assert_int_eq(nsdyn_system_add_law(sys, &law, &number), NSDYN_OK);
    nsdyn_system_check_report report = fresh_report();
    const nsdyn_status status = nsdyn_system_check(sys, 0.0, &q, &u, &report);
    ck_assert_msg(status == (k < 2 ? NSDYN_OK : NSDYN_ERR_INCONSISTENT), "%s", nsdyn_system_message(sys));
    ck_assert(k < 2 || report.defect == NSDYN_DEFECT_BIAS);
    nsdyn_system_free(sys);
  }
}
END_TEST

/* ---- a bias of zero, to rounding ---- */

typedef struct slope_user {
  double angle, length; /* of the slope; the unit of lengths */
  double bias;          /* what is written instead of zero, in units of w u · u / q */
} slope_user;

static int slope_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[3] = 1.5;
  M[1] = M[2] = 0.0;
  return 0;
}

static int slope_gap(void *user, double t, const double *q, double *g)
{
  const slope_user *s = user;
  (void)t;
  g[0] = sin(s->angle) * q[0] + cos(s->angle) * q[1];
  return 0;
}

static int slope_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const slope_user *s = user;
  (void)t, (void)q, (void)i;
  w_hat[0] = w_hat[1] = 0.0;
  W[0] = W[3] = sin(s->angle);
  W[1] = cos(s->angle);
  W[2] = -W[1];
  return 0;
}

static int slope_bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  const slope_user *s = user;
  (void)t, (void)i;
  w_bar[0] = s->bias * u[0] * u[0] / q[0];
  w_bar[1] = -w_bar[0];
  return 0;
}

/* Nothing changes along the motion, and no difference tells how large a bias would be: what is left of terms
 * that cancel is zero; a billionth of them is none. */
START_TEST(a_bias_of_rounding_is_zero)
{
  static const double lengths[] = {1.0, 1e-6, 9e-3, 1e5}, times[] = {0.0, 1e6};
  static const double biases[] = {0.0, 2.2e-16, -1.1e-15, 5e-18, 1e-9, -1e-3, 1.0};
  const int seeds = random_cases(200);
  for (int seed = 0; seed < seeds; seed++) {
    random_state r = random_seed((uint64_t)seed);
    const double L = lengths[seed % 4];
    slope_user user = {random_between(&r, 0.1, 1.4), L, biases[seed % 7]};
    const double q[2] = {L * random_between(&r, 0.3, 1.0), L * random_between(&r, 0.1, 1.0)};
    const double u[2] = {L * random_between(&r, 0.2, 3.0), L * random_between(&r, -1.0, 1.0)};
    nsdyn_system_def def;
    nsdyn_system *sys;
    nsdyn_system_def_init(&def, sizeof def);
    def.nq = def.nu = 2;
    def.ncontacts = 1;
    def.user = &user;
    def.mass = slope_mass;
    def.gap = slope_gap;
    def.direction = slope_direction;
    def.bias = slope_bias;
    ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    law.mu = 0.3;
    ck_assert_int_eq(nsdyn_system_set_contact(sys, 0, &law), NSDYN_OK);
    nsdyn_system_check_report report = fresh_report();
    const nsdyn_status status = nsdyn_system_check(sys, times[seed % 2], q, u, &report);
    const int is_wrong = fabs(user.bias) > 1e-12;
    REQUIRE(status == (is_wrong ? NSDYN_ERR_INCONSISTENT : NSDYN_OK), "seed %d, bias %g: %s", seed, user.bias,
            nsdyn_system_message(sys));
    REQUIRE(!is_wrong || report.defect == NSDYN_DEFECT_BIAS, "seed %d: %s", seed, nsdyn_system_message(sys));
    nsdyn_system_free(sys);
  }
}
END_TEST

/* ---- a curve next to zero ---- */

static int curve_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = 1.0;
  return 0;
}

static int curve_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[0] + q[0] * q[0];
  return 0;
}

static int curve_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)i;
  W[0] = 1.0 + 2.0 * q[0];
  w_hat[0] = 0.0;
  return 0;
}

static int curve_bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  (void)t, (void)q, (void)u, (void)i;
  w_bar[0] = *(const double *)user;
  return 0;
}

/* g = φ + φ², w̄ = 2 u²: where φ is rounding next to u it is judged all the same. */
START_TEST(biases_next_to_zero_are_judged)
{
  static const double places[] = {0.0, 6e-17, -1e-15, 1e-12, 1e-300, 0.1};
  for (int k = 0; k < 6; k++) {
    for (int i = 0; i < 4; i++) {
      const double told[] = {2.0, 0.0, -500.0, 1.99};
      double bias = told[i];
      nsdyn_system_def def;
      nsdyn_system *sys;
      nsdyn_system_def_init(&def, sizeof def);
      def.nq = def.nu = 1;
      def.ncontacts = 1;
      def.user = &bias;
      def.mass = curve_mass;
      def.gap = curve_gap;
      def.direction = curve_direction;
      def.bias = curve_bias;
      ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
      nsdyn_contact_law law;
      nsdyn_contact_law_init(&law, sizeof law);
      law.friction = NSDYN_FRICTION_NONE;
      ck_assert_int_eq(nsdyn_system_set_contact(sys, 0, &law), NSDYN_OK);
      nsdyn_system_check_report report = fresh_report();
      const double q = places[k], u = 1.0;
      const nsdyn_status status = nsdyn_system_check(sys, 0.0, &q, &u, &report);
      REQUIRE(status == (i ? NSDYN_ERR_INCONSISTENT : NSDYN_OK), "φ = %g, told %g: %s", q, bias,
              nsdyn_system_message(sys));
      nsdyn_system_free(sys);
    }
  }
}
END_TEST

/* ---- a geometry with a tolerance of its own ---- */

/* The end of a rod above a floor, (x, y, φ): within a tolerance of the horizontal the user's geometry takes a
 * part of the slope for all of it, and what is as near to the floor as that for what touches. */
typedef struct tolerant {
  double L, l, tolerance, part, wrong; /* L: the unit of lengths; wrong: what directions are off by */
} tolerant;

static int tolerant_mass(void *user, double t, const double *q, double *M)
{
  const tolerant *p = user;
  (void)t, (void)q;
  M[0] = M[4] = 1.3;
  M[8] = 1.3 * p->l * p->l / 3.0;
  return 0;
}

static int tolerant_gap(void *user, double t, const double *q, double *g)
{
  const tolerant *p = user;
  const double part = fabs(q[2]) < p->tolerance ? p->part : 1.0;
  (void)t;
  g[0] = q[1] - p->l * part * sin(q[2]);
  return 0;
}

static int tolerant_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const tolerant *p = user;
  (void)t, (void)i;
  w_hat[0] = 0.0;
  W[1] = 1.0;
  W[2] = -p->l * (1.0 + p->wrong) * cos(q[2]);
  return 0;
}

/* Coordinates that are exactly zero, and gaps: what they are small against is told by others. */
START_TEST(steps_from_zero_are_no_smaller_than_lengths_tell)
{
  static const double lengths[] = {1.0, 1e-6, 1e3, 1e-3};
  const int seeds = random_cases(400);
  for (int seed = 0; seed < seeds; seed++) {
    random_state r = random_seed((uint64_t)seed);
    const double L = lengths[seed % 4];
    tolerant user = {L, L * random_between(&r, 0.2, 3.0), pow(10.0, random_between(&r, -12.0, -8.0)),
                     random_between(&r, 0.0, 0.99), 0.0};
    const int is_wrong = seed % 5 == 4;
    user.wrong = is_wrong ? random_between(&r, 1e-3, 1.0) : 0.0;
    const double q[3] = {L * random_between(&r, 0.1, 3.0), 0.0, 0.0};
    const double u[3] = {0.0, 0.0, seed / 4 % 2 ? random_between(&r, -1.0, 1.0) : 0.0};
    nsdyn_system_def def;
    nsdyn_system *sys;
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    law.friction = NSDYN_FRICTION_NONE;
    nsdyn_system_def_init(&def, sizeof def);
    def.nq = def.nu = 3;
    def.ncontacts = 1;
    def.user = &user;
    def.mass = tolerant_mass;
    def.gap = tolerant_gap;
    def.direction = tolerant_direction;
    ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_system_set_contact(sys, 0, &law), NSDYN_OK);
    nsdyn_system_check_report report = fresh_report();
    const nsdyn_status status = nsdyn_system_check(sys, seed % 3 ? 0.0 : 1e6, q, u, &report);
    REQUIRE(status == (is_wrong ? NSDYN_ERR_INCONSISTENT : NSDYN_OK), "seed %d: %s", seed,
            nsdyn_system_message(sys));
    REQUIRE(!is_wrong || (report.defect == NSDYN_DEFECT_SLOPE && report.contact == 0 && report.column == 2),
            "seed %d: %s", seed, nsdyn_system_message(sys));
    nsdyn_system_free(sys);
  }
}
END_TEST

SUITE("system/check/slopes", TEST(steps_from_zero_are_no_smaller_than_lengths_tell),
      TEST(a_bias_of_rounding_is_zero), TEST(biases_next_to_zero_are_judged),
      TEST(found_contacts_may_leave_w_bar_out), TEST(defects_are_found_and_named),
      TEST(kinks_are_told_from_errors))
