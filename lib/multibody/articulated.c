/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* M = K D Kᵀ with K from the leaves to the roots (Mylapilli & Jain 2017, §2.4; Featherstone's articulated
 * bodies): behind each joint stands the inertia that is felt there while the joints behind it are free. */
#include "multibody/articulated.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/tolerances.h"
#include "multibody/links.h"

/* ---- the factor ---- */

/* An inertia in registers, with what D is compared with. */
typedef struct inertia {
  nsd_space A[3], B[3], C[3], h;
  double mass, trace;
} inertia;

NSD_INLINE_LANES void clear_inertia(inertia *I)
{
  const nsd_space zero = nsd_lanes_all(0.0);
  NSD_UNROLL(3)
  for (int j = 0; j < 3; j++) {
    I->A[j] = I->B[j] = I->C[j] = zero;
  }
  I->h = zero;
  I->mass = I->trace = 0.0;
}

/* I := I + the link's own one: B x = x × h, C x = m x. */
NSD_INLINE_LANES void add_own_inertia(const nsd_link *link, const nsd_link_state *k, inertia *I)
{
  const nsd_lanes_bits x = {-1, 0, 0, 0}, y = {0, -1, 0, 0}, z = {0, 0, -1, 0};
  const nsd_space h = nsd_lanes_load(k->h), minus = -h, m = nsd_lanes_all(link->mass);
  NSD_UNROLL(3)
  for (int j = 0; j < 3; j++) {
    I->A[j] += nsd_lanes_load(k->J + 4 * j);
  }
  /* columns 0 −h_z h_y, h_z 0 −h_x, −h_y h_x 0 */
  I->B[0] += NSD_SHUFFLE(h, minus, 3, 6, 1, 3);
  I->B[1] += NSD_SHUFFLE(h, minus, 2, 3, 4, 3);
  I->B[2] += NSD_SHUFFLE(h, minus, 5, 0, 3, 3);
  I->C[0] += (nsd_space)((nsd_lanes_bits)m & x);
  I->C[1] += (nsd_space)((nsd_lanes_bits)m & y);
  I->C[2] += (nsd_space)((nsd_lanes_bits)m & z);
  I->h += h;
  I->mass += link->mass;
  I->trace += (k->J[0] + k->J[5]) + k->J[10];
}

/* I := I + what a fork has collected. */
NSD_INLINE_LANES void add_collected(const nsd_articulated *from, inertia *I)
{
  NSD_UNROLL(3)
  for (int j = 0; j < 3; j++) {
    I->A[j] += nsd_lanes_load(from->A + 4 * j);
    I->B[j] += nsd_lanes_load(from->B + 4 * j);
    I->C[j] += nsd_lanes_load(from->C + 4 * j);
  }
  I->h += nsd_lanes_load(from->h);
  I->mass += from->mass;
  I->trace += from->trace;
}

NSD_INLINE_LANES void store_inertia(nsd_articulated *to, const inertia *I)
{
  NSD_UNROLL(3)
  for (int j = 0; j < 3; j++) {
    nsd_lanes_store(to->A + 4 * j, I->A[j]);
    nsd_lanes_store(to->B + 4 * j, I->B[j]);
    nsd_lanes_store(to->C + 4 * j, I->C[j]);
  }
  nsd_lanes_store(to->h, I->h);
  to->mass = I->mass;
  to->trace = I->trace;
}

NSD_INLINE_LANES nsd_space multiply(const nsd_space M[3], const double s[3])
{
  return (M[0] * s[0] + M[1] * s[1]) + M[2] * s[2];
}

/* D = S · I S, and of it U, V and S; 0 where D is rounding. */
NSD_INLINE_LANES int project(const nsd_link *link, const nsd_link_state *k, const inertia *I,
                             nsd_articulated *out)
{
  const double *s = k->s;
  const nsd_space axis = nsd_lanes_load(s);
  nsd_space_pair U = {multiply(I->A, s), multiply(I->B, s)}, S = {axis, 0.0 * axis};
  if (link->slide != 0.0) {
    nsd_space transposed[3];
    nsd_space_transpose(I->B, transposed);
    U.n = link->turn * U.n + link->slide * multiply(transposed, s);
    U.f = link->turn * U.f + link->slide * multiply(I->C, s);
    S = (nsd_space_pair){link->turn * axis, link->slide * axis};
  }
  const double D = nsd_link_share(link, axis, U);
  const double size = link->turn * I->trace + (link->slide * link->slide) * I->mass;
  const double inverse = 1.0 / D;
  U = nsd_space_back(U, nsd_lanes_load(k->r));
  nsd_space_store(out->U, U);
  nsd_space_store(out->V, (nsd_space_pair){inverse * U.n, inverse * U.f});
  nsd_space_store(out->S, (nsd_space_pair){inverse * S.n, inverse * S.f});
  out->inverse = inverse;
  out->root = sqrt(D);
  return D > NSD_TREE_MASSLESS * size && D > 0.0 && D <= DBL_MAX && inverse <= DBL_MAX;
}

