/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/operator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"
#include "support/space_piles.h"

/* The same G told in three ways. */
typedef struct forms {
  space_pile p;
  int *rows_of;
  int cells;
  nsd_operator dense, sparse, free;
} forms;

/* Contacts of three rows; the last two of all are split into cells of one and two rows, as bilateral rows and
 * planar contacts are. */
static forms make(int kind, pile_load load, int contacts, uint64_t seed)
{
  random_state random = random_seed(seed);
  forms f = {.p = space_pile_make((space_pile_kind)kind, load, contacts, &random)};
  space_pile_delassus(&f.p);
  f.cells = f.p.contacts + 2;
  f.rows_of = calloc((size_t)f.cells, sizeof *f.rows_of);
  for (int i = 0; i < f.cells; i++) {
    f.rows_of[i] = i < f.p.contacts - 2 ? 3 : i % 2 ? 1 : 2;
  }
  f.rows_of[f.p.contacts - 2] = f.rows_of[f.p.contacts] = 2;
  f.rows_of[f.p.contacts - 1] = f.rows_of[f.p.contacts + 1] = 1;
  nsd_operator *all[] = {&f.dense, &f.sparse, &f.free};
  for (int i = 0; i < 3; i++) {
    nsd_operator_init(all[i], NULL);
  }
  const int n = f.p.rows;
  const nsd_operator_rows dense = {.value = f.p.G, .stride = n, .columns = n};
  ck_assert_int_eq(nsd_operator_read(&f.dense, f.cells, f.rows_of, &dense, NULL, NULL), NSDYN_OK);
  /* The elements of G that are not zero. */
  int64_t *begin = calloc((size_t)n + 1, sizeof *begin);
  int32_t *column = calloc((size_t)n * (size_t)n, sizeof *column);
  double *value = calloc((size_t)n * (size_t)n, sizeof *value);
  int64_t at = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      if (f.p.G[(size_t)i * (size_t)n + (size_t)j] != 0.0) {
        column[at] = j;
        value[at++] = f.p.G[(size_t)i * (size_t)n + (size_t)j];
      }
    }
    begin[i + 1] = at;
  }
  const nsd_operator_rows sparse = {.value = value, .begin = begin, .column = column, .columns = n};
  ck_assert_int_eq(nsd_operator_read(&f.sparse, f.cells, f.rows_of, &sparse, NULL, NULL), NSDYN_OK);
  free(begin);
  free(column);
  free(value);
  const nsd_operator_rows W = {
      .value = f.p.value, .begin = f.p.begin, .column = f.p.column, .columns = f.p.nu};
  const nsd_operator_bodies bodies = {.size = f.p.size, .inverse = f.p.inverse, .bodies = f.p.bodies};
  ck_assert_int_eq(nsd_operator_read(&f.free, f.cells, f.rows_of, &W, &bodies, NULL), NSDYN_OK);
  return f;
}

static void release(forms *f)
{
  nsd_operator_release(&f->dense);
  nsd_operator_release(&f->sparse);
  nsd_operator_release(&f->free);
  free(f->rows_of);
  space_pile_free(&f->p);
}

/* G x and |G| |x| by the matrix. */
static double row_by_matrix(const forms *f, int row, const double *x, double *size)
{
  double sum = 0.0;
  *size = 0.0;
  for (int j = 0; j < f->p.rows; j++) {
    const double term = f->p.G[(size_t)row * (size_t)f->p.rows + (size_t)j] * x[j];
    sum += term;
    *size += fabs(term);
  }
  return sum;
}

