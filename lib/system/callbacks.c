/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/callbacks.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/kernels/simd.h"
#include "base/number.h"
#include "system/inertia.h"

const char *nsd_subject_text(nsd_subject who, char text[NSD_SUBJECT_LENGTH])
{
  text[0] = '\0';
  if (who.kind == NSDYN_DETAIL_CONSTRAINT) {
    (void)snprintf(text, NSD_SUBJECT_LENGTH, "constraint %d", (int)who.index);
  } else if (who.kind == NSDYN_DETAIL_CONTACT && who.index >= 0) {
    (void)snprintf(text, NSD_SUBJECT_LENGTH, "contact %d", (int)who.index);
  } else if (who.kind == NSDYN_DETAIL_CONTACT) {
    (void)snprintf(text, NSD_SUBJECT_LENGTH, "contact with key %" PRId64, who.key);
  }
  return text;
}

static const char *separator(nsd_subject who)
{
  return who.kind == NSDYN_DETAIL_NONE ? "" : ", ";
}

nsdyn_status nsd_blame_code(nsd_fault *fault, const char *name, nsd_subject who, int code)
{
  char text[NSD_SUBJECT_LENGTH];
  const nsdyn_status status =
      nsd_fault_set(fault, code < 0 ? NSDYN_ERR_CALLBACK : NSDYN_ERR_CALLBACK_RETRY, NSDYN_DETAIL_CALLBACK,
                    code, "callback %s%s%s: it returned %d%s", name, separator(who),
                    nsd_subject_text(who, text), code, code > 0 ? ", which asks for a shorter step" : "");
  /* nsd_fault_set() knows no keys: they follow. */
  if (fault) {
    fault->detail.key = who.key;
  }
  return status;
}

static nsdyn_status blame_number(nsd_fault *fault, nsdyn_status status, const char *name, nsd_subject who,
                                 int32_t kind, int64_t index, const char *what, const char *place,
                                 double value)
{
  char number[NSD_NUMBER_LENGTH], text[NSD_SUBJECT_LENGTH];
  nsd_fault_set(fault, status, kind, index, "callback %s%s%s: %s%s is %s", name, separator(who),
                nsd_subject_text(who, text), what, place, nsd_number_text(value, number));
  if (fault) {
    fault->detail.key = who.key;
  }
  return status;
}

nsdyn_status nsd_blame_matrix(nsd_fault *fault, const char *name, nsd_subject who, const char *what, int rows,
                              int cols, const double *A)
{
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < cols; j++) {
      const double value = A[(size_t)i * (size_t)cols + (size_t)j];
      if (!nsd_is_number(value)) {
        char place[48];
        (void)snprintf(place, sizeof place, " row %d, column %d", i, j);
        const int has_subject = who.kind != NSDYN_DETAIL_NONE;
        return blame_number(fault, NSDYN_ERR_NOT_FINITE, name, who, has_subject ? who.kind : NSDYN_DETAIL_ROW,
                            has_subject ? who.index : i, what, place, value);
      }
    }
  }
  return NSDYN_OK;
}

nsdyn_status nsd_blame_vector(nsd_fault *fault, const char *name, nsd_subject who, int32_t kind,
                              const char *what, int n, const double *x)
{
  for (int i = 0; i < n; i++) {
    if (!nsd_is_number(x[i])) {
      char place[32] = "";
      if (n > 1) {
        (void)snprintf(place, sizeof place, " element %d", i);
      }
      return blame_number(fault, NSDYN_ERR_NOT_FINITE, name, who, kind, kind == who.kind ? who.index : i,
                          what, place, x[i]);
    }
  }
  return NSDYN_OK;
}

