/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/**
 * @file
 * @brief The set-valued elements that contact and friction laws are made of, and their equations.
 *
 * A closed contact may press with any force and pulls with none; a sticking one holds with anything
 * up to its limit. Such laws are inclusions, and this header has them in the three forms in which
 * they are worked with:
 *
 * | form | normal contact, gap velocity x, force y | friction, sliding velocity x, force y |
 * |---|---|---|
 * | inclusion | −y ∈ Upr(x) | −y ∈ a Sgn(x) |
 * | normal cone | −x ∈ N(y), N of the half line [0, ∞) | −x ∈ N(y), N of the interval [−a, a] |
 * | equation | φ(x, y) = 0, φ an NCP function | Φ(y, x) = 0, Φ its form for bounds −a and a |
 *
 * *Units.* x and y carry their own units everywhere. Where two of them are compared, the function
 * takes a factor `rho` (units of x per unit of y), or expects you to bring both to one scale (the
 * Fischer–Burmeister functions, which add a² and b²).
 *
 * *Conventions of the whole header.* Everything here is a function of its arguments alone: no state,
 * no status, no memory, and with + − × ÷ √ only, so that every machine gives the same bits.
 * - A number that is not one (NaN) is a member of no set, a map has the empty set there, and a
 *   function with a value returns NaN. So does a function whose parameter is outside its range.
 * - Finite arguments give finite values: what is too large for a double is ±DBL_MAX. Where a value is
 *   said to be zero exactly on a set, it is so in floating point: underflow makes no other zeros.
 * - Bounds may be infinite. A set of real numbers is given as an interval [lo, hi], lo = −∞ and
 *   hi = ∞ where it has no end (which is then no member); the empty set is lo = +∞, hi = −∞.
 */
#ifndef NSDYN_SETVALUED_H
#define NSDYN_SETVALUED_H

#include <stddef.h>
#include <stdint.h>

