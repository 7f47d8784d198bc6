/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* exact.h, neighbours of the motion: how far an error of steps may have grown.
 *
 * Steps find what happens within them late, which moves the motion that follows. What comes of that the
 * machine decides, not the stepper: a rod that stands on end falls the later, the closer to upright it was
 * left. So the motion is begun anew where it begins and where its modes change or an impact has been, with
 * each coordinate and velocity moved by what it changes by in LATE steps, as far as what is closed there
 * stays closed; and the spread at a time is how far these neighbours have got from it by then. Parts of that
 * do as well: where the whole of it takes the rod over the top, less lets it fall later.
 *
 * Why this bounds what steps of Δt are off by. Within LATE Δt of a node steps may do what is closed, and hit,
 * there in another order, late, or at once; after it they obey the same laws as the motion, from a state that
 * is off by what those times make of velocities and accelerations, which is where the neighbours of the node
 * begin. With E_k(t) the farthest of them at t, errors of all nodes add up to Σ_k E_k(t), to first order.
 *
 * The order matters where hits accumulate: a body that is struck from both sides in turn. Each pair of hits
 * makes the speeds at which its contacts close s times, and the time to the next pair r times what they were,
 * s, r < 1. Steps see the hits one by one while these times are longer than they are, D_k > Δt, and the first
 * ones that are not at once, with speeds γ_k = γ_0 s^k still there, where r^k = Δt/D_0: what is left of the
 * rattle is not of the order Δt, but
 *
 *   γ_0 (Δt/D_0)^p,  p = ln s/ln r
 *
 * (backlash_chain/5/630010: s = 0.51, r = 0.147, p = 0.35). The one node that shows it is that whose next
 * hits come in LATE Δt, so no node may be left out that does not follow another one within a part of LATE Δt;
 * and its neighbour in which those hits come at once has to be followed to where its contacts part, as steps
 * follow it. */
#include "exact_inner.h"

enum {
  /* Steps: an impact is found in the middle of one, up to one late; velocities there are those of its
   * beginning, half a step old; its contact may be in force in the next one still, and so opens up to two
   * late. */
  LATE = 4,
  PARTS = 4 /* 1, 1/3, 1/9, 1/27 */
};

/* A neighbour as the machine's own truth, which may have other coordinates, sees it. */
typedef struct neighbour {
  zoo_case c;
  exact *e;                       /* its model */
  zoo_truth own[EXACT_LOOKS + 1]; /* the motion itself, where `knows_own` */
  int knows_own[EXACT_LOOKS + 1];
} neighbour;

static double time_at(const zoo_case *c, int k)
{
  return c->t0 + c->span * k / EXACT_LOOKS;
}

static double largest(double a, double b)
{
  return a > b ? a : b;
}

/* Where both are known at look k, `spread` grows to what is between them. */
static void compare(neighbour *n, int k, zoo_truth *spread)
{
  const zoo_truth *own = &n->own[k];
  zoo_truth other;
  memset(&other, 0, sizeof other);
  if (!n->knows_own[k] || !n->c.truth(&n->c, time_at(&n->c, k), &other)) {
    return;
  }
  spread->knows_u &= own->knows_u && other.knows_u; /* one of them is within an impact */
  for (int j = 0; j < n->c.def.nq; j++) {
    spread->q[j] = largest(spread->q[j], fabs(other.q[j] - own->q[j]));
  }
  for (int j = 0; j < n->c.def.nu; j++) {
    spread->u[j] = largest(spread->u[j], fabs(other.u[j] - own->u[j]));
  }
}

/* Puts the closed contacts of a node that was moved back to gap zero. Returns 0 where an open one is closed.
 */
static int settle(const exact *e, exact_node *x)
{
  enum { TURNS = 6 };
  for (int k = 0; k < TURNS; k++) {
    exact_project(e, x);
  }
  for (int i = 0; i < e->contacts; i++) {
    exact_touch w;
    memset(&w, 0, sizeof w);
    e->touch(e, x->t, x->q, i, &w);
    if (x->mode[i] == EXACT_OPEN && !(w.gap >= 0.0L)) {
      return 0;
    }
  }
  return 1;
}

