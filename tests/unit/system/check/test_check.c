/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/check/check.h"

#include "event_models.h"
#include "polynomial.h"
#include "support/model.h"

static int unclear; /* of a whole test */

static void must_agree(nsdyn_system *sys, double t, const double *q, const double *u, const char *name, int k)
{
  nsdyn_system_check_report report = fresh_report();
  const nsdyn_status status = nsdyn_system_check(sys, t, q, u, &report);
  REQUIRE(status == NSDYN_OK, "%s, seed %d: %s: %s (error %g)", name, k, nsdyn_status_name(status),
          nsdyn_system_message(sys), report.error);
  REQUIRE(report.defects == 0 && report.checks > 0, "%s, seed %d", name, k);
  /* Of some thousand numbers one may be lost in rounding, as where terms of a slope cancel at t = 1e6. */
  REQUIRE(report.unclear <= 1, "%s, seed %d: %d unclear of %d", name, k, (int)report.unclear,
          (int)report.checks);
  unclear += (int)report.unclear;
  REQUIRE(strcmp(nsdyn_system_message(sys), "") == 0, "%s", nsdyn_system_message(sys));
}

/* At all times and in all units. */
START_TEST(what_agrees_is_never_accused)
{
  static const double lengths[] = {1.0, 1e-6, 1e6, 1e-3}, masses[] = {1.0, 1e-9, 1e3, 1e6};
  static const double times[] = {0.0, 0.3, 1e3, 1e6};
  const int cases = random_cases(2000);
  unclear = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    poly p;
    double q[POLY_NU], u[POLY_NU];
    poly_random(&p, &r, 1 + k % POLY_NU, k % 3, k / 3 % 2, k / 6 % 3);
    p.L = lengths[k / 4 % 4];
    p.m = masses[k / 16 % 4];
    for (int i = 0; i < p.nu; i++) {
      q[i] = p.L * poly_uniform(&r);
      u[i] = p.u[i] = p.L * poly_uniform(&r);
    }
    nsdyn_system *sys = poly_system(&p, k % 32, k % 5 ? 0 : NSDYN_CONSTANT_MASS);
    must_agree(sys, times[k % 4] + random_between(&r, 0.0, 1.0), q, u, "polynomials", k);
    nsdyn_system_free(sys);
  }
  ck_assert_int_le(unclear, cases / 1000);
}
END_TEST

/* The models that other tests compare with closed forms. */
START_TEST(models_with_closed_forms_agree)
{
  const int cases = random_cases(50);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const double t = k % 3 == 2 ? 1e6 : random_between(&r, 0.0, 10.0);
    double q[6], u[6];
    for (int i = 0; i < 6; i++) {
      q[i] = random_between(&r, -1.0, 1.0);
      u[i] = random_between(&r, -1.0, 1.0);
    }
    exact_woodpecker w;
    exact_woodpecker_table(&w);
    exact_rod rod = {.m = 1.0, .l = 1.0, .mu = 2.0, .g = 9.81};
    points floor = {.count = 2, .g = 9.81, .A = {0.1, 0.02}, .omega = {3.0, 70.0}};
    driven s[] = {toy_scene(&w), rod_scene(&rod, 0.0, 1), points_scene(&floor, 0.3, 0.5)};
    static const char *const names[] = {"woodpecker", "rod", "moving floor"};
    for (size_t i = 0; i < sizeof s / sizeof *s; i++) {
      must_agree(s[i].sys, t, q, u, names[i], k);
      scene_end(&s[i]);
    }
  }
}
END_TEST

/* ---- coordinates that are no velocities ---- */

/* A bar at (x, y, cos, sin) with velocities (x', y', ω), its end L from its centre, over a floor; and a box's
 * corner at a position with a quaternion, with the angular velocity in the body's axes. */
static const double bar_L = 0.7;
static const double corner[3] = {0.3, -0.2, 0.5};

static int bar_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[4] = 2.0;
  M[8] = 0.1;
  return 0;
}

static int bar_gap(void *user, double t, const double *q, double *g)
{
  (void)user;
  g[0] = q[1] + bar_L * q[3] - 0.1 * sin(3.0 * t);
  return 0;
}

