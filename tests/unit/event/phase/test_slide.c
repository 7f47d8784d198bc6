/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Sliding in space against closed forms. A point under a force F in the plane and friction f, its velocity
 * s (cos φ, sin φ) with φ counted from F, has
 *
 *   ṡ = F cos φ − f,   s φ̇ = −F sin φ,
 *
 * so that s sin φ / tan(φ/2)^(f/F) stays, and s (f + F cos φ) changes at the rate F² − f². */
#include "event/internal.h"
#include "event_space.h"

#include "nsdyn/stepper.h"

static double norm(double x, double y)
{
  return sqrt(x * x + y * y);
}

/* A point on an incline: load F in the plane, turned by an angle, friction f, in units of its own. */
typedef struct incline {
  body b;
  double F, f, mu, length, time, phi, s;
  double q[3], u[3];
} incline;

static incline incline_of(random_state *r, double least, double most)
{
  incline p = {.length = pow(10.0, random_between(r, -6.0, 6.0)),
               .time = pow(10.0, random_between(r, -4.0, 4.0))};
  const double mass = pow(10.0, random_between(r, -6.0, 6.0)), a = p.length / (p.time * p.time);
  const double turn = random_between(r, 0.0, 6.28), g = random_between(r, 1.0, 10.0);
  p.mu = random_between(r, 0.1, 1.0);
  p.f = p.mu * g;
  p.F = p.f * random_between(r, least, most);
  p.phi = random_between(r, 0.2, 2.9);
  p.s = random_between(r, 0.5, 3.0);
  p.b = (body){.mass = mass, .load = {mass * a * p.F * cos(turn), mass * a * p.F * sin(turn), -mass * a * g}};
  for (int i = 0; i < 2; i++) {
    p.u[i] = p.s * p.length / p.time * (i ? sin(turn + p.phi) : cos(turn + p.phi));
    p.q[i] = p.length * random_between(r, -1.0, 1.0);
  }
  p.b.t0 = random_unit(r) < 0.5 ? 0.0 : p.time * pow(10.0, random_between(r, 0.0, 6.0));
  return p;
}

START_TEST(a_point_comes_to_rest_when_friction_has_taken_its_momentum)
{
  const int cases = random_cases(60);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    incline p = incline_of(&r, 0.0, 0.95);
    driven s = body_scene(&p.b, space_law(p.mu, 0.0, 0.0));
    s.options.tol = pow(10.0, random_between(&r, -12.0, -6.0));
    scene_drive(&s, p.b.t0, p.q, p.u);
    const double t_stop = p.s * (p.f + p.F * cos(p.phi)) / (p.f * p.f - p.F * p.F) * p.time;
    scene_advance(&s, p.b.t0 + 1.5 * t_stop);
    const nsdyn_event stop = event_of_kind(&s, NSDYN_EVENT_STICK, 0);
    const double tick = 1e-15 * fabs(p.b.t0) / t_stop;
    REQUIRE(stop.kind == NSDYN_EVENT_STICK, "seed %d", k);
    REQUIRE(fabs(stop.t - p.b.t0 - t_stop) <= (50.0 * s.options.tol + 1e-10 + 1e4 * tick) * t_stop,
            "seed %d: %g of %g, F/f %g, tol %g", k, stop.t - p.b.t0 - t_stop, t_stop, p.F / p.f,
            s.options.tol);
    REQUIRE(contact_of(&s, 0).mode == NSDYN_MODE_STICK && count_kind(&s, NSDYN_EVENT_SLIP) == 0, "seed %d",
            k);
    scene_end(&s);
  }
}
END_TEST

