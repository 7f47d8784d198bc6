/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Each tolerance of the library, once.
 *
 * All are numbers without a unit: shares of what the comment names first ("of the terms": of Σ |a_i b_i|
 * where the value is Σ a_i b_i; "of its diagonal": of the element of G or A on it). So a model may be written
 * in any units. ε is DBL_EPSILON = 2^-52. A share near ε bounds rounding, and follows from a count of
 * operations; one near √ε = 1.5e-8 separates rounding from what is meant, and stands far from both; a larger
 * one is what a user may still notice.
 *
 * Not here: counts, factors of another tolerance, shares of a step or of a time that only choose how work is
 * done, defaults of options (with their struct), and units of the number range (scaling by powers of two). */
#ifndef NSD_BASE_TOLERANCES_H
#define NSD_BASE_TOLERANCES_H

#include <float.h>

/* ---- the end of the number range ------------------------------------------------------------------------
 */

/* No share, but a number: what decays reaches 1e-320, where a double has three digits left and dependent rows
 * of W no longer agree on what is left to them. Velocities, and their changes by forces, that are smaller are
 * zero: what is not can be multiplied by numbers as small as 2^-69 and keeps all its digits, the smallest
 * normal number being 2^-1022. */
#define NSD_DECAYED 0x1p-900

/* No share: sizes of ξ below it are judged again in other units. Products that are smaller than the smallest
 * normal number are then less than 2^-122 of them. */
#define NSD_EXTREME_UNITS_LEAST 0x1p-900

/* No share: factors at least so large (and at most its inverse) multiply exactly by Dekker's scheme: two of
 * them make 2^-960, whose rounding error, 2^-53 of it, is still a normal number. */
#define NSD_EXACT_PRODUCT_LEAST 0x1p-480

/* Of the larger of U and W (setvalued/ellipse.c): with a smaller V the foot is that of V → 0. Next to the
 * tip, where it is least so, cosine and sine err by (V/W)^{1/3} < 2^-133. */
#define NSD_ELLIPSE_THIN 0x1p-400

/* No share: what a callback answers is smaller, or counts as no number. What a motion is computed from are
 * products of up to four of them, w · M⁻¹w times a force, or the squares of two such: below 2^255 they have a
 * sum, and what one wrong number has made of others is not as large as what is refused. */
#define NSD_NUMBERS_END 0x1p255

/* No share: the least step of a difference quotient; times any speed of a model it is far above DBL_MIN. */
#define NSD_DIFFERENCE_LEAST_STEP 0x1p-100

/* ---- rounding of sums and eliminations ------------------------------------------------------------------
 */

/* Of the terms: what a gap, a row of c or an acceleration is good for. 64 ε: sums of a dozen terms, which the
 * user's callbacks have rounded a few times each. 0.3 − 0.1 − 0.2 = −5.6e-17 is such a gap. */
#define NSD_EVALUATION_ROUNDING 0x1p-46

/* Of its size, passed on through eliminations: a number is rounding. 32 ε: each of the few subtractions that
 * a number goes through adds ε of its size. */
#define NSD_ELIMINATION_ROUNDING (32.0 * DBL_EPSILON)

/* Of the terms of a pivot of an n × n factorization: it is rounding. Elimination errs by n ε in each pivot to
 * first order (Higham, Accuracy and Stability, thm. 9.3 and 10.7); 16 is room for the constant. */
#define NSD_PIVOT_ROUNDING(n) (16.0 * (n)*DBL_EPSILON)

/* The same of a factorization UᵀDU that rows enter and leave: each change rounds again. */
#define NSD_UPDATED_PIVOT_ROUNDING(n) (64.0 * (n)*DBL_EPSILON)

/* Of its diagonal: a pivot above it is sound without another look. It has kept 20 of 52 bits of its diagonal:
 * no more than six digits are lost. */
#define NSD_PIVOT_SOUND 0x1p-20

/* Of 1: the square of a quaternion's norm is 1 but for rounding. 4 ε: each number of p / ‖p‖ errs by 3/2 ε at
 * most, its square by 3, and their sum by another half; so what was normalised once stays to the bit. */
#define NSD_QUATERNION_UNIT (4.0 * DBL_EPSILON)

/* Of √(a_ii a_jj): elements that mirror each other differ by rounding. 16 ε: the same sum in another order.
 */
#define NSD_MIRROR_ROUNDING (16.0 * DBL_EPSILON)

/* ---- residuals, of the scale of their row ----------------------------------------------------------------
 */

/* A residual that is rounding: solving once more gains nothing. 450 ε: a row of some hundred terms. */
#define NSD_RESIDUAL_ROUNDING 1e-13

/* A residual that belongs to an answer of which only digits are missing: between the usual tolerance, 1e-9,
 * and what a wrong sign makes, which is of the order of 1. */
#define NSD_RESIDUAL_NEAR 1e-6

/* ---- lib/stepper, schemes --------------------------------------------------------------------------------
 */

/* Of the velocities, in the metric of M: what the last round of Newton's method, or of a fixed point, may
 * change. One more would leave at most a tenth of it; certificates of contacts are ten times as coarse. */
