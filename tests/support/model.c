/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model.h"

#include <string.h>

#include "random.h"

void model_clear(model *m, int nu)
{
  memset(m, 0, sizeof *m);
  m->nu = nu;
  for (int i = 0; i < nu; i++) {
    m->M0[i * nu + i] = 1.0;
  }
}

model_contact *model_add_contact(model *m, double g0, int j, int k, double mu, double eps_n)
{
  model_contact *c = &m->contact[m->contacts++];
  memset(c, 0, sizeof *c);
  nsdyn_contact_law_init(&c->law, sizeof c->law);
  c->law.mu = mu;
  c->law.eps_n = eps_n;
  c->g0 = g0;
  c->n[j] = 1.0;
  c->law.friction = k < 0 ? NSDYN_FRICTION_NONE : NSDYN_FRICTION_COULOMB;
  if (k >= 0) {
    c->tangent[k] = 1.0;
  }
  m->known = m->contacts;
  return c;
}

/* ---- what it computes ---- */

static double dot(int n, const double *a, const double *b)
{
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    sum += a[i] * b[i];
  }
  return sum;
}

double model_gap(const model_contact *c, int nu, double t, const double *q)
{
  const double x = dot(nu, c->n, q);
  return c->g0 + x + 0.5 * c->bend * x * x + c->rate * t;
}

void model_direction(const model_contact *c, int nu, const double *q, double *w_N)
{
  const double factor = 1.0 + c->bend * dot(nu, c->n, q);
  for (int i = 0; i < nu; i++) {
    w_N[i] = factor * c->n[i];
  }
}

void model_mass(const model *m, const double *q, double *M)
{
  const double x = dot(m->nu, m->s, q);
  for (int i = 0; i < m->nu * m->nu; i++) {
    M[i] = m->M0[i] + x * x * m->M1[i];
  }
}

void model_force(const model *m, const double *q, const double *u, double *h)
{
  for (int i = 0; i < m->nu; i++) {
    h[i] = m->f[i] - dot(m->nu, m->K + i * m->nu, q) - dot(m->nu, m->D + i * m->nu, u);
  }
}

/* ---- callbacks ---- */

/* Counts the call; whether it is the one that fails. */
static int is_bad(model *m, int callback)
{
  m->calls[callback]++;
  return m->fails == callback;
}

/* What a failing callback does at its end. */
static int spoil(const model *m, int callback, double *output)
{
  if (m->fails != callback) {
    return 0;
  }
  if (m->code == 0 && output) {
    output[m->where] = m->value;
  }
  return m->code;
}

static int configure(void *user, double t, const double *q)
{
  (void)t, (void)q;
  model *m = user;
  return is_bad(m, MODEL_CONFIGURE) ? m->code : 0;
}

static void write_blocks(const model *m, const double *q, double *M)
{
  double whole[MODEL_MOST * MODEL_MOST];
  model_mass(m, q, whole);
  for (int b = 0, first = 0; b < m->nblocks; first += m->block[b], b++) {
    for (int i = 0; i < m->block[b]; i++) {
      for (int j = 0; j < m->block[b]; j++) {
        *M++ = whole[(first + i) * m->nu + first + j];
      }
    }
  }
}

static int mass(void *user, double t, const double *q, double *M)
{
  (void)t;
  model *m = user;
  (void)is_bad(m, MODEL_MASS);
  if (m->writes_blocks) {
    write_blocks(m, q, M);
  } else {
    model_mass(m, q, M);
  }
  return spoil(m, MODEL_MASS, M);
}

/* By Gauss's method without pivots, which M does not need. */
static int solve_mass(void *user, double t, const double *q, int32_t nrhs, double *X)
{
  (void)t;
  model *m = user;
  const int n = m->nu;
  (void)is_bad(m, MODEL_SOLVE_MASS);
  for (int r = 0; r < nrhs; r++) {
    double M[MODEL_MOST * MODEL_MOST] = {0.0}, *x = X + r * n;
    model_mass(m, q, M);
    for (int k = 0; k < n; k++) {
      for (int i = k + 1; i < n; i++) {
        const double factor = M[i * n + k] / M[k * n + k];
        for (int j = k; j < n; j++) {
          M[i * n + j] -= factor * M[k * n + j];
        }
        x[i] -= factor * x[k];
      }
    }
    for (int i = n - 1; i >= 0; i--) {
      for (int j = i + 1; j < n; j++) {
        x[i] -= M[i * n + j] * x[j];
      }
      x[i] /= M[i * n + i];
    }
  }
  return spoil(m, MODEL_SOLVE_MASS, X);
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)t;
  model *m = user;
  (void)is_bad(m, MODEL_FORCE);
  if (m->inside) {
    m->inside(m->inside_data);
  }
  model_force(m, q, u, h);
  return spoil(m, MODEL_FORCE, h);
}