/* −M [r], column by column. */
NSD_INLINE_LANES void turn_columns(const nsd_space M[3], const double r[3], nsd_space out[3])
{
  out[0] = r[1] * M[2] - r[2] * M[1];
  out[1] = r[2] * M[0] - r[0] * M[2];
  out[2] = r[0] * M[1] - r[1] * M[0];
}

/* I := the same inertia about the parent's origin, at −r: B' = B − C [r], A' = A − Bᵀ [r] + [r] B'. */
NSD_INLINE_LANES void shift(const double r[4], inertia *I)
{
  nsd_space transposed[3], more[3], less[3];
  const nsd_space arm = nsd_lanes_load(r);
  nsd_space_transpose(I->B, transposed);
  turn_columns(transposed, r, more);
  turn_columns(I->C, r, less);
  NSD_UNROLL(3)
  for (int j = 0; j < 3; j++) {
    I->B[j] += less[j];
    I->A[j] += more[j] + nsd_space_cross(arm, I->B[j]);
  }
  /* tr J' = tr J + 4 h·r + 2 m r²: where h and r are opposite its terms cancel, and leave their rounding. */
  const nsd_space way = I->mass * arm;
  I->trace += nsd_space_sum(4.0 * nsd_lanes_abs(I->h * arm) + (way + way) * arm);
  I->h += way;
}

/* I := I − U Vᵀ: the joint lets go. */
NSD_INLINE_LANES void release(const nsd_articulated *joint, inertia *I)
{
  const nsd_space_pair U = nsd_space_load(joint->U);
  NSD_UNROLL(3)
  for (int j = 0; j < 3; j++) {
    const double V_n = joint->V[j], V_f = joint->V[4 + j];
    I->A[j] -= V_n * U.n;
    I->B[j] -= V_n * U.f;
    I->C[j] -= V_f * U.f;
  }
}

/* V · A, or S · p over D */
NSD_INLINE_LANES double dot_pair(const double V[8], nsd_space_pair A)
{
  const nsd_space_pair own = nsd_space_load(V);
  return nsd_space_sum(own.n * A.n + own.f * A.f);
}

/* The places where forks collect what hangs on them, empty. */
NSD_INLINE_LANES void clear_forks(nsdyn_tree *tree, int with_factor)
{
  const nsd_space_pair nothing = {nsd_lanes_all(0.0), nsd_lanes_all(0.0)};
  inertia none;
  clear_inertia(&none);
  for (int32_t i = 1; tree->has_forks && i <= tree->nu; i++) {
    if (tree->link[i].is_fork) {
      nsd_space_store(tree->wrench[i], nothing);
      if (with_factor) {
        store_inertia(&tree->articulated[i], &none);
      }
    }
  }
}

NSD_INLINE_LANES nsd_space_pair collect_force(nsdyn_tree *tree, int32_t i, int is_handed,
                                              nsd_space_pair handed)
{
  nsd_space_pair p = nsd_link_bias(&tree->link[i], &tree->state[i], tree->gravity);
  if (is_handed) {
    p = nsd_space_plus(p, 1.0, handed);
  }
  return tree->link[i].is_fork ? nsd_space_plus(p, 1.0, nsd_space_load(tree->wrench[i])) : p;
}

/* From the leaves to the roots: the factor, where it is not there; and with x, which is τ, D⁻¹ K⁻¹ (τ + h) in
 * its place, accelerations of joints that stand on what does not move. 0, or the link whose joint moves no
 * mass. What a link hands to the one before it, as along a chain, goes by registers. */