#define NSD_IMPLICIT_STEP 1e-10

/* The same of what a round left of h: where no more than that is left h is linear, but for its rounding, and
 * another round would find the same velocities; where forces are stiff, and their rounding more than that, it
 * corrects them. 45 ε: sums of a dozen terms. */
#define NSD_IMPLICIT_LINEAR 1e-14

/* The same where h is too rough for that: the rounding of forces ω² q of ω Δt = 10⁴, ε ω² q Δt of velocities
 * ω q. */
#define NSD_IMPLICIT_ROUNDING 1e-7

/* Of the largest coordinate, or velocity: what another one counts as at least when steps are judged: what is
 * zero but for rounding, 32 bits below this, has no error of its own. */
#define NSD_ADAPTIVE_LEAST_SIZE 0x1p-20

/* Of a coordinate, or a velocity: how far it is moved for a slope of h: 20 of 52 bits are left to the
 * difference. Slopes only lead Newton's method. */
#define NSD_IMPLICIT_DIFFERENCE 0x1p-20

/* ---- lib/search ------------------------------------------------------------------------------------------
 */

/* Of itself before: an element of a tableau that lost so much in one exchange is zero. 64 ε: exchanges before
 * it have rounded as well. */
#define NSD_CELL_CANCELLED 0x1p-46

/* Of the terms: a constant of a functional is zero; 4096 ε, after as many exchanges as a search makes on one
 * way. */
#define NSD_CELL_CONSTANT_ROUNDING 0x1p-40

/* Of the terms: an element of the tableau in the row of a free unknown is zero. Its terms come from a tableau
 * that has rounding of its own, hence two bits more than for constants. */
#define NSD_CELL_ELEMENT_ROUNDING 0x1p-38

/* Of its column: an element is no pivot (nsd_cell_accept). 4500 ε, as for constants, without sizes of terms.
 */
#define NSD_CELL_PIVOT_ROUNDING 1e-12

/* Of the larger term: a coordinate of a new vertex or ray that lost so much is zero. As
 * NSD_CELL_CONSTANT_ROUNDING: a generator is made of as many others. */
#define NSD_GENERATOR_CANCELLED 0x1p-40

/* Of Σ |a_ij v_i|: a column of a claim of emptiness counts as zero; of Σ |v_i d_i|: its constant does. The
 * exact proof behind decides, these only choose what to try to prove. */
#define NSD_CLAIM_COLUMN_ROUNDING 0x1p-41
#define NSD_CLAIM_CONSTANT_ROUNDING 0x1p-40

/* Of a column: what rounding may always leave of it in a claim, the rounding of one sum. */
#define NSD_CLAIM_LEAST DBL_EPSILON

/* ---- lib/lcp ---------------------------------------------------------------------------------------------
 */

/* Of the scale of its row, |b_i| + Σ |A_ij x_j|: y_i has no sign. 4500 ε; a wrong choice is put right by the
 * certificate, which has the caller's tolerance. */
#define NSD_LCP_NO_SIGN 1e-12

/* Of the largest |x|: an x_i may have either sign. */
#define NSD_LCP_X_ROUNDING 1e-12

/* Of its scale: a residual that shows a wrong sign and not missing digits: the basis has to change. */
#define NSD_LCP_WRONG_SIGN 1e-6

/* Of the scale of a row: b vanishes beside A x, so that x solves another problem, b = 0. The same however
 * coarse the tolerance is; at the usual one, 1e-9, b would not be seen. */
#define NSD_FAR_OUT 1e-9

/* Sparse problems, of s_i: y_i, and A_ii (x_i − bound), have the wrong sign beyond so much: rounding of rows
 * with some dozens of elements. */
#define NSD_SPARSE_SIGN (64.0 * DBL_EPSILON)

/* Of |A_ii|: a pivot that is not larger is lost to rounding. */
#define NSD_SPARSE_PIVOT (16.0 * DBL_EPSILON)

/* Of √(A_ii A_jj): A_ij and A_ji that differ by no more are the same number, rounded on two ways. */
#define NSD_SPARSE_ASYMMETRY (16.0 * DBL_EPSILON)

/* Of |A_ii|: δ_i of regularized problems, far above rounding, so that factors exist, and far below A. */
#define NSD_SPARSE_PROXIMAL 1e-6

/* The least ε of damped problems, of r_i: as the usual tolerance. It keeps singular bases regular; what it
 * adds to y vanishes with x − x₀. */
#define NSD_DAMPED_SHARP 1e-9

/* Of a row's scale: what r_i x_i is no more of is what rounding has left of zero, where ε is so small that
 * 2^-52 / ε of x is lost in redundant rows. A point with it at its bound is another one to be judged. */
#define NSD_DAMPED_DUST 1e-12

/* Of ∂ψ/∂x: a derivative of ψ by y that is not larger is none, ψ being that of x alone. */
#define NSD_SPARSE_FLAT 1e-12

/* Rounding of the rounding errors that classes of matrices are told with: one operation. */
#define NSD_CLASS_ROUNDING DBL_EPSILON

