/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* exact.h, modes: all sets of them are tried, of closed contacts and of impacts. */
#include "exact_inner.h"

static const exact_real tiny = 1e-13L;

/* A search through sets of modes. */
typedef struct search {
  const exact_node *at;
  int options[EXACT_CONTACTS], slides[EXACT_CONTACTS];
  unsigned char option[EXACT_CONTACTS][4], mode[EXACT_CONTACTS], best[EXACT_CONTACTS];
  exact_real v[EXACT_MOST]; /* accelerations, or velocities after an impact */
  int found, ambiguous;
} search;

static void offer(search *s, int i, int mode)
{
  s->option[i][s->options[i]++] = (unsigned char)mode;
}

/* Forces and what they cause: whether the laws hold. ξ of each row. */
static int obeys(const exact *e, const search *s, exact_real lambda[][2], exact_real xi[][2],
                 exact_real force, exact_real velocity, int at_impact)
{
  for (int i = 0; i < e->contacts; i++) {
    const exact_law *law = &e->law[i];
    const int mode = s->mode[i];
    if (mode == EXACT_OPEN) {
      if (s->options[i] > 1 && xi[i][0] < -tiny * velocity) {
        return 0;
      }
      continue;
    }
    if (!law->slot && lambda[i][0] < -tiny * force) {
      return 0;
    }
    const int bound = law->friction == NSDYN_FRICTION_BOUND;
    const exact_real most = bound ? law->bound : exact_mu(e, i, !at_impact, 0.0L) * fabsl(lambda[i][0]);
    if ((mode == EXACT_STICK && fabsl(lambda[i][1]) > most + tiny * force) ||
        (!s->slides[i] && ((mode == EXACT_PLUS && xi[i][1] < -tiny * velocity) ||
                           (mode == EXACT_MINUS && xi[i][1] > tiny * velocity)))) {
      return 0;
    }
  }
  return 1;
}

static void accept(const exact *e, search *s, const exact_real *v, exact_real size)
{
  if (s->found) {
    for (int j = 0; j < e->n; j++) {
      s->ambiguous |= fabsl(v[j] - s->v[j]) > 1e-10L * size;
    }
    return;
  }
  s->found = 1;
  memcpy(s->v, v, sizeof *v * (size_t)e->n);
  memcpy(s->best, s->mode, sizeof s->mode);
}

/* Calls `attempt` for each set of modes. */
static void each_set(const exact *e, search *s, void (*attempt)(const exact *, search *))
{
  int index[EXACT_CONTACTS] = {0}, k;
  do {
    for (int i = 0; i < e->contacts; i++) {
      s->mode[i] = s->option[i][index[i]];
    }
    attempt(e, s);
    for (k = 0; k < e->contacts && ++index[k] == s->options[k]; k++) {
      index[k] = 0;
    }
  } while (k < e->contacts);
}

static void attempt_forces(const exact *e, search *s)
{
  const exact_node *x = s->at;
  exact_real a[EXACT_MOST], lambda[EXACT_CONTACTS][2], xi[EXACT_CONTACTS][2], force = e->load;
  const exact_real size = e->speed / e->time;
  if (!exact_accelerate(e, x->t, x->q, x->v, s->mode, a, lambda)) {
    return;
  }
  for (int i = 0; i < e->contacts; i++) {
    exact_real bias[2];
    exact_touch w;
    exact_touch_at(e, x->t, x->q, i, &w);
    exact_bias(e, x->t, x->q, x->v, i, bias);
    for (int row = 0; row < 2; row++) {
      xi[i][row] = exact_dot(e->n, w.w[row], a) + bias[row];
      force = fmaxl(force, fabsl(lambda[i][row]));
    }
  }
  if (obeys(e, s, lambda, xi, force, size, 0)) {
    accept(e, s, a, size);
  }
}

static void attempt_impact(const exact *e, search *s)
{
  const exact_node *x = s->at;
  exact_unknowns u;
  exact_real v[EXACT_MOST], Lambda[EXACT_CONTACTS][2] = {{0}}, xi[EXACT_CONTACTS][2], force = 0.0L;
  u.n = 0;
  memcpy(v, x->v, sizeof v);
  for (int i = 0; i < e->contacts; i++) {
    const int mode = s->mode[i];
    exact_touch w;
    if (mode == EXACT_OPEN) {
      continue;
    }
    exact_touch_at(e, x->t, x->q, i, &w);
    const exact_real mu = exact_mu(e, i, 0, 0.0L);
    const exact_real slope = mode == EXACT_PLUS ? -mu : mode == EXACT_MINUS ? mu : 0.0L;
    if (exact_dot(e->n, w.w[0], w.w[0]) > 0.0L) {
      u.rest[u.n] =
          w.hat[0] + (e->law[i].slot ? 0.0L : e->law[i].eps * (exact_dot(e->n, w.w[0], x->v) + w.hat[0]));
      exact_add_unknown(&u, e, i, 0, &w, slope);
    }
    if (mode == EXACT_STICK) {
      u.rest[u.n] = w.hat[1];
      exact_add_unknown(&u, e, i, 1, &w, 0.0L);
    }
  }
  if (!exact_hold(e, x->q, &u, v, Lambda)) {
    return;
  }
  for (int i = 0; i < e->contacts; i++) {
    exact_touch w;
    exact_touch_at(e, x->t, x->q, i, &w);
    const exact_real before = exact_dot(e->n, w.w[0], x->v) + w.hat[0];
    xi[i][0] = exact_dot(e->n, w.w[0], v) + w.hat[0] + e->law[i].eps * before;
    xi[i][1] = exact_dot(e->n, w.w[1], v) + w.hat[1];
    if (s->mode[i] == EXACT_PLUS || s->mode[i] == EXACT_MINUS) {
      Lambda[i][1] = (s->mode[i] == EXACT_PLUS ? -1.0L : 1.0L) * exact_mu(e, i, 0, 0.0L) * Lambda[i][0];
    }
    force = fmaxl(force, fmaxl(fabsl(Lambda[i][0]), fabsl(Lambda[i][1])));
  }
  if (obeys(e, s, Lambda, xi, force, e->speed, 1)) {
    accept(e, s, v, e->speed);
  }
}

