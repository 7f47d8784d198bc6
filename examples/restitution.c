/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Schemes that fail on a bouncing ball, Stewart (2000), section 4.2, beside those of the library.
 *
 * An elastic ball is dropped from many heights that differ by little, so that its first impact falls anywhere
 * within a step. Two schemes ask positions not to penetrate:
 *
 *   midpoint   q' = q + ½ Δt (p + p'),  p' = p − g Δt + N,  0 <= N ⊥ q + q' >= 0          (his Fig. 4.1a)
 *   newmark    q' = q + Δt p − ½ Δt² (g − a),  p' = p − Δt (g − a),  0 <= a ⊥ q' >= 0      (his Fig. 4.1b,
 *              β = 0; γ does not matter under a constant weight)
 *
 * How fast the ball leaves is what they need to put it on the floor, and says nothing of restitution. Without
 * weight, hit at the share s of a step, Newmark's gives |1 − 2 s|, and the midpoint rule anything up to 3.
 * The library's schemes put the law on velocities, γ⁺ = −ε γ⁻, and get what was set. */
#include <math.h>
#include <nsdyn/nsdyn.h>

#include "common/machine.h"
#include "common/options.h"
#include "common/plot.h"
#include "common/record.h"

enum { DROPS = 400, POSITIONS = 2, VELOCITIES = 6, KINDS = POSITIONS + VELOCITIES };

static const char *const names[KINDS] = {"midpoint",       "newmark",          "moreau",
                                         "euler",          "moreau_jean",      "stewart_trinkle",
                                         "anitescu_potra", "generalized_alpha"};
static const int32_t schemes[VELOCITIES] = {NSDYN_SCHEME_MOREAU,         NSDYN_SCHEME_EULER,
                                            NSDYN_SCHEME_MOREAU_JEAN,    NSDYN_SCHEME_STEWART_TRINKLE,
                                            NSDYN_SCHEME_ANITESCU_POTRA, NSDYN_SCHEME_GENERALIZED_ALPHA};

/* ---- Schemes with the law on positions ---- */

typedef struct ball {
  double q, p, g; /* 1 kg */
} ball;

static void step_midpoint(ball *b, double dt)
{
  /* Without contact, and where that is below, N such that q' = −q. */
  const double p = b->p - b->g * dt, q = b->q + 0.5 * dt * (b->p + p);
  const int is_free = b->q + q >= 0.0;
  b->p = is_free ? p : -b->p - 4.0 * b->q / dt;
  b->q = is_free ? q : -b->q;
}

static void step_newmark(ball *b, double dt)
{
  /* Without contact, and where that is below, a = −2 q'/Δt², so that q' = 0. */
  const double q = b->q + dt * b->p - 0.5 * dt * dt * b->g;
  b->p += -b->g * dt + (q < 0.0 ? -2.0 * q / dt : 0.0);
  b->q = q < 0.0 ? 0.0 : q;
}

/* ---- The library's: one coordinate, the height ---- */

static int mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = 1.0;
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const ball *b = user;
  (void)t, (void)q, (void)u;
  h[0] = -b->g;
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[0];
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i;
  w_hat[0] = 0.0; /* the floor stands still */
  W[0] = 1.0;
  return 0;
}

static nsdyn_status start(machine *m, ball *b, int32_t scheme)
{
  nsdyn_system_def def;
  nsdyn_stepper_options options;
  nsdyn_contact_law law;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = def.ncontacts = 1;
  def.flags = NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS;
  def.user = b;
  def.mass = mass;
  def.force = force;
  def.gap = gap;
  def.direction = direction;
  nsdyn_contact_law_init(&law, sizeof law);
  law.friction = NSDYN_FRICTION_NONE;
  law.eps_n = 1.0;
  nsdyn_stepper_options_init(&options, sizeof options);
  options.scheme = scheme;
  return machine_start_steps(m, &def, &law, &options, &b->q, &b->p);
}

/* One step of any of them, the state to `b`. */
static nsdyn_status step(machine *m, int kind, ball *b, double dt)
{
  if (kind < POSITIONS) {
    (kind ? step_newmark : step_midpoint)(b, dt);
    return NSDYN_OK;
  }
  const nsdyn_status status = nsdyn_stepper_step(m->stepper, dt);
  b->q = machine_q(m)[0];
  b->p = machine_u(m)[0];
  return status;
}

/* ---- The first rebound, from many heights ---- */

typedef struct spread {
  double least, most; /* speed after the first impact, over that before it */
  double value[DROPS];
} spread;

/* How fast it leaves over how fast it came: it leaves where it is seen to go up, or lies below and rises. */
static nsdyn_status drop(int kind, ball b, double dt, double *restitution)
{
  machine m = {0};
  double before = 0.0;
  nsdyn_status status = kind < POSITIONS ? NSDYN_OK : start(&m, &b, schemes[kind - POSITIONS]);
  for (int k = 0; status == NSDYN_OK && b.p <= 0.0 && k < 1000000; k++) {
    before = fmin(before, b.p);
    status = step(&m, kind, &b, dt);
  }
  *restitution = before < 0.0 ? b.p / -before : 0.0;
  if (kind >= POSITIONS) {
    const output none = {.quiet = 1};
    const int code = machine_stop(&m, &none, status);
    status = code && status == NSDYN_OK ? NSDYN_ERR_NOMEM : status;
  }
  return status;
}