/* Of the quotient, above 1: quotients of Lemke's method that tie. 450 ε, since sizes bound the errors behind.
 */
#define NSD_LEMKE_TIE 1e-13

/* Of the terms: perturbations that are equal but for some subtractions. */
#define NSD_LEMKE_PERTURBATION_ROUNDING (64.0 * DBL_EPSILON)

/* The same two per unknown where sizes of changes stand for sizes passed on: n counts the pivots. */
#define NSD_LEMKE_CHANGE_ROUNDING (4.0 * DBL_EPSILON)
#define NSD_LEMKE_CHANGE_TIE 1e-12

/* The same two of the last run, which takes more for rounding than it could be: ties that rounding of b has
 * parted. */
#define NSD_LEMKE_COARSE_ROUNDING 1e-9
#define NSD_LEMKE_COARSE_TIE 1e-8

/* Of its column: pivots that runs after the first one refuse at least: large ones among ties for clean
 * numbers, and between that and the option's 1e-11 where the order of ties decides. */
#define NSD_LEMKE_CLEAN_PIVOT 1e-7
#define NSD_LEMKE_ORDERED_PIVOT 1e-9

/* Of its diagonal: a pivot of up to four unknowns in block pivots is rounding. 512 ε: fewer terms, but no
 * second look. */
#define NSD_BLOCK_SMALL_PIVOT (512.0 * DBL_EPSILON)

/* Of the terms: constants and (times n) pivots of Murty's method are zero. */
#define NSD_MURTY_ROUNDING (64.0 * DBL_EPSILON)

/* Principal pivots. Of the largest component: a component of a step is rounding. */
#define NSD_PRINCIPAL_STEP_ROUNDING 1e-12
/* Of A_ii: a smaller Schur complement is tried last. A larger share than the option's: small pivots spoil all
 * that follows, and others may serve. */
#define NSD_PRINCIPAL_LATE_PIVOT 1e-7
/* Of A_ii: a negative Schur complement is more than rounding, A is indefinite. Far above what late pivots
 * leave. */
#define NSD_PRINCIPAL_INDEFINITE 1e-5
/* Of a step: steps that are equally long. */
#define NSD_PRINCIPAL_TIE 1e-10
/* Of y_i when its drive began: small enough to be asked whether it is rounding. */
#define NSD_PRINCIPAL_SMALL_Y 1e-6
/* Of the terms: A v = 0 of a ray v, and bᵀv < 0 beyond it. A proof in exact arithmetic follows. */
#define NSD_PRINCIPAL_RAY 1e-10

/* Newton's method. Of |step|²: −slope · step at least, else it does not go downhill: a cosine of 1e-10 is
 * none. */
#define NSD_NEWTON_DOWNHILL 1e-10
/* Of the merit when a basis was solved last: so much smaller, it is solved again. */
#define NSD_NEWTON_FALLEN 1e-8
/* Of |ψ|: the slope at a local minimum; 45 ε, the rounding of its sum. */
#define NSD_NEWTON_STATIONARY 1e-14

/* Of the sizes of its row and column: a free unknown's pivot may be the rounding of a redundant equation, and
 * the unknown stays. Far above NSD_PIVOT_ROUNDING, since to keep it costs nothing but a row. */
#define NSD_REDUCED_PIVOT 1e-10
/* Of the terms of a row: a sum of n products, and the elimination that made its terms. */
#define NSD_REDUCED_ROUNDING(n) (8.0 * ((n) + 8.0) * 0x1p-52)

/* Of its column's largest element: no pivot of the digits of vertices and rays; 512 ε. */
#define NSD_REFINE_PIVOT 0x1p-43
/* Of the first pivot: none, for the exact enclosure of a proof's equations, which is refused then. */
#define NSD_ENCLOSURE_PIVOT 1e-12

/* Proofs of emptiness, of the size of a column. An entry of v that adds less everywhere is left out. */
#define NSD_FARKAS_ENTRY 1e-13
/* A column above minus this is not safely negative: 1e-13 of each of a thousand entries. */
#define NSD_FARKAS_DOUBT 1e-10
/* A column above this contradicts the candidate: v is no proof that misses digits. */
#define NSD_FARKAS_CONTRADICTION 1e-6
/* Of 1: a multiple of a ratio is an integer. Denominators are at most 2^26, whose inverse, 1.5e-8, times a
 * few hundred for the digits of the candidate, lies below. */
#define NSD_FARKAS_INTEGER 1e-5
/* Of v: changes of it that are shorter are lost in rounding. */
#define NSD_FARKAS_LEAST_CHANGE 1e-15

/* ---- lib/contact -----------------------------------------------------------------------------------------
 */

/* Of rows, where a matrix has a diagonal of ones: a pivot of a factor that proves it definite. Rounding is
 * some 2^-52 of each of a row's products. */
#define NSD_UNIQUE_PIVOT 0x1p-40

/* Of the sizes of bilateral impulses: a part along which nothing moves, and which is rounding. */
#define NSD_CONSTRAINTS_IDLE 0x1p-44
/* Of the terms: by how much bilateral rows that depend on each other contradict each other at least, where
 * that is said: with G's rounding 2^-40 impulses a million times as large as c asks for would be
 * needed. And so many times the solver's tol, which may be larger. */