START_TEST(a_point_on_a_steep_incline_turns_into_the_fall_line)
{
  const int cases = random_cases(60);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    incline p = incline_of(&r, 1.02, 5.0);
    driven s = body_scene(&p.b, space_law(p.mu, 0.0, 0.0));
    s.options.tol = pow(10.0, random_between(&r, -12.0, -6.0));
    scene_drive(&s, p.b.t0, p.q, p.u);
    const double span = p.time * p.s / p.f * random_between(&r, 0.5, 5.0), c = p.f / p.F;
    scene_advance(&s, p.b.t0 + span);
    const double passed = nsdyn_event_driver_time(s.driver) - p.b.t0;
    const double *u = nsdyn_event_driver_u(s.driver), unit = p.length / p.time;
    const double load = norm(p.b.load[0], p.b.load[1]);
    const double along = (u[0] * p.b.load[0] + u[1] * p.b.load[1]) / load / unit;
    const double across = (u[1] * p.b.load[0] - u[0] * p.b.load[1]) / load / unit, v = norm(along, across);
    /* s (f + F cos φ) */
    const double begin = p.s * (p.f + p.F * cos(p.phi)), rate = (p.F * p.F - p.f * p.f) / p.time;
    const double tol = 100.0 * s.options.tol + 1e-11 + 1e-13 * fabs(p.b.t0) / span;
    REQUIRE(fabs(v * p.f + along * p.F - begin - rate * passed) <= tol * (begin + rate * passed + p.s * p.F),
            "seed %d: off by %g", k, v * p.f + along * p.F - begin - rate * passed);
    /* s sin φ / tan(φ/2)^c, where it is not rounding; tan(φ/2) = sin φ / (1 + cos φ). */
    const double was = p.s * sin(p.phi) / pow(tan(0.5 * p.phi), c);
    const double is = across / pow(across / (v + along), c);
    REQUIRE(across < 1e-3 * v || fabs(is - was) <= 1e3 * tol * was, "seed %d: %g, was %g", k, is, was);
    REQUIRE(events_of(&s) == 1 && contact_of(&s, 0).mode == NSDYN_MODE_SLIP, "seed %d", k);
    scene_end(&s);
  }
}
END_TEST

/* A sphere's contact point keeps its direction of sliding, whatever the spin: it slows down at 7/2 μ g, the
 * centre at μ g. */
START_TEST(a_sphere_with_any_spin_rolls_when_two_sevenths_of_its_slip_are_gone)
{
  const int cases = random_cases(40);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const double m = random_between(&r, 0.1, 5.0), R = random_between(&r, 0.01, 2.0), g = 9.81;
    const double mu = random_between(&r, 0.05, 0.8);
    body b = {.mass = m, .radius = R, .inertia = 0.4 * m * R * R, .load = {0.0, 0.0, -m * g}};
    driven s = body_scene(&b, space_law(mu, 0.0, 0.0));
    const double q[6] = {0.0, 0.0, R};
    double u[6] = {0.0};
    for (int i = 0; i < 6; i++) {
      u[i] = i == 2 ? 0.0 : random_between(&r, -3.0, 3.0) / (i < 3 ? 1.0 : R);
    }
    scene_drive(&s, 0.0, q, u);
    const double slip[2] = {u[0] - R * u[4], u[1] + R * u[3]}, speed = norm(slip[0], slip[1]);
    const double t = 2.0 * speed / (7.0 * mu * g);
    scene_advance(&s, 2.0 * t);
    const nsdyn_event stick = event_of_kind(&s, NSDYN_EVENT_STICK, 0);
    REQUIRE(fabs(stick.t - t) <= 1e-9 * t, "seed %d: %g off", k, stick.t / t - 1.0);
    const double *after = nsdyn_event_driver_u(s.driver);
    for (int i = 0; i < 2; i++) { /* v − 2/7 γ_T; it rolls: v = ω × R */
      REQUIRE(fabs(after[i] - (u[i] - 2.0 / 7.0 * slip[i])) <= 1e-9 * speed, "seed %d", k);
    }
    REQUIRE(fabs(after[0] - R * after[4]) <= 1e-9 * speed && fabs(after[1] + R * after[3]) <= 1e-9 * speed,
            "seed %d", k);
    REQUIRE(fabs(after[5] - u[5]) <= 1e-12 * fabs(u[5]), "seed %d: the spin about the normal stays", k);
    scene_end(&s);
  }
}
END_TEST

