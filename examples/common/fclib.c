/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "fclib.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

int fclib_is(const char *bytes, size_t length)
{
  static const char signature[] = "\x89HDF\r\n\x1a\n";
  return length >= sizeof signature - 1 && memcmp(bytes, signature, sizeof signature - 1) == 0;
}

void fclib_free(fclib_problem *problem)
{
  free(problem->numbers);
  free(problem->law_of);
  *problem = (fclib_problem){0};
}

#ifndef HAVE_HDF5

const char *fclib_read(fclib_problem *to, const char *path)
{
  (void)to, (void)path;
  return "it is an HDF5 file, and this program was built without HDF5";
}

#else

#include <hdf5.h>

/* ---- What stands in the file ---- */

/* All numbers of a set of data, as doubles or ints; NULL where there is none of the name. */
static void *read_data(hid_t file, const char *group, const char *name, hid_t type, size_t size, int *count)
{
  char path[96];
  snprintf(path, sizeof path, "%s/%s", group, name);
  *count = 0;
  const hid_t data = H5Dopen2(file, path, H5P_DEFAULT);
  if (data < 0) {
    return NULL;
  }
  const hid_t space = H5Dget_space(data);
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  void *values = NULL;
  if (points >= 0 && points < INT32_MAX) {
    values = memory(NULL, (size_t)points + 1, size);
    *count = (int)points;
    if (H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) {
      free(values);
      values = NULL;
    }
  }
  H5Sclose(space);
  H5Dclose(data);
  return values;
}

static double *read_doubles(hid_t file, const char *group, const char *name, int *count)
{
  return read_data(file, group, name, H5T_NATIVE_DOUBLE, sizeof(double), count);
}

static int *read_ints(hid_t file, const char *group, const char *name, int *count)
{
  return read_data(file, group, name, H5T_NATIVE_INT, sizeof(int), count);
}

static int read_int(hid_t file, const char *group, const char *name, int otherwise)
{
  int count;
  int *value = read_ints(file, group, name, &count);
  const int answer = value && count == 1 ? *value : otherwise;
  free(value);
  return answer;
}

typedef struct matrix {
  int m, n;
  double *x; /* m × n */
} matrix;

/* A sparse matrix as CSparse keeps it, made dense: nz >= 0 triplets, −1 by columns, −2 by rows. */
static int fill_matrix(matrix *to, int nz, const int *p, int ps, const int *i, int is, const double *x,
                       int xs)
{
  const int lines = nz == -1 ? to->n : to->m;
  if (nz >= 0 ? ps < nz || is < nz || xs < nz : nz < -2 || ps < lines + 1 || p[0] != 0) {
    return 0;
  }
  const int total = nz >= 0 ? nz : p[lines];
  int line = 0;
  for (int k = 0; k < total; k++) {
    while (nz < 0 && line < lines && k >= p[line + 1]) {
      line++;
    }
    if (k >= is || k >= xs || line >= lines + (nz >= 0)) {
      return 0;
    }
    const int row = nz >= 0 ? p[k] : nz == -1 ? i[k] : line, column = nz >= 0 || nz == -2 ? i[k] : line;
    if (row < 0 || row >= to->m || column < 0 || column >= to->n) {
      return 0;
    }
    to->x[(size_t)row * (size_t)to->n + (size_t)column] += x[k];
  }
  return 1;
}

static int read_matrix(hid_t file, const char *group, matrix *to)
{
  int ps, is, xs;
  *to = (matrix){.m = read_int(file, group, "m", -1), .n = read_int(file, group, "n", -1)};
  int *p = read_ints(file, group, "p", &ps), *i = read_ints(file, group, "i", &is);
  double *x = read_doubles(file, group, "x", &xs);
  int good = p && i && x && to->m >= 0 && to->n >= 0;
  if (good) {
    to->x = memory(NULL, (size_t)to->m * (size_t)to->n + 1, sizeof *to->x);
    memset(to->x, 0, (size_t)to->m * (size_t)to->n * sizeof *to->x);
    good = fill_matrix(to, read_int(file, group, "nz", -3), p, ps, i, is, x, xs);
  }
  free(p);
  free(i);
  free(x);
  return good;
}