#define NSD_CONSTRAINTS_CONTRADICT 1e-6
#define NSD_CONSTRAINTS_TOLS 1e4

/* Of √(G_ii G_jj): an asymmetry of G that is rounding; 16 ε, two sums in different order. */
#define NSD_CONTACT_ROUNDING 0x1p-48
/* An asymmetry of G that is more than any rounding makes: refused. */
#define NSD_CONTACT_ASYMMETRY 1e-9

/* Of 1: the length of a known sliding direction, which may come from a division of the caller's. */
#define NSD_CONTACT_UNIT_TOL 1e-9

/* Of |F|: what a step of Newton's method may leave of its linear equations; it converges all the same. */
#define NSD_SPACE_STEP 1e-6

/* Of r, ε of the proximal point method where it ends: rounding of ξ counts 1 / ε times in Λ, so that less of
 * it would be seen by the certificate. */
#define NSD_PROXIMAL_DAMPING 1e-6
/* Of the scale: a residual near a solution, from where each center should leave half of it at the most. */
#define NSD_PROXIMAL_NEAR 1e-6

/* Of the terms of M v − Wᵀ Λ, times ε: what rounding leaves where velocities count 1 / ε times in Λ. */
#define NSD_PROXIMAL_REST 1e-15

/* Of r, an impulse's velocity: what Newton's method adds to the diagonal of a singular Jacobian, just above
 * rounding at first, and up to where its steps would no longer converge fast. */
#define NSD_SPACE_GRAIN 1e-13
#define NSD_SPACE_MOST_GRAIN 1e-6

/* Of the impulses of a contact in expansion: what a round leaves, since the next one changes more. */
#define NSD_SPACE_STORED 1e-4

/* Of the reach of a polygon along a direction: two corners that reach equally far, but for rounding. */
#define NSD_SPACE_SIDE 0x1p-48
/* Of a polygon's side: friction that is so near to its end is in the corner, by what forces are solved to. */
#define NSD_POLYGON_CORNER 1e-9

/* What a solution misses of its load at most, or by its tolerance if that is more. */
#define NSD_CONTACT_LOOSE 1e-6
/* Scale over load, at most: a violation of 1e-9 of it is then NSD_CONTACT_LOOSE of the load. */
#define NSD_CONTACT_MOST_SCALE 1e3
/* Size over load: even rounding is then of the load's size, 1e10 ε of a sum of terms, and nothing that is
 * seen counts. */
#define NSD_CONTACT_FAR_OUT 1e10
/* Of the scale: a residual that stays one in extreme units, even if it is smaller than any double there. */
#define NSD_CONTACT_GROSS 0x1p-30
/* Of the scale: residuals that are worth a second look in extreme units; less is rounding in all units. */
#define NSD_CONTACT_SECOND_LOOK 0x1p-40

/* Of the scale of velocities: modes are told apart by it (the manual promises 1e-9). */
#define NSD_MODE_TOL 1e-9
/* Friction below this share of its limit is not at it: 4096 ε away. */
#define NSD_STATE_INSIDE (1.0 - 0x1p-40)
/* Of the largest |c|: a c_N has no sign, and the contact may begin open or closed. */
#define NSD_CONTACT_TIE 1e-9

/* Of its size (its diagonal, or its column): a pivot of G is rounding. Larger than NSD_PIVOT_ROUNDING:
 * redundant contacts are the normal case, and a G that comes from a user has rounding of M⁻¹, too. */
#define NSD_CONTACT_PIVOT 1e-11
/* Of √G_ii: an element of L in G = L Lᵀ that elimination has to leave zero, and leaves as rounding. */
#define NSD_FREE_FORM_NOTHING 1e-12
/* Of √(size_i size_k): what may stand below a pivot that is nothing, the rounding of that elimination. */
#define NSD_CONTACT_BELOW_PIVOT 1e-9
/* Of its largest element: what may be rounding of a direction along which redundant contacts share impulses
 * anew. √ε: it has lost digits with the pivots. */
#define NSD_SHARING_ROUNDING 1e-8
/* Of the terms: determinants and pivots of the closed forms for one and two contacts are rounding; up to four
 * rows. */
#define NSD_CLOSED_FORM_SINGULAR 1e-13
/* Of the same: they are surely not; and of the scale: a Λ that misses a law by more is no solution rounded.
 */
#define NSD_CLOSED_FORM_SURE_PIVOT 1e-6
#define NSD_CLOSED_FORM_SURE_MISS 1e-6

/* The least ε of the smoothed laws of many contacts, of a velocity over an impulse: as the usual tolerance.
 */
#define NSD_DAMPED_NEWTON_SHARP 1e-9
/* Of the first distance ρ: a path with the least ε has arrived. Where many contacts meet an edge at t = 0 a
 * path may run around it without end, ever closer. */
#define NSD_PATH_ARRIVED 1e-14
/* Of a difference of iterates: what is left of it beside others, below which it says nothing. */
#define NSD_ROUNDS_DEPENDENT 1e-10

