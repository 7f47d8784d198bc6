/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/integrator/dopri.h"

#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <string.h>

#include "suite.h"

enum { MOST = 12 };

/* An integrator with its memory and one tolerance for all components. */
typedef struct run {
  nsd_dopri w;
  nsd_dopri_task task;
  nsd_arena arena;
  double absolute[MOST], relative[MOST];
} run;

static void run_begin(run *r, int n, nsd_dopri_rhs *f, void *user, double tol)
{
  nsd_arena measure = nsd_arena_measure();
  r->arena = nsd_arena_empty(NULL);
  nsd_dopri_lay_out(&measure, &r->w, n);
  ck_assert_int_eq(nsd_arena_reserve(&r->arena, &measure), NSDYN_OK);
  nsd_dopri_lay_out(&r->arena, &r->w, n);
  nsd_dopri_reset(&r->w);
  for (int i = 0; i < MOST; i++) {
    r->absolute[i] = r->relative[i] = tol;
  }
  r->task = (nsd_dopri_task){
      .f = f, .user = user, .absolute = r->absolute, .relative = r->relative, .longest = INFINITY};
}

static void run_end(run *r)
{
  nsd_arena_release(&r->arena);
}

static void run_to(run *r, double t_end)
{
  while (r->w.t < t_end) {
    ck_assert_int_eq(nsd_dopri_step(&r->w, t_end), NSDYN_OK);
  }
  ck_assert(r->w.t == t_end);
}

/* Steps of length h, whatever the error. */
static void run_in_steps(run *r, double t, const double *y, double h, double t_end)
{
  r->task.longest = h;
  for (int i = 0; i < MOST; i++) {
    r->absolute[i] = 1e30;
  }
  ck_assert_int_eq(nsd_dopri_start(&r->w, &r->task, t, y, h), NSDYN_OK);
  run_to(r, t_end);
}

/* y_0' = y_0 cos t, y_1' = 2 t y_0 y_1 / (1 + t²)/ y_0: y = (exp(sin t), 1 + t²) from (1, 1). */
static int closed_form(void *user, double t, const double *y, double *slope)
{
  (void)user;
  slope[0] = y[0] * cos(t);
  slope[1] = 2.0 * t * y[1] / (1.0 + t * t) + y[0] - exp(sin(t));
  return 0;
}

static double closed_form_error(double t, const double *y)
{
  return fmax(fabs(y[0] - exp(sin(t))), fabs(y[1] - (1.0 + t * t)));
}

START_TEST(order_8_is_seen)
{
  const double y[2] = {1.0, 1.0};
  double error[3];
  for (int k = 0; k < 3; k++) {
    run r;
    run_begin(&r, 2, closed_form, NULL, 0.0);
    run_in_steps(&r, 0.0, y, ldexp(1.0, -k - 1), 4.0);
    error[k] = closed_form_error(4.0, r.w.y);
    run_end(&r);
  }
  for (int k = 0; k < 2; k++) {
    const double order = log2(error[k] / error[k + 1]);
    ck_assert_msg(order > 7.5 && order < 9.5, "order %g (errors %g, %g)", order, error[k], error[k + 1]);
  }
}
END_TEST

/* Within one step its error is of order h^8, one more than globally. */
START_TEST(order_7_of_the_extension_is_seen)
{
  double error[3];
  for (int k = 0; k < 3; k++) {
    const double h = ldexp(1.0, -k), y_0[2] = {1.0, 1.0};
    run r;
    run_begin(&r, 2, closed_form, NULL, 0.0);
    run_in_steps(&r, 0.0, y_0, h, h);
    ck_assert_int_eq(nsd_dopri_extend(&r.w), NSDYN_OK);
    error[k] = 0.0;
    for (int i = 1; i < 64; i++) {
      double y[2];
      nsd_dopri_at(&r.w, i / 64.0, y);
      error[k] = fmax(error[k], closed_form_error(i / 64.0 * h, y));
    }
    const double told = nsd_dopri_extension_error(&r.w) * (r.w.task.absolute[0] + r.w.task.relative[0]);
    ck_assert_msg(told >= 0.1 * error[k] && told <= 100.0 * error[k], "told %g, is %g", told, error[k]);
    run_end(&r);
  }
  for (int k = 0; k < 2; k++) {
    const double order = log2(error[k] / error[k + 1]);
    ck_assert_msg(order > 7.5 && order < 9.5, "order %g (errors %g, %g)", order, error[k], error[k + 1]);
  }
}
END_TEST

