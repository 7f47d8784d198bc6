/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/check.h"

#include <math.h>

#include "base/dense.h"
#include "base/number.h"
#include "base/safe_scalar.h"
#include "base/tolerances.h"
#include "contact/check_operator.h"
#include "contact/law.h"

nsdyn_status nsdyn_contact_problem_init(nsdyn_contact_problem *problem, size_t size)
{
  return nsd_sized_init(problem, size, NSD_CONTACT_PROBLEM_LEAST, NULL, sizeof *problem);
}

const nsdyn_contact_law *nsd_contact_law_at(const nsdyn_contact_problem *p, int i)
{
  const size_t number = (size_t)(p->law ? p->law[i] : i);
  return (const nsdyn_contact_law *)(const void *)((const char *)p->laws + number * p->laws->size);
}

/* The first contact whose law's number is none; `contacts` where there is none such. */
static int find_no_law(const nsdyn_contact_problem *p)
{
  int i = 0;
  while (i < p->contacts && (!p->law || (p->law[i] >= 0 && p->law[i] < p->nlaws))) {
    i++;
  }
  return i;
}

/* −1 where they are more than an int counts. */
static int count_rows(const nsdyn_contact_problem *p)
{
  int64_t rows = p->bilateral;
  for (int i = 0; i < p->contacts; i++) {
    rows += nsd_contact_law_rows(nsd_contact_law_at(p, i));
  }
  return rows <= INT32_MAX ? (int)rows : -1;
}

int32_t nsdyn_contact_rows(const nsdyn_contact_problem *problem)
{
  if (!problem || problem->contacts < 0 || problem->bilateral < 0 ||
      (problem->contacts > 0 && (!problem->laws || find_no_law(problem) < problem->contacts))) {
    return -1;
  }
  nsdyn_contact_law first; /* its size is the way to the next */
  const nsdyn_status status =
      problem->contacts == 0
          ? NSDYN_OK
          : nsd_sized_read(&first, sizeof first, NSD_CONTACT_LAW_LEAST, problem->laws, "", NULL);
  return status ? -1 : count_rows(problem);
}

static nsdyn_status refuse_field(nsd_fault *fault, size_t offset, const char *reason)
{
  return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD, (int64_t)offset, "%s", reason);
}

static nsdyn_status check_laws(const nsdyn_contact_problem *p, nsd_fault *fault)
{
  const int lawless = find_no_law(p);
  if (lawless < p->contacts) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_CONTACT, lawless,
                         "contact %d: law: %d is none of the %d laws", lawless, (int)p->law[lawless],
                         (int)p->nlaws);
  }
  for (int i = 0; i < p->contacts; i++) {
    if (nsd_contact_law_at(p, i)->size != p->laws->size) {
      return nsd_fault_set(fault, NSDYN_ERR_STRUCT_SIZE, NSDYN_DETAIL_CONTACT, i,
                           "contact %d: its law's size is %zu, that of the first law is %zu", i,
                           nsd_contact_law_at(p, i)->size, p->laws->size);
    }
    nsdyn_contact_law law;
    const nsdyn_status status = nsd_contact_law_read(&law, nsd_contact_law_at(p, i), i, fault);
    if (status) {
      return status;
    }
    if (!p->mu && (law.friction == NSDYN_FRICTION_STATIC || nsd_contact_law_is_curved(&law))) {
      return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_CONTACT, i,
                           "contact %d: which coefficient is in force? Its law has several: set mu", i);
    }
  }
  return NSDYN_OK;
}