/* The sphere of models.md: v₀ = 2 m/s, μ = 0.2. */
START_TEST(the_sphere_of_the_models_rolls_at_0_291_s)
{
  body b = {.mass = 1.0, .radius = 0.1, .inertia = 0.4e-2, .load = {0.0, 0.0, -9.81}};
  driven s = body_scene(&b, space_law(0.2, 0.0, 0.0));
  const double q[6] = {0.0, 0.0, 0.1}, u[6] = {2.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 1.0);
  const double t = 4.0 / (7.0 * 0.2 * 9.81), way = 2.0 * t - 0.5 * 0.2 * 9.81 * t * t;
  ck_assert_double_eq_tol(event_of_kind(&s, NSDYN_EVENT_STICK, 0).t, t, 1e-9 * t);
  ck_assert_double_eq_tol(nsdyn_event_driver_q(s.driver)[0], way + 10.0 / 7.0 * (1.0 - t), 1e-9);
  scene_end(&s);
}
END_TEST

/* ---- where sliding begins ------------------------------------------------------------------------------ */

/* Long double: ẍ = F(t) − f v/|v| from the time at which |F| = f. Near it v = s (e + d n), d a little, with
 * the series of a load that turns; Runge and Kutta's method from there with steps that are a share of s/f. */
typedef struct onset {
  long double F[2], dF[2], f, t;
  long double q[2], v[2];
} onset;

static void onset_slope(const onset *o, long double t, const long double *v, long double *a)
{
  const long double s = sqrtl(v[0] * v[0] + v[1] * v[1]);
  for (int i = 0; i < 2; i++) {
    a[i] = o->F[i] + o->dF[i] * t - o->f * v[i] / s;
  }
}

static void onset_step(onset *o, long double h)
{
  static const long double c[4] = {0.0L, 0.5L, 0.5L, 1.0L}, w[4] = {1.0L, 2.0L, 2.0L, 1.0L};
  long double dq[2] = {0.0L}, dv[2] = {0.0L}, a[2] = {0.0L}, last[2] = {0.0L};
  for (int k = 0; k < 4; k++) {
    long double v[2];
    for (int i = 0; i < 2; i++) {
      v[i] = o->v[i] + c[k] * h * last[i];
    }
    onset_slope(o, o->t + c[k] * h, v, a);
    for (int i = 0; i < 2; i++) {
      dq[i] += h / 6.0L * w[k] * v[i];
      dv[i] += h / 6.0L * w[k] * a[i];
      last[i] = a[i];
    }
  }
  for (int i = 0; i < 2; i++) {
    o->q[i] += dq[i];
    o->v[i] += dv[i];
  }
  o->t += h;
}

START_TEST(a_load_that_grows_and_turns_begins_to_move_a_point)
{
  const int cases = random_cases(12);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const double g = 10.0, mu = random_between(&r, 0.2, 0.8), f = mu * g;
    const double turn = random_between(&r, 0.0, 6.28), lean = random_between(&r, -1.2, 1.2);
    body b = {.mass = 1.0, .load = {0.9 * f * cos(turn), 0.9 * f * sin(turn), -g}};
    b.rise[0] = f * cos(turn + lean);
    b.rise[1] = f * sin(turn + lean);
    driven s = body_scene(&b, space_law(mu, 0.0, 0.0));
    s.options.tol = 1e-10;
    const double rest[3] = {0.0};
    scene_drive(&s, 0.0, rest, rest);
    scene_advance(&s, 1.5);
    /* |F₀ + Ḟ t| = f */
    const double p = 0.9 * cos(lean), t_slip = -p + sqrt(p * p + 0.19);
    const nsdyn_event slip = event_of_kind(&s, NSDYN_EVENT_SLIP, 0);
    REQUIRE(fabs(slip.t - t_slip) <= 1e-10, "seed %d: slip %g off", k, slip.t - t_slip);
    onset o = {.F = {b.load[0], b.load[1]}, .dF = {b.rise[0], b.rise[1]}, .f = f, .t = t_slip};
    /* A start that is a little off is forgotten within s/f, and leaves (t/T)⁴. */
    const long double first = 2e-4L;
    const long double x = o.F[0] + o.dF[0] * (t_slip + first), y = o.F[1] + o.dF[1] * (t_slip + first);
    const long double size = sqrtl(x * x + y * y), speed = 0.5L * (size - f) * first;
    o.v[0] = speed * x / size;
    o.v[1] = speed * y / size;
    o.t = t_slip + first;
    while (o.t < 1.5L) {
      const long double h = 0.25L * sqrtl(o.v[0] * o.v[0] + o.v[1] * o.v[1]) / f;
      onset_step(&o, fminl(fminl(h, 1e-3L), 1.5L - o.t));
    }
    for (int i = 0; i < 2; i++) {
      REQUIRE(fabsl(nsdyn_event_driver_q(s.driver)[i] - o.q[i]) <= 5e-9L * f, "seed %d: %Lg of %Lg off", k,
              nsdyn_event_driver_q(s.driver)[i] - o.q[i], o.q[i]);
      REQUIRE(fabsl(nsdyn_event_driver_u(s.driver)[i] - o.v[i]) <= 5e-9L * f, "seed %d", k);
    }
    scene_end(&s);
  }
}
END_TEST