nsdyn_status nsd_blame_directions(nsd_fault *fault, nsd_subject who, double gap, double changed, double said)
{
  char text[NSD_SUBJECT_LENGTH], number[3][NSD_NUMBER_LENGTH];
  const int is_constraint = who.kind == NSDYN_DETAIL_CONSTRAINT;
  nsd_fault_set(fault, NSDYN_ERR_INCONSISTENT, who.kind, who.index,
                "%s does not follow its directions: %s, %s, changed by %s where %s say %s; check them with "
                "nsdyn_system_check(), or take shorter steps",
                nsd_subject_text(who, text), is_constraint ? "g_b" : "the gap",
                nsd_number_text(gap, number[0]), nsd_number_text(changed, number[1]),
                is_constraint ? "W_b and w_hat_b" : "W and w_hat", nsd_number_text(said, number[2]));
  /* Contacts known in advance have their index as key. */
  if (fault && !is_constraint) {
    fault->detail.key = who.index >= 0 ? who.index : who.key;
  }
  return NSDYN_ERR_INCONSISTENT;
}

nsdyn_status nsd_blame_bias(nsd_fault *fault, nsd_subject who, double speed, double changed)
{
  char text[NSD_SUBJECT_LENGTH], number[2][NSD_NUMBER_LENGTH];
  const int is_constraint = who.kind == NSDYN_DETAIL_CONSTRAINT;
  nsd_fault_set(fault, NSDYN_ERR_INCONSISTENT, who.kind, who.index,
                "%s does not follow its bias: its velocity, %s, changed by %s where %s says that it stays; "
                "check it with nsdyn_system_check(), or take shorter steps",
                nsd_subject_text(who, text), nsd_number_text(speed, number[0]),
                nsd_number_text(changed, number[1]), is_constraint ? "w_bar_b" : "w_bar");
  if (fault && !is_constraint) {
    fault->detail.key = who.index >= 0 ? who.index : who.key;
  }
  return NSDYN_ERR_INCONSISTENT;
}

nsdyn_status nsd_blame_overflow(nsd_fault *fault, const char *what, int n, const double *x)
{
  for (int i = 0; i < n; i++) {
    if (!isfinite(x[i])) {
      char number[NSD_NUMBER_LENGTH];
      return nsd_fault_set(fault, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_COORDINATE, i,
                           "%s element %d is %s: the numbers are too large", what, i,
                           nsd_number_text(x[i], number));
    }
  }
  return NSDYN_OK;
}

/* Names the element of g_b, W_b or w_hat_b that is not finite; rows are those of W_b as the user wrote it. */
static nsdyn_status blame_constraint(const nsdyn_system_def *def, const double *g_b, const double *W_b,
                                     const double *w_hat_b, nsd_fault *fault)
{
  for (int i = 0; i < def->nconstraints; i++) {
    const nsd_subject who = {NSDYN_DETAIL_CONSTRAINT, i, 0};
    for (int j = 0; j < def->nu; j++) {
      const double value = W_b[(size_t)i * (size_t)def->nu + (size_t)j];
      if (!nsd_is_number(value)) {
        char place[48];
        (void)snprintf(place, sizeof place, " row %d, column %d", i, j);
        return blame_number(fault, NSDYN_ERR_NOT_FINITE, "constraint", who, NSDYN_DETAIL_CONSTRAINT, i, "W_b",
                            place, value);
      }
    }
    if (!nsd_is_number(w_hat_b[i]) || !nsd_is_number(g_b[i])) {
      const int is_gap = nsd_is_number(w_hat_b[i]);
      return blame_number(fault, NSDYN_ERR_NOT_FINITE, "constraint", who, NSDYN_DETAIL_CONSTRAINT, i,
                          is_gap ? "g_b" : "w_hat_b", "", is_gap ? g_b[i] : w_hat_b[i]);
    }
  }
  return NSDYN_OK;
}

