/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Writes a small problem as FCLIB's HDF5 files do: write_fclib FILE KIND, KIND one of local, rows (compressed
 * by rows), triplets, bilateral, global, flat (in the plane), wrong (an index beyond the matrix), empty.
 *
 * A particle of 2 kg at rest on a floor, pulled along it with 3 and 4 N s and pressed on it with 20 N s, one
 * of 4 kg likewise; with μ = 0.5 the first sticks, with μ = 0.1 the second slides. The bilateral row is a
 * third particle of 1 kg that does not move along x, pulled with 7 N s. */
#include <hdf5.h>
#include <string.h>

static hid_t file;

static void put(const char *path, hid_t type, int count, const void *values)
{
  const hsize_t size = (hsize_t)count;
  const hid_t space = H5Screate_simple(1, &size, NULL), links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  const hid_t data = H5Dcreate2(file, path, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(data);
  H5Pclose(links);
  H5Sclose(space);
}

static void put_int(const char *group, const char *name, int value)
{
  char path[64];
  snprintf(path, sizeof path, "%s/%s", group, name);
  put(path, H5T_NATIVE_INT, 1, &value);
}

static void put_doubles(const char *group, const char *name, int count, const double *values)
{
  char path[64];
  snprintf(path, sizeof path, "%s/%s", group, name);
  put(path, H5T_NATIVE_DOUBLE, count, values);
}

/* m × n numbers with their zeros left out; form −1: by columns, −2: by rows, 0: triplets. */
static void put_matrix(const char *group, int m, int n, const double *A, int form)
{
  int p[65], i[64], count = 0;
  double x[64];
  const int lines = form == -1 ? n : m, others = form == -1 ? m : n;
  for (int line = 0; line < lines; line++) {
    p[form ? line : 64] = count;
    for (int k = 0; k < others; k++) {
      const int row = form == -1 ? k : line, column = form == -1 ? line : k;
      if (A[row * n + column] != 0.0) {
        if (form == 0) {
          p[count] = row;
        }
        i[count] = form == 0 ? column : k;
        x[count++] = A[row * n + column];
      }
    }
  }
  if (form) {
    p[lines] = count;
  }
  char path[64];
  put_int(group, "m", m);
  put_int(group, "n", n);
  put_int(group, "nzmax", count);
  put_int(group, "nz", form ? form : count);
  snprintf(path, sizeof path, "%s/p", group);
  put(path, H5T_NATIVE_INT, form ? lines + 1 : count, p);
  snprintf(path, sizeof path, "%s/i", group);
  put(path, H5T_NATIVE_INT, count, i);
  put_doubles(group, "x", count, x);
}

static const double mu[2] = {0.5, 0.1};

static void put_local(int form, int has_bilateral, int is_wrong)
{
  const double W[36] = {0.5, 0.0, 0.0, 0.0, 0.0,  0.0, 0.0, 0.5, 0.0, 0.0,  0.0, 0.0,
                        0.0, 0.0, 0.5, 0.0, 0.0,  0.0, 0.0, 0.0, 0.0, 0.25, 0.0, 0.0,
                        0.0, 0.0, 0.0, 0.0, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0,  0.0, 0.25};
  const double q[6] = {-10.0, 1.5, 2.0, -5.0, 0.75, 1.0};
  put_int("/fclib_local", "spacedim", 3);
  put_matrix("/fclib_local/W", 6, 6, W, form);
  put_doubles("/fclib_local/vectors", "q", is_wrong ? 5 : 6, q);
  put_doubles("/fclib_local/vectors", "mu", 2, mu);
  if (has_bilateral) {
    const double V[6] = {0.0}, R[1] = {1.0}, s[1] = {7.0};
    put_matrix("/fclib_local/V", 6, 1, V, -1);
    put_matrix("/fclib_local/R", 1, 1, R, -1);
    put_doubles("/fclib_local/vectors", "s", 1, s);
  }
}

/* The same from M, H and f: velocities (z, x, y) of two particles and x of a third. */
static void put_global(void)
{
  double M[49] = {0.0}, H[42] = {0.0}, G[7] = {0.0};
  const double f[7] = {-20.0, 3.0, 4.0, -20.0, 3.0, 4.0, 7.0}, w[6] = {0.0}, b[1] = {0.0};
  for (int k = 0; k < 7; k++) {
    M[8 * k] = k < 3 ? 2.0 : k < 6 ? 4.0 : 1.0;
  }
  for (int k = 0; k < 6; k++) {
    H[7 * k] = 1.0;
  }
  G[6] = 1.0;
  put_int("/fclib_global", "spacedim", 3);
  put_matrix("/fclib_global/M", 7, 7, M, -1);
  put_matrix("/fclib_global/H", 7, 6, H, -1);
  put_matrix("/fclib_global/G", 7, 1, G, -1);
  put_doubles("/fclib_global/vectors", "f", 7, f);
  put_doubles("/fclib_global/vectors", "w", 6, w);
  put_doubles("/fclib_global/vectors", "b", 1, b);
  put_doubles("/fclib_global/vectors", "mu", 2, mu);
}

/* In the plane: the pulls along it with their lengths. */
static void put_flat(void)
{
  const double W[16] = {0.5, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.25, 0.0, 0.0, 0.0, 0.0, 0.25};
  const double q[4] = {-10.0, 2.5, -5.0, 1.25};
  put_int("/fclib_local", "spacedim", 2);
  put_matrix("/fclib_local/W", 4, 4, W, -2);
  put_doubles("/fclib_local/vectors", "q", 4, q);
  put_doubles("/fclib_local/vectors", "mu", 2, mu);
}

int main(int argc, char **argv)
{
  if (argc != 3) {
    return 2;
  }
  const char *kind = argv[2];
  file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (strcmp(kind, "global") == 0) {
    put_global();
  } else if (strcmp(kind, "flat") == 0) {
    put_flat();
  } else if (strcmp(kind, "empty") != 0) {
    put_local(strcmp(kind, "rows") == 0       ? -2
              : strcmp(kind, "triplets") == 0 ? 0
                                              : -1,
              strcmp(kind, "bilateral") == 0, strcmp(kind, "wrong") == 0);
  }
  return H5Fclose(file) < 0;
}
