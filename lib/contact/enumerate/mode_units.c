/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/enumerate/mode_units.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"

#define EXPONENT_WORK 16.0 /* multiplications that take as long as an exponent to read or change */

/* ---- alternatives ----------------------------------------------------------------------------------- */

enum { RIGHT, LEFT, NORMAL, TANGENT };           /* parts of a Coulomb contact */
enum { LOAD = 0, OPENING = 1, SLOPE_MINUS = 2 }; /* parts of open or closed, of sliding in a slot */

#define ZERO NSD_ASK_ZERO
#define PLUS NSD_ASK_POSITIVE
#define MINUS NSD_ASK_NEGATIVE

static const nsd_alternative coulomb[] = {
    /* Λ = 0; then stick, ξ = 0; then slip to either side, at the edge of the cone. */
    {2, {RIGHT, LEFT}, {ZERO, ZERO}},
    {2, {NORMAL, TANGENT}, {ZERO, ZERO}},
    {3, {NORMAL, RIGHT, TANGENT}, {ZERO, ZERO, PLUS}},
    {3, {NORMAL, LEFT, TANGENT}, {ZERO, ZERO, MINUS}},
};

/* Λ_N of either sign; ξ_N = 0 anyway. */
static const nsd_alternative slot_coulomb[] = {
    {3, {TANGENT, RIGHT, LEFT}, {ZERO, PLUS, PLUS}},  {3, {TANGENT, RIGHT, LEFT}, {ZERO, MINUS, MINUS}},
    {3, {RIGHT, LEFT, TANGENT}, {ZERO, PLUS, PLUS}},  {3, {LEFT, RIGHT, TANGENT}, {ZERO, MINUS, PLUS}},
    {3, {LEFT, RIGHT, TANGENT}, {ZERO, PLUS, MINUS}}, {3, {RIGHT, LEFT, TANGENT}, {ZERO, MINUS, MINUS}},
};

static const nsd_alternative open_or_closed[] = {
    {1, {LOAD}, {ZERO}},
    {1, {OPENING}, {ZERO}},
};

static const nsd_alternative given_bound[] = {
    {1, {TANGENT}, {ZERO}},
    {2, {RIGHT, TANGENT}, {ZERO, PLUS}},
    {2, {LEFT, TANGENT}, {ZERO, MINUS}},
};

/* A contact that slides in its slot: Λ_T = −s μ |Λ_N|. */
static const nsd_alternative slot_sliding[] = {
    {2, {LOAD, OPENING}, {PLUS, ZERO}},
    {2, {LOAD, SLOPE_MINUS}, {MINUS, ZERO}},
};

/* ---- which law, how many functionals ------------------------------------------------------------------ */

static int has_tangent(const nsd_contact_spec *s)
{
  return s->friction != NSD_FRICTION_NONE;
}

static int is_slot(const nsd_contact_spec *s)
{
  return s->kind == NSDYN_CONTACT_BILATERAL;
}

/* Friction that grows with the load, and could act in either direction. */
static int is_coulomb(const nsd_contact_spec *s)
{
  return s->friction == NSD_FRICTION_LOAD && s->mu > 0.0 && s->sliding == 0;
}

static int is_sliding(const nsd_contact_spec *s)
{
  return s->friction == NSD_FRICTION_LOAD && s->mu > 0.0 && s->sliding != 0;
}

/* A bound whatever the load; in either direction. */
static int is_given(const nsd_contact_spec *s)
{
  return s->friction == NSD_FRICTION_GIVEN && s->bound > 0.0 && s->sliding == 0;
}

/* Λ_T is a number: zero, or the bound of a contact that slides. */
static int is_fixed(const nsd_contact_spec *s)
{
  return has_tangent(s) && !is_coulomb(s) && !is_sliding(s) && !is_given(s);
}