static int bar_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)i;
  W[1] = 1.0;
  W[2] = bar_L * q[2];
  W[3] = 1.0;
  W[5] = -bar_L * q[3];
  w_hat[0] = -0.3 * cos(3.0 * t);
  return 0;
}

static int bar_bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  (void)user, (void)i;
  w_bar[0] = -bar_L * q[3] * u[2] * u[2] + 0.9 * sin(3.0 * t);
  w_bar[1] = -bar_L * q[2] * u[2] * u[2];
  return 0;
}

static int bar_kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  (void)user, (void)t;
  qdot[0] = u[0];
  qdot[1] = u[1];
  qdot[2] = -q[3] * u[2];
  qdot[3] = q[2] * u[2];
  return 0;
}

static int bar_retract(void *user, double t, const double *q, const double *u, double dt, double *q_new)
{
  (void)t;
  const double c = cos(dt * u[2]), s = sin(dt * u[2]);
  (void)user;
  q_new[0] = q[0] + dt * u[0];
  q_new[1] = q[1] + dt * u[1];
  q_new[2] = q[2] * c - q[3] * s;
  q_new[3] = q[3] * c + q[2] * s;
  return 0;
}

static int box_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  for (int i = 0; i < 6; i++) {
    M[7 * i] = i < 3 ? 3.0 : 0.05 * i;
  }
  return 0;
}

/* Rᵀ e_z of a quaternion (w, x, y, z) of any norm. */
static void upwards(const double *p, double *e)
{
  const double norm = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
  e[0] = 2.0 * (p[1] * p[3] - p[0] * p[2]) / norm;
  e[1] = 2.0 * (p[2] * p[3] + p[0] * p[1]) / norm;
  e[2] = (p[0] * p[0] - p[1] * p[1] - p[2] * p[2] + p[3] * p[3]) / norm;
}

static int box_gap(void *user, double t, const double *q, double *g)
{
  double e[3];
  (void)user, (void)t;
  upwards(q + 3, e);
  g[0] = q[2] + corner[0] * e[0] + corner[1] * e[1] + corner[2] * e[2];
  return 0;
}

static void cross(const double *a, const double *b, double *c)
{
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

static int box_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  double e[3];
  (void)user, (void)t, (void)i;
  w_hat[0] = 0.0;
  upwards(q + 3, e);
  W[2] = 1.0;
  cross(corner, e, W + 3);
  return 0;
}

/* w̄ = e_z · R (ω × (ω × p)) */
static int box_bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  double e[3], v[3], a[3];
  (void)user, (void)t, (void)i;
  upwards(q + 3, e);
  cross(u + 3, corner, v);
  cross(u + 3, v, a);
  w_bar[0] = e[0] * a[0] + e[1] * a[1] + e[2] * a[2];
  return 0;
}

static int box_kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  const double *p = q + 3, *o = u + 3;
  (void)user, (void)t;
  for (int i = 0; i < 3; i++) {
    qdot[i] = u[i];
  }
  qdot[3] = 0.5 * (-p[1] * o[0] - p[2] * o[1] - p[3] * o[2]);
  qdot[4] = 0.5 * (p[0] * o[0] + p[2] * o[2] - p[3] * o[1]);
  qdot[5] = 0.5 * (p[0] * o[1] + p[3] * o[0] - p[1] * o[2]);
  qdot[6] = 0.5 * (p[0] * o[2] + p[1] * o[1] - p[2] * o[0]);
  return 0;
}

/* q + dt q̇, brought back to the norm 1. */
static int box_retract(void *user, double t, const double *q, const double *u, double dt, double *q_new)
{
  (void)t;
  double qdot[7], norm = 0.0;
  (void)box_kinematics(user, 0.0, q, u, qdot);
  for (int i = 0; i < 7; i++) {
    q_new[i] = q[i] + dt * qdot[i];
    norm += i < 3 ? 0.0 : q_new[i] * q_new[i];
  }
  for (int i = 3; i < 7; i++) {
    q_new[i] /= sqrt(norm);
  }
  return 0;
}