/* What coordinates and velocities (n each) change by in the time e->time at node k, at least their sizes. */
static void find_rates(const exact *e, int k, exact_real *rate)
{
  for (int j = 0; j < e->n; j++) {
    rate[j] = e->is_angle[j] ? 1.0L : e->length;
    rate[e->n + j] = e->is_angle[j] ? e->speed / e->length : e->speed;
  }
  for (int after = k > 0 ? 0 : 1; after < 2; after++) {
    const exact_node *x = &e->node[k];
    const exact_real *v = after ? x->v : x->v_before;
    exact_real a[EXACT_MOST], lambda[EXACT_CONTACTS][2];
    if (!exact_accelerate(e, x->t, x->q, v, after ? x->mode : x[-1].mode, a, lambda)) {
      continue;
    }
    for (int j = 0; j < e->n; j++) {
      rate[j] = fmaxl(rate[j], e->time * fabsl(v[j]));
      rate[e->n + j] = fmaxl(rate[e->n + j], e->time * fabsl(a[j]));
    }
  }
}

/* A neighbour that is `begin` at its time. */
static void add_neighbour(zoo_case *c, neighbour *n, const exact_node *begin, zoo_truth *spread)
{
  const exact *e = c->def.user;
  exact_run_from(n->e, begin, (exact_real)(c->span / e->unit.s));
  for (int k = 0; k <= EXACT_LOOKS; k++) {
    if (time_at(c, k) - c->t0 >= (double)begin->t * e->unit.s) {
      compare(n, k, &spread[k]);
    }
  }
}

/* The one that has number `which` of q and v moved by `off` at node k. */
static void add_moved(zoo_case *c, neighbour *n, int k, int which, exact_real off, zoo_truth *spread)
{
  const exact *e = c->def.user;
  exact_node x = e->node[k];
  *(which < e->n ? &x.q[which] : &x.v[which - e->n]) += off;
  x.jump = 0;
  if (settle(e, &x)) {
    add_neighbour(c, n, &x, spread);
  }
}

/* The one in which closed contact i is open by `off` of the length at node k. */
static void add_released(zoo_case *c, neighbour *n, int k, int i, exact_real off, zoo_truth *spread)
{
  const exact *e = c->def.user;
  exact_node x = e->node[k];
  exact_touch w;
  exact_real square = 0.0L, size[EXACT_MOST];
  memset(&w, 0, sizeof w);
  e->touch(e, x.t, x.q, i, &w);
  for (int j = 0; j < e->n; j++) {
    size[j] = e->is_angle[j] ? 1.0L : e->length;
    square += w.w[0][j] * w.w[0][j] * size[j] * size[j];
  }
  for (int j = 0; j < e->n && square > 0.0L; j++) {
    x.q[j] += off * e->length * w.w[0][j] * size[j] * size[j] / square;
  }
  x.mode[i] = EXACT_OPEN;
  x.jump = 0;
  if (settle(e, &x)) {
    add_neighbour(c, n, &x, spread);
  }
}

/* Whether a closed contact closes further. */
static int is_pressed_in(const exact *e, const exact_node *x)
{
  for (int i = 0; i < e->contacts; i++) {
    if (x->mode[i] != EXACT_OPEN && exact_gamma(e, x->t, x->q, x->v, i, 0) < -1e-12L * e->speed) {
      return 1;
    }
  }
  return 0;
}

/* An impact of what is closed at x. Newton's law makes a contact that opens with γ and is hit in the same
 * step close with ε γ, and the next step hits again: so it goes on until nothing closes. Returns 0 where that
 * has no end. */
static int hit_until_parted(exact *e, exact_node *x)
{
  enum { HITS = 100 };
  for (int k = 0; k < HITS; k++) {
    if (exact_hit(e, x)) {
      return 0;
    }
    if (!is_pressed_in(e, x)) {
      return 1;
    }
  }
  return 0;
}

/* The one whose impact of node k is later by `late` of e->time, and comes with that of node m: what happens
 * within a few steps may come in one. */
static void add_hit(zoo_case *c, neighbour *n, int k, int m, exact_real late, zoo_truth *spread)
{
  const exact *e = c->def.user;
  exact_node x = e->node[k];
  for (int i = 0; i < e->contacts; i++) {
    exact_touch w[2];
    memset(w, 0, sizeof w);
    e->touch(e, x.t, x.q, i, &w[0]);
    e->touch(e, e->node[m].t, e->node[m].q, i, &w[1]);
    x.mode[i] = fminl(fabsl(w[0].gap), fabsl(w[1].gap)) <= 1e-9L * e->length ? EXACT_CLOSED : EXACT_OPEN;
  }
  x.t += late * e->time;
  for (int j = 0; j < e->n; j++) {
    x.q[j] += late * e->time * x.v_before[j];
  }
  const int is_possible = settle(e, &x); /* of q; of v: */
  memcpy(x.v, x.v_before, sizeof x.v);
  if (is_possible && hit_until_parted(n->e, &x)) {
    add_neighbour(c, n, &x, spread);
  }
}