/* Of the terms: velocities of two solutions that are one motion. */
#define NSD_CENSUS_SAME_MOTION 1e-9
/* Of the largest element: no pivot of the equations of an extent. */
#define NSD_EXTENT_PIVOT 0x1p-40
/* Of the largest sum's terms: a sum with smaller ones may be rounding. */
#define NSD_EXTENT_SMALL_TERMS 1e-6
/* Of the impulses that cause them: velocities that are none. */
#define NSD_EXTENT_STILL 0x1p-36

/* Of μ Λ_NC: a Λ_TC without a direction. */
#define NSD_EXPANSION_NO_DIRECTION 1e-12
/* Of μ Q, in space: a cut that leaves less height of the set of friction leaves its highest point, and of a
 * polygon so much, whose highest points may be a side. A height of some roundings would leave anything. */
#define NSD_EXPANSION_TIP 0x1p-42
/* Of its scale: a velocity in the expansion for a Painlevé jam vanishes. */
#define NSD_JAM_VANISHES 1e-9

/* Of the terms of an element of S: what its few operations leave, in one contact in space. An eigenvalue that
 * is smaller is no sign of anything. */
#define NSD_SLIDING_ROUNDING (8.0 * DBL_EPSILON)
/* Of what friction acts on: a coefficient, or what a given bound makes of a velocity over the load, that no
 * digit of anything else feels, while squares of its impulses underflow. */
#define NSD_SLIDING_LITTLE 0x1p-200
/* Of γ̇_T: friction from which on it brings γ_T to the direction of that, as t^-16 at least. */
#define NSD_SLIDING_MASTERS 16.0
/* Of the terms of H − h: it is a root. */
#define NSD_SLIDING_ROOT (4.0 * DBL_EPSILON)
/* Of Λ: two solutions are one, which the stick limit or a double root shows twice: half of a double's digits.
 */
#define NSD_SLIDING_SAME 1e-8
/* Of the terms: so near to zero that rounding, ten thousand times amplified, may have made it or its sign. */
#define NSD_SLIDING_DOUBT 1e-10
/* Of the scale of velocities: a state that misses its law by so little may be a solution. */
#define NSD_SLIDING_NEAR 1e-6
/* Of a minor with all signs plus: what rounding of the elements of K and of six products and sums leaves. */
#define NSD_MINOR_ROUNDING 0x1p-44
/* Of that rounding: minors that all are so small at once stand for nothing, since K is singular. */
#define NSD_MINOR_VANISHES 16.0
/* Of the largest coefficients of two polynomials: what their product's are off by. */
#define NSD_BERNSTEIN_ROUNDING (16.0 * DBL_EPSILON)
/* A Krawczyk operator that shrinks a box by less proves a root, but says too little of where it is. */
#define NSD_KRAWCZYK_SHRINKS 0.95
/* Side of the smallest part of the unit square that is looked at: a double root that is wider is seen. */
#define NSD_SLIDES_LEAST 0x1p-30
/* Of a speed of sliding: the difference that takes the place of a derivative. */
#define NSD_SLIDE_DIFFERENCE 0x1p-24
/* Of impulses on a line, or their squares: what changes by less along it stays. */
#define NSD_LINE_STAYS 1e-10
/* Of the diagonal: pivots below are those of rows that depend on others; up to the second nobody knows. */
#define NSD_DEPENDENT_PIVOT 0x1p-40
#define NSD_DOUBTFUL_PIVOT 0x1p-30
/* Of its terms: what elimination leaves of a row that depends on others. */
#define NSD_SPENT_ROW 0x1p-30

/* ---- lib/system ------------------------------------------------------------------------------------------
 */

/* Of √(M_ii M_jj): both halves of M may come from formulas of their own, and differ by their rounding: √ε. */
#define NSD_MASS_ASYMMETRY 0x1p-26

/* The check of a model. Of the size: a value agrees with a difference quotient, which is good to ten digits
 * at best. */
#define NSD_CHECK_AGREES 1e-5
/* Of the size: an error of a difference quotient that no other step makes less. */
#define NSD_CHECK_SHARP 1e-9
/* Of the size: one-sided slopes that differ by more are of a kink. */
#define NSD_CHECK_KINK 1e-3
/* Of the size: two answers to the same question are the same, as are a sum and its terms. */
#define NSD_CHECK_SAME 1e-9
/* Of the terms of a gap or a velocity: steps that change it by less are tiny, as the tolerances of geometries
 * are, and up to so much they are short. */
#define NSD_CHECK_TINY 0x1p-24
#define NSD_CHECK_SHORT 0x1p-8
/* Of √(M_ii M_jj): symmetry and definiteness of M as it is written; and of M⁻¹, solved for: as good as its
 * condition. */
#define NSD_CHECK_WRITTEN_MASS 1e-9
#define NSD_CHECK_SOLVED_MASS 1e-6
/* Of the coordinate: what `retract` may set right where nothing moves: √ε. */
#define NSD_CHECK_RESTS 1e-8
/* Of the fastest coordinate's speed: a coordinate moves. */
#define NSD_CHECK_MOVES 1e-8
/* Of the larger one: what a contact's direction may miss the slope of its gap by where it closes for the
 * first time. Small angles and other linear directions of curved gaps miss some hundredths. */