static int has(hid_t file, const char *path)
{
  return H5Lexists(file, path, H5P_DEFAULT) > 0;
}

/* ---- The problem of it ---- */

/* Room for G, c and mu, and a law for `dimension` rows a contact; the wrong number of rows: a message. */
static const char *begin(fclib_problem *to, int dimension, int own, int bilateral, const double *mu, int mus)
{
  if (dimension != 2 && dimension != 3) {
    return "its spacedim is not 2 or 3";
  }
  const int contacts = own / dimension;
  if (own % dimension != 0 || !mu || mus != contacts) {
    return "its mu has not one number for each contact";
  }
  const size_t rows = (size_t)own + (size_t)bilateral;
  to->numbers = memory(NULL, rows * (rows + 1) + (size_t)contacts + 1, sizeof *to->numbers);
  to->law_of = memory(NULL, (size_t)contacts + 1, sizeof *to->law_of);
  double *c = to->numbers + rows * rows, *coefficient = c + rows;
  for (int i = 0; i < contacts; i++) {
    to->law_of[i] = 0;
    coefficient[i] = mu[i];
  }
  nsdyn_contact_law_init(&to->law, sizeof to->law);
  to->law.tangents = dimension - 1;
  nsdyn_contact_problem_init(&to->p, sizeof to->p);
  to->p.contacts = contacts;
  to->p.bilateral = bilateral;
  to->p.nlaws = 1;
  to->p.laws = &to->law;
  to->p.law = to->law_of;
  to->p.G = to->numbers;
  to->p.ldg = (int64_t)rows;
  to->p.c = c;
  to->p.mu = coefficient;
  return NULL;
}

/* G = [W V; Vᵀ R], c = [q; s]. */
static const char *read_local(fclib_problem *to, hid_t file, const double *mu, int mus)
{
  matrix W = {0}, V = {0}, R = {0};
  int qs, ss = 0;
  const int has_rows = has(file, "/fclib_local/V");
  double *q = read_doubles(file, "/fclib_local/vectors", "q", &qs);
  double *s = has_rows ? read_doubles(file, "/fclib_local/vectors", "s", &ss) : NULL;
  const char *fault = NULL;
  if (!read_matrix(file, "/fclib_local/W", &W) || W.m != W.n || !q || qs != W.m) {
    fault = "its W or q cannot be read";
  } else if (has_rows &&
             (!read_matrix(file, "/fclib_local/V", &V) || !read_matrix(file, "/fclib_local/R", &R) ||
              V.m != W.m || R.m != V.n || R.n != V.n || !s || ss != R.m)) {
    fault = "its V, R or s cannot be read";
  } else {
    fault = begin(to, read_int(file, "/fclib_local", "spacedim", 0), W.m, R.m, mu, mus);
  }
  const int own = W.m, rows = own + R.m;
  for (int i = 0; i < rows && !fault; i++) {
    for (int j = 0; j < rows; j++) {
      to->numbers[(size_t)i * (size_t)rows + (size_t)j] =
          i < own ? (j < own ? W.x[(size_t)i * (size_t)own + (size_t)j]
                             : V.x[(size_t)i * (size_t)V.n + (size_t)(j - own)])
                  : (j < own ? V.x[(size_t)j * (size_t)V.n + (size_t)(i - own)]
                             : R.x[(size_t)(i - own) * (size_t)R.n + (size_t)(j - own)]);
    }
    to->numbers[(size_t)rows * (size_t)rows + (size_t)i] = i < own ? q[i] : s[i - own];
  }
  free(W.x);
  free(V.x);
  free(R.x);
  free(q);
  free(s);
  return fault;
}

/* M = L Lᵀ in place; 0 where it is not positive definite. */
static int factor(matrix *M)
{
  const size_t n = (size_t)M->n;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j <= i; j++) {
      double sum = M->x[i * n + j];
      for (size_t k = 0; k < j; k++) {
        sum -= M->x[i * n + k] * M->x[j * n + k];
      }
      if (i == j && !(sum > 0.0)) {
        return 0;
      }
      M->x[i * n + j] = i == j ? sqrt(sum) : sum / M->x[j * n + j];
    }
  }
  return 1;
}