START_TEST(all_forms_give_the_product_of_the_matrix)
{
  for (int kind = 0; kind < SPACE_PILE_KINDS; kind++) {
    for (int size = 4; size < 70; size += 30) {
      forms f = make(kind, PILE_REST, size, (uint64_t)size);
      random_state random = random_seed((uint64_t)kind);
      const size_t most = (size_t)(f.p.rows > f.p.nu ? f.p.rows : f.p.nu);
      double *Lambda = calloc(most, sizeof *Lambda), *state = calloc(most, sizeof *state);
      double *sizes = calloc(most, sizeof *sizes);
      for (int i = 0; i < f.p.rows; i++) {
        Lambda[i] = random_normal(&random);
      }
      const nsd_operator *all[] = {&f.dense, &f.sparse, &f.free};
      for (int form = 0; form < 3; form++) {
        nsd_operator_start(all[form], Lambda, state);
        nsd_operator_start_sizes(all[form], Lambda, sizes);
        for (int cell = 0; cell < f.cells; cell++) {
          double y[3], s[3];
          nsd_operator_product(all[form], cell, state, y);
          nsd_operator_product_sizes(all[form], cell, sizes, s);
          for (int i = 0; i < f.rows_of[cell]; i++) {
            double exact_size;
            const double exact = row_by_matrix(&f, all[form]->row[cell] + i, Lambda, &exact_size);
            REQUIRE(fabs(y[i] - exact) <= 1e-14 * s[i], "kind %d form %d: %g for %g", kind, form, y[i],
                    exact);
            /* What rounding is judged by is no smaller than what a matrix would say. */
            REQUIRE(s[i] >= (1.0 - 1e-14) * exact_size, "kind %d form %d: %g below %g", kind, form, s[i],
                    exact_size);
            REQUIRE(form == 2 || s[i] <= (1.0 + 1e-14) * exact_size, "kind %d form %d: size %g", kind, form,
                    s[i]);
          }
        }
      }
      free(Lambda);
      free(state);
      free(sizes);
      release(&f);
    }
  }
}
END_TEST

START_TEST(own_blocks_are_those_of_the_diagonal)
{
  for (int kind = 0; kind < SPACE_PILE_KINDS; kind++) {
    forms f = make(kind, PILE_REST, 30, 1);
    const nsd_operator *all[] = {&f.dense, &f.sparse, &f.free};
    for (int form = 0; form < 3; form++) {
      for (int cell = 0; cell < f.cells; cell++) {
        const int row = all[form]->row[cell];
        for (int i = 0; i < f.rows_of[cell]; i++) {
          for (int j = 0; j < f.rows_of[cell]; j++) {
            const double exact = f.p.G[(size_t)(row + i) * (size_t)f.p.rows + (size_t)(row + j)];
            const double own = all[form]->own[9 * cell + 3 * i + j];
            const double size = f.p.G[(size_t)row * (size_t)f.p.rows + (size_t)row];
            REQUIRE(fabs(own - exact) <= 1e-14 * size * 100.0, "kind %d form %d: %g for %g", kind, form, own,
                    exact);
          }
        }
      }
    }
    release(&f);
  }
}
END_TEST

/* Changes of single cells add up to the product of the whole, and `others` leaves out the cell's own part. */
START_TEST(changes_follow_single_cells)
{
  for (int kind = 0; kind < SPACE_PILE_KINDS; kind++) {
    forms f = make(kind, PILE_REST, 30, 2);
    random_state random = random_seed(7);
    const size_t most = (size_t)(f.p.rows > f.p.nu ? f.p.rows : f.p.nu);
    double *Lambda = calloc(most, sizeof *Lambda), *state = calloc(most, sizeof *state);
    const nsd_operator *all[] = {&f.dense, &f.sparse, &f.free};
    for (int form = 0; form < 3; form++) {
      const nsd_operator *op = all[form];
      for (int i = 0; i < f.p.rows; i++) {
        Lambda[i] = random_normal(&random);
      }
      nsd_operator_start(op, Lambda, state);
      for (int k = 0; k < 200; k++) {
        const int cell = random_below(&random, f.cells);
        double d[3] = {0.0, 0.0, 0.0};
        for (int i = 0; i < f.rows_of[cell]; i++) {
          d[i] = random_normal(&random);
          Lambda[op->row[cell] + i] += d[i];
        }
        nsd_operator_change(op, cell, d, state);
        double y[3] = {0.0, 0.0, 0.0};
        nsd_operator_others(op, cell, state, Lambda, y);
        for (int i = 0; i < f.rows_of[cell]; i++) {
          double sum = y[i];
          for (int j = 0; j < f.rows_of[cell]; j++) {
            sum += op->own[9 * cell + 3 * i + j] * Lambda[op->row[cell] + j];
          }
          double size;
          const double exact = row_by_matrix(&f, op->row[cell] + i, Lambda, &size);
          REQUIRE(fabs(sum - exact) <= 1e-12 * size, "kind %d form %d: %g for %g", kind, form, sum, exact);
        }
      }
    }
    free(Lambda);
    free(state);
    release(&f);
  }
}
END_TEST