START_TEST(extension_joins_the_ends_smoothly)
{
  const double y_0[2] = {1.0, 1.0};
  double y[2];
  run r;
  run_begin(&r, 2, closed_form, NULL, 1e-9);
  ck_assert_int_eq(nsd_dopri_start(&r.w, &r.task, 0.0, y_0, 0.0), NSDYN_OK);
  for (int k = 0; k < 10; k++) {
    ck_assert_int_eq(nsd_dopri_step(&r.w, 20.0), NSDYN_OK);
    ck_assert_int_eq(nsd_dopri_extend(&r.w), NSDYN_OK);
    nsd_dopri_at(&r.w, 0.0, y);
    ck_assert_mem_eq(y, r.w.y_before, sizeof y);
    nsd_dopri_at(&r.w, 1.0, y);
    const double small = 1e-7;
    double inside[2];
    nsd_dopri_at(&r.w, 1.0 - small, inside);
    for (int i = 0; i < 2; i++) {
      ck_assert(fabs(y[i] - r.w.y[i]) <= 2.0 * DBL_EPSILON * fabs(r.w.y[i]));
      const double slope = (y[i] - inside[i]) / (small * r.w.h);
      ck_assert_msg(fabs(slope - nsd_dopri_slope(&r.w)[i]) <= 1e-5 * (1.0 + fabs(slope)), "%g", slope);
    }
  }
  run_end(&r);
}
END_TEST

static int oscillator(void *user, double t, const double *y, double *slope)
{
  (void)user, (void)t;
  slope[0] = y[1];
  slope[1] = -y[0];
  return 0;
}

/* 10⁴ periods: energy and phase drift by no more than what each step may err by, and without what rounding
 * would otherwise pile up. */
START_TEST(oscillates_ten_thousand_periods)
{
  const double y_0[2] = {1.0, 0.0}, t_end = (is_brief() ? 200.0 : 20000.0) * acos(-1.0);
  const double tolerances[] = {1e-6, 1e-9, 1e-12, 1e-14};
  const double allowed[] = {1e-2, 1e-5, 1e-8, 1e-10};
  for (int k = 0; k < 4; k++) {
    run r;
    run_begin(&r, 2, oscillator, NULL, tolerances[k]);
    ck_assert_int_eq(nsd_dopri_start(&r.w, &r.task, 0.0, y_0, 0.0), NSDYN_OK);
    run_to(&r, t_end);
    const double energy = (r.w.y[0] * r.w.y[0] + r.w.y[1] * r.w.y[1]) - 1.0;
    ck_assert_msg(fabs(energy) <= allowed[k] && fabs(r.w.y[1]) <= allowed[k],
                  "tolerance %g: energy %g, phase %g", tolerances[k], energy, r.w.y[1]);
    ck_assert(!r.w.stiff);
    run_end(&r);
  }
}
END_TEST

static int kepler(void *user, double t, const double *y, double *slope)
{
  (void)user, (void)t;
  const double r = hypot(y[0], y[1]);
  slope[0] = y[2];
  slope[1] = y[3];
  slope[2] = -y[0] / (r * r * r);
  slope[3] = -y[1] / (r * r * r);
  return 0;
}

/* Position on the ellipse of half axis 1 by Kepler's equation E − e sin E = t. */
static double kepler_error(double e, double t, const double *y)
{
  double E = t;
  for (int k = 0; k < 60; k++) {
    E -= (E - e * sin(E) - t) / (1.0 - e * cos(E));
  }
  return fmax(fabs(y[0] - (cos(E) - e)), fabs(y[1] - sqrt(1.0 - e * e) * sin(E)));
}