static nsdyn_status drop_all(int kind, const ball *b, double dt, spread *s)
{
  /* The ball hits the floor with √(2 g h), and a step goes so far: heights over one such way. */
  const double way = dt * sqrt(2.0 * b->g * b->q);
  nsdyn_status status = NSDYN_OK;
  *s = (spread){.least = INFINITY, .most = -INFINITY};
  for (int k = 0; k < DROPS && status == NSDYN_OK; k++) {
    const ball from = {.q = b->q + way * k / DROPS, .g = b->g};
    status = drop(kind, from, dt, &s->value[k]);
    s->least = fmin(s->least, s->value[k]);
    s->most = fmax(s->most, s->value[k]);
  }
  return status;
}

/* ---- The picture ---- */

static nsdyn_status trajectory(int kind, ball b, double dt, double t_end, record *r)
{
  machine m = {0};
  nsdyn_status status = kind < POSITIONS ? NSDYN_OK : start(&m, &b, schemes[kind - POSITIONS]);
  const int steps = (int)(t_end / dt);
  record_add(r, (double[]){0.0, b.q});
  for (int k = 1; k <= steps && status == NSDYN_OK; k++) {
    status = step(&m, kind, &b, dt);
    record_add(r, (double[]){k * dt, b.q});
  }
  if (kind >= POSITIONS) {
    const output none = {.quiet = 1};
    (void)machine_stop(&m, &none, status);
  }
  return status;
}

static nsdyn_status draw(const output *out, const ball *b, double dt, double t_end, const spread *all)
{
  static const int shown[3] = {0, 1, POSITIONS};
  static const char *const titles[3] = {"midpoint rule, law on positions", "Newmark's, law on positions",
                                        "Moreau's, law on velocities"};
  plot_figure *figure = plot_new(2, 2);
  double share[DROPS];
  nsdyn_status status = NSDYN_OK;
  plot_set_description(figure,
                       "Height of an elastic ball over time by three schemes, and the restitution of each "
                       "over where in a step the impact falls");
  plot_set_axes(figure, 1, 1,
                &(plot_axes){.title = "first impact",
                             .x = {.name = "height of the drop, in ways of a step", .unit = "1"},
                             .y = {.name = "restitution", .unit = "1", .with_zero = 1}});
  for (int k = 0; k < DROPS; k++) {
    share[k] = (double)k / DROPS;
  }
  for (int i = 0; i < 3; i++) {
    const int row = i / 2, column = i % 2;
    record r = record_new("t,y");
    status = status ? status : trajectory(shown[i], *b, dt, t_end, &r);
    plot_set_axes(figure, row, column,
                  &(plot_axes){.title = titles[i],
                               .x = {.name = "t", .unit = "s"},
                               .y = {.name = "height", .unit = "m", .with_zero = 1}});
    plot_add(
        figure, row, column,
        &(plot_curve){
            .count = r.rows, .x = r.column[0], .y = r.column[1], .color = PLOT_BLUE + i, .dash = PLOT_SOLID});
    plot_add(figure, 1, 1,
             &(plot_curve){.label = names[shown[i]],
                           .count = DROPS,
                           .x = share,
                           .y = all[shown[i]].value,
                           .color = PLOT_BLUE + i,
                           .dash = PLOT_SOLID});
    record_free(&r);
  }
  plot_write(figure, out->svg);
  plot_free(figure);
  return status;
}

int main(int argc, char **argv)
{
  ball b = {.q = 1.0, .g = 9.8213};
  double dt = 0.01, t_end = 5.0;
  const option table[] = {
      {.name = "height", .unit = "m", .help = "it falls from here", .number = &b.q, .high = 1e6, .open = 1},
      OPTION_GRAVITY(b.g),
      OPTION_DT(dt),
      OPTION_T_END(t_end),
  };
  output out;
  const int code =
      options_read(&out, argc, argv, "An elastic ball by schemes that fail and by those that do not.", table,
                   (int)(sizeof table / sizeof *table));
  if (code != OPTIONS_GO) {
    return code;
  }
  static spread all[KINDS];
  nsdyn_status status = NSDYN_OK;
  for (int kind = 0; kind < KINDS && status == NSDYN_OK; kind++) {
    char name[64];
    status = drop_all(kind, &b, dt, &all[kind]);
    (void)snprintf(name, sizeof name, "%s_least", names[kind]);
    result(&out, name, all[kind].least, "1");
    (void)snprintf(name, sizeof name, "%s_most", names[kind]);
    result(&out, name, all[kind].most, "1");
  }
  csv_columns(&out, "share,midpoint,newmark,moreau,euler,moreau_jean,stewart_trinkle,anitescu_potra,"
                    "generalized_alpha");
  for (int k = 0; k < DROPS; k++) {
    double row[1 + KINDS] = {(double)k / DROPS};
    for (int kind = 0; kind < KINDS; kind++) {
      row[1 + kind] = all[kind].value[k];
    }
    csv_row(&out, 1 + KINDS, row);
  }
  if (out.svg && status == NSDYN_OK) {
    status = draw(&out, &b, dt, t_end, all);
  }
  return output_close(
      &out,
      status == NSDYN_OK ? 0 : complain(&out, STATUS_FAILED, "a step failed: %s", nsdyn_status_name(status)));
}