static int gap(void *user, double t, const double *q, double *g)
{
  model *m = user;
  (void)is_bad(m, MODEL_GAP);
  for (int i = 0; i < m->known; i++) {
    g[i] = model_gap(&m->contact[i], m->nu, t, q);
  }
  return spoil(m, MODEL_GAP, g);
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)t;
  model *m = user;
  const model_contact *c = &m->contact[i];
  (void)is_bad(m, MODEL_DIRECTION);
  model_direction(c, m->nu, q, W);
  memcpy(W + m->nu, c->tangent, (size_t)m->nu * sizeof *W);
  w_hat[0] = c->rate;
  w_hat[1] = c->belt;
  return spoil(m, MODEL_DIRECTION, W);
}

static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  (void)u;
  model *m = user;
  const int n = m->nu;
  (void)is_bad(m, MODEL_FIND);
  for (int i = m->known; i < m->contacts; i++) {
    const model_contact *c = &m->contact[i];
    double W[2 * MODEL_MOST], row_last[2];
    nsdyn_found_contact found;
    nsdyn_found_contact_init(&found, sizeof found);
    model_direction(c, n, q, W);
    memcpy(W + n, c->tangent, (size_t)n * sizeof *W);
    /* In two blocks: all velocities but the last, and the last. */
    row_last[0] = W[n - 1];
    row_last[1] = W[2 * n - 1];
    double head[2 * MODEL_MOST];
    for (int r = 0; r < 2; r++) {
      memcpy(head + r * (n - 1), W + r * n, (size_t)(n - 1) * sizeof *W);
    }
    const nsdyn_contact_block blocks[2] = {{0, n - 1, head}, {n - 1, 1, row_last}};
    found.key = c->key;
    found.gap = model_gap(c, n, t, q);
    found.law = c->law_number;
    found.blocks = 2;
    found.block = blocks;
    found.w_hat[0] = c->rate;
    found.w_hat[1] = c->belt;
    if (found.gap > margin) {
      continue;
    }
    if (m->fails == MODEL_FIND && m->code == 0) {
      head[0] = m->value;
    }
    if (nsdyn_contact_sink_add(sink, &found)) {
      return -1;
    }
  }
  return spoil(m, MODEL_FIND, NULL);
}

static int constraint(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  model *m = user;
  (void)is_bad(m, MODEL_CONSTRAINT);
  for (int i = 0; i < m->constraints; i++) {
    const model_contact *c = &m->constraint[i];
    g_b[i] = model_gap(c, m->nu, t, q);
    model_direction(c, m->nu, q, W_b + i * m->nu);
    w_hat_b[i] = c->rate;
  }
  return spoil(m, MODEL_CONSTRAINT, W_b);
}

static int kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  (void)t, (void)q;
  model *m = user;
  (void)is_bad(m, MODEL_KINEMATICS);
  memcpy(qdot, u, (size_t)m->nu * sizeof *u);
  return spoil(m, MODEL_KINEMATICS, qdot);
}

static int retract(void *user, double t, const double *q, const double *u, double dt, double *q_new)
{
  (void)t;
  model *m = user;
  (void)is_bad(m, MODEL_RETRACT);
  for (int i = 0; i < m->nu; i++) {
    q_new[i] = q[i] + dt * u[i];
  }
  return spoil(m, MODEL_RETRACT, q_new);
}

int model_curve(void *user, double speed, double *mu)
{
  model *m = user;
  (void)is_bad(m, MODEL_CURVE);
  *mu = 0.4 + 0.2 / (1.0 + speed);
  return spoil(m, MODEL_CURVE, mu);
}

/* ---- systems ---- */