static double run_kepler(double tol, double t_end, int64_t *evaluations)
{
  const double e = 0.6, y_0[4] = {1.0 - e, 0.0, 0.0, sqrt((1.0 + e) / (1.0 - e))};
  run r;
  run_begin(&r, 4, kepler, NULL, tol);
  ck_assert_int_eq(nsd_dopri_start(&r.w, &r.task, 0.0, y_0, 0.0), NSDYN_OK);
  run_to(&r, t_end);
  const double error = kepler_error(e, t_end, r.w.y);
  *evaluations = r.w.evaluations;
  run_end(&r);
  return error;
}

START_TEST(error_follows_the_tolerance)
{
  double first = 0.0;
  for (int k = 3; k <= 13; k++) {
    int64_t evaluations;
    const double tol = pow(10.0, -k), error = run_kepler(tol, 20.0, &evaluations);
    first = k == 3 ? error : first;
    ck_assert_msg(error <= 300.0 * tol && error >= 0.01 * tol, "tolerance %g: error %g", tol, error);
    ck_assert_msg((double)evaluations <= 250.0 * pow(10.0, k / 8.0), "%d evaluations", (int)evaluations);
  }
}
END_TEST

/* The restricted three-body problem; the orbit closes after 17.0652165601579625588917206249 (Hairer, Nørsett
 * & Wanner 1993, II.0). */
static int arenstorf(void *user, double t, const double *y, double *slope)
{
  const double mu = 0.012277471, nu = 1.0 - mu;
  const double d1 = hypot(y[0] + mu, y[1]), d2 = hypot(y[0] - nu, y[1]);
  const double c1 = nu / (d1 * d1 * d1), c2 = mu / (d2 * d2 * d2);
  (void)user, (void)t;
  slope[0] = y[2];
  slope[1] = y[3];
  slope[2] = y[0] + 2.0 * y[3] - c1 * (y[0] + mu) - c2 * (y[0] - nu);
  slope[3] = y[1] - 2.0 * y[2] - c1 * y[1] - c2 * y[1];
  return 0;
}

START_TEST(arenstorf_orbit_closes)
{
  const double y_0[4] = {0.994, 0.0, 0.0, -2.00158510637908252240537862224};
  const double tolerances[] = {1e-8, 1e-11, 1e-14}, allowed[] = {1e-5, 1e-8, 1e-11};
  for (int k = 0; k < 3; k++) {
    run r;
    run_begin(&r, 4, arenstorf, NULL, tolerances[k]);
    ck_assert_int_eq(nsd_dopri_start(&r.w, &r.task, 0.0, y_0, 0.0), NSDYN_OK);
    run_to(&r, 17.0652165601579625588917206249);
    const double error = hypot(r.w.y[0] - y_0[0], r.w.y[1] - y_0[1]);
    ck_assert_msg(error <= allowed[k], "tolerance %g: %g", tolerances[k], error);
    ck_assert_int_lt(r.w.rejected, r.w.steps / 2);
    run_end(&r);
  }
}
END_TEST

/* y' = −λ (y − cos t) − sin t with λ = 10⁴: the solution is cos t, but steps cannot be longer than 6/λ or so.
 */
static int relaxation(void *user, double t, const double *y, double *slope)
{
  const double lambda = *(const double *)user;
  slope[0] = -lambda * (y[0] - cos(t)) - sin(t);
  return 0;
}