/* Rows of a pile told by parts, which begin and end anywhere, and of which some hold nothing. */
typedef struct told {
  const space_pile *p;
  nsd_part *part; /* of each contact up to its end */
  int *parts;     /* contacts + 1 */
  double *value;
  int *values;
} told;

static told tell(const space_pile *p, random_state *random)
{
  const size_t n = (size_t)p->contacts, nu = (size_t)p->nu;
  told t = {.p = p,
            .part = calloc(n * nu, sizeof *t.part),
            .parts = calloc(n + 1, sizeof *t.parts),
            .value = calloc(3 * n * nu, sizeof *t.value),
            .values = calloc(n + 1, sizeof *t.values)};
  double *W = calloc(3 * nu, sizeof *W);
  for (int i = 0; i < p->contacts; i++) {
    memset(W, 0, 3 * nu * sizeof *W);
    for (int r = 0; r < 3; r++) {
      for (int64_t e = p->begin[3 * i + r]; e < p->begin[3 * i + r + 1]; e++) {
        W[(size_t)r * nu + (size_t)p->column[e]] = p->value[e];
      }
    }
    int parts = t.parts[i], values = t.values[i];
    for (int j = 0; j < p->nu;) {
      int n_j = 1 + random_below(random, 8);
      n_j = n_j < p->nu - j ? n_j : p->nu - j;
      t.part[parts++] = (nsd_part){.first = j, .n = n_j};
      for (int r = 0; r < 3; r++) {
        for (int k = 0; k < n_j; k++) {
          t.value[values++] = W[(size_t)r * nu + (size_t)(j + k)];
        }
      }
      j += n_j;
    }
    t.parts[i + 1] = parts;
    t.values[i + 1] = values;
  }
  free(W);
  return t;
}

static nsd_row told_row(const void *user, int cell)
{
  const told *t = user;
  return (nsd_row){.w = t->value + t->values[cell],
                   .part = t->part + t->parts[cell],
                   .parts = t->parts[cell + 1] - t->parts[cell],
                   .rows = 3,
                   .n = t->p->nu};
}

/* But for the signs of zeros. */
static int is_same(size_t n, const double *x, const double *y)
{
  int same = 1;
  for (size_t i = 0; i < n; i++) {
    same &= x[i] == y[i];
  }
  return same;
}