/* A turntable that is spun up carries a puck until ω⁴ + ω̇² = (μ g / r)². */
START_TEST(a_puck_leaves_a_turntable_where_friction_is_at_its_limit)
{
  const int cases = random_cases(20);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const double mu = random_between(&r, 0.2, 0.8), g = 9.81, radius = random_between(&r, 0.1, 2.0);
    const double limit = mu * g / radius, up = limit * random_between(&r, 0.1, 0.9);
    body b = {.mass = 2.0, .load = {0.0, 0.0, -2.0 * g}, .spin_up = up};
    driven s = body_scene(&b, space_law(mu, 0.0, 0.0));
    const double angle = random_between(&r, 0.0, 6.28);
    const double q[3] = {radius * cos(angle), radius * sin(angle), 0.0}, u[3] = {0.0};
    scene_drive(&s, 0.0, q, u);
    const double t = sqrt(sqrt(limit * limit - up * up)) / up;
    scene_advance(&s, 1.2 * t);
    const nsdyn_event slip = event_of_kind(&s, NSDYN_EVENT_SLIP, 0);
    REQUIRE(slip.kind == NSDYN_EVENT_SLIP && fabs(slip.t - t) <= 1e-8 * t, "seed %d: %g off of %g", k,
            slip.t - t, t);
    REQUIRE(contact_of(&s, 0).mode == NSDYN_MODE_SLIP, "seed %d", k);
    scene_end(&s);
  }
}
END_TEST

/* Friction is nothing beside the load on a point that moves with its surface: it begins to slide as if there
 * were none. */
START_TEST(friction_that_is_nothing_beside_the_load_ends_no_run)
{
  for (int k = 0; k < 6; k++) {
    const double mu = pow(10.0, -60.0 - 15.0 * k);
    body b = {.mass = 2.0, .load = {3.0, -4.0, -20.0}, .rise = {1.0, 2.0, 0.0}, .turn = {5.0, -1.0}};
    driven s = body_scene(&b, space_law(mu, 0.0, 0.0));
    const double q[3] = {0.0}, u[3] = {5.0, -1.0, 0.0};
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 1.0);
    for (int i = 0; i < 2; i++) { /* ½ F t²/m + ⅙ Ḟ t³/m */
      const double x = u[i] + 0.5 * b.load[i] / 2.0 + b.rise[i] / 12.0;
      ck_assert_double_eq_tol(nsdyn_event_driver_q(s.driver)[i], x, 1e-9);
    }
    ck_assert_int_eq(contact_of(&s, 0).mode, NSDYN_MODE_SLIP);
    scene_end(&s);
  }
}
END_TEST

/* The rounding of ‖γ_T‖², 2 ‖γ_T‖ times that of γ_T, falls with it: what a fast slide has shown of it is not
 * what hides the end of the same slide. */