/* A known sliding direction: a sign, or in space a unit vector; or zero. */
static nsdyn_status check_slip(const nsdyn_contact_law *law, int i, const double *slip, nsd_fault *fault)
{
  const int tangents = nsd_contact_law_rows(law) - 1;
  const double length = tangents == 0   ? 0.0
                        : tangents == 1 ? fabs(slip[0])
                                        : nsd_norm_plane(slip[0], slip[1]);
  const double rounding = tangents == 2 ? NSD_CONTACT_UNIT_TOL : 0.0;
  if (length == 0.0 || fabs(length - 1.0) <= rounding) {
    return NSDYN_OK;
  }
  char text[NSD_NUMBER_LENGTH];
  nsd_number_text(tangents == 2 ? length : slip[0], text);
  return nsd_fault_set(fault, isfinite(length) ? NSDYN_ERR_ARGUMENT : NSDYN_ERR_NOT_FINITE,
                       NSDYN_DETAIL_CONTACT, i,
                       tangents == 2 ? "contact %d: slip: a vector of length %s is no unit vector, nor zero"
                                     : "contact %d: slip: %s is not 1, -1 or 0",
                       i, text);
}

static nsdyn_status check_in_force(const nsdyn_contact_problem *p, nsd_fault *fault)
{
  int tangential = 0; /* rows so far */
  for (int i = 0; i < p->contacts; i++) {
    if (p->mu && !(p->mu[i] >= 0.0 && p->mu[i] < (double)INFINITY)) {
      char text[NSD_NUMBER_LENGTH];
      return nsd_fault_set(fault, isfinite(p->mu[i]) ? NSDYN_ERR_ARGUMENT : NSDYN_ERR_NOT_FINITE,
                           NSDYN_DETAIL_CONTACT, i, "contact %d: mu: %s is not a friction coefficient >= 0",
                           i, nsd_number_text(p->mu[i], text));
    }
    nsd_contact_space space;
    if (!(nsd_contact_spec_of(p, i, i + tangential, &space).bound < (double)INFINITY)) {
      return nsd_fault_set(fault, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_CONTACT, i,
                           "contact %d: its bound times dt is no number", i);
    }
    const nsdyn_contact_law *law = nsd_contact_law_at(p, i);
    const nsdyn_status status = p->slip ? check_slip(law, i, p->slip + tangential, fault) : NSDYN_OK;
    if (status) {
      return status;
    }
    tangential += nsd_contact_law_rows(law) - 1;
  }
  return NSDYN_OK;
}

/* A row of G or c in the caller's words: "contact 2, tangential", "bilateral row 0". */
static nsdyn_status refuse_row(const nsdyn_contact_problem *p, int row, nsdyn_status status, nsd_fault *fault,
                               const char *what, double value)
{
  char text[NSD_NUMBER_LENGTH];
  nsd_number_text(value, text);
  int at = 0;
  for (int i = 0; i < p->contacts; i++) {
    const int rows = nsd_contact_law_rows(nsd_contact_law_at(p, i));
    if (row < at + rows) {
      return nsd_fault_set(fault, status, NSDYN_DETAIL_CONTACT, i, "contact %d, %s row %d: %s %s", i,
                           row > at ? "tangential" : "normal", row, what, text);
    }
    at += rows;
  }
  return nsd_fault_set(fault, status, NSDYN_DETAIL_CONSTRAINT, row - at,
                       "bilateral constraint %d, row %d: %s %s", row - at, row, what, text);
}

static double g_at(const nsdyn_contact_problem *p, int i, int j)
{
  return p->G[(size_t)i * (size_t)p->ldg + (size_t)j];
}

enum {
  TILE = 8,    /* columns whose mirrors, rows of G, stay in the cache */
  LOOK = 8,    /* multiplications that a look at two elements takes as long as */
  BLOCK = 1000 /* rows at a time, of no more elements than BLOCK² */
};

static nsdyn_status refuse_infinite_c(const nsdyn_contact_problem *p, int rows, nsd_fault *fault)
{
  int i = 0;
  while (i + 1 < rows && isfinite(p->c[i])) {
    i++;
  }
  return refuse_row(p, i, NSDYN_ERR_NOT_FINITE, fault, "c is", p->c[i]);
}