nsdyn_status nsd_call_constraint(const nsdyn_system_def *def, double t, const double *q, double *g_b,
                                 double *W_b, double *w_hat_b, nsd_fault *fault)
{
  const int n = def->nconstraints;
  if (n == 0) {
    return NSDYN_OK;
  }
  nsd_fill_zero(n, g_b);
  nsd_fill_zero(n, w_hat_b);
  memset(W_b, 0, (size_t)n * (size_t)def->nu * sizeof *W_b);
  const int code = def->constraint(def->user, t, q, g_b, W_b, w_hat_b);
  if (code) {
    return nsd_blame_code(fault, "constraint", nsd_no_subject(), code);
  }
  /* Checked at once: in forces and impulses that are not finite nothing tells any
   * more where that comes from. */
  double zero = nsd_lanes_bounded(n, g_b) + nsd_lanes_bounded(n, w_hat_b);
  for (int i = 0; i < n; i++) {
    zero += nsd_lanes_bounded(def->nu, W_b + (size_t)i * (size_t)def->nu);
  }
  return zero == 0.0 ? NSDYN_OK : blame_constraint(def, g_b, W_b, w_hat_b, fault);
}

size_t nsd_mass_numbers(const nsdyn_system_def *def)
{
  size_t numbers = 0;
  for (nsd_mass_part p = nsd_mass_first(def); p.n > 0; p = nsd_mass_next(def, p)) {
    numbers += (size_t)p.n * (size_t)p.n;
  }
  return numbers;
}

const char *nsd_mass_text(const nsdyn_system_def *def, nsd_mass_part p, char text[NSD_MASS_LENGTH])
{
  if (def->nblocks) {
    (void)snprintf(text, NSD_MASS_LENGTH, "M block %d (velocities %d to %d)", p.number, p.first,
                   p.first + p.n - 1);
  } else {
    (void)snprintf(text, NSD_MASS_LENGTH, "M");
  }
  return text;
}

nsdyn_status nsd_blame_mass(nsd_fault *fault, const nsdyn_system_def *def, const double *M)
{
  nsdyn_status status = NSDYN_OK;
  for (nsd_mass_part p = nsd_mass_first(def); p.n > 0 && !status; p = nsd_mass_next(def, p)) {
    char text[NSD_MASS_LENGTH];
    status =
        nsd_blame_matrix(fault, "mass", nsd_no_subject(), nsd_mass_text(def, p, text), p.n, p.n, M + p.at);
    if (status && fault) {
      fault->detail.index += p.first; /* the row of M */
    }
  }
  return status;
}

nsdyn_status nsd_call_mass(const nsdyn_system_def *def, double t, const double *q, double *M,
                           nsd_fault *fault)
{
  memset(M, 0, nsd_mass_numbers(def) * sizeof *M);
  const int code = def->mass(def->user, t, q, M);
  return code ? nsd_blame_code(fault, "mass", nsd_no_subject(), code) : NSDYN_OK;
}

/* ½ uᵀ M u from the lower triangles of M's blocks. */
static double kinetic_energy(const nsdyn_system_def *def, const double *M, const double *u)
{
  double sum = 0.0;
  for (nsd_mass_part p = nsd_mass_first(def); p.n > 0; p = nsd_mass_next(def, p)) {
    const double *v = u + p.first;
    for (int i = 0; i < p.n; i++) {
      const double *row = M + p.at + (size_t)i * (size_t)p.n;
      sum += v[i] * (nsd_small_dot(i, row, v) + 0.5 * row[i] * v[i]);
    }
  }
  return sum;
}

nsdyn_status nsd_make_energy_mass(const nsdyn_system_def *def, nsdyn_context *ctx, double **M,
                                  nsd_fault *fault)
{
  if (*M || def->nu == 0 || !def->mass) {
    return NSDYN_OK;
  }
  *M = nsd_allocate(ctx, nsd_mass_numbers(def), sizeof **M);
  return *M ? NSDYN_OK
            : nsd_fault_set(fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1,
                            "no memory for the energy of %d velocities", (int)def->nu);
}

nsdyn_status nsd_call_energies(const nsdyn_system_def *def, double t, const double *q, int count,
                               const double *const *u, double *M, double *T, nsd_fault *fault)
{
  const nsd_subject nobody = nsd_no_subject();
  nsdyn_status status = nsd_call_configure(def, t, q, fault);
  if (!status && def->mass) {
    status = nsd_call_mass(def, t, q, M, fault);
    status = status ? status : nsd_blame_mass(fault, def, M);
  }
  for (int k = 0; k < count && !status; k++) {
    if (def->mass) {
      T[k] = kinetic_energy(def, M, u[k]);
      continue;
    }
    T[k] = 0.0;
    const int code = def->kinetic(def->user, t, q, u[k], &T[k]);
    status = code ? nsd_blame_code(fault, "kinetic", nobody, code)
                  : nsd_blame_vector(fault, "kinetic", nobody, NSDYN_DETAIL_NONE, "T", 1, &T[k]);
  }
  return status;
}