static int is_near(const exact *e, const exact_node *x, int i, int resting)
{
  exact_touch w;
  exact_touch_at(e, x->t, x->q, i, &w);
  return e->law[i].slot ||
         (fabsl(w.gap) <= 1e-12L * e->length &&
          (!resting || fabsl(exact_dot(e->n, w.w[0], x->v) + w.hat[0]) <= 1e-12L * e->speed));
}

const char *exact_choose(const exact *e, exact_node *x, int forced, int forced_mode)
{
  search s;
  for (int round = 0; round < 2; round++) {
    memset(&s, 0, sizeof s);
    s.at = x;
    for (int i = 0; i < e->contacts; i++) {
      const exact_law *law = &e->law[i];
      const exact_real slide = exact_gamma(e, x->t, x->q, x->v, i, 1);
      const int slides = fabsl(slide) > 1e-12L * e->speed;
      s.slides[i] = slides;
      if (i == forced) {
        offer(&s, i, forced_mode);
      } else if (!is_near(e, x, i, 1)) {
        offer(&s, i, EXACT_OPEN);
      } else {
        if (law->friction == NSDYN_FRICTION_NONE) {
          offer(&s, i, EXACT_CLOSED);
        } else if (slides) {
          offer(&s, i, slide > 0.0L ? EXACT_PLUS : EXACT_MINUS);
        } else {
          offer(&s, i, EXACT_STICK);
          if (law->friction != NSDYN_FRICTION_STATIC || round > 0) {
            offer(&s, i, EXACT_PLUS);
            offer(&s, i, EXACT_MINUS);
          }
        }
        if (!law->slot) {
          offer(&s, i, EXACT_OPEN);
        }
      }
    }
    each_set(e, &s, attempt_forces);
    if (s.found) {
      memcpy(x->mode, s.best, sizeof s.best);
      return s.ambiguous ? "more than one set of modes" : NULL;
    }
  }
  return "no set of modes";
}

const char *exact_hit(exact *e, exact_node *x)
{
  exact_real eps[EXACT_CONTACTS] = {0.0L};
  const exact_real unseen = (e->rough ? 1e-5L : 3e-7L) * e->speed;
  const char *why = NULL;
  for (int i = 0; i < e->contacts; i++) {
    eps[i] = e->law[i].eps;
  }
  for (int round = 0; round < 2; round++) {
    search s;
    int again = 0;
    memset(&s, 0, sizeof s);
    s.at = x;
    for (int i = 0; i < e->contacts; i++) {
      const exact_law *law = &e->law[i];
      if (!is_near(e, x, i, 0)) {
        offer(&s, i, EXACT_OPEN);
        continue;
      }
      if (law->friction == NSDYN_FRICTION_NONE || law->friction == NSDYN_FRICTION_BOUND) {
        offer(&s, i, EXACT_CLOSED);
      } else {
        offer(&s, i, EXACT_STICK);
        offer(&s, i, EXACT_PLUS);
        offer(&s, i, EXACT_MINUS);
      }
      if (!law->slot) {
        offer(&s, i, EXACT_OPEN);
      }
    }
    each_set(e, &s, attempt_impact);
    why = !s.found ? "no impact" : s.ambiguous ? "more than one impact" : NULL;
    for (int i = 0; i < e->contacts && s.found; i++) {
      const exact_real after = exact_gamma(e, x->t, x->q, s.v, i, 0);
      if (s.options[i] > 1 && !e->law[i].slot && fabsl(after) < unseen && e->law[i].eps > 0.0L) {
        e->law[i].eps = 0.0L; /* hops that nobody sees are closed off */
        again = 1;
      }
    }
    if (!again || why) {
      memcpy(x->v, s.v, sizeof s.v);
      break;
    }
  }
  for (int i = 0; i < e->contacts; i++) {
    e->law[i].eps = eps[i];
  }
  return why;
}