static nsdyn_status refuse_infinity(const nsdyn_contact_problem *p, int rows, nsd_fault *fault)
{
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < rows; j++) {
      if (!isfinite(g_at(p, i, j))) {
        return refuse_row(p, i, NSDYN_ERR_NOT_FINITE, fault, "G has the element", g_at(p, i, j));
      }
    }
    if (!isfinite(p->c[i])) {
      return refuse_row(p, i, NSDYN_ERR_NOT_FINITE, fault, "c is", p->c[i]);
    }
  }
  return NSDYN_OK;
}

static nsdyn_status check_finite(const nsdyn_contact_problem *p, int rows, nsd_fault *fault, nsd_poll *poll)
{
  /* Whole blocks of rows: about BLOCK² numbers between two questions to the caller. */
  const int block = rows <= BLOCK ? rows : BLOCK * BLOCK / rows + 1;
  int is_finite = nsd_all_finite(1, rows, p->c, rows);
  for (int i = 0; is_finite && i < rows; i += block) {
    const int count = rows - i < block ? rows - i : block;
    is_finite = nsd_all_finite(count, rows, p->G + (size_t)i * (size_t)p->ldg, (int)p->ldg);
    (void)nsd_poll_stops(poll, NSD_POLL_READ * (double)count * rows);
  }
  return is_finite ? NSDYN_OK : refuse_infinity(p, rows, fault);
}

/* A row, within a tile of columns, that differs from its mirror by more than rounding; −1 where none does.
 * *differs becomes 1 where any differs at all. */
static int find_asymmetry(const nsdyn_contact_problem *p, int rows, int from, int *column, int *differs)
{
  /* Below the diagonal, so that each pair is looked at once. */
  const int to = from + TILE < rows ? from + TILE : rows;
  for (int i = from; i < rows; i++) {
    const double *own = p->G + (size_t)i * (size_t)p->ldg;
    const int last = i < to ? i : to;
    for (int j = from; j < last; j++) {
      const double a = own[j], b = g_at(p, j, i);
      if (a == b) {
        continue;
      }
      *differs = 1;
      /* Beside √(G_ii G_jj), which bounds every element of a semidefinite G. */
      if (!(fabs(a - b) <= NSD_CONTACT_ASYMMETRY * sqrt(own[i]) * sqrt(g_at(p, j, j)))) {
        *column = j;
        return i;
      }
    }
  }
  return -1;
}

static nsdyn_status check_symmetric(const nsdyn_contact_problem *p, int rows, int *differs, nsd_fault *fault,
                                    nsd_poll *poll)
{
  for (int i = 0; i < rows; i++) {
    if (g_at(p, i, i) < 0.0) {
      return refuse_row(p, i, NSDYN_ERR_ARGUMENT, fault, "G has a negative diagonal element,", g_at(p, i, i));
    }
  }
  /* Tiles of a few columns: their mirrors are rows that are still in the cache. */
  for (int from = 0; from < rows; from += TILE) {
    int j = 0;
    const int i = find_asymmetry(p, rows, from, &j, differs);
    if (i >= 0) {
      return refuse_row(p, i, NSDYN_ERR_ARGUMENT, fault, "G is not symmetric; it differs across by",
                        g_at(p, i, j) - g_at(p, j, i));
    }
    (void)nsd_poll_stops(poll, (double)LOOK * TILE * (rows - from));
  }
  return NSDYN_OK;
}

void nsd_contact_average(const nsd_contact_data *d, double *G, nsd_poll *poll)
{
  const size_t n = (size_t)d->rows;
  /* (a + b) / 2 on both sides, where they differ by rounding only; 0.5 a + 0.5 b cannot overflow. */
  for (int from = 0; from < d->rows; from += TILE) {
    for (int i = from; i < d->rows; i++) {
      const double *own = nsd_contact_row(d, i);
      for (int j = from; j <= i && j < from + TILE; j++) {
        const double a = own[j], b = nsd_contact_row(d, j)[i];
        const double most =
            a == b ? 0.0 : NSD_CONTACT_ROUNDING * sqrt(own[i]) * sqrt(nsd_contact_row(d, j)[j]);
        const int is_rounding = fabs(a - b) <= most;
        const double average = 0.5 * a + 0.5 * b;
        G[(size_t)i * n + (size_t)j] = is_rounding ? average : a;
        G[(size_t)j * n + (size_t)i] = is_rounding ? average : b;
      }
    }
    (void)nsd_poll_stops(poll, (double)LOOK * TILE * (d->rows - from));
  }
}