#define NSD_CLOSING_MISS 0.25
/* Of Σ |w_j u_j| times the fastest change of coordinates: w̄ is rounding; 1024 ε. */
#define NSD_CHECK_BIAS_ROUNDING 0x1p-42
/* Of Σ |w_j u_j| times the largest velocity, in its unit: w̄ is more than rounding, however small q is. */
#define NSD_CHECK_BIAS_SHARE 0x1p-20

/* ---- lib/stepper -----------------------------------------------------------------------------------------
 */

/* Of a step: a rest of the time that is nothing, beside the rounding of the times themselves. */
#define NSD_STEP_REST 1e-9
/* Of ξ_T²: γ_T ξ_T that is no sliding in the same direction before. */
#define NSD_CAUGHT 1e-9

/* Of their terms: a gap of a state that is made consistent counts as zero, a velocity as rest. */
#define NSD_CONSISTENT_TOUCHES 0x1p-30
#define NSD_CONSISTENT_RESTS 0x1p-20
/* Of lengths and speeds: what a state made consistent may miss at most, even if options accept any (the
 * default of `start_tol`). */
#define NSD_CONSISTENT_MISS 5e-3

/* Times the rounding of a redundant row's terms: what the rounding of q, over the curvature of the other
 * rows, makes of it. They agree where all g_b are zero, and coordinates are that but for rounding. */
#define NSD_REDUNDANT_NOISE 64.0
/* Of its diagonal: a pivot among constraints is rounding: the row is redundant. 4096 ε. */
#define NSD_REDUNDANT_PIVOT 0x1p-40
/* Of its depth: a contact has got deeper; less is rounding or nothing to speak of. */
#define NSD_DEEPER 0x1p-20
/* Of the gaps and the way between them: a change of a gap that is rounding. */
#define NSD_GAP_CHANGE_ROUNDING 0x1p-40
/* Of the terms of a gap: a second difference of gaps is rounding; 256 ε, it is made of three. */
#define NSD_BEND_ROUNDING 0x1p-44
/* Of the way of a projection: its own rounding; 2 ε, one product and one sum. */
#define NSD_PROJECTION_WAY_ROUNDING 0x1p-51
/* Of the terms of a row's velocity: what rounds of positions and velocities, each by the other, need not
 * settle (drift/split.h); 2^10 of the evaluation's rounding, and all that is left to the projection. */
#define NSD_SPLIT_ROUNDING 0x1p-36
/* The same of what forces and impulses moved it by in the step, of which it may be the small rest; 2^10 of
 * NSD_PROJECTION_WAY_ROUNDING. */
#define NSD_SPLIT_WAY_ROUNDING 0x1p-41

/* ---- lib/event -------------------------------------------------------------------------------------------
 */

/* What rounding makes of sums, as shares of the sizes of their terms: of gaps (512 ε), of velocities, whose
 * terms are gaps' derivatives, of accelerations, which have M⁻¹ in them. Each is some bits more than the one
 * before. */
#define NSD_EVENT_GAP_NOISE 0x1p-43
#define NSD_EVENT_SPEED_NOISE 0x1p-42
#define NSD_EVENT_FORCE_NOISE 0x1p-40
/* Of the sizes of its terms: a velocity counts as zero; above its noise by what steps leave of it. */
#define NSD_EVENT_REST 0x1p-34

/* The least option `tol`: what double precision can meet. */
#define NSD_EVENT_LEAST_TOL 1e-14
/* Of the way that the run may go: what is left out beside it has no meaning. */
#define NSD_EVENT_BESIDE_MOTION 1e-9
/* Of lengths and speeds: what a state made consistent may miss, whatever the option lets pass: it is asked
 * for. */
#define NSD_EVENT_CONSISTENT 1e-9
/* Of the own time of the motion: steps that get nowhere. */
#define NSD_EVENT_LEAST_STEP 0x1p-40
/* Of t: phases too short to learn from. */
#define NSD_EVENT_SHORT_PHASE 0x1p-40

/* Integrator: of the terms of a slope at rest: its rounding. */
#define NSD_DOPRI_REST_ROUNDING (16.0 * DBL_EPSILON)
/* Root location: of the largest value on a step: rounding of a function in it. */
#define NSD_LOCATE_ROUNDING 0x1p-46
/* Of the largest value of a section: its noise; and what it may be taken for at most once it was seen. */
#define NSD_SECTION_NOISE 0x1p-40
#define NSD_SECTION_MOST_NOISE 0x1p-20
/* Of 1: a determinant of the closed contacts' G, in units of its diagonal, is rounding. */
#define NSD_DETERMINANT_NOISE 0x1p-33
/* Of 1: that of a part which vanishes with another's. */
#define NSD_DETERMINANT_SMALL 0x1p-20

/* Of the terms of a gap or a velocity: what a step may leave of it where it is closed, at least; the rest
 * goes by the option `tol`. 2^16 ε: a thousand steps may each add their rounding. */