START_TEST(says_when_a_problem_is_stiff)
{
  const double y_0[1] = {1.0};
  double lambda = 1e4;
  run r;
  run_begin(&r, 1, relaxation, &lambda, 1e-6);
  ck_assert_int_eq(nsd_dopri_start(&r.w, &r.task, 0.0, y_0, 0.0), NSDYN_OK);
  run_to(&r, 1.0);
  ck_assert(fabs(r.w.y[0] - cos(1.0)) <= 1e-5);
  ck_assert(r.w.stiff);
  lambda = 1.0;
  ck_assert_int_eq(nsd_dopri_start(&r.w, &r.task, 0.0, y_0, 0.0), NSDYN_OK);
  run_to(&r, 100.0);
  ck_assert(!r.w.stiff);
  run_end(&r);
}
END_TEST

/* A random smooth system: y_i' = Σ A_ij y_j / (1 + y_j²) + sin(t + i). */
typedef struct network {
  int n;
  double A[MOST * MOST];
} network;

static int network_slope(void *user, double t, const double *y, double *slope)
{
  const network *p = user;
  for (int i = 0; i < p->n; i++) {
    slope[i] = sin(t + i);
    for (int j = 0; j < p->n; j++) {
      slope[i] += p->A[i * p->n + j] * y[j] / (1.0 + y[j] * y[j]);
    }
  }
  return 0;
}

static int network_for_gsl(double t, const double y[], double slope[], void *user)
{
  return network_slope(user, t, y, slope) ? GSL_EFAILED : GSL_SUCCESS;
}

START_TEST(agrees_with_gsl)
{
  const int cases = random_cases(60);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    network p = {.n = 1 + k % MOST};
    double y[MOST], t = 0.0;
    run r;
    for (int i = 0; i < p.n * p.n; i++) {
      p.A[i] = random_normal(&random) / sqrt(p.n);
    }
    run_begin(&r, p.n, network_slope, &p, 1e-12);
    for (int i = 0; i < p.n; i++) {
      y[i] = random_normal(&random);
    }
    ck_assert_int_eq(nsd_dopri_start(&r.w, &r.task, 0.0, y, 0.0), NSDYN_OK);
    run_to(&r, 5.0);
    gsl_odeiv2_system system = {network_for_gsl, NULL, (size_t)p.n, &p};
    gsl_odeiv2_driver *judge =
        gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-3, 1e-13, 1e-13);
    ck_assert_int_eq(gsl_odeiv2_driver_apply(judge, &t, 5.0, y), GSL_SUCCESS);
    gsl_odeiv2_driver_free(judge);
    for (int i = 0; i < p.n; i++) {
      ck_assert_msg(fabs(y[i] - r.w.y[i]) <= 1e-9 * (1.0 + fabs(y[i])), "seed %d: %g", k, y[i] - r.w.y[i]);
    }
    run_end(&r);
  }
}
END_TEST

/* f that is not to be called beyond a wall in t, and counts. */
typedef struct wall {
  double t;
  int code;
  double slope;
} wall;

static int walled(void *user, double t, const double *y, double *slope)
{
  const wall *w = user;
  if (t > w->t) {
    slope[0] = w->slope;
    return w->code;
  }
  slope[0] = y[0];
  return 0;
}

START_TEST(shortens_steps_that_f_refuses)
{
  const double y_0[1] = {1.0};
  wall walls[2] = {{.t = 1.0, .code = 7}, {.t = 1.0, .slope = NAN}};
  const nsdyn_status statuses[2] = {NSDYN_ERR_CALLBACK_RETRY, NSDYN_ERR_NOT_FINITE};
  for (int k = 0; k < 2; k++) {
    run r;
    run_begin(&r, 1, walled, &walls[k], 1e-9);
    ck_assert_int_eq(nsd_dopri_start(&r.w, &r.task, 0.0, y_0, 0.0), NSDYN_OK);
    run_to(&r, 1.0); /* reached exactly: the last stage stands at its end */
    ck_assert(fabs(r.w.y[0] - exp(1.0)) <= 1e-8);
    const double y_1 = r.w.y[0];
    ck_assert_int_eq(nsd_dopri_step(&r.w, 2.0), statuses[k]);
    ck_assert(r.w.t == 1.0 && r.w.y[0] == y_1);
    ck_assert_int_eq(r.w.code, walls[k].code);
    walls[k].t = 2.0; /* and the state is one to go on from */
    run_to(&r, 2.0);
    ck_assert(fabs(r.w.y[0] - exp(2.0)) <= 1e-7);
    run_end(&r);
  }
}
END_TEST