NSD_INLINE_LANES int32_t climb(nsdyn_tree *tree, int with_factor, double *x)
{
  inertia I;
  nsd_space_pair p = {nsd_lanes_all(0.0), nsd_lanes_all(0.0)};
  int is_handed = 0;
  clear_forks(tree, with_factor);
  for (int32_t i = tree->nu; i > 0; i--) {
    const nsd_link *link = &tree->link[i];
    const nsd_link_state *k = &tree->state[i];
    nsd_articulated *joint = &tree->articulated[i];
    const int hands = link->parent == i - 1;
    if (x) {
      p = collect_force(tree, i, is_handed, p);
    }
    if (with_factor) {
      if (!is_handed) {
        clear_inertia(&I);
      }
      if (link->is_fork) {
        add_collected(joint, &I);
      }
      add_own_inertia(link, k, &I);
      if (!project(link, k, &I, joint)) {
        return i;
      }
      shift(k->r, &I); /* no need to wait for 1 / D */
      release(joint, &I);
      if (!hands && link->parent > 0) {
        add_collected(&tree->articulated[link->parent], &I);
        store_inertia(&tree->articulated[link->parent], &I);
      }
    }
    if (x) {
      const double udot = x[i - 1] * joint->inverse - dot_pair(joint->S, p);
      p = nsd_space_plus(nsd_space_back(p, nsd_lanes_load(k->r)), udot, nsd_space_load(joint->U));
      x[i - 1] = udot;
      if (!hands && link->parent > 0) {
        double *to = tree->wrench[link->parent];
        nsd_space_store(to, nsd_space_plus(nsd_space_load(to), 1.0, p));
      }
    }
    is_handed = hands;
  }
  return 0;
}

/* u̇ := K⁻ᵀ x from the roots to the leaves. */
NSD_INLINE_LANES void descend(nsdyn_tree *tree, double *x)
{
  nsd_space_pair A = {nsd_lanes_all(0.0), nsd_lanes_all(0.0)}; /* of link i − 1 */
  nsd_space_store(tree->twist[0], A);
  for (int32_t i = 1; i <= tree->nu; i++) {
    const nsd_link *link = &tree->link[i];
    const nsd_link_state *k = &tree->state[i];
    if (link->parent != i - 1) {
      A = nsd_space_load(tree->twist[link->parent]);
    }
    const double udot = x[i - 1] - dot_pair(tree->articulated[i].V, A);
    A = nsd_link_accelerate(link, nsd_lanes_load(k->s), udot, nsd_space_at(A, nsd_lanes_load(k->r)));
    if (link->is_fork) {
      nsd_space_store(tree->twist[i], A);
    }
    x[i - 1] = udot;
  }
}

static int32_t factor_plain(nsdyn_tree *tree)
{
  return climb(tree, 1, NULL);
}

NSD_TARGET_AVX2 static int32_t factor_avx2(nsdyn_tree *tree)
{
  return climb(tree, 1, NULL);
}

/* 0, or the link that stands for the failure. */
NSD_INLINE_LANES int32_t accelerate(nsdyn_tree *tree, int with_factor, double *x)
{
  const int32_t massless = with_factor ? climb(tree, 1, x) : climb(tree, 0, x);
  if (!massless) {
    descend(tree, x);
  }
  return massless;
}

static int32_t accelerate_plain(nsdyn_tree *tree, double *x)
{
  return accelerate(tree, !tree->is_factored, x);
}

NSD_TARGET_AVX2 static int32_t accelerate_avx2(nsdyn_tree *tree, double *x)
{
  return accelerate(tree, !tree->is_factored, x);
}

/* What became of a climb that ended at link i, 0: at the roots. */
static nsdyn_status conclude(nsdyn_tree *tree, int32_t i, const char *name)
{
  char label[NSD_LABEL_LENGTH];
  tree->is_factored = i == 0;
  return i == 0 ? NSDYN_OK
                : nsd_fault_set(&tree->fault, NSDYN_ERR_NOT_DEFINITE, NSDYN_DETAIL_COORDINATE, i - 1,
                                "%s: the joint of %s moves no mass with its velocity u[%d]", name,
                                nsd_tree_label(tree, tree->link[i].body, label), (int)i - 1);
}

nsdyn_status nsd_tree_factor(nsdyn_tree *tree, const char *name)
{
  if (tree->is_factored) {
    return NSDYN_OK;
  }
  return conclude(tree, (nsd_cpu_avx2() ? factor_avx2 : factor_plain)(tree), name);
}

/* ---- right-hand sides, four at a time, one in each lane ---- */

/* Moments and forces, or accelerations, of four rows: x, y, z of the first, x, y, z of the second. */
typedef struct four {
  nsd_lanes x[6];
} four;