void nsd_signs_count(const nsd_contact_data *p, int *functionals, int *units)
{
  *functionals = p->rows;
  *units = 0;
  for (int i = 0; i < p->contacts; i++) {
    /* Cone or bound: right and left. Sliding: drag, in a slot pull as well. Loads, and numbers given. */
    const nsd_contact_spec *s = &p->spec[i];
    const int coulomb_law = is_coulomb(s);
    const int slides = is_sliding(s);
    const int chooses_load = !is_slot(s) && !coulomb_law; /* open or closed on its own */
    *functionals += (coulomb_law || is_given(s) ? 2 : 0) + (slides ? 1 + is_slot(s) : 0);
    *functionals += (chooses_load || (slides && is_slot(s))) + is_fixed(s);
    *units += coulomb_law + chooses_load + is_given(s) + (slides && is_slot(s));
  }
}

void nsd_signs_lay_out(nsd_arena *arena, nsd_signs *signs, const nsd_contact_data *p)
{
  int m, units;
  nsd_signs_count(p, &m, &units);
  const size_t count = (size_t)m;
  const size_t rows = (size_t)p->rows;
  signs->rows = p->rows;
  signs->row_unit = nsd_arena_take(arena, rows, sizeof *signs->row_unit);
  signs->column_unit = nsd_arena_take(arena, rows, sizeof *signs->column_unit);
  signs->a = nsd_arena_take(arena, count * rows, sizeof *signs->a);
  signs->d = nsd_arena_take(arena, count, sizeof *signs->d);
  signs->base = nsd_arena_take(arena, rows + count, sizeof *signs->base);
  signs->tells = nsd_arena_take(arena, rows + count, sizeof *signs->tells);
  signs->unit = nsd_arena_take(arena, (size_t)units, sizeof *signs->unit);
  signs->contact = nsd_arena_take(arena, (size_t)p->contacts, sizeof *signs->contact);
}

/* Whoever waits wants no answer. */
static int is_cancelled(const nsd_signs *signs)
{
  return signs->poll && signs->poll->is_cancelled;
}

/* ---- units of numbers ------------------------------------------------------------------------------- */

static int exponent_of(double a)
{
  int e;
  (void)frexp(a, &e);
  return e;
}

/* Half of x, rounded down. */
static int half(int x)
{
  return x >= 0 ? x / 2 : -((1 - x) / 2);
}

/* Exponent of the largest element of a row of 2^(e_i + e_j) G_ij; INT_MIN where it has none. */
static int top_of_row(const nsd_signs *signs, int i)
{
  const nsd_contact_data *p = signs->problem;
  const int *e = signs->row_unit;
  const double *g = p->G + (size_t)i * (size_t)p->ldg;
  int most = INT_MIN;
  for (int j = 0; j < p->rows; j++) {
    const int size = g[j] != 0.0 ? exponent_of(g[j]) + e[i] + e[j] : INT_MIN;
    most = size > most ? size : most;
  }
  (void)nsd_poll_stops(signs->poll, EXPONENT_WORK * p->rows);
  return most;
}

/* The unit of a row without elements: that which its contact's other row asks for, else that of the rows
 * before. */
static int unit_of_empty(const nsd_signs *signs, int i)
{
  const nsd_contact_data *p = signs->problem;
  const int *e = signs->row_unit;
  for (int k = 0; k < p->contacts; k++) {
    const nsd_contact_spec *s = &p->spec[k];
    const int is_normal = s->row == i;
    const int other = is_normal ? i + 1 : i - 1;
    if (has_tangent(s) && (is_normal || s->row == i - 1) && top_of_row(signs, other) > INT_MIN) {
      const int slope = is_coulomb(s) || is_sliding(s) ? exponent_of(s->mu) : 0;
      return is_normal ? e[other] - slope : e[other] + slope;
    }
  }
  return i > 0 ? e[i - 1] : 0;
}