START_TEST(stops_when_f_says_so)
{
  const double y_0[1] = {1.0};
  wall w = {.t = 0.5, .code = -3};
  run r;
  run_begin(&r, 1, walled, &w, 1e-9);
  ck_assert_int_eq(nsd_dopri_start(&r.w, &r.task, 0.6, y_0, 0.0), NSDYN_ERR_CALLBACK);
  ck_assert_int_eq(r.w.code, -3);
  w.code = 3;
  ck_assert_int_eq(nsd_dopri_start(&r.w, &r.task, 0.6, y_0, 0.0), NSDYN_ERR_CALLBACK_RETRY);
  w.code = -3;
  ck_assert_int_eq(nsd_dopri_start(&r.w, &r.task, 0.0, y_0, 1.0), NSDYN_OK);
  const int64_t evaluations = r.w.evaluations;
  ck_assert_int_eq(nsd_dopri_step(&r.w, 10.0), NSDYN_ERR_CALLBACK);
  ck_assert_int_le(r.w.evaluations - evaluations, 8); /* not asked again after it */
  ck_assert_int_eq(r.w.trouble, NSD_DOPRI_CALLBACK);
  ck_assert(r.w.t == 0.0 && r.w.y[0] == 1.0 && *nsd_dopri_slope(&r.w) == 1.0);
  const double nan = NAN;
  ck_assert_int_eq(nsd_dopri_start(&r.w, &r.task, 0.0, &nan, 0.0), NSDYN_ERR_NOT_FINITE);
  run_end(&r);
}
END_TEST

/* y' = y² from 1: a pole at t = 1. */
static int pole(void *user, double t, const double *y, double *slope)
{
  (void)user, (void)t;
  slope[0] = y[0] * y[0];
  return 0;
}

START_TEST(ends_before_a_singularity)
{
  const double y_0[1] = {1.0};
  run r;
  run_begin(&r, 1, pole, NULL, 1e-9);
  ck_assert_int_eq(nsd_dopri_start(&r.w, &r.task, 0.0, y_0, 0.0), NSDYN_OK);
  nsdyn_status status = NSDYN_OK;
  while (status == NSDYN_OK) {
    ck_assert_int_lt(r.w.steps, 100000);
    status = nsd_dopri_step(&r.w, 2.0);
  }
  ck_assert_int_eq(status, NSDYN_MAX_ITERATIONS);
  ck_assert_int_eq(r.w.trouble, NSD_DOPRI_TOO_SHORT);
  ck_assert_msg(fabs(r.w.t - 1.0) <= 1e-7, "t = %.17g", r.w.t);
  ck_assert(isfinite(r.w.y[0]));
  run_end(&r);
}
END_TEST