static int is_bounded(int rows, int cols, const double *X)
{
  double zero = 0.0;
  for (int i = 0; i < rows; i++) {
    zero += nsd_lanes_bounded(cols, X + (size_t)i * (size_t)cols);
  }
  return zero == 0.0;
}

nsdyn_status nsd_call_solve_mass(const nsdyn_system_def *def, double t, const double *q, int nrhs, double *X,
                                 nsd_fault *fault)
{
  /* What was no number before is not this callback's fault: those who asked find out whose it is. */
  const int was_number = is_bounded(nrhs, def->nu, X);
  const int code = nrhs ? def->solve_mass(def->user, t, q, nrhs, X) : 0;
  if (code) {
    return nsd_blame_code(fault, "solve_mass", nsd_no_subject(), code);
  }
  return !was_number || is_bounded(nrhs, def->nu, X)
             ? NSDYN_OK
             : nsd_blame_matrix(fault, "solve_mass", nsd_no_subject(), "X", nrhs, def->nu, X);
}

nsdyn_status nsd_call_move(const nsdyn_system_def *def, double t, const double *q, const double *u, double dt,
                           double *q_new, nsd_fault *fault)
{
  const int n = def->nq;
  int code = 0;
  /* q_new by the user's own motion on the manifold, or q + dt q̇ with q̇ = H(q) u, or q̇ = u. */
  if (def->retract || def->kinematics) { /* a move begins where the others have not looked, as a rule */
    const nsdyn_status status = nsd_call_configure(def, t, q, fault);
    if (status) {
      return status;
    }
  }
  if (def->retract) {
    nsd_fill_zero(n, q_new);
    code = def->retract(def->user, t, q, u, dt, q_new);
    return code ? nsd_blame_code(fault, "retract", nsd_no_subject(), code) : NSDYN_OK;
  }
  const double *qdot = u;
  if (def->kinematics) {
    nsd_fill_zero(n, q_new);
    code = def->kinematics(def->user, t, q, u, q_new);
    qdot = q_new;
  }
  for (int i = 0; i < n; i++) {
    q_new[i] = q[i] + dt * qdot[i];
  }
  return code ? nsd_blame_code(fault, "kinematics", nsd_no_subject(), code) : NSDYN_OK;
}

nsdyn_status nsd_blame_move(nsd_fault *fault, const nsdyn_system_def *def, const double *q)
{
  /* Without callbacks of motion only the sum q + dt u can have overflowed. */
  if (!def->retract && !def->kinematics) {
    return nsd_blame_overflow(fault, "coordinate", def->nq, q);
  }
  return nsd_blame_vector(fault, def->retract ? "retract" : "kinematics", nsd_no_subject(),
                          NSDYN_DETAIL_COORDINATE, "q", def->nq, q);
}

nsdyn_status nsd_call_curve(const nsdyn_contact_law *law, nsd_subject who, double speed, double *mu,
                            nsd_fault *fault)
{
  double value = 0.0;
  const int code = law->curve(law->user, speed, &value);
  if (code) {
    return nsd_blame_code(fault, "curve", who, code);
  }
  /* NaN fails too. */
  if (!(value >= 0.0 && nsd_is_number(value))) {
    char at[64], number[NSD_NUMBER_LENGTH];
    (void)snprintf(at, sizeof at, " at the speed %s", nsd_number_text(speed, number));
    return blame_number(fault, isfinite(value) ? NSDYN_ERR_ARGUMENT : NSDYN_ERR_NOT_FINITE, "curve", who,
                        NSDYN_DETAIL_CONTACT, who.index, "mu", at, value);
  }
  *mu = value;
  return NSDYN_OK;
}