/* e_j: each row of 2^(e_i + e_j) G_ij gets a largest element of order 1. */
static void choose_row_units(nsd_signs *signs)
{
  enum { ROUNDS = 8 };
  const nsd_contact_data *p = signs->problem;
  int *e = signs->row_unit;
  for (int i = 0; i < p->rows; i++) {
    e[i] = 0;
  }
  /* e_i −= ½ log₂ max_j |2^(e_i + e_j) G_ij|, row after row: half, as both e_i and e_j scale an element. */
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < p->rows && !is_cancelled(signs); i++) {
      const int most = top_of_row(signs, i);
      e[i] -= most > INT_MIN ? half(most) : 0;
    }
  }
  for (int i = 0; i < p->rows && !is_cancelled(signs); i++) {
    e[i] = top_of_row(signs, i) > INT_MIN ? e[i] : unit_of_empty(signs, i);
  }
}

/* f_j. */
static void choose_column_units(nsd_signs *signs)
{
  const nsd_contact_data *p = signs->problem;
  int *f = signs->column_unit;
  /* f = e keeps G' symmetric … */
  for (int j = 0; j < p->rows; j++) {
    f[j] = signs->row_unit[j];
  }
  /* … but where friction is μ times a load, its unit is at most that of the load times μ. */
  for (int i = 0; i < p->contacts; i++) {
    const nsd_contact_spec *s = &p->spec[i];
    if (is_coulomb(s) || is_sliding(s)) {
      const int dragged = f[s->row] + exponent_of(s->mu);
      f[s->row + 1] = dragged < f[s->row + 1] ? dragged : f[s->row + 1];
    }
  }
}

static void raise_shift(nsd_signs *signs, double value, int unit)
{
  if (value != 0.0) {
    const int size = exponent_of(value) + unit;
    signs->shift = size > signs->shift ? size : signs->shift;
  }
}

/* E: the largest of c' and the bounds gets order 1. */
static void choose_shift(nsd_signs *signs)
{
  const nsd_contact_data *p = signs->problem;
  signs->shift = INT_MIN;
  for (int i = 0; i < p->rows; i++) {
    raise_shift(signs, p->c[i], signs->row_unit[i]);
  }
  for (int i = 0; i < p->contacts; i++) {
    if (p->spec[i].friction == NSD_FRICTION_GIVEN) {
      raise_shift(signs, p->spec[i].bound, -signs->column_unit[p->spec[i].row + 1]);
    }
  }
  signs->shift = signs->shift == INT_MIN ? 0 : signs->shift;
}

/* 2^e x; notes where that is not exact. */
static double shifted(nsd_signs *signs, double x, int e)
{
  const double y = ldexp(x, e);
  if (ldexp(y, -e) != x) {
    signs->rounded = 1;
  }
  return y;
}

/* ---- functionals ------------------------------------------------------------------------------------ */

/* A new functional n Λ_N + t Λ_T + d, in a unit that makes its larger coefficient of order 1. */
static int32_t add_functional(nsd_signs *signs, const nsd_contact_spec *s, double n, double t, double d,
                              int ask)
{
  const int k = signs->count++;
  double *a = signs->a + (size_t)k * (size_t)signs->rows;
  const int *f = signs->column_unit + s->row;
  memset(a, 0, (size_t)signs->rows * sizeof *a);
  (void)nsd_poll_stops(signs->poll, NSD_POLL_READ * signs->rows);
  int most = n != 0.0 ? exponent_of(n) + f[0] : INT_MIN;
  if (t != 0.0) {
    const int size = exponent_of(t) + f[1];
    most = size > most ? size : most;
    a[s->row + 1] = shifted(signs, t, f[1] - most);
  }
  if (n != 0.0) {
    a[s->row] = shifted(signs, n, f[0] - most);
  }
  signs->d[k] = shifted(signs, d, -most - signs->shift);
  signs->base[signs->rows + k] = (int8_t)ask;
  signs->tells[signs->rows + k] = 1;
  return k;
}

static void add_unit(nsd_signs *signs, const nsd_alternative *alternative, int alternatives,
                     const int32_t part[NSD_UNIT_PARTS])
{
  nsd_unit *unit = &signs->unit[signs->units++];
  unit->alternatives = alternatives;
  unit->alternative = alternative;
  for (int l = 0; l < NSD_UNIT_PARTS; l++) {
    unit->part[l] = signs->rows + part[l];
  }
}