#define NSD_STAY_LEAST 0x1p-36
/* Of the terms: what projections may leave, at least, and what no tolerance lets pass. */
#define NSD_DRIFT_LEAST 0x1p-30
#define NSD_DRIFT_MOST 1e-3
/* Of the largest length: a gap is as good as zero before its direction was ever asked for. */
#define NSD_GAP_NEARLY_ZERO 0x1p-30
/* Of what loads make of a velocity in the longest step: nothing beside it. */
#define NSD_BESIDE_LOADS 0x1p-20
/* Of the velocities of the motion: rounding of γ inside a callback. */
#define NSD_CALLBACK_ROUNDING 0x1p-38
/* Of the largest coordinate: one that tells how fast it goes through its size. */
#define NSD_PAIR_LEAST 0x1p-30
/* Of a row: what is left of it without others, where it follows from them. */
#define NSD_ROW_FOLLOWS 1e-10
/* Of the terms of a sum: what rounding leaves of it where it vanishes; 256 ε. */
#define NSD_SUM_CANCELS 0x1p-44

/* w̄ by differences. Of a moment: the least time of a difference, so that rounding is small beside it. */
#define NSD_BIAS_LEAST_TIME 0x1p-30
/* Of the accelerations: the error that a difference of order 4 is chosen for; that a step is not taken with;
 * and one that may be more than rounding. */
#define NSD_BIAS_GOAL 1e-8
#define NSD_BIAS_MOST 1e-4
#define NSD_BIAS_UNRESOLVED 1e-7

/* Of the scale: what forces may miss a law by: the usual tolerance of certificates. */
#define NSD_FORCES_TOL 1e-9
/* Of a row's accelerations: what a phase's end or an output may miss a law by, beside a share of the option
 * `tol`. */
#define NSD_FORCES_VERIFIED 1e-7
/* Of a velocity over the own time of the motion: accelerations that are nothing beside it. */
#define NSD_FORCES_STOP 0x1p-17
/* Of a row's accelerations: γ̇_T of what others hold at rest; and γ̇_T that tells in which direction sliding
 * begins. */
#define NSD_FORCES_HELD 1e-6
#define NSD_SLIDING_BEGINS 1e-8
/* Where sliding in space begins: γ̇_T across the direction of friction, as a share of γ̇_T and its load, a few
 * roundings, as the integrator sees all of it. */
#define NSD_SLIDING_ALONG 0x1p-50
/* Of what friction makes of rest in the longest step: by how much γ_T may be off the direction in which it
 * began; less would make the steps that follow it too short, by their stiffness. */
#define NSD_SLIDING_STIFF 0x1p-26
/* Redundant contacts: friction and γ̇_T, as shares of their limit and of their terms, that a solver leaves to
 * them at their limit; and accelerations that depend on how they share their load, as a share of those of
 * their rows. */
#define NSD_SHARES_SPARE 1e-6
#define NSD_SHARES_MATTER 1e-6
/* Of their friction: a share that holds nothing; what needs less needs none. */
#define NSD_SHARES_NONE 0x1p-40
/* Of the scale: the residual of forces that others are extrapolated from. */
#define NSD_SHARES_FINE 0x1p-44
/* Of their friction: what redundant contacts at rest may have left as they begin to slide, some roundings. */
#define NSD_SHARES_ONSET 0x1p-40

/* Of the terms of a velocity: hits that are noise beside the motion; and an approach that is rounding. */
#define NSD_HIT_GENTLE 0x1p-20
#define NSD_APPROACH_ROUNDING 0x1p-48
/* Of the work of an impact: energy that it seems to gain. */
#define NSD_GAIN_ROUNDING 0x1p-30
/* Of the motion's own time: the first time that is tried behind an instant. */
#define NSD_HANDOVER_FIRST 0x1p-22

/* ---- lib/geometry ----------------------------------------------------------------------------------------
 */

/* No share: coordinates of shapes, so that their products and the errors of these are numbers (Dekker); and
 * of the largest coordinate: smaller ones are zero. */
#define NSD_SHAPE_LARGEST 0x1p480
#define NSD_SHAPE_SMALLEST 0x1p-480
/* Of |a b| + |c d|: the sign of a b − c d is certain, where a to d are differences of doubles (Shewchuk 1997:
 * 3 ε/2 and a little; twice that here). */
#define NSD_ORIENTATION_ROUNDING (4.0 * DBL_EPSILON)
/* Of a shape's extent: points as near to the line between two others are on it. 64 ε: a straight side whose
 * points were computed. */
#define NSD_SHAPE_STRAIGHT 0x1p-46
/* Of the skin: how deep vertices are looked for first, as in bodies that rest on each other; more where that
 * does not explain how outlines cross. */
#define NSD_SKIN_FIRST 0x1p-24
/* Of an edge's length: so much may it rise where it should not, and still face a line. 1000 ε: its ends were
 * turned and shifted. */