START_TEST(rounding_of_a_fast_slide_does_not_hide_its_end)
{
  const int cases = random_cases(40);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const double mu = random_between(&r, 0.1, 0.9), g = 9.81, v = pow(10.0, random_between(&r, -3.0, 3.0));
    body b = {.mass = 1.0, .load = {0.0, 0.0, -g}};
    driven s = body_scene(&b, space_law(mu, 0.0, 0.0));
    const double q[3] = {0.0}, u[3] = {0.6 * v, -0.8 * v, 0.0}, t = v / (mu * g);
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, random_between(&r, 0.1, 0.9) * t);
    nsdyn_event_driver *d = s.driver;
    int slides = 0;
    for (int i = 0; i < d->phase.kinematic.count; i++) {
      if (d->phase.kinematic.watch[i].kind == NSD_EVENT_FUNCTION_SPEED) {
        const double left = norm(d->u[0], d->u[1]), before = d->phase.kinematic.noise[i];
        d->phase.kinematic.noise[i] = v * v; /* as if it had learned so much of it */
        ck_assert_int_eq(nsd_event_function_update(d, &d->phase, &d->tracks), NSDYN_OK);
        REQUIRE(d->phase.kinematic.noise[i] <= 0.01 * left * left && d->phase.kinematic.noise[i] >= before,
                "seed %d: noise %g of %g", k, d->phase.kinematic.noise[i], left * left);
        slides++;
      }
    }
    ck_assert_int_eq(slides, 1);
    scene_advance(&s, 1.5 * t);
    REQUIRE(fabs(event_of_kind(&s, NSDYN_EVENT_STICK, 0).t - t) <= 1e-9 * t, "seed %d", k);
    scene_end(&s);
  }
}
END_TEST

/* ---- impacts ------------------------------------------------------------------------------------------- */

/* A sphere that falls with any spin, by Newton's law or Poisson's, which agree where G_NT = 0: Λ_N = m (1 +
 * ε) |v_z|; with ε_T = 0 friction stops its slip, G_TT = 7/(2 m), where μ Λ_N is enough, and takes 7/2 μ (1 +
 * ε) |v_z| off it where not. */
START_TEST(a_sphere_bounces_with_spin)
{
  const int cases = random_cases(100);
  int stops = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const double m = random_between(&r, 0.1, 5.0), R = random_between(&r, 0.01, 2.0), g = 9.81;
    const double mu = random_between(&r, 0.0, 0.5), eps = random_between(&r, 0.1, 1.0);
    body b = {.mass = m, .radius = R, .inertia = 0.4 * m * R * R, .load = {0.0, 0.0, -m * g}};
    driven s = body_scene(&b, space_law(mu, eps, 0.0));
    s.options.impact = k % 2 ? NSDYN_IMPACT_POISSON : NSDYN_IMPACT_NEWTON;
    const double height = random_between(&r, 0.1, 1.0), q[6] = {0.0, 0.0, R + height};
    double u[6] = {0.0};
    for (int i = 0; i < 6; i++) {
      u[i] = i == 2 ? 0.0 : random_between(&r, -2.0, 2.0) / (i < 3 ? 1.0 : R);
    }
    const double t = sqrt(2.0 * height / g), v = g * t;
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 1.01 * t);
    const nsdyn_event hit = event_of_kind(&s, NSDYN_EVENT_IMPACT, 0);
    const double slip[2] = {u[0] - R * u[4], u[1] + R * u[3]}, speed = norm(slip[0], slip[1]);
    const double left = fmax(speed - 3.5 * mu * (1.0 + eps) * v, 0.0), share = left / speed;
    stops += left == 0.0;
    REQUIRE(fabs(hit.t - t) <= 1e-10 * t && fabs(hit.after[0] - eps * v) <= 1e-10 * v, "seed %d", k);
    REQUIRE(fabs(hit.impulse[0] - m * (1.0 + eps) * v) <= 1e-9 * m * v, "seed %d", k);
    for (int i = 0; i < 2; i++) {
      REQUIRE(fabs(hit.before[1 + i] - slip[i]) <= 1e-10 * (1.0 + speed), "seed %d", k);
      REQUIRE(fabs(hit.after[1 + i] - share * slip[i]) <= 1e-9 * (v + speed), "seed %d: %g, not %g", k,
              hit.after[1 + i], share * slip[i]);
      REQUIRE(fabs(hit.impulse[1 + i] - m * 2.0 / 7.0 * (share - 1.0) * slip[i]) <= 1e-9 * m * (v + speed),
              "seed %d", k);
    }
    scene_end(&s);
  }
  ck_assert(is_common(stops, cases, 10) && is_common(cases - stops, cases, 100));
}
END_TEST