/* All that begin at node k: what an error made there may become. `late`: over e->time. */
static void add_node(zoo_case *c, neighbour *n, int k, exact_real late, zoo_truth *spread)
{
  const exact *e = c->def.user;
  exact_real rate[2 * EXACT_MOST];
  memset(spread, 0, sizeof *spread * (EXACT_LOOKS + 1));
  for (int i = 0; i <= EXACT_LOOKS; i++) {
    spread[i].knows_u = 1;
  }
  find_rates(e, k, rate);
  for (int m = k + 1; m < e->nodes && e->node[m].t - e->node[k].t <= late * e->time; m++) {
    if (e->node[k].jump && e->node[m].jump) {
      add_hit(c, n, k, m, 0.0L, spread);
    }
  }
  for (int part = 0; part < PARTS; part++) {
    for (int which = 0; which < 2 * e->n; which++) {
      add_moved(c, n, k, which, late * rate[which], spread);
      add_moved(c, n, k, which, -late * rate[which], spread);
    }
    for (int i = 0; i < e->contacts; i++) {
      if (e->node[k].mode[i] != EXACT_OPEN && !e->law[i].slot) {
        add_released(c, n, k, i, late, spread);
      }
    }
    if (e->node[k].jump) {
      add_hit(c, n, k, k, late, spread);
      add_hit(c, n, k, k, -late, spread);
    }
    late /= 3.0L;
  }
}

static int is_node_of_interest(const exact *e, int k)
{
  const exact_node *x = &e->node[k];
  return k == 0 || x->jump || memcmp(x->mode, x[-1].mode, sizeof x->mode) != 0;
}

/* The nodes where errors are made. What follows one within a third of `late`, by all of which its neighbours
 * are moved, is one with it: of the hits of a rattle a few are whole steps apart, and most are not. Returns
 * how many there are. */
static int nodes_of_interest(const exact *e, exact_real late, int *of)
{
  const exact_real part = late * e->time / 3.0L;
  int nodes = 0;
  for (int k = 0; k < e->nodes; k++) {
    if (is_node_of_interest(e, k) && (nodes == 0 || e->node[k].t - e->node[of[nodes - 1]].t > part)) {
      of[nodes++] = k;
    }
  }
  return nodes;
}

/* Errors that are made at several nodes add up. Of very many nodes each of a few stands for as many. */
static void find_neighbours(zoo_case *c, exact_real late)
{
  enum { MOST = 100 };
  exact *e = c->def.user;
  neighbour n = {.c = *c, .e = zoo_copy_model(c)};
  zoo_truth *of_node = calloc(EXACT_LOOKS + 1, sizeof *of_node);
  int of[EXACT_NODES];
  const int nodes = nodes_of_interest(e, late, of), stride = 1 + (nodes - 1) / MOST;
  if (!of_node) {
    abort();
  }
  n.c.def.user = n.e;
  n.e->rough = 1; /* what steps are off by is far more */
  memset(e->spread, 0, sizeof e->spread);
  for (int i = 0; i <= EXACT_LOOKS; i++) {
    e->spread[i].knows_u = 1;
    n.knows_own[i] = c->truth(c, time_at(c, i), &n.own[i]);
  }
  for (int place = 0; place < nodes; place += stride) {
    add_node(c, &n, of[place], late, of_node);
    for (int i = 0; i <= EXACT_LOOKS; i++) {
      e->spread[i].knows_u &= of_node[i].knows_u;
      for (int j = 0; j < ZOO_MOST; j++) {
        e->spread[i].q[j] += stride * of_node[i].q[j];
        e->spread[i].u[j] += stride * of_node[i].u[j];
      }
    }
  }
  free(of_node);
  free(n.e);
}

/* Between two looks it is the larger one of both. */
void exact_spread(zoo_case *c, double t, double dt, zoo_truth *spread)
{
  exact *e = c->def.user;
  const double place = (t - c->t0) / c->span * EXACT_LOOKS;
  const int k = place >= EXACT_LOOKS ? EXACT_LOOKS - 1 : place > 0.0 ? (int)place : 0;
  if (e->spread_dt != dt) {
    e->spread_dt = dt;
    find_neighbours(c, (exact_real)(LATE * dt / c->time));
  }
  *spread = e->spread[k];
  spread->knows_q = 1;
  spread->knows_u &= e->spread[k + 1].knows_u;
  for (int j = 0; j < ZOO_MOST; j++) {
    spread->q[j] = largest(spread->q[j], e->spread[k + 1].q[j]);
    spread->u[j] = largest(spread->u[j], e->spread[k + 1].u[j]);
  }
}