#define ADD_UNIT(signs, table, ...)                                                                          \
  add_unit(signs, table, (int)(sizeof(table) / sizeof *(table)), (const int32_t[NSD_UNIT_PARTS]){__VA_ARGS__})

/* Friction μ |Λ_N| either way. */
static void add_coulomb(nsd_signs *signs, int i, const nsd_contact_spec *s)
{
  const int slot = is_slot(s);
  const int ask = slot ? NSD_ASK_NOTHING : NSD_ASK_POSITIVE;
  nsd_contact_signs *own = &signs->contact[i];
  /* μ Λ_N + Λ_T >= 0 and μ Λ_N − Λ_T >= 0; in a slot that is pulled, both <= 0. */
  own->right = add_functional(signs, s, s->mu, 1.0, 0.0, ask);
  own->left = add_functional(signs, s, s->mu, -1.0, 0.0, ask);
  if (slot) {
    ADD_UNIT(signs, slot_coulomb, own->right, own->left, s->row, s->row + 1);
  } else {
    ADD_UNIT(signs, coulomb, own->right, own->left, s->row, s->row + 1);
  }
}

/* Λ_T = −s μ |Λ_N|. */
static void add_sliding(nsd_signs *signs, int i, const nsd_contact_spec *s)
{
  const double slope = s->sliding > 0 ? s->mu : -s->mu;
  nsd_contact_signs *own = &signs->contact[i];
  own->slides = 1;
  if (!is_slot(s)) {
    /* Λ_N >= 0: one equation. */
    own->drag = add_functional(signs, s, slope, 1.0, 0.0, NSD_ASK_ZERO);
    return;
  }
  /* Λ_N >= 0 with Λ_T + s μ Λ_N = 0, or Λ_N <= 0 with Λ_T − s μ Λ_N = 0. */
  own->load = add_functional(signs, s, 1.0, 0.0, 0.0, NSD_ASK_NOTHING);
  own->drag = add_functional(signs, s, slope, 1.0, 0.0, NSD_ASK_NOTHING);
  own->pull = add_functional(signs, s, -slope, 1.0, 0.0, NSD_ASK_NOTHING);
  ADD_UNIT(signs, slot_sliding, own->load, own->drag, own->pull, s->row + 1);
}

/* |Λ_T| <= bound. */
static void add_given(nsd_signs *signs, int i, const nsd_contact_spec *s)
{
  nsd_contact_signs *own = &signs->contact[i];
  /* bound + Λ_T >= 0 and bound − Λ_T >= 0. */
  own->right = add_functional(signs, s, 0.0, 1.0, s->bound, NSD_ASK_POSITIVE);
  own->left = add_functional(signs, s, 0.0, -1.0, s->bound, NSD_ASK_POSITIVE);
  ADD_UNIT(signs, given_bound, own->right, own->left, s->row, s->row + 1);
}

static void add_contact(nsd_signs *signs, int i)
{
  const nsd_contact_spec *s = &signs->problem->spec[i];
  nsd_contact_signs *own = &signs->contact[i];
  own->load = own->right = own->left = own->drag = own->pull = -1;
  own->slides = 0;
  signs->base[signs->rows + s->row] = (int8_t)(is_slot(s) ? NSD_ASK_ZERO : NSD_ASK_POSITIVE);
  if (is_coulomb(s)) {
    add_coulomb(signs, i, s);
    return;
  }
  if (!is_slot(s)) {
    own->load = add_functional(signs, s, 1.0, 0.0, 0.0, NSD_ASK_POSITIVE);
    ADD_UNIT(signs, open_or_closed, own->load, s->row, s->row, s->row);
  }
  if (is_sliding(s)) {
    add_sliding(signs, i, s);
  } else if (is_given(s)) {
    add_given(signs, i, s);
  } else if (is_fixed(s)) {
    const double bound = s->friction == NSD_FRICTION_GIVEN ? s->bound * (double)s->sliding : 0.0;
    own->drag = add_functional(signs, s, 0.0, 1.0, bound, NSD_ASK_ZERO);
  }
}