/* Steps of Moreau's scheme come to the driver's motion with Δt. */
START_TEST(steps_come_to_the_same_motion)
{
  body b = {.mass = 1.0, .load = {1.0, 0.5, -10.0}};
  nsdyn_contact_law law = space_law(0.3, 0.0, 0.0);
  law.aspect = 0.6;
  law.angle = 0.7;
  driven s = body_scene(&b, law);
  const double q[3] = {0.0}, u[3] = {-1.0, 2.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 0.4);
  double error[2];
  for (int k = 0; k < 2; k++) {
    nsdyn_stepper *stepper;
    ck_assert_int_eq(nsdyn_stepper_new(NULL, s.sys, NULL, &stepper, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_stepper_set_state(stepper, 0.0, q, u), NSDYN_OK);
    for (int n = 0; n < 400 << k; n++) {
      ck_assert_int_eq(nsdyn_stepper_step(stepper, 1e-3 / (1 << k)), NSDYN_OK);
    }
    const double *got = nsdyn_stepper_q(stepper), *is = nsdyn_event_driver_q(s.driver);
    error[k] = norm(got[0] - is[0], got[1] - is[1]);
    nsdyn_stepper_free(stepper);
  }
  ck_assert_msg(error[0] < 1e-3 && error[1] < 0.6 * error[0], "%g, %g", error[0], error[1]);
  scene_end(&s);
}
END_TEST

/* What is saved while it slides, and while it begins to, goes on elsewhere as here. */
START_TEST(a_saved_slide_goes_on)
{
  body b = {.mass = 1.0, .load = {2.7, 0.0, -10.0}, .rise = {0.5, 1.0, 0.0}};
  const double times[] = {0.1, 0.5015, 0.53, 1.0};
  for (int k = 0; k < 4; k++) {
    unsigned char bytes[4096];
    driven s = body_scene(&b, space_law(0.3, 0.0, 0.0)), other = body_scene(&b, space_law(0.3, 0.0, 0.0));
    const double q[3] = {0.0}, u[3] = {0.0};
    scene_drive(&s, 0.0, q, u);
    scene_drive(&other, 0.0, q, u);
    scene_advance(&s, times[k]);
    const size_t size = nsdyn_event_driver_save(s.driver, NULL, 0);
    ck_assert(size <= sizeof bytes && nsdyn_event_driver_save(s.driver, bytes, sizeof bytes) == size);
    ck_assert_int_eq(nsdyn_event_driver_restore(other.driver, bytes, size), NSDYN_OK);
    scene_advance(&s, 1.5);
    scene_advance(&other, 1.5);
    for (int i = 0; i < 2; i++) {
      ck_assert_double_eq_tol(nsdyn_event_driver_q(s.driver)[i], nsdyn_event_driver_q(other.driver)[i], 1e-8);
      ck_assert_double_eq_tol(nsdyn_event_driver_u(s.driver)[i], nsdyn_event_driver_u(other.driver)[i], 1e-8);
    }
    ck_assert_int_eq(contact_of(&other, 0).mode, NSDYN_MODE_SLIP);
    scene_end(&s);
    scene_end(&other);
  }
}
END_TEST

/* A bar on two feet, q = (x, y, z, pitch, yaw, roll), on a slope that friction does not master: from rest its
 * feet slide in directions that turn slowly, each with the other. */
typedef struct bar {
  double load[3], foot[2];
} bar;

static int bar_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  memset(M, 0, 36 * sizeof *M);
  for (int i = 0; i < 6; i++) {
    M[7 * i] = i < 3 ? 1.0 : 0.3;
  }
  return 0;
}

static int bar_force(void *user, double t, const double *q, const double *u, double *h)
{
  const bar *b = user;
  (void)t, (void)q, (void)u;
  for (int i = 0; i < 6; i++) {
    h[i] = i < 3 ? b->load[i] : 0.0;
  }
  return 0;
}

static int bar_gap(void *user, double t, const double *q, double *g)
{
  const bar *b = user;
  (void)t;
  g[0] = q[2] + b->foot[0] * q[3];
  g[1] = q[2] + b->foot[1] * q[3];
  return 0;
}