/* The rows of W are the columns of H and G: G_Delassus = X Xᵀ with X = W L⁻ᵀ, c = [w; b] + X L⁻¹ f. */
static const char *eliminate(fclib_problem *to, matrix *M, const matrix *H, const matrix *G, const double *f,
                             const double *w, const double *b)
{
  const size_t nu = (size_t)M->n, own = (size_t)H->n, rows = own + (size_t)G->n;
  double *X = memory(NULL, (rows + 1) * nu + 1, sizeof *X), *z = X + rows * nu;
  const char *fault = factor(M) ? NULL : "its M is not positive definite";
  for (size_t i = 0; i < rows; i++) {
    for (size_t k = 0; k < nu; k++) {
      X[i * nu + k] = i < own ? H->x[k * own + i] : G->x[k * (size_t)G->n + (i - own)];
    }
  }
  if (!fault && nsdyn_contact_delassus((int32_t)rows, (int32_t)nu, X, (int64_t)nu, M->x, (int64_t)nu, X,
                                       to->numbers, (int64_t)rows)) {
    fault = "its M, H and G make no Delassus matrix";
  }
  for (size_t k = 0; k < nu && !fault; k++) {
    z[k] = f[k];
    for (size_t j = 0; j < k; j++) {
      z[k] -= M->x[k * nu + j] * z[j];
    }
    z[k] /= M->x[k * nu + k];
  }
  double *c = to->numbers + rows * rows;
  for (size_t i = 0; i < rows && !fault; i++) {
    c[i] = i < own ? w[i] : b[i - own];
    for (size_t k = 0; k < nu; k++) {
      c[i] += X[i * nu + k] * z[k];
    }
  }
  free(X);
  return fault;
}

static const char *read_global(fclib_problem *to, hid_t file, const double *mu, int mus)
{
  matrix M = {0}, H = {0}, G = {0};
  int fs, ws, bs = 0;
  const int has_rows = has(file, "/fclib_global/G");
  double *f = read_doubles(file, "/fclib_global/vectors", "f", &fs);
  double *w = read_doubles(file, "/fclib_global/vectors", "w", &ws);
  double *b = has_rows ? read_doubles(file, "/fclib_global/vectors", "b", &bs) : NULL;
  const char *fault = NULL;
  if (!read_matrix(file, "/fclib_global/M", &M) || !read_matrix(file, "/fclib_global/H", &H) || M.m != M.n ||
      H.m != M.m || !f || fs != M.m || !w || ws != H.n) {
    fault = "its M, H, f or w cannot be read";
  } else if (has_rows && (!read_matrix(file, "/fclib_global/G", &G) || G.m != M.m || !b || bs != G.n)) {
    fault = "its G or b cannot be read";
  } else {
    fault = begin(to, read_int(file, "/fclib_global", "spacedim", 0), H.n, G.n, mu, mus);
  }
  fault = fault ? fault : eliminate(to, &M, &H, &G, f, w, b);
  free(M.x);
  free(H.x);
  free(G.x);
  free(f);
  free(w);
  free(b);
  return fault;
}

const char *fclib_read(fclib_problem *to, const char *path)
{
  *to = (fclib_problem){0};
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* what is wrong is said in one line, by us */
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) {
    return "it cannot be opened as HDF5";
  }
  const int is_local = has(file, "/fclib_local"), is_global = has(file, "/fclib_global");
  int mus = 0;
  double *mu = read_doubles(file, is_local ? "/fclib_local/vectors" : "/fclib_global/vectors", "mu", &mus);
  const char *fault = is_local    ? read_local(to, file, mu, mus)
                      : is_global ? read_global(to, file, mu, mus)
                                  : "it holds neither fclib_local nor fclib_global";
  free(mu);
  H5Fclose(file);
  if (fault) {
    fclib_free(to);
  }
  return fault;
}

#endif