START_TEST(cuts_a_step_without_loss)
{
  const int cases = random_cases(300);
  const double y_0[2] = {1.0, 1.0};
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    run r;
    run_begin(&r, 2, closed_form, NULL, 1e-9);
    ck_assert_int_eq(nsd_dopri_start(&r.w, &r.task, 0.0, y_0, 0.0), NSDYN_OK);
    for (int step = random_below(&random, 6); step >= 0; step--) {
      ck_assert_int_eq(nsd_dopri_step(&r.w, 20.0), NSDYN_OK);
    }
    ck_assert_int_eq(nsd_dopri_extend(&r.w), NSDYN_OK);
    const double theta = random_between(&random, 0.01, 0.99), t = r.w.t_before + theta * r.w.h;
    double y[2];
    nsd_dopri_at(&r.w, theta, y);
    ck_assert_int_eq(nsd_dopri_cut(&r.w, t), NSDYN_OK);
    double inside[2];
    nsd_dopri_at(&r.w, theta, inside); /* the extension is still that of the whole step */
    ck_assert(r.w.t == t && inside[0] == y[0] && inside[1] == y[1]);
    ck_assert_msg(closed_form_error(t, r.w.y) <= 1e-7 * fabs(r.w.y[1]), "seed %d: %g", k,
                  closed_form_error(t, r.w.y));
    ck_assert(hypot(y[0] - r.w.y[0], y[1] - r.w.y[1]) <= 1e-7 * fabs(y[1]));
    double slope[2];
    closed_form(NULL, t, r.w.y, slope);
    ck_assert_mem_eq(slope, nsd_dopri_slope(&r.w), sizeof slope);
    ck_assert_int_eq(nsd_dopri_extend(&r.w), NSDYN_OK); /* of what is left of it */
    nsd_dopri_at(&r.w, 0.5, y);
    ck_assert(closed_form_error(r.w.t_before + 0.5 * r.w.h, y) <= 1e-7 * fabs(y[1]));
    run_to(&r, 20.0);
    ck_assert(closed_form_error(20.0, r.w.y) <= 1e-6 * 401.0);
    run_end(&r);
  }
}
END_TEST

START_TEST(a_failed_cut_leaves_the_step)
{
  const double y_0[1] = {1.0};
  wall w = {.t = 2.0, .code = -3};
  run r;
  run_begin(&r, 1, walled, &w, 1e-9);
  ck_assert_int_eq(nsd_dopri_start(&r.w, &r.task, 0.0, y_0, 0.5), NSDYN_OK);
  ck_assert_int_eq(nsd_dopri_step(&r.w, 0.5), NSDYN_OK);
  const double y = r.w.y[0], t = r.w.t, slope = *nsd_dopri_slope(&r.w);
  w.t = 0.1;
  ck_assert_int_eq(nsd_dopri_cut(&r.w, 0.25), NSDYN_ERR_CALLBACK);
  ck_assert_int_eq(nsd_dopri_extend(&r.w), NSDYN_ERR_CALLBACK);
  ck_assert(r.w.y[0] == y && r.w.t == t && *nsd_dopri_slope(&r.w) == slope);
  w.t = 2.0;
  ck_assert_int_eq(nsd_dopri_cut(&r.w, 0.25), NSDYN_OK);
  ck_assert(fabs(r.w.y[0] - exp(0.25)) <= 1e-12);
  run_end(&r);
}
END_TEST

START_TEST(goes_on_from_a_replaced_state)
{
  const double y_0[2] = {1.0, 0.0};
  run r;
  run_begin(&r, 2, oscillator, NULL, 1e-12);
  ck_assert_int_eq(nsd_dopri_start(&r.w, &r.task, 0.0, y_0, 0.0), NSDYN_OK);
  while (r.w.t < 100.0) { /* projected on the circle: only the phase is left to err */
    ck_assert_int_eq(nsd_dopri_step(&r.w, 100.0), NSDYN_OK);
    const double norm = hypot(r.w.y[0], r.w.y[1]);
    const double y[2] = {r.w.y[0] / norm, r.w.y[1] / norm};
    const double h_next = r.w.h_next;
    ck_assert_int_eq(nsd_dopri_replace(&r.w, y), NSDYN_OK);
    ck_assert(r.w.h_next == h_next && r.w.y[0] == y[0] && nsd_dopri_slope(&r.w)[0] == y[1]);
  }
  ck_assert(fabs(hypot(r.w.y[0], r.w.y[1]) - 1.0) <= 2.0 * DBL_EPSILON);
  ck_assert(fabs(r.w.y[0] - cos(100.0)) <= 1e-9);
  run_end(&r);
}
END_TEST

/* Bodies at rest beside a moving one, before and behind it. */
static int oscillator_among_others(void *user, double t, const double *y, double *slope)
{
  const int at = *(const int *)user;
  memset(slope, 0, 7 * sizeof *slope);
  return oscillator(NULL, t, y + at, slope + at);
}