static nsdyn_system *turning(int is_box, int retracts)
{
  nsdyn_system_def def;
  nsdyn_system *sys;
  nsdyn_contact_law law;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = is_box ? 7 : 4;
  def.nu = is_box ? 6 : 3;
  def.ncontacts = 1;
  def.mass = is_box ? box_mass : bar_mass;
  def.gap = is_box ? box_gap : bar_gap;
  def.direction = is_box ? box_direction : bar_direction;
  def.bias = is_box ? box_bias : bar_bias;
  def.kinematics = is_box ? box_kinematics : bar_kinematics;
  def.retract = !retracts ? NULL : is_box ? box_retract : bar_retract;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  nsdyn_contact_law_init(&law, sizeof law);
  law.friction = is_box ? NSDYN_FRICTION_NONE : NSDYN_FRICTION_COULOMB;
  ck_assert_int_eq(nsdyn_system_set_contact(sys, 0, &law), NSDYN_OK);
  return sys;
}

START_TEST(coordinates_may_be_cosines_or_quaternions)
{
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int is_box = k % 2;
    nsdyn_system *sys = turning(is_box, k / 2 % 2);
    double q[7], u[6], norm = 0.0;
    for (int i = 0; i < 7; i++) {
      q[i] = random_normal(&r);
      norm += i < 3 - !is_box || (!is_box && i > 3) ? 0.0 : q[i] * q[i];
    }
    for (int i = is_box ? 3 : 2; i < (is_box ? 7 : 4); i++) {
      q[i] /= sqrt(norm);
    }
    if (k % 5 == 0) { /* upright, where much is zero */
      for (int i = is_box ? 3 : 2; i < (is_box ? 7 : 4); i++) {
        q[i] = i == (is_box ? 3 : 2) ? 1.0 : 0.0;
      }
    }
    q[0] *= k % 7 ? 1.0 : 1e4;
    for (int i = 0; i < 6; i++) {
      u[i] = random_normal(&r);
    }
    must_agree(sys, k % 3 ? random_between(&r, 0.0, 5.0) : 1e6, q, u, is_box ? "box" : "bar", k);
    nsdyn_system_free(sys);
  }
}
END_TEST

/* ---- planted defects of M and of answers ---- */

typedef struct planted {
  int defect, extra;
  int32_t kind;
  const char *callback;
  int row, column; /* −2: whichever */
} planted;

START_TEST(masses_and_changing_answers_are_found)
{
  static const planted cases[] = {
      {POLY_TRANSPOSED_M, 0, NSDYN_DEFECT_SYMMETRY, "mass", 1, 0},
      {POLY_UPPER_HALF, 0, NSDYN_DEFECT_SYMMETRY, "mass", 3, 0},
      {POLY_NEGATIVE_MASS, 0, NSDYN_DEFECT_DEFINITE, "mass", 2, -1},
      {POLY_WRONG_INVERSE, POLY_BOTH_MASSES, NSDYN_DEFECT_SYMMETRY, "solve_mass", -2, -2},
      {POLY_UNSYMMETRIC_INVERSE, POLY_SOLVES, NSDYN_DEFECT_SYMMETRY, "solve_mass", -2, -2},
      {POLY_FORGETFUL_FORCE, 0, NSDYN_DEFECT_CHANGING, "force", 1, -1},
      {POLY_STALE_CONFIGURE, 0, NSDYN_DEFECT_CHANGING, "force", 1, -1},
      {POLY_FALSE_FLAG, 0, NSDYN_DEFECT_CONSTANT, "mass", -2, -2},
      {POLY_NONLINEAR_KINEMATICS, POLY_MOVES, NSDYN_DEFECT_LINEAR, "kinematics", 1, -1},
      {POLY_RESTLESS_RETRACT, POLY_RETRACTS, NSDYN_DEFECT_REST, "retract", 2, -1}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    for (int seed = 0; seed < random_cases(10); seed++) {
      random_state r = random_seed((uint64_t)seed);
      const planted *c = &cases[k];
      poly p;
      double q[4], u[4];
      poly_random(&p, &r, 4, 2, 1, 0);
      p.L = seed % 2 ? 1e-6 : 1.0;
      p.m = seed % 3 ? 1e3 : 1.0;
      p.defect = c->defect;
      for (int i = 0; i < 4; i++) {
        q[i] = p.L * poly_uniform(&r);
        u[i] = p.L * (0.5 + random_between(&r, 0.0, 1.0));
      }
      nsdyn_system *sys = poly_system(&p, c->extra, c->defect == POLY_FALSE_FLAG ? NSDYN_CONSTANT_MASS : 0);
      nsdyn_system_check_report report = fresh_report();
      ck_assert_msg(nsdyn_system_check(sys, 0.1, q, u, &report) == NSDYN_ERR_INCONSISTENT,
                    "defect %d, seed %d", c->defect, seed);
      ck_assert_msg(report.defect == c->kind && strcmp(report.callback, c->callback) == 0 &&
                        (c->row == -2 || report.row == c->row) &&
                        (c->column == -2 || report.column == c->column),
                    "defect %d, seed %d: %s", c->defect, seed, nsdyn_system_message(sys));
      ck_assert(report.contact == -1 && report.constraint == -1 && report.defects > 0 && report.error > 0.0);
      ck_assert_msg(strncmp(nsdyn_system_message(sys), c->callback, strlen(c->callback)) == 0, "%s",
                    nsdyn_system_message(sys));
      nsdyn_system_free(sys);
    }
  }
}
END_TEST