/* W told by parts is the W of compressed rows, to the bit, also where M⁻¹ comes later; rows can be read. */
START_TEST(rows_told_by_parts_are_those_of_the_matrix)
{
  for (int seed = 0; seed < random_cases(40); seed++) {
    random_state random = random_seed((uint64_t)seed);
    space_pile p =
        space_pile_make((space_pile_kind)(seed % 3), PILE_REST, 6 + random_below(&random, 30), &random);
    told t = tell(&p, &random);
    nsd_operator given, by_parts;
    nsd_operator_init(&given, NULL);
    nsd_operator_init(&by_parts, NULL);
    int *rows_of = calloc((size_t)p.contacts, sizeof *rows_of);
    for (int i = 0; i < p.contacts; i++) {
      rows_of[i] = 3;
    }
    const nsd_operator_rows W = {.value = p.value, .begin = p.begin, .column = p.column, .columns = p.nu};
    const nsd_operator_rows parts = {.row_of = told_row, .user = &t, .columns = p.nu};
    nsd_operator_bodies bodies = {.size = p.size, .inverse = p.inverse, .bodies = p.bodies};
    ck_assert_int_eq(nsd_operator_read(&given, p.contacts, rows_of, &W, &bodies, NULL), NSDYN_OK);
    bodies.inverse = NULL;
    ck_assert_int_eq(nsd_operator_read(&by_parts, p.contacts, rows_of, &parts, &bodies, NULL), NSDYN_OK);
    size_t numbers = 0;
    for (int b = 0; b < p.bodies; b++) {
      numbers += (size_t)p.size[b] * (size_t)p.size[b];
    }
    memcpy(nsd_operator_inverse_room(&by_parts), p.inverse, numbers * sizeof *p.inverse);
    ck_assert_int_eq(nsd_operator_drive(&by_parts, NULL), NSDYN_OK);
    const size_t elements = given.first[p.contacts], blocks = given.line[p.contacts];
    REQUIRE(by_parts.first[p.contacts] == elements && by_parts.line[p.contacts] == blocks, "seed %d", seed);
    REQUIRE(memcmp(given.of, by_parts.of, blocks * sizeof *given.of) == 0, "seed %d", seed);
    REQUIRE(is_same(elements, given.block, by_parts.block), "seed %d", seed);
    REQUIRE(is_same(elements, given.drive, by_parts.drive), "seed %d", seed);
    REQUIRE(is_same(numbers, given.mass, by_parts.mass), "seed %d", seed);
    REQUIRE(is_same(9 * (size_t)p.contacts, given.own, by_parts.own), "seed %d", seed);
    double *row = calloc((size_t)p.nu, sizeof *row);
    for (int i = 0; i < p.rows; i++) {
      nsd_row_expand(nsd_operator_row(&by_parts, i / 3, i % 3), row);
      for (int64_t e = p.begin[i]; e < p.begin[i + 1]; e++) {
        REQUIRE(row[p.column[e]] == p.value[e], "seed %d: row %d", seed, i);
        row[p.column[e]] = 0.0;
      }
      REQUIRE(!nsd_row_is_written(nsd_row_dense(p.nu, row)), "seed %d: row %d", seed, i);
    }
    free(row);
    free(rows_of);
    free(t.part);
    free(t.parts);
    free(t.value);
    free(t.values);
    nsd_operator_release(&given);
    nsd_operator_release(&by_parts);
    space_pile_free(&p);
  }
}
END_TEST

/* Memory goes by contacts and bodies in the free form, not by their square. */
START_TEST(the_free_form_grows_with_the_contacts)
{
  size_t last = 0;
  for (int size = 200; size <= 1600; size *= 2) {
    random_state random = random_seed(3);
    space_pile p = space_pile_make(SPACE_PILE_WALL, PILE_REST, size, &random);
    nsd_operator op;
    nsd_operator_init(&op, NULL);
    int *rows_of = calloc((size_t)p.contacts, sizeof *rows_of);
    for (int i = 0; i < p.contacts; i++) {
      rows_of[i] = 3;
    }
    const nsd_operator_rows W = {.value = p.value, .begin = p.begin, .column = p.column, .columns = p.nu};
    const nsd_operator_bodies bodies = {.size = p.size, .inverse = p.inverse, .bodies = p.bodies};
    ck_assert_int_eq(nsd_operator_read(&op, p.contacts, rows_of, &W, &bodies, NULL), NSDYN_OK);
    const size_t bytes = (op.index_room.capacity + op.block_room.capacity) / (size_t)p.contacts;
    ck_assert_uint_le(bytes, 2048);
    ck_assert(last == 0 || bytes < last + last / 10);
    last = bytes;
    nsd_operator_release(&op);
    free(rows_of);
    space_pile_free(&p);
  }
}
END_TEST

SUITE("contact/space/operator", TEST(all_forms_give_the_product_of_the_matrix),
      TEST(own_blocks_are_those_of_the_diagonal), TEST(changes_follow_single_cells),
      TEST(rows_told_by_parts_are_those_of_the_matrix), TEST(the_free_form_grows_with_the_contacts))