static nsdyn_status check_time(const nsdyn_contact_problem *p, nsd_fault *fault)
{
  if (p->dt >= 0.0 && p->dt < (double)INFINITY) {
    return NSDYN_OK;
  }
  char text[NSD_NUMBER_LENGTH];
  return nsd_fault_set(fault, isfinite(p->dt) ? NSDYN_ERR_ARGUMENT : NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_FIELD,
                       (int64_t)offsetof(nsdyn_contact_problem, dt), "dt: %s is not a time >= 0",
                       nsd_number_text(p->dt, text));
}

static nsdyn_status check_start(const nsdyn_contact_problem *p, int rows, nsd_fault *fault)
{
  for (int i = 0; p->start && i < rows; i++) {
    if (!isfinite(p->start[i])) {
      return refuse_row(p, i, NSDYN_ERR_NOT_FINITE, fault, "start is", p->start[i]);
    }
  }
  return NSDYN_OK;
}

static nsdyn_status check_numbers(const nsdyn_contact_problem *p, int rows, int *differs, nsd_fault *fault,
                                  nsd_poll *poll)
{
  if (rows > 0 && !p->G && !p->W) {
    return refuse_field(fault, offsetof(nsdyn_contact_problem, G), "G is NULL");
  }
  if (rows > 0 && !p->c) {
    return refuse_field(fault, offsetof(nsdyn_contact_problem, c), "c is NULL");
  }
  if (p->W) {
    nsdyn_status status = nsd_all_finite(1, rows, p->c, rows) ? NSDYN_OK : refuse_infinite_c(p, rows, fault);
    status = status ? status : check_start(p, rows, fault);
    return status ? status : nsd_contact_check_operator(p->W, rows, fault, poll);
  }
  const nsdyn_status fits = nsd_stride_check(rows, rows, p->ldg);
  if (fits) {
    return nsd_fault_set(fault, fits, NSDYN_DETAIL_FIELD, (int64_t)offsetof(nsdyn_contact_problem, ldg),
                         fits == NSDYN_ERR_TOO_LARGE ? "ldg is %lld; no memory has %d such rows"
                                                     : "ldg is %lld; the rows of G need at least %d",
                         (long long)p->ldg, rows);
  }
  nsdyn_status status = check_finite(p, rows, fault, poll);
  status = status ? status : check_start(p, rows, fault);
  return status ? status : check_symmetric(p, rows, differs, fault, poll);
}

nsdyn_status nsd_contact_check(nsdyn_contact_problem *own, const nsdyn_contact_problem *given, int *differs,
                               nsd_fault *fault, nsd_poll *poll)
{
  int ignored;
  differs = differs ? differs : &ignored;
  *differs = 0;
  /* Stage 1. The struct, and its counts and pointers. */
  nsdyn_contact_problem_init(own, sizeof *own);
  if (!given) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1, "problem is NULL");
  }
  nsdyn_status status =
      nsd_sized_read(own, sizeof *own, NSD_CONTACT_PROBLEM_LEAST, given, "nsdyn_contact_problem", fault);
  if (status) {
    return status;
  }
  if (own->contacts < 0) {
    return refuse_field(fault, offsetof(nsdyn_contact_problem, contacts), "contacts is negative");
  }
  if (own->bilateral < 0) {
    return refuse_field(fault, offsetof(nsdyn_contact_problem, bilateral), "bilateral is negative");
  }
  if (own->reserved != 0) {
    return refuse_field(fault, offsetof(nsdyn_contact_problem, reserved), "reserved is not 0");
  }
  if (own->contacts > 0 && !own->laws) {
    return refuse_field(fault, offsetof(nsdyn_contact_problem, laws), "laws is NULL");
  }
  if (own->W && own->G) {
    return refuse_field(fault, offsetof(nsdyn_contact_problem, W), "both G and W are there");
  }
  /* Stage 2. Laws, Δt and coefficients in force. */
  status = check_laws(own, fault);
  status = status ? status : check_time(own, fault);
  status = status ? status : check_in_force(own, fault);
  if (status) {
    return status;
  }
  /* Stage 3. Rows, and the numbers in G and c. */
  const int rows = count_rows(own);
  if (rows < 0) {
    return nsd_fault_set(fault, NSDYN_ERR_TOO_LARGE, NSDYN_DETAIL_NONE, -1, "more rows than an int counts");
  }
  return check_numbers(own, rows, differs, fault, poll);
}