NSD_INLINE_LANES four load_four(const double *from)
{
  four F;
  NSD_UNROLL(6)
  for (int c = 0; c < 6; c++) {
    F.x[c] = nsd_lanes_load(from + 4 * c);
  }
  return F;
}

NSD_INLINE_LANES void store_four(double *to, const four *F)
{
  NSD_UNROLL(6)
  for (int c = 0; c < 6; c++) {
    nsd_lanes_store(to + 4 * c, F->x[c]);
  }
}

/* F := F + what stands there */
NSD_INLINE_LANES void add_four(const double *from, four *F)
{
  NSD_UNROLL(6)
  for (int c = 0; c < 6; c++) {
    F->x[c] += nsd_lanes_load(from + 4 * c);
  }
}

NSD_INLINE_LANES nsd_lanes dot_three(const double s[3], const nsd_lanes *x)
{
  return (s[0] * x[0] + s[1] * x[1]) + s[2] * x[2];
}

/* to := to + r × x */
NSD_INLINE_LANES void add_across(const double r[3], const nsd_lanes *x, nsd_lanes *to)
{
  to[0] += r[1] * x[2] - r[2] * x[1];
  to[1] += r[2] * x[0] - r[0] * x[2];
  to[2] += r[0] * x[1] - r[1] * x[0];
}

/* Rows that are there; where there are fewer than four the last one is there again, with the same numbers. */
typedef struct four_rows {
  double *x[NSD_TREE_ROWS];
} four_rows;

NSD_INLINE_LANES nsd_lanes gather(const four_rows *X, int32_t i)
{
  return (nsd_lanes){X->x[0][i], X->x[1][i], X->x[2][i], X->x[3][i]};
}

NSD_INLINE_LANES void scatter(const four_rows *X, int32_t i, nsd_lanes x)
{
  X->x[0][i] = x[0];
  X->x[1][i] = x[1];
  X->x[2][i] = x[2];
  X->x[3][i] = x[3];
}

/* X := D⁻¹ K⁻¹ X from the leaves to the roots, or D⁻¹ᐟ² K⁻¹ X. */
NSD_INLINE_LANES void climb_four(nsdyn_tree *tree, int with_root, const four_rows *X)
{
  const four nothing = {{nsd_lanes_all(0.0)}};
  four F = nothing;
  int is_handed = 0; /* F is what link i + 1 hands on */
  for (int32_t i = 1; tree->has_forks && i <= tree->nu; i++) {
    if (tree->link[i].is_fork) {
      store_four(tree->wrench[i], &nothing);
    }
  }
  for (int32_t i = tree->nu; i > 0; i--) {
    const nsd_link *link = &tree->link[i];
    const nsd_articulated *I = &tree->articulated[i];
    nsd_lanes udot = gather(X, i - 1) * I->inverse;
    NSD_UNROLL(6)
    for (int c = 0; c < 6 && !is_handed; c++) {
      F.x[c] = nsd_lanes_all(0.0);
    }
    if (link->is_fork) {
      add_four(tree->wrench[i], &F);
    }
    udot -= dot_three(I->S, F.x);
    if (link->slide != 0.0) {
      udot -= dot_three(I->S + 4, F.x + 3);
    }
    scatter(X, i - 1, udot * (with_root ? I->root : 1.0));
    add_across(tree->state[i].r, F.x + 3, F.x);
    NSD_UNROLL(6)
    for (int c = 0; c < 6; c++) {
      F.x[c] += udot * I->U[c + c / 3];
    }
    is_handed = link->parent == i - 1;
    if (!is_handed && link->parent > 0) {
      add_four(tree->wrench[link->parent], &F);
      store_four(tree->wrench[link->parent], &F);
    }
  }
}

/* X := K⁻ᵀ X from the roots to the leaves. */
NSD_INLINE_LANES void descend_four(nsdyn_tree *tree, const four_rows *X)
{
  four A = {{nsd_lanes_all(0.0)}};
  store_four(tree->twist[0], &A);
  for (int32_t i = 1; i <= tree->nu; i++) {
    const nsd_link *link = &tree->link[i];
    const nsd_link_state *k = &tree->state[i];
    const nsd_articulated *I = &tree->articulated[i];
    const double back[3] = {-k->r[0], -k->r[1], -k->r[2]};
    if (link->parent != i - 1) {
      A = load_four(tree->twist[link->parent]);
    }
    const nsd_lanes udot = gather(X, i - 1) - (dot_three(I->V, A.x) + dot_three(I->V + 4, A.x + 3));
    add_across(back, A.x, A.x + 3); /* a + α × r */
    scatter(X, i - 1, udot);
    NSD_UNROLL(3)
    for (int c = 0; c < 3; c++) {
      A.x[c] += (link->turn * k->s[c]) * udot;
      A.x[3 + c] += (link->slide * k->s[c]) * udot;
    }
    if (link->is_fork) {
      store_four(tree->twist[i], &A);
    }
  }
}