#define NSD_FACING_ROUNDING 0x1p-42
/* Of 1: cosines of directions that boxes of a tree compare, to be on the safe side. */
#define NSD_FACING_SLACK 0x1p-30
/* Of the way of two bodies towards each other within a step: so much more is looked at, on the safe side. */
#define NSD_WAY_SLACK 0x1p-30
/* Of 1: what the sine of the angle that normals spread may have lost. √ε for a difference of cosines, of each
 * of twenty levels of a tree. */
#define NSD_SPREAD_SLACK 0x1p-20
/* Of the extents of two shapes, and of where they are: two corners in the same place, an overlap that is
 * rounding. 64 ε: both were turned and shifted. */
#define NSD_PLACE_ROUNDING 0x1p-46

/* ---- lib/geometry/space ----------------------------------------------------------------------------------
 */

/* No share: lengths of solids are between these; volumes times squares of lengths have 5 factors, squares of
 * areas 4, and all are numbers, and none is 0. */
#define NSD_SOLID_LEAST 0x1p-120
#define NSD_SOLID_LARGEST 0x1p120
/* Of the extent of a hull's points: what is as near to a plane lies in it, what is as near to a line on it.
 * Half the digits, as points are often the rounded ones of a file. */
#define NSD_SOLID_FLAT 0x1p-30
/* The same where points of less digits make no closed surface: doubled up to this, of files of 6 digits. */
#define NSD_SOLID_FLAT_MOST 0x1p-16
/* Of 1, a sine: edges so nearly parallel do not cross; where they do has lost half its digits. */
#define NSD_SOLID_PARALLEL 0x1p-26
/* Of the sizes of both: so far beyond its edges a corner is over a face. More than edges can part that are
 * nearly parallel, so that one of corners and crossings always tells a touch. */
#define NSD_SOLID_FLUSH 0x1p-24
/* Of the distance: a face or two edges that come as near to it are what is nearest; and of the sizes of both,
 * below which a distance has no direction but theirs: 64 ε. */
#define NSD_SOLID_NEAREST 0x1p-30
#define NSD_SOLID_ROUNDING 0x1p-46
/* Of the sizes of both, over the sine between two edges: what the distance along their cross product errs by.
 * 8 ε: three products and two differences. */
#define NSD_SOLID_CROSSING 0x1p-49

/* ---- lib/multibody ---------------------------------------------------------------------------------------
 */

/* Of 1, in directions of norm 1: two are the same, or at right angles, when they are meant to be: about √ε.
 */
#define NSD_TREE_ALIGNED 0x1p-26
/* Of the largest moment of inertia: principal minors below zero are rounding, also of inertias that were
 * copied with nine digits. */
#define NSD_TREE_INERTIA 0x1p-30
/* The same of the inertia itself, whose minors are energies: 16 ε. */
#define NSD_TREE_ENERGY 0x1p-48
/* Of what hangs behind a joint: an inertia that is rounding, so that the joint moves nothing. 64 ε: sums
 * along a tree. */
#define NSD_TREE_MASSLESS 0x1p-46

/* Of the sizes of a sum's terms, along some links: rows of loops whose bodies move in a plane are zero where
 * they hold nothing, and not 1e-17, as rows that depend on others are told from those that hardly do. */
#define NSD_TREE_ROUNDING 0x1p-48

/* ---- lib/study -------------------------------------------------------------------------------------------
 */

/* The option `tol` of the driver that a cycle is found with: below what its differences ask for. */
#define NSD_CYCLE_DRIVER_TOL 1e-12
/* Of the scales: on the section, more than this is no fixed point. */
#define NSD_CYCLE_MISCOUNTED 1e-3
/* Of 1: a column of 1 − DP that is zero up to differencing. */
#define NSD_CYCLE_NEUTRAL 1e-6
/* The least reciprocal condition of 1 − DP. */
#define NSD_CYCLE_CONDITION 1e-11
/* Of a column of DP: an error for which shorter steps are tried. */
#define NSD_CYCLE_DERIVATIVE 1e-5
/* Of a piece between two events: a turn of a gap is found; gaps there are good to its square. */
#define NSD_GRAZE_RESOLVED 1e-8
/* Of the period: what is left of it in the end. */
#define NSD_GRAZE_END 0x1p-30
/* Of the way between two values of a parameter, so short that nothing but a jump leaves as much. */
#define NSD_CONTINUATION_JUMP 0x1p-20

/* ---- Levenberg and Marquardt's methods --------------------------------------------------------------------
 */

/* Of the mean square of a column of J: the least λ of the regular method (Mylapilli & Jain 2017, §5.1), and
 * the inverse of the largest. Newton's step all but for rounding, and none. */
#define NSD_MARQUARDT_LEAST_DAMPING 1e-25

/* The same, of the projected method (§5.2): its square root, which stands beside J, is a unit of rounding. */
#define NSD_MARQUARDT_FIXED_DAMPING 1e-16

/* Of |J| |φ|: a slope Jᵀφ below it is the rounding of some hundred terms. */
#define NSD_MARQUARDT_STATIONARY 1e-13

/* Of the merit ½ |φ|²: a smaller fall is none, being a thousand roundings at most. */
#define NSD_MARQUARDT_FLAT 1e-12

#endif