#include "export.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @defgroup setvalued_maps Set-valued maps
 * After Glocker & Studer (2005), section 2. Both are maximal monotone: their graphs are curves
 * without a gap that never fall.
 * @{
 */

/**
 * @brief The unilateral primitive Upr(x): {0} for x > 0, (−∞, 0] at x = 0, empty for x < 0 (eq. 1).
 *
 * −y ∈ Upr(x) is the complementarity 0 <= x ⊥ y >= 0 (eq. 2).
 *
 * @param[in]  x       any number.
 * @param[out] lo,hi   ends of the set; (+∞, −∞) where it is empty.
 * @return 1 where the set has a member, 0 where it is empty.
 */
NSDYN_API int nsdyn_upr(double x, double *lo, double *hi);

/**
 * @brief Whether z ∈ Upr(x), exactly: no tolerance.
 *
 * The law with a force y is `nsdyn_upr_contains(x, -y)`. A computed pair seldom lies on the graph to
 * the last bit; how far it is off says nsdyn_half_line_residual().
 *
 * @return 1 or 0.
 */
NSDYN_API int nsdyn_upr_contains(double x, double z);

/**
 * @brief The relay function a Sgn(x): {a} for x > 0, [−a, a] at x = 0, {−a} for x < 0 (eq. 3).
 *
 * −y ∈ a Sgn(x) is Coulomb's friction in the plane: the force y opposes the sliding velocity x with
 * all of the bound a, and is anything within the bound while x = 0. With a = 0 the map is {0}; with
 * a = ∞ it is all numbers at x = 0 and empty elsewhere: nothing slides.
 *
 * @param[in]  a       step height >= 0, in units of the force; ∞ is allowed, else the set is empty.
 * @param[in]  x       any number.
 * @param[out] lo,hi   ends of the set; (+∞, −∞) where it is empty.
 * @return 1 where the set has a member, 0 where it is empty.
 */
NSDYN_API int nsdyn_sgn(double a, double x, double *lo, double *hi);

/**
 * @brief Whether z ∈ a Sgn(x), exactly: no tolerance.
 *
 * The law with a force y is `nsdyn_sgn_contains(a, x, -y)`; how far a computed pair is off says
 * `nsdyn_interval_residual(-a, a, rho, y, -x)`, in units of the force.
 *
 * @return 1 or 0.
 */
NSDYN_API int nsdyn_sgn_contains(double a, double x, double z);

/**
 * @brief Splits a friction law into two complementarities (eqs. 4 and 5, with step height a).
 *
 *     x_r = max(x, 0),  y_r = a + y,    x_l = max(−x, 0),  y_l = a − y.
 *
 * −y ∈ a Sgn(x) holds exactly where both pairs are complementary, 0 <= x_r ⊥ y_r >= 0 and
 * 0 <= x_l ⊥ y_l >= 0; rounding does not change that. Of all splits x = x_r − x_l this is the one
 * with x_r x_l = 0 (for a = 0 there are others, which mean the same motion).
 *
 * @param[in]  a        step height >= 0, at most DBL_MAX/2, so that a + y has room.
 * @param[in]  x,y      sliding velocity and force, finite; they need not obey the law.
 * @param[out] x_r,y_r  the pair of sliding to the right.
 * @param[out] x_l,y_l  the pair of sliding to the left.
 */
NSDYN_API void nsdyn_sgn_split(double a, double x, double y, double *x_r, double *y_r, double *x_l,
                               double *y_l);

/**
 * @brief Joins the two pairs of a friction law again: x = x_r − x_l, y = (y_r − y_l)/2.
 *
 * It needs y_r + y_l = 2a, which the linear problem guarantees, and no a. Complementary pairs give
 * −y ∈ a Sgn(x) exactly, at both ends of the step to the bit. A force that was split comes back with
 * an error of at most a few roundings of a, which is all that y_r and y_l remember.
 *
 * Sliding to the left at 0.3 with the force 2 = a gives the pairs (0, 4) and (0.3, 0), and back:
 *
 * @code
 * double x_r, y_r, x_l, y_l, x, y;
 * nsdyn_sgn_split(2.0, -0.3, 2.0, &x_r, &y_r, &x_l, &y_l);
 * nsdyn_sgn_join(x_r, y_r, x_l, y_l, &x, &y);
 * @endcode
 */
NSDYN_API void nsdyn_sgn_join(double x_r, double y_r, double x_l, double y_l, double *x, double *y);

/** @} */

/**
 * @defgroup setvalued_sets Convex sets: normal cone, proximal point, residual
 *
 * For a convex set C, N_C(x) is the cone of all directions in which one leaves C at x: {0} inside,
 * empty outside. prox_C(z) is the point of C that is nearest to z. For every rho > 0
 *
 *     y ∈ N_C(x)  ⇔  x = prox_C(x + rho y),
 *
 * and r = ‖x − prox_C(x + rho y)‖ is how far a pair is from that: the pair
 * (x − d, y + d/rho) with ‖d‖ = r is on the graph exactly, and no pair that is nearer than r/3 is
 * (nearer meaning both ‖Δx‖ and rho ‖Δy‖). So r is a distance in units of x; choose rho such that
 * an error of 1 in x and one of 1/rho in y weigh the same, for example 1/G_ii for an impulse x and a
 * velocity y.
 * @{
 */

/**
 * @brief What a normal cone is. Every kind but the first has at least the member 0.
 */
enum nsdyn_normal_kind {
  NSDYN_NORMAL_EMPTY = 0, /**< No member: x is outside the set (or no number). */
  NSDYN_NORMAL_ZERO = 1,  /**< {0}: x is inside. */
  NSDYN_NORMAL_RAY = 2,   /**< One half line out of 0: x is on the boundary. */
  NSDYN_NORMAL_ALL = 3    /**< The whole line or plane: x is the only point of the set. */
};

/**
 * @brief Proximal point of the half line [0, ∞): max(z, 0).
 *
 * The half line's normal cone is Upr: see nsdyn_upr().
 */
NSDYN_API double nsdyn_half_line_prox(double z);

/**
 * @brief How far y is from N(x) = Upr(x), in units of x: |min(x, −rho y)|.
 *
 * Zero exactly where y ∈ Upr(x), computed without cancellation.
 *
 * @param[in] rho  > 0, units of x per unit of y.
 * @param[in] x,y  for a normal contact the gap velocity and the negative force, or the force and the
 *                 negative gap velocity: the law reads the same both ways.
 * @return >= 0; NaN for a NaN or rho out of range.
 */
NSDYN_API double nsdyn_half_line_residual(double rho, double x, double y);

/**
 * @brief Normal cone of the interval [lo, hi] at x, exactly: no tolerance.
 *
 * (−∞, 0] at lo, [0, ∞) at hi, {0} between, all numbers where lo = x = hi.
 *
 * @param[in]  lo,hi            lo <= hi; lo = −∞ and hi = ∞ are allowed.
 * @param[in]  x                any number.
 * @param[out] cone_lo,cone_hi  ends of the cone; (+∞, −∞) where it is empty. Either may be NULL.
 * @return one of ::nsdyn_normal_kind; NSDYN_NORMAL_EMPTY also for bounds that are out of order.
 */
NSDYN_API int32_t nsdyn_interval_normal(double lo, double hi, double x, double *cone_lo, double *cone_hi);

/**
 * @brief Proximal point of the interval [lo, hi]: z, or the end nearest to it.
 * @return NaN for a NaN or bounds that are out of order.
 */
NSDYN_API double nsdyn_interval_prox(double lo, double hi, double z);

/**
 * @brief How far y is from the normal cone of [lo, hi] at x, in units of x.
 *
 * Zero exactly where y ∈ N(x), computed without cancellation: |mid(x − lo, −rho y, x − hi)|.
 *
 * Sliding at −0.1 m/s with the friction force 0.8 N under the bound 1 N, 0.2 N are missing:
 *
 * @code
 * double missing = nsdyn_interval_residual(-1.0, 1.0, 10.0, 0.8, 0.1);
 * @endcode
 *
 * @param[in] lo,hi  lo <= hi; lo = −∞ and hi = ∞ are allowed.
 * @param[in] rho    > 0, units of x per unit of y.
 * @param[in] x,y    the pair.
 * @return >= 0; NaN for a NaN, rho out of range, or bounds that are out of order.
 */
NSDYN_API double nsdyn_interval_residual(double lo, double hi, double rho, double x, double y);

/**
 * @brief Normal cone of the disk ‖x‖ <= r in the plane at x, exactly: no tolerance.
 *
 * The ray is {t x, t >= 0}. Whether x is inside, on or outside the circle is decided without
 * rounding, by the sign of x[0]² + x[1]² − r²; few pairs of doubles lie on a circle, so for computed
 * points ask nsdyn_disk_residual().
 *
 * @param[in] r  radius >= 0; 0 (one point) and ∞ (the plane) are allowed.
 * @param[in] x  2 numbers.
 * @return one of ::nsdyn_normal_kind; NSDYN_NORMAL_EMPTY also for r < 0.
 */
NSDYN_API int32_t nsdyn_disk_normal(double r, const double *x);

/**
 * @brief Proximal point of the disk ‖p‖ <= r: z, or where the way from z to the centre enters it.
 *
 * The result lies in the disk without rounding error (p[0]² + p[1]² <= r² as real numbers), so what
 * is inside comes back to the bit, and twice is the same as once. Of an infinite z the limit is
 * taken.
 *
 * @param[in]  r  radius >= 0; 0 and ∞ are allowed.
 * @param[in]  z  2 numbers.
 * @param[out] p  2 numbers, NaN for a NaN or r < 0; may be z.
 */
NSDYN_API void nsdyn_disk_prox(double r, const double *z, double *p);

/**
 * @brief How far y is from the normal cone of the disk at x, in units of x: ‖x − prox(x + rho y)‖.
 *
 * Exact to some roundings of the larger of r and ‖x‖. In space, friction says: with the force
 * λ ∈ R², the bound r and the sliding velocity γ, −γ is in the normal cone of the disk at λ.
 *
 * @param[in] r    radius >= 0; 0 and ∞ are allowed.
 * @param[in] rho  > 0, units of x per unit of y.
 * @param[in] x,y  2 numbers each.
 * @return >= 0; NaN for a NaN, rho out of range, or r < 0.
 */
NSDYN_API double nsdyn_disk_residual(double r, double rho, const double *x, const double *y);

/** @} */

/**
 * @defgroup setvalued_space Friction in space: proximal points with derivatives, Todorov's map
 *
 * Disk, ellipse and polygon are what may bound a friction force in the tangent plane; the cone is the
 * set of all contact forces under Coulomb's law. Ellipse and polygon have their first axis, or a
 * corner, on the first axis of the plane: where a law has them turned, turn z there and p back.
 *
 * *Derivatives.* D is the matrix of partial derivatives of prox at z, by rows. It is symmetric with
 * eigenvalues in [0, 1]. At a kink it is an element of the B-subdifferential (a limit of derivatives at
 * points close by): what is on the boundary counts as inside, and of the rest is said with each
 * function. All these sets grow with their size, prox of t z on the set of t times the size being
 * t prox(z); so the derivative in a size t at fixed z, which Coulomb's law needs since its bound is
 * μ Λ_N, is (p − D z)/t, and at a kink it belongs to the same limit as D.
 * @{
 */

/**
 * @brief Derivative of nsdyn_disk_prox() in z.
 *
 * The unit matrix inside, and (r/‖z‖)(1 − e eᵀ) with e = z/‖z‖ outside.
 *
 * @param[in]  r  radius >= 0; 0 and ∞ are allowed.
 * @param[in]  z  2 numbers.
 * @param[out] D  2 × 2, NaN for a NaN or r < 0.
 */
NSDYN_API void nsdyn_disk_prox_derivative(double r, const double *z, double *D);

/**
 * @brief Proximal point of the ellipse (p[0]/a)² + (p[1]/b)² <= 1, the nearest in the plain distance.
 *
 * Found by Newton's method on the distance's multiplier, to some roundings of ‖p‖ at any ratio of the
 * axes. The inequality holds for p as it is evaluated in doubles, and a z for which it does comes back
 * to the bit. With a = b it is the disk to some roundings; where one half axis is 0 the segment. Of an
 * infinite z the limit is taken.
 *
 * @param[in]  a,b  half axes >= 0; ∞ is allowed.
 * @param[in]  z    2 numbers.
 * @param[out] p    2 numbers, NaN for a NaN or a half axis < 0; may be z.
 */
NSDYN_API void nsdyn_ellipse_prox(double a, double b, const double *z, double *p);

/**
 * @brief Derivative of nsdyn_ellipse_prox() in z: outside, R/(R + d) t tᵀ with the distance d to the
 *        ellipse, and its radius of curvature R and direction t at p.
 *
 * @param[in]  a,b  half axes >= 0; ∞ is allowed.
 * @param[in]  z    2 numbers.
 * @param[out] D    2 × 2, NaN for a NaN or a half axis < 0.
 */
NSDYN_API void nsdyn_ellipse_prox_derivative(double a, double b, const double *z, double *D);

/**
 * @brief How far y is from the normal cone of the ellipse at x: ‖x − prox(x + rho y)‖.
 *
 * @param[in] a,b  half axes >= 0; ∞ is allowed.
 * @param[in] rho  > 0, units of x per unit of y.
 * @param[in] x,y  2 numbers each.
 * @return >= 0, in units of x; NaN for a NaN or a parameter out of range.
 */
NSDYN_API double nsdyn_ellipse_residual(double a, double b, double rho, const double *x, const double *y);

/**
 * @brief Proximal point of the regular polygon with corners r (cos 2πj/sides, sin 2πj/sides).
 *
 * The corners lie on the circle of radius r, where Stewart (2000), eq. 2.11, has them. The result is
 * exact for a z some roundings away, lies in the polygon as that is evaluated in doubles, and what does
 * so comes back to the bit.
 *
 * @param[in]  sides  even, >= 4.
 * @param[in]  r      distance of the corners from the centre, >= 0; ∞ is allowed.
 * @param[in]  z      2 numbers; of infinite ones the limit is taken.
 * @param[out] p      2 numbers, NaN for a NaN or a parameter out of range; may be z.
 */
NSDYN_API void nsdyn_polygon_prox(int32_t sides, double r, const double *z, double *p);

/**
 * @brief Derivative of nsdyn_polygon_prox() in z: t tᵀ where p is on a side with direction t, 0 where it
 *        is a corner.
 *
 * Where a corner's region begins it is that of the side.
 *
 * @param[in]  sides  even, >= 4.
 * @param[in]  r      >= 0; ∞ is allowed.
 * @param[in]  z      2 numbers.
 * @param[out] D      2 × 2, NaN for a NaN or a parameter out of range.
 */
NSDYN_API void nsdyn_polygon_prox_derivative(int32_t sides, double r, const double *z, double *D);

/**
 * @brief How far y is from the normal cone of the polygon at x: ‖x − prox(x + rho y)‖.
 *
 * @param[in] sides  even, >= 4.
 * @param[in] r      >= 0; ∞ is allowed.
 * @param[in] rho    > 0, units of x per unit of y.
 * @param[in] x,y    2 numbers each.
 * @return >= 0, in units of x; NaN for a NaN or a parameter out of range.
 */
NSDYN_API double nsdyn_polygon_residual(int32_t sides, double r, double rho, const double *x,
                                        const double *y);

/**
 * @brief Proximal point of the second-order cone √(p[1]² + p[2]²) <= μ p[0].
 *
 * The first element is the normal one, as in the rows of a contact. A force in the cone and a velocity
 * y with −y in its normal cone there are *not* Coulomb's law, but that of associated sliding, in which
 * what slides also lifts off; Coulomb's law has y = (ξ_N + μ ‖ξ_T‖, ξ_T).
 *
 * The result satisfies the inequality as it is evaluated in doubles, and what does so comes back to the
 * bit. It is exact to some roundings of ‖z‖.
 *
 * @param[in]  mu  >= 0; 0 is the half line, ∞ the half space p[0] >= 0.
 * @param[in]  z   3 numbers; of infinite ones the limit is taken.
 * @param[out] p   3 numbers, NaN for a NaN or mu < 0; may be z.
 */
NSDYN_API void nsdyn_cone_prox(double mu, const double *z, double *p);

/**
 * @brief Derivative of nsdyn_cone_prox() in z.
 *
 * The unit matrix in the cone, 0 where p is its tip (on the boundary of that region too).
 *
 * @param[in]  mu  >= 0; ∞ is allowed.
 * @param[in]  z   3 finite numbers.
 * @param[out] D   3 × 3, NaN where z is not finite or mu < 0.
 */
NSDYN_API void nsdyn_cone_prox_derivative(double mu, const double *z, double *D);

/**
 * @brief How far y is from the normal cone of the second-order cone at x: ‖x − prox(x + rho y)‖.
 *
 * @param[in] mu   >= 0; ∞ is allowed.
 * @param[in] rho  > 0, units of x per unit of y.
 * @param[in] x,y  3 numbers each.
 * @return >= 0, in units of x; NaN for a NaN or a parameter out of range.
 */
NSDYN_API double nsdyn_cone_residual(double mu, double rho, const double *x, const double *y);

/**
 * @brief Todorov's map z → (F, ν): every z gives a force and a velocity that obey Coulomb's law
 *        (Mylapilli & Jain 2017, eqs. 49 and 50), and every pair that obeys it comes from one z.
 *
 *     F_N = max(0, −z_N),  F_T = −s z_T,  s = min(1, μ F_N/‖z_T‖),  ν = (z + F)/rho.
 *
 * So z = rho ν − F, and G F(z) + c = ν(z) is one contact's problem as equations without side conditions.
 * The paper adds a force to a velocity (eq. 51); `rho` takes the units apart. ν_N = 0 exactly where
 * z_N <= 0, and ν_T = 0 exactly where the contact sticks.
 *
 * A block that slides to the right at 0.5 under the force 2 and μ = 0.25:
 *
 * @code
 * double z[3] = {-2.0, 1.0, 0.0}, F[3], nu[3];
 * nsdyn_todorov(0.25, 1.0, z, F, nu, NULL);
 * @endcode
 *
 * @param[in]  mu   coefficient of friction, >= 0.
 * @param[in]  rho  > 0, units of force per unit of velocity.
 * @param[in]  z    3 finite numbers, normal first.
 * @param[out] F    force (3); NaN for a NaN or a parameter out of range.
 * @param[out] nu   velocity (3); NULL if not wanted.
 * @param[out] dF   ∂F/∂z by rows (3 × 3), eq. 59; that of ν is (1 + dF)/rho; NULL if not wanted. At
 *                  z_N = 0 that of the open contact, 0; at the limit of friction that of the sticking
 *                  one, −1.
 */
NSDYN_API void nsdyn_todorov(double mu, double rho, const double *z, double *F, double *nu, double *dF);

/** @} */

/**
 * @defgroup setvalued_ncp NCP functions
 *
 * φ(a, b) = 0 exactly where a >= 0, b >= 0, ab = 0: an equation in the place of a complementarity.
 * In floating point "exactly" is kept: zero on that set and nowhere else, down to the smallest
 * denormal neighbour.
 *
 * Each has a form for bounds, where x is to lie in [lo, hi] with y >= 0 at lo, y <= 0 at hi and
 * y = 0 between (y of any sign where lo = hi). Infinite bounds are handled by their limits: with
 * hi = ∞ the form is φ(x − lo, y), with both infinite it is y or −y. In these forms lo <= hi,
 * lo < ∞ and hi > −∞; else the result and its derivatives are NaN.
 *
 * *Derivatives.* The partial derivatives are written where their pointers are not NULL. At a kink
 * they are an element of the B-subdifferential, that is a limit of derivatives at points close by
 * (so of Clarke's generalized Jacobian too); along which way is said with each function. The functions
 * min and fb are positively homogeneous, so that their limit at (0, 0) along a direction (p, q) is
 * simply the derivative at (p, q).
 *
 * φ(3, 4) = 5 − 3 − 4 = −2 with the derivatives −0.4 and −0.2; and x = 1 at its upper bound with
 * y = −2.5 solves the mixed problem, so that the second value is 0:
 *
 * @code
 * double da, db;
 * double phi = nsdyn_ncp_fb(3.0, 4.0, &da, &db);
 * double solved = nsdyn_ncp_fb_box(-1.0, 1.0, 1.0, -2.5, NULL, NULL);
 * @endcode
 * @{
 */

/**
 * @brief The minimum map min(a, b).
 *
 * Its kink is a = b; there, the derivative is that of a: (1, 0).
 *
 * @param[in]  a,b    any numbers; infinite ones give the limit.
 * @param[out] da,db  partial derivatives; either may be NULL.
 */
NSDYN_API double nsdyn_ncp_min(double a, double b, double *da, double *db);

/**
 * @brief The minimum map for bounds: mid(x − lo, y, x − hi), the middle one of three.
 *
 * It equals x − prox(x − y) without the cancellation, is increasing in x and y, and y itself for a
 * free variable. At a kink the derivative is (1, 0).
 */
NSDYN_API double nsdyn_ncp_min_box(double lo, double hi, double x, double y, double *dx, double *dy);

/**
 * @brief The Fischer–Burmeister function √(a² + b²) − a − b (Mylapilli & Jain 2017, eq. 5).
 *
 * Negative where both are positive, positive where one is negative. Computed without cancellation,
 * overflow or underflow: the relative error is a few roundings everywhere. It is symmetric, and
 * φ(ta, tb) = t φ(a, b) to the bit for t a power of two (denormal results aside).
 *
 * Its only kink is (0, 0); the derivatives lie in [−2, 0] on the circle (1+da)² + (1+db)² = 1, and
 * at the kink they are those along a = b > 0: √½ − 1, twice.
 *
 * @param[in]  a,b    any numbers on one scale; infinite ones give the limit, φ(∞, b) = −b.
 * @param[out] da,db  partial derivatives; either may be NULL.
 */
NSDYN_API double nsdyn_ncp_fb(double a, double b, double *da, double *db);

/**
 * @brief Fischer–Burmeister for bounds: φ(x − lo, φ(hi − x, −y)).
 *
 * Decreasing in x and y; −y for a free variable. At a kink the derivative is the limit along x
 * and y growing at the same rate.
 */
NSDYN_API double nsdyn_ncp_fb_box(double lo, double hi, double x, double y, double *dx, double *dy);

/**
 * @brief The penalized Fischer–Burmeister function −λ φ(a, b) + (1 − λ) max(a, 0) max(b, 0)
 *        (Mylapilli & Jain 2017, eq. 8).
 *
 * The product keeps it from being flat where a and b are both large. Mind the sign: it is opposite
 * to that of nsdyn_ncp_fb(), and λ = 1 gives −φ. The product has the unit of a·b, the rest that of
 * a: λ means what it says only where a and b are scaled to the order of one.
 *
 * Its kinks are the whole set on which it vanishes; there the derivative is the limit along a and b
 * growing at the same rate.
 *
 * @param[in]  lambda  in (0, 1]; else the result is NaN.
 * @param[in]  a,b     any numbers; the product is at most DBL_MAX where they are finite.
 * @param[out] da,db   partial derivatives, at most DBL_MAX; either may be NULL.
 */
NSDYN_API double nsdyn_ncp_pfb(double lambda, double a, double b, double *da, double *db);

/**
 * @brief Penalized Fischer–Burmeister for bounds: ψ(x − lo, −ψ(hi − x, −y)).
 *
 * An infinite bound drops its pair (the product has no limit): ψ(x − lo, y) without an upper bound,
 * −ψ(hi − x, −y) without a lower one, y without both. Increasing in x and y. At a kink the
 * derivative is the limit along x and y growing at the same rate.
 */
NSDYN_API double nsdyn_ncp_pfb_box(double lambda, double lo, double hi, double x, double y, double *dx,
                                   double *dy);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