START_TEST(numbers_that_are_none_are_named)
{
  static const struct {
    int defect;
    const char *callback, *said;
    int contact, constraint, row, column;
  } cases[] = {
      {POLY_NAN_FORCE, "force", "callback force: h element 2 is nan", -1, -1, 2, -1},
      {POLY_NAN_GAP, "gap", "callback gap, contact 1: its gap is nan", 1, -1, -1, -1},
      {POLY_NAN_W, "direction", "callback direction, contact 1: W row 0, column 2 is nan", 1, -1, 0, 2},
      {POLY_NAN_W_B, "constraint", "callback constraint, constraint 1: W_b row 1, column 2 is nan", -1, 1, 1,
       2},
      {POLY_NAN_FOUND, "find", "callback find, contact with key 1001: a value of a block is nan", -1, -1, -1,
       -1},
      {POLY_NAN_M, "mass", "callback mass: M row 1, column 2 is nan", -1, -1, 1, 2}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    random_state r = random_seed(k);
    poly p;
    const double q[4] = {0.1, 0.2, 0.3, 0.4}, u[4] = {0.4, 0.5, -0.6, 0.1};
    poly_random(&p, &r, 4, 2, cases[k].defect == POLY_NAN_W_B ? 2 : 1,
                cases[k].defect == POLY_NAN_FOUND ? 2 : 0);
    p.defect = cases[k].defect;
    p.which = 1;
    p.column = 2;
    nsdyn_system *sys = poly_system(&p, 0, 0);
    nsdyn_system_check_report report = fresh_report();
    ck_assert_int_eq(nsdyn_system_check(sys, 0.1, q, u, &report), NSDYN_ERR_NOT_FINITE);
    ck_assert_str_eq(nsdyn_system_message(sys), cases[k].said);
    ck_assert(report.defect == NSDYN_DEFECT_NOT_FINITE && strcmp(report.callback, cases[k].callback) == 0);
    ck_assert(report.contact == cases[k].contact && report.constraint == cases[k].constraint);
    ck_assert(report.row == cases[k].row && report.column == cases[k].column && isnan(report.found));
    nsdyn_system_free(sys);
  }
}
END_TEST

/* ---- diagonal blocks ---- */

/* Blocks of M agree with all that the whole agrees with, and with solve_mass. */
START_TEST(blocks_agree_as_the_whole_does)
{
  for (int seed = 0; seed < random_cases(60); seed++) {
    random_state random = random_seed((uint64_t)seed);
    const int n = 2 + random_below(&random, MODEL_MOST - 1);
    model m;
    nsdyn_system *sys;
    double q[MODEL_MOST], u[MODEL_MOST];
    model_random(&m, &random, n, 1, 1, 1);
    model_cut(&m, &random);
    m.writes_blocks = 1;
    for (int i = 0; i < n; i++) {
      q[i] = random_between(&random, -1.0, 1.0);
      u[i] = random_between(&random, -1.0, 1.0);
    }
    for (int i = 0; i < n * n && seed % 3 == 0; i++) {
      m.M1[i] = 0.0;
    }
    ck_assert_int_eq(
        model_system(&m, NULL, seed % 3 ? 0 : NSDYN_CONSTANT_MASS, seed % 2 ? MODEL_SOLVES : 0, &sys),
        NSDYN_OK);
    must_agree(sys, 0.1, q, u, "blocks", seed);
    nsdyn_system_free(sys);
  }
}
END_TEST