nsdyn_system_def model_def(model *m, int64_t flags, int extra)
{
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = m->nu;
  def.ncontacts = m->known;
  def.nconstraints = m->constraints;
  def.flags = flags;
  def.nblocks = m->writes_blocks ? m->nblocks : 0;
  def.block = m->block;
  def.user = m;
  def.configure = configure;
  def.mass = mass;
  def.solve_mass = extra & MODEL_SOLVES ? solve_mass : NULL;
  def.force = force;
  def.gap = gap;
  def.direction = direction;
  def.find = m->contacts > m->known ? find : NULL;
  def.constraint = m->constraints ? constraint : NULL;
  def.kinematics = extra & MODEL_MOVES ? kinematics : NULL;
  def.retract = extra & MODEL_RETRACTS ? retract : NULL;
  return def;
}

nsdyn_status model_system(model *m, nsdyn_context *ctx, int64_t flags, int extra, nsdyn_system **out)
{
  const nsdyn_system_def def = model_def(m, flags, extra);
  nsdyn_status status = nsdyn_system_new(ctx, &def, out, NULL);
  for (int i = 0; status == NSDYN_OK && i < m->contacts; i++) {
    model_contact *c = &m->contact[i];
    if (c->law.friction == NSDYN_FRICTION_CURVE && !c->law.curve) {
      c->law.curve = model_curve;
      c->law.user = m;
    }
    status = i < m->known ? nsdyn_system_set_contact(*out, i, &c->law)
                          : nsdyn_system_add_law(*out, &c->law, &c->law_number);
  }
  if (status && *out) {
    nsdyn_system_free(*out);
    *out = NULL;
  }
  return status;
}

/* ---- a random one ---- */

static double uniform(random_state *random)
{
  return random_between(random, -1.0, 1.0);
}

static void random_definite(random_state *random, int n, double *A)
{
  double B[MODEL_MOST * MODEL_MOST];
  for (int i = 0; i < n * n; i++) {
    B[i] = uniform(random);
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      A[i * n + j] = dot(n, B + i * n, B + j * n) + (i == j ? 0.5 : 0.0);
    }
  }
}

static void random_contact(random_state *random, int nu, model_contact *c)
{
  memset(c, 0, sizeof *c);
  nsdyn_contact_law_init(&c->law, sizeof c->law);
  for (int i = 0; i < nu; i++) {
    c->n[i] = uniform(random);
    c->tangent[i] = uniform(random);
  }
  c->g0 = 0.2 * uniform(random);
  c->bend = 0.3 * uniform(random);
  c->rate = 0.1 * uniform(random);
  c->belt = 0.3 * uniform(random);
  c->law.mu = 0.5 + 0.5 * uniform(random);
}

void model_random(model *m, random_state *random, int nu, int known, int found, int constraints)
{
  model_clear(m, nu);
  random_definite(random, nu, m->M0);
  random_definite(random, nu, m->M1);
  random_definite(random, nu, m->K);
  random_definite(random, nu, m->D);
  for (int i = 0; i < nu; i++) {
    m->s[i] = uniform(random);
    m->f[i] = 3.0 * uniform(random);
  }
  for (int i = 0; i < known + found; i++) {
    random_contact(random, nu, &m->contact[i]);
    m->contact[i].key = 1000000007LL * (i - known) - 5;
  }
  for (int i = 0; i < constraints; i++) {
    random_contact(random, nu, &m->constraint[i]);
    m->constraint[i].rate *= 0.1;
  }
  m->known = known;
  m->contacts = known + found;
  m->constraints = constraints;
  /* Moving surfaces may ask for what redundant rows cannot give: there is always a solution where
   * G is positive definite, or nothing moves. */
  for (int i = 0; 2 * m->contacts + constraints > nu && i < m->contacts; i++) {
    m->contact[i].rate = m->contact[i].belt = 0.0;
  }
  for (int i = 0; 2 * m->contacts + constraints > nu && i < constraints; i++) {
    m->constraint[i].rate = 0.0;
  }
}

void model_cut(model *m, random_state *random)
{
  int block_of[MODEL_MOST];
  m->nblocks = 0;
  for (int first = 0; first < m->nu; m->nblocks++) {
    const int size = 1 + random_below(random, m->nu - first);
    m->block[m->nblocks] = size;
    for (int i = first; i < first + size; i++) {
      block_of[i] = m->nblocks;
    }
    first += size;
  }
  for (int i = 0; i < m->nu; i++) {
    for (int j = 0; j < m->nu; j++) {
      if (block_of[i] != block_of[j]) {
        m->M0[i * m->nu + j] = m->M1[i * m->nu + j] = 0.0;
      }
    }
  }
}