START_TEST(rest_costs_nothing)
{
  for (int at = 0; at <= 5; at++) {
    const double alone_0[2] = {1.0, 0.0};
    double y_0[7] = {3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0};
    memcpy(y_0 + at, alone_0, sizeof alone_0);
    run alone, among;
    run_begin(&alone, 2, oscillator, NULL, 1e-9);
    run_begin(&among, 7, oscillator_among_others, &at, 1e-9);
    ck_assert_int_eq(nsd_dopri_start(&alone.w, &alone.task, 0.0, alone_0, 0.1), NSDYN_OK);
    ck_assert_int_eq(nsd_dopri_start(&among.w, &among.task, 0.0, y_0, 0.1), NSDYN_OK);
    run_to(&alone, 50.0);
    run_to(&among, 50.0);
    ck_assert_mem_eq(alone.w.y, among.w.y + at, sizeof alone_0);
    ck_assert_int_eq(alone.w.steps, among.w.steps);
    run_end(&alone);
    run_end(&among);
  }
}
END_TEST

static int rest(void *user, double t, const double *y, double *slope)
{
  (void)user, (void)t, (void)y;
  slope[0] = slope[1] = 0.0;
  return 0;
}

/* A way of some hundred ticks of the clock: a share of it is less than one tick. */
START_TEST(a_short_way_late_is_gone_at_rest)
{
  for (double ticks = 2.0; ticks < 1e5; ticks *= 3.0) {
    const double t = 1e6, y_0[2] = {1.0, 0.0}, t_end = t + ticks * DBL_EPSILON * t;
    run r;
    run_begin(&r, 2, rest, NULL, 1e-9);
    ck_assert_int_eq(nsd_dopri_start(&r.w, &r.task, t, y_0, 0.0), NSDYN_OK);
    ck_assert_int_eq(nsd_dopri_step(&r.w, t_end), NSDYN_OK);
    run_end(&r);
  }
}
END_TEST

/* The oscillator in other units of time, length and (per component) of error. */
typedef struct units {
  double time, length;
} units;

static int oscillator_in_units(void *user, double t, const double *y, double *slope)
{
  const units *u = user;
  (void)t;
  slope[0] = y[1];
  slope[1] = -y[0] / (u->time * u->time);
  return 0;
}

START_TEST(knows_no_units)
{
  const double y_0[2] = {1.0, 0.5};
  run plain;
  units one = {1.0, 1.0};
  run_begin(&plain, 2, oscillator_in_units, &one, 1e-9);
  ck_assert_int_eq(nsd_dopri_start(&plain.w, &plain.task, 0.0, y_0, 0.0), NSDYN_OK);
  run_to(&plain, 50.0);
  for (int k = -40; k <= 40; k += 8) {
    units u = {.time = ldexp(1.0, k), .length = ldexp(1.0, 3 * k + 5)};
    const double y[2] = {u.length * y_0[0], u.length / u.time * y_0[1]};
    run r;
    run_begin(&r, 2, oscillator_in_units, &u, 1e-9);
    r.absolute[0] *= u.length;
    r.absolute[1] *= u.length / u.time;
    ck_assert_int_eq(nsd_dopri_start(&r.w, &r.task, 0.0, y, 0.0), NSDYN_OK);
    run_to(&r, 50.0 * u.time);
    ck_assert(r.w.y[0] == u.length * plain.w.y[0] && r.w.y[1] == u.length / u.time * plain.w.y[1]);
    ck_assert_int_eq(r.w.evaluations, plain.w.evaluations);
    run_end(&r);
  }
  run_end(&plain);
}
END_TEST

static int constant(void *user, double t, const double *y, double *slope)
{
  (void)t, (void)y;
  slope[0] = *(const double *)user;
  return 0;
}