/* M of 8 velocities in blocks of 2, 3 and 3, with a defect in the last block: row and column are those of M,
 * the message counts them in the block. */
START_TEST(defects_of_blocks_are_named)
{
  static const struct {
    int row, column;
    double value;
    int64_t flags;
    int32_t kind;
    nsdyn_status status;
    const char *said;
  } cases[] = {{2, 1, 0.5, 0, NSDYN_DEFECT_SYMMETRY, NSDYN_ERR_INCONSISTENT,
                "mass, block 2 (velocities 5 to 7), row 2, column 1: 0.5 here and 0 across"},
               {1, 1, -1.0, 0, NSDYN_DEFECT_DEFINITE, NSDYN_ERR_INCONSISTENT,
                "mass, block 2 (velocities 5 to 7), row 1: the matrix is not positive definite"},
               {2, 0, NAN, 0, NSDYN_DEFECT_NOT_FINITE, NSDYN_ERR_NOT_FINITE,
                "callback mass: M block 2 (velocities 5 to 7) row 2, column 0 is nan"},
               {2, 2, 0.0, NSDYN_CONSTANT_MASS, NSDYN_DEFECT_CONSTANT, NSDYN_ERR_INCONSISTENT,
                "mass, block 2 (velocities 5 to 7), row 2, column 2: flags call it constant"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const double q[MODEL_MOST] = {0.1, 0.2, 0.3}, u[MODEL_MOST] = {0.3, -0.2, 0.1, 1.0};
    const int row = 5 + cases[k].row, column = cases[k].column + 5 * (cases[k].kind != NSDYN_DEFECT_DEFINITE);
    model m;
    nsdyn_system *sys;
    nsdyn_system_check_report report = fresh_report();
    model_clear(&m, MODEL_MOST);
    m.nblocks = 3;
    m.block[0] = 2;
    m.block[1] = m.block[2] = 3;
    m.writes_blocks = 1;
    if (cases[k].flags) {
      m.M1[row * MODEL_MOST + row] = 1.0;
      m.s[0] = 1.0;
    } else {
      m.M0[row * MODEL_MOST + 5 + cases[k].column] = cases[k].value;
    }
    ck_assert_int_eq(model_system(&m, NULL, cases[k].flags, 0, &sys), NSDYN_OK);
    ck_assert_int_eq(nsdyn_system_check(sys, 0.0, q, u, &report), cases[k].status);
    ck_assert_msg(strncmp(nsdyn_system_message(sys), cases[k].said, strlen(cases[k].said)) == 0, "%s",
                  nsdyn_system_message(sys));
    ck_assert_int_eq(report.defect, cases[k].kind);
    ck_assert_int_eq(report.row, row);
    ck_assert_int_eq(report.column, cases[k].kind == NSDYN_DEFECT_DEFINITE ? -1 : column);
    nsdyn_system_free(sys);
  }
}
END_TEST

/* ---- slopes that are called constant ---- */

/* h₀ = −k q₀ − d u₀ − a q₀³ − b u₀³ − c t q₀, and a spring from the first to the second. */
typedef struct spring {
  double m, k, d, a, b, c;
} spring;

static int spring_mass(void *user, double t, const double *q, double *M)
{
  (void)t, (void)q;
  M[0] = ((const spring *)user)->m;
  M[3] = 1.0;
  return 0;
}

static int spring_force(void *user, double t, const double *q, const double *u, double *h)
{
  const spring *s = user;
  h[0] = -s->k * q[0] - s->d * u[0] - s->a * q[0] * q[0] * q[0] - s->b * u[0] * u[0] * u[0] - s->c * t * q[0];
  h[1] = 0.1 * s->k * (q[0] - q[1]);
  return 0;
}

static int spring_slopes(void *user, double t, const double *q, const double *u, double *K, double *D)
{
  const spring *s = user;
  K[0] = -s->k - 3.0 * s->a * q[0] * q[0] - s->c * t;
  K[2] = 0.1 * s->k;
  K[3] = -0.1 * s->k;
  D[0] = -s->d - 3.0 * s->b * u[0] * u[0];
  return 0;
}

/* K that depends on q or t, D on u, is found out, at rest, too; what is constant is not accused. */
START_TEST(slopes_that_change_are_found)
{
  for (int seed = 0; seed < random_cases(200); seed++) {
    random_state r = random_seed((uint64_t)seed);
    const double unit = pow(10.0, seed / 8 % 7 - 3);
    spring p = {unit * random_between(&r, 0.1, 10.0),
                unit * random_between(&r, 1.0, 100.0),
                unit * random_between(&r, 0.0, 1.0),
                0.0,
                0.0,
                0.0};
    double *const terms[] = {&p.a, &p.b, &p.c};
    const double v = seed / 4 % 2 ? random_between(&r, -1.0, 1.0) : 0.0;
    const double q[2] = {0.3, -0.1}, u[2] = {v, -v};
    nsdyn_system_def def;
    nsdyn_system *sys;
    if (seed % 4) {
      *terms[seed % 4 - 1] = unit * random_between(&r, 0.1, 1.0);
    }
    nsdyn_system_def_init(&def, sizeof def);
    def.nq = def.nu = 2;
    def.user = &p;
    def.mass = spring_mass;
    def.force = spring_force;
    def.force_jacobian = spring_slopes;
    for (int64_t flags = 0; flags <= NSDYN_CONSTANT_SLOPES; flags += NSDYN_CONSTANT_SLOPES) {
      nsdyn_system_check_report report = fresh_report();
      def.flags = flags;
      ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
      const nsdyn_status status = nsdyn_system_check(sys, 0.1, q, u, &report);
      const int is_found = flags && seed % 4;
      REQUIRE(status == (is_found ? NSDYN_ERR_INCONSISTENT : NSDYN_OK), "seed %d: %s", seed,
              nsdyn_system_message(sys));
      REQUIRE(!is_found || (report.defect == NSDYN_DEFECT_CONSTANT && report.row == 0 && report.column == 0 &&
                            strcmp(report.callback, "force_jacobian") == 0),
              "seed %d: %s", seed, nsdyn_system_message(sys));
      nsdyn_system_free(sys);
    }
  }
}
END_TEST

/* ---- the call ---- */

START_TEST(arguments_are_checked)
{
  random_state r = random_seed(1);
  poly p;
  const double q[3] = {0.1, 0.2, 0.3}, bad[3] = {0.0, NAN, 0.0};
  poly_random(&p, &r, 3, 1, 0, 0);
  nsdyn_system *sys = poly_system(&p, 0, 0);
  nsdyn_system_check_report report = fresh_report();
  ck_assert_int_eq(nsdyn_system_check(NULL, 0.0, q, q, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_system_check(sys, 0.0, q, q, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_system_check(sys, 0.0, NULL, q, &report), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_system_message(sys), "q is NULL");
  ck_assert_int_eq(nsdyn_system_check(sys, 0.0, q, NULL, &report), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_system_check(sys, INFINITY, q, q, &report), NSDYN_ERR_NOT_FINITE);
  ck_assert_int_eq(nsdyn_system_check(sys, 0.0, q, bad, &report), NSDYN_ERR_NOT_FINITE);
  ck_assert_str_eq(nsdyn_system_message(sys), "u: element 1 is nan");
  report.size = 3;
  ck_assert_int_eq(nsdyn_system_check(sys, 0.0, q, q, &report), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(nsdyn_system_check_report_init(NULL, sizeof report), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_system_check_report_init(&report, 3), NSDYN_ERR_STRUCT_SIZE);
  nsdyn_system_free(sys);
}
END_TEST

/* Nothing moves, nothing is there. */
START_TEST(nothing_agrees_with_nothing)
{
  nsdyn_system_def def;
  nsdyn_system *sys;
  nsdyn_system_def_init(&def, sizeof def);
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_system_check(sys, 0.0, NULL, NULL, NULL), NSDYN_OK);
  nsdyn_system_free(sys);
}
END_TEST

SUITE("system/check/check", TEST(what_agrees_is_never_accused), TEST(models_with_closed_forms_agree),
      TEST(blocks_agree_as_the_whole_does), TEST(slopes_that_change_are_found),
      TEST(defects_of_blocks_are_named), TEST(coordinates_may_be_cosines_or_quaternions),
      TEST(masses_and_changing_answers_are_found), TEST(numbers_that_are_none_are_named),
      TEST(arguments_are_checked), TEST(nothing_agrees_with_nothing))