/* X := X M⁻¹, or the half of it whose square that is. */
NSD_INLINE_LANES void solve_rows(nsdyn_tree *tree, int32_t rows, int half, double *X)
{
  for (int32_t i = 0; i < rows; i += NSD_TREE_ROWS) {
    four_rows some;
    for (int32_t j = 0; j < NSD_TREE_ROWS; j++) {
      some.x[j] = X + (size_t)(i + j < rows ? i + j : rows - 1) * (size_t)tree->nu;
    }
    climb_four(tree, half, &some);
    if (!half) {
      descend_four(tree, &some);
    }
  }
}

static void solve_plain(nsdyn_tree *tree, int32_t rows, int half, double *X)
{
  solve_rows(tree, rows, half, X);
}

NSD_TARGET_AVX2 static void solve_avx2(nsdyn_tree *tree, int32_t rows, int half, double *X)
{
  solve_rows(tree, rows, half, X);
}

static void solve_any(nsdyn_tree *tree, int32_t rows, int half, double *X)
{
  (nsd_cpu_avx2() ? solve_avx2 : solve_plain)(tree, rows, half, X);
}

static nsdyn_status refuse_count(nsdyn_tree *tree, const char *name, const char *what, int32_t count)
{
  return nsd_fault_set(&tree->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1,
                       "%s: %s is %d; it must not be negative", name, what, (int)count);
}

nsdyn_status nsdyn_tree_solve_mass(nsdyn_tree *tree, int32_t nrhs, double *X)
{
  static const char *const name = "nsdyn_tree_solve_mass";
  nsdyn_status status = nsd_tree_begin(tree, X, 2, name);
  if (!status && nrhs < 0) {
    status = refuse_count(tree, name, "nrhs", nrhs);
  }
  status = status ? status : nsd_tree_factor(tree, name);
  if (!status) {
    solve_any(tree, nrhs, 0, X);
  }
  return status;
}

nsdyn_status nsdyn_tree_accelerations(nsdyn_tree *tree, const double *tau, double *udot)
{
  static const char *const name = "nsdyn_tree_accelerations";
  nsdyn_status status = nsd_tree_begin(tree, udot, 2, name);
  if (status) {
    return status;
  }
  const size_t bytes = (size_t)tree->nu * sizeof *udot;
  if (tau && bytes) {
    memcpy(tree->tau, tau, bytes);
  } else {
    memset(tree->tau, 0, bytes);
  }
  status = conclude(tree, (nsd_cpu_avx2() ? accelerate_avx2 : accelerate_plain)(tree, tree->tau), name);
  if (!status && bytes) {
    memcpy(udot, tree->tau, bytes);
  }
  return status;
}

nsdyn_status nsdyn_tree_delassus(nsdyn_tree *tree, int32_t rows, double *W, double *G)
{
  static const char *const name = "nsdyn_tree_delassus";
  nsdyn_status status = nsd_tree_begin(tree, W, 2, name);
  status = status ? status : nsd_tree_begin(tree, G, 3, name);
  if (!status && rows < 0) {
    status = refuse_count(tree, name, "rows", rows);
  }
  status = status ? status : nsd_tree_factor(tree, name);
  if (status) {
    return status;
  }
  const int n = tree->nu;
  solve_any(tree, rows, 1, W);
  for (int32_t i = 0; i < rows; i++) { /* G = X Xᵀ, since M⁻¹ = (D⁻¹ᐟ² K⁻¹)ᵀ D⁻¹ᐟ² K⁻¹ */
    for (int32_t j = 0; j <= i; j++) {
      const double g = nsd_dot(n, W + (size_t)i * (size_t)n, W + (size_t)j * (size_t)n);
      G[(size_t)i * (size_t)rows + (size_t)j] = G[(size_t)j * (size_t)rows + (size_t)i] = g;
    }
  }
  return NSDYN_OK;
}
