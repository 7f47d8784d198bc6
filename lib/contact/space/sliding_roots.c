/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/sliding_roots.h"

#include "base/tolerances.h"
#include "contact/problem.h"

enum { DEGREE = 4 };

static double value(int degree, const double *a, double x)
{
  double sum = a[degree];
  for (int i = degree - 1; i >= 0; i--) {
    sum = sum * x + a[i];
  }
  return sum;
}

/* A root between low and high, where the values have different signs. */
static double halve(int degree, const double *a, double low, double high)
{
  /* Sizes apart are halved by their exponents, √(low high), else the interval is; until no double is between.
   */
  const int rising = value(degree, a, low) < 0.0;
  for (int k = 0; k < 200; k++) {
    const double x = low > 0.0 && high > 4.0 * low ? sqrt(low) * sqrt(high) : 0.5 * (low + high);
    if (!(x > low && x < high)) {
      break;
    }
    *((value(degree, a, x) < 0.0) == rising ? &low : &high) = x;
  }
  return 0.5 * (low + high);
}

/* Roots in [0, 1], growing; between those of the derivative the polynomial is monotone. A point where it
 * turns within rounding of zero is a root as well. What is so near to zero beside its terms where it begins,
 * turns or ends that rounding might hide or feign a root makes the list doubtful. */
static int roots_to_one(int degree, const double *a, double *roots, double terms, int *doubtful)
{
  if (degree < 1 || degree > DEGREE) {
    return 0;
  }
  double slope[DEGREE] = {0.0}, turns[DEGREE + 1] = {0.0}, size = 0.0;
  for (int i = 0; i <= degree; i++) {
    size += fabs(a[i]);
  }
  for (int i = 0; i < degree; i++) {
    slope[i] = (i + 1) * a[i + 1];
  }
  /* Where the derivative vanishes it turns. */
  const int inner = roots_to_one(degree - 1, slope, turns, degree * terms, doubtful);
  turns[inner] = 1.0;
  int count = 0;
  double low = 0.0;
  *doubtful |= degree > 1 && !(fabs(value(degree, a, 0.0)) > NSD_SLIDING_DOUBT * terms);
  for (int i = 0; i <= inner; i++) {
    const double high = turns[i], at_low = value(degree, a, low), at_high = value(degree, a, high);
    *doubtful |= degree > 1 && !(fabs(at_high) > NSD_SLIDING_DOUBT * terms);
    if ((at_low < 0.0) != (at_high < 0.0) && count < degree) {
      roots[count++] = halve(degree, a, low, high);
    } else if (i < inner && fabs(at_high) <= NSD_SLIDING_ROUNDING * size && count < degree) {
      roots[count++] = high;
    }
    low = high;
  }
  return count;
}

static int is_new(int count, const nsd_one_contact_answer *answers, const double *Lambda)
{
  for (int i = 0; i < count; i++) {
    double apart = 0.0, size = 0.0;
    for (int j = 0; j < 3; j++) {
      apart += fabs(answers[i].Lambda[j] - Lambda[j]);
      size += fabs(answers[i].Lambda[j]) + fabs(Lambda[j]);
    }
    if (apart <= NSD_SLIDING_SAME * size) {
      return 0;
    }
  }
  return 1;
}

/* ‖r‖ = μ |n − g·r|, by Newton's method from s on: taken as long as it comes nearer. */
static double mend(const nsd_sliding_plane *plane, const double *b, const double *g, double mu, double n,
                   double s, double *r)
{
  double miss = INFINITY, best = s;
  for (int k = 0; k < 8; k++) {
    double at[2], change[2];
    nsd_sliding_reply(plane, s, b, at);
    nsd_sliding_reply(plane, s, at, change);
    const double norm = sqrt(nsd_sliding_dot(at, at)), Lambda_N = n - nsd_sliding_dot(g, at);
    const double over = norm - mu * fabs(Lambda_N);
    if (!(fabs(over) < miss)) {
      break;
    }
    miss = fabs(over);
    best = s;
    r[0] = at[0];
    r[1] = at[1];
    const double slope =
        nsd_sliding_dot(at, change) / norm + (Lambda_N < 0.0 ? -mu : mu) * nsd_sliding_dot(g, change);
    const double next = s - over / slope;
    if (!(next > 0.0 && next <= 2.0 * s)) {
      break;
    }
    s = next;
  }
  return best;
}

/* The quartic in s/unit. Returns the sum of its terms' sizes. */
static double make_quartic(const nsd_sliding_plane *p, const double *b, const double *g, double mu, double n,
                           double unit, double *a)
{
  const double s1 = p->s1 / unit, s2 = p->s2 / unit, k = p->k / unit;
  const double q[2] = {s2 * b[0] - k * b[1], k * b[0] + s1 * b[1]};
  /* L = n det + g·p, where det counts in unit² and p in unit */
  const double L[3] = {n * (s1 * s2 + k * k) + nsd_sliding_dot(g, q) / unit,
                       n * (s1 + s2) + nsd_sliding_dot(g, b) / unit, n};
  const double w = mu * mu, v = 1.0 / (unit * unit);
  a[0] = w * L[0] * L[0] - v * nsd_sliding_dot(q, q);
  a[1] = 2.0 * (w * L[0] * L[1] - v * nsd_sliding_dot(b, q));
  a[2] = w * (L[1] * L[1] + 2.0 * L[0] * L[2]) - v * nsd_sliding_dot(b, b);
  a[3] = 2.0 * w * L[1] * L[2];
  a[4] = w * L[2] * L[2];
  /* Of each term as it is before anything cancels. */
  const double B = fabs(b[0]) + fabs(b[1]), Q = (fabs(s1) + fabs(s2) + fabs(k)) * B;
  const double det = fabs(s1 * s2) + k * k, trace = fabs(s1) + fabs(s2), G = fabs(g[0]) + fabs(g[1]);
  const double l = fabs(n) * (det + trace + 1.0) + G * (Q + B) / unit;
  return w * l * l + v * (Q + B) * (Q + B);
}