/* ξ' = G' Λ' + c'. */
static void add_velocities(nsd_signs *signs)
{
  const nsd_contact_data *p = signs->problem;
  const int *e = signs->row_unit;
  const int *f = signs->column_unit;
  for (int i = 0; i < p->rows && !is_cancelled(signs); i++) {
    const double *g = p->G + (size_t)i * (size_t)p->ldg;
    double *a = signs->a + (size_t)i * (size_t)p->rows;
    for (int j = 0; j < p->rows; j++) {
      a[j] = shifted(signs, g[j], e[i] + f[j]);
    }
    (void)nsd_poll_stops(signs->poll, EXPONENT_WORK * p->rows);
    signs->d[i] = shifted(signs, p->c[i], e[i] - signs->shift);
    signs->base[i] = signs->base[p->rows + i] = NSD_ASK_NOTHING;
    signs->tells[i] = signs->tells[p->rows + i] = 0;
  }
  signs->count = p->rows;
}

/* What scaling made of the numbers: all within the range. */
static int is_finite(const nsd_signs *signs)
{
  int finite = is_cancelled(signs) || nsd_all_finite(1, signs->count, signs->d, signs->count);
  for (int k = 0; k < signs->count && finite && !is_cancelled(signs); k++) {
    finite = nsd_all_finite(1, signs->rows, signs->a + (size_t)k * (size_t)signs->rows, signs->rows);
    (void)nsd_poll_stops(signs->poll, NSD_POLL_READ * signs->rows);
  }
  return finite;
}

nsdyn_status nsd_signs_load(nsd_signs *signs, const nsd_contact_data *p, nsd_poll *poll)
{
  signs->problem = p;
  signs->poll = poll;
  signs->rows = p->rows;
  signs->units = 0;
  signs->rounded = 0;
  /* Stage 1. Powers of two that make numbers of order 1: ξ' = 2^(e − E) ξ, Λ' = 2^(−f − E) Λ. */
  choose_row_units(signs);
  choose_column_units(signs);
  choose_shift(signs);
  /* Stage 2. Functionals: the rows' velocities, then what the laws ask, with the alternatives of each
   * contact. */
  add_velocities(signs);
  for (int i = 0; i < p->contacts && !is_cancelled(signs); i++) {
    signs->tells[p->rows + p->spec[i].row] = 1;
    if (has_tangent(&p->spec[i])) {
      signs->tells[p->rows + p->spec[i].row + 1] = 1;
    }
    add_contact(signs, i);
  }
  /* Constraints: ξ = 0, and no alternative. */
  for (int i = p->rows - p->bilateral; i < p->rows; i++) {
    signs->base[p->rows + i] = NSD_ASK_ZERO;
  }
  signs->forms = (nsd_forms){.rows = signs->count,
                             .columns = p->rows,
                             .dense = p->rows,
                             .a = signs->a,
                             .d = signs->d,
                             .base = signs->base,
                             .tells = signs->tells,
                             .is_exact = !signs->rounded,
                             .given_a = signs->rounded ? NULL : signs->a,
                             .given_lda = p->rows,
                             .given_d = signs->d};
  const int finite = is_finite(signs);
  return is_cancelled(signs) ? NSDYN_CANCELLED : finite ? NSDYN_OK : NSDYN_ERR_NOT_FINITE;
}

double nsd_signs_slope(const nsd_signs *signs, int k, const double *Lambda, double *size)
{
  const double *a = signs->a + (size_t)k * (size_t)signs->rows;
  double sum = 0.0, sizes = 0.0;
  for (int j = 0; j < signs->rows; j++) {
    const double term = a[j] * Lambda[j];
    sum += term;
    sizes += fabs(term);
  }
  (void)nsd_poll_stops(signs->poll, NSD_POLL_READ * signs->rows);
  if (size) {
    *size = sizes;
  }
  return sum;
}

void nsd_signs_to_units(const nsd_signs *signs, double *Lambda)
{
  for (int j = 0; j < signs->rows; j++) {
    Lambda[j] = ldexp(Lambda[j], signs->column_unit[j] + signs->shift);
  }
}