static int bar_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const bar *b = user;
  (void)t;
  memset(W, 0, 18 * sizeof *W);
  memset(w_hat, 0, 3 * sizeof *w_hat);
  W[2] = W[6] = W[13] = 1.0;
  W[3] = b->foot[i];
  W[10] = -b->foot[i] * sin(q[4]);
  W[16] = b->foot[i] * cos(q[4]);
  W[11] = -0.5 * sin(q[4]);
  W[17] = 0.5 * cos(q[4]);
  return 0;
}

/* What friction is off γ_T where sliding begins stays within the tolerance: as with one of 1e-13. */
START_TEST(feet_that_turn_slowly_from_rest_are_followed_to_the_tolerance)
{
  const int cases = random_cases(20);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    bar b = {.load = {random_between(&r, -4.0, -2.0), random_between(&r, -2.0, 2.0), -9.3},
             .foot = {random_between(&r, 0.3, 1.0), random_between(&r, -1.0, -0.3)}};
    nsdyn_system_def def = table(6, 2, &b);
    def.mass = bar_mass;
    def.force = bar_force;
    def.gap = bar_gap;
    def.direction = bar_direction;
    const double q[6] = {0.0}, u[6] = {0.0}, end = random_between(&r, 0.1, 1.0),
                 mu = random_between(&r, 0.02, 0.1);
    double is[2][6];
    for (int i = 0; i < 2; i++) {
      driven s = scene_of(&def);
      scene_law(&s, 0, space_law(mu, 0.0, 0.0));
      scene_law(&s, 1, space_law(2.0 * mu, 0.0, 0.0));
      s.options.tol = i ? 1e-13 : 1e-9;
      scene_drive(&s, 0.0, q, u);
      scene_advance(&s, end);
      memcpy(is[i], nsdyn_event_driver_u(s.driver), sizeof is[i]);
      scene_end(&s);
    }
    for (int j = 0; j < 6; j++) {
      REQUIRE(fabs(is[0][j] - is[1][j]) <= 1e-9 * norm(is[1][0], is[1][1]), "seed %d: %d: %.12g, %.12g", k, j,
              is[0][j], is[1][j]);
    }
  }
}
END_TEST

/* A load that turns back, beside friction that turns nothing: u is the integral of the load, and friction
 * does not go on to act against a γ̇_T that brakes. */
START_TEST(next_to_no_friction_follows_a_load_that_turns_back)
{
  const int cases = random_cases(40);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    body b = {.mass = 1.0, .load = {1.0, 0.0, -1.0}};
    b.rise[0] = random_between(&r, -3.0, -1.0);
    b.rise[1] = random_between(&r, -0.1, 0.1);
    driven s = body_scene(&b, space_law(pow(10.0, random_between(&r, -300.0, -40.0)), 0.0, 0.0));
    const double q[3] = {0.0}, u[3] = {0.0}, t = 4.0 / -b.rise[0];
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, t);
    const double *end = nsdyn_event_driver_u(s.driver);
    REQUIRE(fabs(end[0] - (t + 0.5 * b.rise[0] * t * t)) <= 1e-8 * t, "seed %d: %g", k, end[0]);
    REQUIRE(fabs(end[1] - 0.5 * b.rise[1] * t * t) <= 1e-8 * t, "seed %d: %g", k, end[1]);
    scene_end(&s);
  }
}
END_TEST

SUITE("event/phase/slide", TEST(a_point_comes_to_rest_when_friction_has_taken_its_momentum),
      TEST(a_point_on_a_steep_incline_turns_into_the_fall_line),
      TEST(a_sphere_with_any_spin_rolls_when_two_sevenths_of_its_slip_are_gone),
      TEST(the_sphere_of_the_models_rolls_at_0_291_s),
      TEST(a_load_that_grows_and_turns_begins_to_move_a_point),
      TEST(a_puck_leaves_a_turntable_where_friction_is_at_its_limit),
      TEST(friction_that_is_nothing_beside_the_load_ends_no_run),
      TEST(rounding_of_a_fast_slide_does_not_hide_its_end), TEST(a_sphere_bounces_with_spin),
      TEST(steps_come_to_the_same_motion), TEST(a_saved_slide_goes_on),
      TEST(feet_that_turn_slowly_from_rest_are_followed_to_the_tolerance),
      TEST(next_to_no_friction_follows_a_load_that_turns_back))