int nsd_contact_first_in_space(const nsdyn_contact_problem *checked)
{
  for (int i = 0; i < checked->contacts; i++) {
    if (nsd_contact_law_is_spatial(nsd_contact_law_at(checked, i))) {
      return i;
    }
  }
  return -1;
}

nsdyn_status nsd_contact_check_planar(const nsdyn_contact_problem *checked, const char *what,
                                      nsd_fault *fault)
{
  const int i = nsd_contact_first_in_space(checked);
  return i < 0 ? NSDYN_OK
               : nsd_fault_set(fault, NSDYN_ERR_UNSUPPORTED, NSDYN_DETAIL_CONTACT, i,
                               "contact %d: tangents is 2, but %s is for contacts in the plane", i, what);
}

nsd_contact_spec nsd_contact_spec_of(const nsdyn_contact_problem *checked, int i, int row,
                                     nsd_contact_space *space)
{
  const nsdyn_contact_law *law = nsd_contact_law_at(checked, i);
  const double mu = checked->mu ? checked->mu[i] : law->mu;
  nsd_contact_spec spec;
  nsd_contact_law_fill(law, row, mu, checked->dt, &spec);
  const int has_tangent = spec.friction != NSD_FRICTION_NONE;
  const double *slip = checked->slip && has_tangent ? checked->slip + (row - i)
                                                    : NULL; /* each contact before has one normal row */
  spec.sliding = !slip ? 0 : slip[0] > 0.0 ? 1 : slip[0] < 0.0 ? -1 : 0;
  if (nsd_contact_law_is_spatial(law)) {
    nsd_contact_law_read_space(law, space);
    spec.space = space;
    /* To the last bit a unit vector. */
    const double along[2] = {slip ? slip[0] : 0.0, slip ? slip[1] : 0.0};
    const double length = nsd_norm_plane(along[0], along[1]);
    spec.sliding = length > 0.0;
    spec.slip[0] = length > 0.0 ? along[0] / length : 0.0;
    spec.slip[1] = length > 0.0 ? along[1] / length : 0.0;
  }
  return spec;
}

nsd_contact_data nsd_contact_data_of(const nsdyn_contact_problem *checked)
{
  const nsd_contact_data data = {.contacts = checked->contacts,
                                 .bilateral = checked->bilateral,
                                 .rows = count_rows(checked),
                                 .ldg = (int)checked->ldg,
                                 .G = checked->G,
                                 .c = checked->c,
                                 .is_spatial = nsd_contact_first_in_space(checked) >= 0};
  return data;
}

void nsd_contact_fill_spec(const nsdyn_contact_problem *checked, nsd_contact_spec *spec,
                           nsd_contact_space *space)
{
  int row = 0;
  for (int i = 0; i < checked->contacts; i++) {
    spec[i] = nsd_contact_spec_of(checked, i, row, space ? space + i : NULL);
    row += nsd_contact_rows_of(&spec[i]);
  }
}