/* 2²⁰ steps of 2^-10 at the slope 0.1: rounding 10⁶ times would cost 10^-11 or so. */
START_TEST(rounding_does_not_pile_up)
{
  const double y_0[1] = {0.0};
  double slope = 0.1;
  const double t_end = is_brief() ? 8.0 : 1024.0;
  run r;
  run_begin(&r, 1, constant, &slope, 1e-9);
  r.task.longest = 0x1p-10;
  ck_assert_int_eq(nsd_dopri_start(&r.w, &r.task, 0.0, y_0, 0.0), NSDYN_OK);
  run_to(&r, t_end);
  ck_assert_int_ge(r.w.steps, is_brief() ? 1 << 13 : 1 << 20);
  ck_assert_msg(fabs(r.w.y[0] - 0.1 * t_end) <= 0x1p-42, "%g", r.w.y[0] - 0.1 * t_end);
  run_end(&r);
}
END_TEST

/* NOLINTNEXTLINE(readability-non-const-parameter): a right-hand side like others */
static int nothing(void *user, double t, const double *y, double *slope)
{
  (void)user, (void)t, (void)y, (void)slope;
  return 0;
}

START_TEST(chooses_a_first_length_from_anywhere)
{
  double zero = 0.0, slope = 1e-3;
  const double y_0[1] = {0.0};
  run r;
  run_begin(&r, 1, constant, &zero, 1e-9);
  ck_assert_int_eq(nsd_dopri_start(&r.w, &r.task, 5.0, y_0, 0.0), NSDYN_OK);
  run_to(&r, 6.0); /* at rest, without a scale */
  ck_assert(r.w.y[0] == 0.0);
  r.task.user = &slope;
  ck_assert_int_eq(nsd_dopri_start(&r.w, &r.task, 5.0, y_0, 0.0), NSDYN_OK);
  const int64_t steps = r.w.steps;
  run_to(&r, 6.0); /* uniform motion: one step */
  ck_assert_int_eq(r.w.steps - steps, 1);
  run_end(&r);
  run_begin(&r, 0, nothing, NULL, 1e-9);
  ck_assert_int_eq(nsd_dopri_start(&r.w, &r.task, 5.0, NULL, 0.0), NSDYN_OK);
  run_to(&r, 6.0);
  ck_assert_int_eq(nsd_dopri_extend(&r.w), NSDYN_OK);
  run_end(&r);
  const double y[2] = {1.0, 0.0};
  for (int k = 2; k <= 13; k++) { /* seldom too long, seldom much too short */
    run_begin(&r, 2, oscillator, NULL, pow(10.0, -k));
    ck_assert_int_eq(nsd_dopri_start(&r.w, &r.task, 0.0, y, 0.0), NSDYN_OK);
    ck_assert_int_eq(nsd_dopri_step(&r.w, 1e3), NSDYN_OK);
    const double first = r.w.h;
    ck_assert_int_le(r.w.rejected, 3);
    run_to(&r, 1e3);
    const double usual = 1e3 / (double)r.w.steps;
    ck_assert_msg(first >= 0.1 * usual && first <= 3.0 * usual, "tolerance 1e-%d: %g, usual %g", k, first,
                  usual);
    run_end(&r);
  }
}
END_TEST

SUITE("event/integrator/dopri", TEST(order_8_is_seen), TEST(order_7_of_the_extension_is_seen),
      TEST(extension_joins_the_ends_smoothly), TEST(oscillates_ten_thousand_periods),
      TEST(error_follows_the_tolerance), TEST(arenstorf_orbit_closes), TEST(says_when_a_problem_is_stiff),
      TEST(agrees_with_gsl), TEST(shortens_steps_that_f_refuses), TEST(stops_when_f_says_so),
      TEST(ends_before_a_singularity), TEST(cuts_a_step_without_loss), TEST(a_failed_cut_leaves_the_step),
      TEST(goes_on_from_a_replaced_state), TEST(rest_costs_nothing), TEST(a_short_way_late_is_gone_at_rest),
      TEST(knows_no_units), TEST(rounding_does_not_pile_up), TEST(chooses_a_first_length_from_anywhere))