int nsd_sliding_roots(const nsd_one_contact *block, const double *c, nsd_one_contact_answer *answers,
                      int *doubtful)
{
  const nsd_sliding_plane *plane = &block->held;
  const double *P = block->P, *A = block->A, mu = block->law.mu, n = -c[0] / P[0];
  const int slot = block->law.kind == NSDYN_CONTACT_BILATERAL;
  const double zero[2] = {0.0, 0.0};
  const double c_T[2] = {A[0] * c[1] + A[2] * c[2], A[1] * c[1] + A[3] * c[2]};
  const double load[2] = {c_T[0] + P[3] * n, c_T[1] + P[6] * n};
  double b[2], g[2], r[2], out[2];
  int count = 0, doubt = 0;
  for (int i = 0; i < NSD_SLIDING_ROOTS; i++) {
    answers[i].steps = 0;
  }
  /* Stage 1. The load in the axes of the plane, where S is symmetric but for k. */
  nsd_sliding_into(plane, load, b);
  nsd_sliding_into(plane, block->g, g);
  /* Stage 2. Open: Λ = 0, ξ_N = c_N >= 0. */
  if (slot ? c[0] == 0.0 : c[0] >= 0.0) {
    nsd_one_contact_give(block, c, NSD_ONE_CONTACT_OPEN, 0.0, zero, zero, &answers[count++]);
  }
  /* Without friction it is closed with Λ' = 0, whatever ξ_T is. */
  if (mu == 0.0) {
    const double against[2] = {-load[0], -load[1]};
    if (count == 0 && (slot || n > 0.0)) {
      nsd_one_contact_give(block, c, NSD_ONE_CONTACT_SLIP, n, zero, against, &answers[count++]);
    }
    if (doubtful) {
      *doubtful = 0;
    }
    return count;
  }
  /* Stage 3. Sticking: s = 0, r = S⁻¹ b, where ‖r‖ <= μ Λ_N. */
  nsd_sliding_reply(plane, 0.0, b, r);
  const double held = n - nsd_sliding_dot(g, r);
  if (sqrt(nsd_sliding_dot(r, r)) <= mu * (slot ? fabs(held) : held)) {
    nsd_sliding_out_of(plane, r, out);
    nsd_one_contact_answer stick = {.steps = 0};
    nsd_one_contact_give(block, c, NSD_ONE_CONTACT_STICK, held, out, out, &stick);
    if (is_new(count, answers, stick.Lambda)) {
      answers[count++] = stick;
    }
  }
  /* Stage 4. Sliding: the quartic's roots s > 0, those above the unit from the reversed polynomial in 1/s. */
  double a[DEGREE + 1], back[DEGREE + 1], roots[2 * DEGREE];
  const double unit = fabs(plane->s1) + fabs(plane->s2) + fabs(plane->k);
  const double terms = make_quartic(plane, b, g, mu, n, unit, a);
  int found = roots_to_one(DEGREE, a, roots, terms, &doubt);
  for (int i = 0; i <= DEGREE; i++) {
    back[i] = a[DEGREE - i];
  }
  double inverse[DEGREE];
  for (int i = roots_to_one(DEGREE, back, inverse, terms, &doubt) - 1; i >= 0; i--) {
    if (inverse[i] > 0.0) {
      roots[found++] = 1.0 / inverse[i];
    }
  }
  /* Stage 5. Each root by Newton's method on ‖r‖ = μ |Λ_N| itself; a root of the squared equation may have
   * Λ_N < 0, which only a slot allows, and two may mend to one. */
  for (int i = 0; i < found && count < NSD_SLIDING_ROOTS; i++) {
    r[0] = r[1] = 0.0;
    const double s = mend(plane, b, g, mu, n, roots[i] * unit, r);
    const double Lambda_N = n - nsd_sliding_dot(g, r), norm = sqrt(nsd_sliding_dot(r, r));
    if (!(s > 0.0) || !(norm > 0.0) || (!slot && Lambda_N < 0.0)) {
      continue;
    }
    nsd_one_contact_answer slip = {.steps = 0};
    nsd_sliding_out_of(plane, r, out);
    nsd_one_contact_give(block, c, NSD_ONE_CONTACT_SLIP, copysign(norm / mu, Lambda_N), out, out, &slip);
    if (is_new(count, answers, slip.Lambda)) {
      answers[count++] = slip;
    }
  }
  if (doubtful) {
    *doubtful = doubt;
  }
  return count;
}
