/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "suite.h"
#include "support/problems.h"

#define MOST 24

typedef struct arrays {
  int n;
  double A[MOST * MOST];
  double b[MOST];
  double lo[MOST];
  double hi[MOST];
} arrays;

/* Reads from a copy of exactly that length: a read beyond it is one that sanitizers and valgrind see. */
static nsdyn_status read_bytes(const char *text, size_t length, arrays *into, nsd_fault *fault)
{
  char *copy = malloc(length ? length : 1);
  memcpy(copy, text, length);
  nsd_fault_clear(fault);
  nsdyn_status status = nsd_lcp_read_text(copy, length, &into->n, NULL, 0, NULL, NULL, NULL, fault, NULL);
  if (status == NSDYN_OK && into->n <= MOST) {
    status =
        nsd_lcp_read_text(copy, length, &into->n, into->A, MOST, into->b, into->lo, into->hi, fault, NULL);
  }
  free(copy);
  ck_assert_int_eq(status, fault->status);
  return status;
}

static nsdyn_status read_string(const char *text, arrays *into, nsd_fault *fault)
{
  return read_bytes(text, strlen(text), into, fault);
}

START_TEST(reads_a_problem)
{
  arrays p;
  nsd_fault fault;
  ck_assert_int_eq(read_string("# two unknowns\n2\n 2 1 # first row\n1\t2\r\n-5 -6\n", &p, &fault), NSDYN_OK);
  ck_assert_int_eq(p.n, 2);
  ck_assert(p.A[0] == 2.0 && p.A[1] == 1.0 && p.A[MOST] == 1.0 && p.A[MOST + 1] == 2.0);
  ck_assert(p.b[0] == -5.0 && p.b[1] == -6.0);
  ck_assert(p.lo[0] == 0.0 && p.lo[1] == 0.0 && p.hi[0] == INFINITY && p.hi[1] == INFINITY);
}
END_TEST

START_TEST(reads_bounds_in_either_order)
{
  arrays p;
  nsd_fault fault;
  ck_assert_int_eq(read_string("1 1 1 lo -inf", &p, &fault), NSDYN_OK);
  ck_assert(p.lo[0] == -INFINITY && p.hi[0] == INFINITY);
  ck_assert_int_eq(read_string("1 1 1 hi 4", &p, &fault), NSDYN_OK);
  ck_assert(p.lo[0] == 0.0 && p.hi[0] == 4.0);
  ck_assert_int_eq(read_string("1 1 1 hi -4 lo -5", &p, &fault), NSDYN_OK);
  ck_assert(p.lo[0] == -5.0 && p.hi[0] == -4.0);
  ck_assert_int_eq(read_string("1 1 1 lo 3 hi inf", &p, &fault), NSDYN_OK);
  ck_assert(p.lo[0] == 3.0 && p.hi[0] == INFINITY);
  ck_assert_int_eq(read_string("1 1 1 lo 3 hi 3#equal", &p, &fault), NSDYN_OK);
  ck_assert(p.lo[0] == 3.0 && p.hi[0] == 3.0);
}
END_TEST

START_TEST(no_unknowns)
{
  arrays p;
  nsd_fault fault;
  ck_assert_int_eq(read_string("0", &p, &fault), NSDYN_OK);
  ck_assert_int_eq(p.n, 0);
  ck_assert_int_eq(read_string("0 lo hi # empty bounds of an empty problem", &p, &fault), NSDYN_OK);
  ck_assert_int_eq(read_string("0 1", &p, &fault), NSDYN_ERR_SYNTAX);
  int n = 0;
  ck_assert_int_eq(nsd_lcp_read_text("0", 1, &n, p.A, 0, NULL, NULL, NULL, NULL, NULL), NSDYN_OK);
}
END_TEST

typedef struct hostile {
  const char *text;
  nsdyn_status status;
  int line;
  const char *says; /* a part of the message */
} hostile;

START_TEST(hostile_texts_are_refused_with_their_line)
{
  static const hostile texts[] = {
      {"", NSDYN_ERR_SYNTAX, 1, "is missing"},
      {"\n\n# nothing\n", NSDYN_ERR_SYNTAX, 4, "is missing"},
      {"two", NSDYN_ERR_SYNTAX, 1, "'two'"},
      {"-1 2", NSDYN_ERR_SYNTAX, 1, "'-1'"},
      {"1.0 2 3", NSDYN_ERR_SYNTAX, 1, "'1.0'"},
      {"1e0 2 3", NSDYN_ERR_SYNTAX, 1, "digits"},
      {"\n99999999999999999999 1", NSDYN_ERR_TOO_LARGE, 2, "too many"},
      {"2147483648 1", NSDYN_ERR_TOO_LARGE, 1, "too many"},
      {"2147483647 1 2 3", NSDYN_ERR_SYNTAX, 1, "too short"},
      {"65536 1 2 3", NSDYN_ERR_SYNTAX, 1, "too short"},
      {"3\n1 2 3\n4 5 6\n7 8 9\n1 2", NSDYN_ERR_SYNTAX, 1, "too short"},
      {"2\n1 2\n3 4\n5              ", NSDYN_ERR_SYNTAX, 4, "b, row 1"},
      {"2\n1 2\n3       #  4 5 6 7\n\n", NSDYN_ERR_SYNTAX, 5, "A, row 1, column 1"},
      {"2\n1 x\n3 4\n5 6", NSDYN_ERR_SYNTAX, 2, "'x' in A, row 0, column 1"},
      {"2\n1 2\n3 nan\n5 6", NSDYN_ERR_SYNTAX, 3, "'nan' in A, row 1, column 1"},
      {"2\n1 2\n3 inf\n5 6", NSDYN_ERR_SYNTAX, 3, "finite"},
      {"2\n1 2\n3 4\n5 -inf", NSDYN_ERR_SYNTAX, 4, "b, row 1"},
      {"2\n1 2\n3 4\n5 1e400", NSDYN_ERR_SYNTAX, 4, "'1e400'"},
      {"2\n1 2,\n3 4\n5 6", NSDYN_ERR_SYNTAX, 2, "'2,'"},
      {"2\n1 0x2\n3 4\n5 6", NSDYN_ERR_SYNTAX, 2, "'0x2'"},
      {"2\n1 2\n3 4\n5 6 7", NSDYN_ERR_SYNTAX, 4, "'7'"},
      {"2\n1 2\n3 4\n5 6\nlow 1 2", NSDYN_ERR_SYNTAX, 5, "'low'"},
      {"2\n1 2\n3 4\n5 6\nlo 1 2\nlo 1 2", NSDYN_ERR_SYNTAX, 6, "before"},
      {"2\n1 2\n3 4\n5 6\nhi 1 2\nhi 1 2", NSDYN_ERR_SYNTAX, 6, "before"},
      {"2\n1 2\n3 4\n5 6\nlo 1 2\nhi 1 1", NSDYN_ERR_SYNTAX, 6, "hi, row 1"},
      {"2\n1 2\n3 4\n5 6\nhi 1 1\nlo 1\n2", NSDYN_ERR_SYNTAX, 7, "lo, row 1"},
      {"2\n1 2\n3 4\n5 6\nhi 1\n# here\n-1", NSDYN_ERR_SYNTAX, 7, "hi, row 1"},
      {"2\n1 2\n3 4\n5 6\nlo 1 inf", NSDYN_ERR_SYNTAX, 5, "lo, row 1"},
      {"2\n1 2\n3 4\n5 6\nhi 1 -inf", NSDYN_ERR_SYNTAX, 5, "hi, row 1"},
      {"2\n1 2\n3 4\n5 6\nlo 1 nan", NSDYN_ERR_SYNTAX, 5, "lo, row 1"},
      {"2\n1 2\n3 4\n5 6\nlo 1", NSDYN_ERR_SYNTAX, 5, "lo, row 1"},
      {"2\n1 2\n3 4\n5 6\nlo 1 2 3", NSDYN_ERR_SYNTAX, 5, "'3'"},
      {"1\n1 1\nlo\xc3\xa4 1", NSDYN_ERR_SYNTAX, 3, "'lo?"},
      {"1\n1 a-word-that-is-much-longer-than-any-message", NSDYN_ERR_SYNTAX, 2, "..."},
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    arrays p;
    nsd_fault fault;
    const nsdyn_status status = read_string(texts[i].text, &p, &fault);
    ck_assert_msg(status == texts[i].status, "%zu: %s, %s", i, nsdyn_status_name(status), fault.message);
    ck_assert_msg(fault.detail.kind == NSDYN_DETAIL_LINE && fault.detail.index == texts[i].line, "%zu: %s", i,
                  fault.message);
    ck_assert_msg(strstr(fault.message, texts[i].says) != NULL, "%zu: %s", i, fault.message);
    char line[24];
    snprintf(line, sizeof line, "line %d: ", texts[i].line);
    ck_assert_msg(strncmp(fault.message, line, strlen(line)) == 0, "%zu: %s", i, fault.message);
  }
}
END_TEST

START_TEST(a_zero_byte_is_no_blank)
{
  arrays p;
  nsd_fault fault;
  const char text[] = "1\n2\0 3";
  ck_assert_int_eq(read_bytes(text, sizeof text - 1, &p, &fault), NSDYN_ERR_SYNTAX);
  ck_assert_int_eq(fault.detail.index, 2);
  ck_assert_ptr_nonnull(strstr(fault.message, "'2?'"));
  const char behind[] = "1\n2 3\n\0";
  ck_assert_int_eq(read_bytes(behind, sizeof behind - 1, &p, &fault), NSDYN_ERR_SYNTAX);
  ck_assert_int_eq(fault.detail.index, 3);
}
END_TEST

START_TEST(arguments_are_checked)
{
  arrays p;
  nsd_fault fault;
  const char *text = "1 2 3 hi 4";
  const size_t length = strlen(text);
  int n = 1;
  ck_assert_int_eq(nsd_lcp_read_text(text, length, NULL, NULL, 0, NULL, NULL, NULL, &fault, NULL),
                   NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsd_lcp_read_text(NULL, 3, &n, NULL, 0, NULL, NULL, NULL, &fault, NULL),
                   NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsd_lcp_read_text(NULL, 0, &n, NULL, 0, NULL, NULL, NULL, &fault, NULL), NSDYN_ERR_SYNTAX);
  ck_assert_int_eq(nsd_lcp_read_text(text, length, &n, p.A, 0, p.b, p.lo, p.hi, &fault, NULL),
                   NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(fault.detail.index, 5);
  ck_assert_int_eq(nsd_lcp_read_text(text, length, &n, p.A, 1, NULL, p.lo, p.hi, &fault, NULL),
                   NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(fault.detail.index, 6);
  ck_assert_int_eq(nsd_lcp_read_text(text, length, &n, p.A, 1, p.b, NULL, p.hi, &fault, NULL),
                   NSDYN_ERR_SYNTAX);
  ck_assert_int_eq(nsd_lcp_read_text(text, length, &n, p.A, 1, p.b, p.lo, NULL, NULL, NULL),
                   NSDYN_ERR_SYNTAX);
  n = 2;
  ck_assert_int_eq(nsd_lcp_read_text(text, length, &n, p.A, 2, p.b, p.lo, p.hi, &fault, NULL),
                   NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(fault.detail.index, 3);
}
END_TEST

/* Any finite double, or one of few digits. */
static double any_double(random_state *r)
{
  double value;
  uint64_t bits;
  do {
    bits = random_bits(r);
    memcpy(&value, &bits, sizeof value);
  } while (!isfinite(value));
  const int kind = random_below(r, 4);
  return kind == 0 ? value : kind == 1 ? random_below(r, 200) - 100 : kind == 2 ? -0.0 : random_unit(r);
}

START_TEST(what_is_written_reads_back_to_the_bit)
{
  const int cases = random_cases(3000);
  arrays p;
  arrays q;
  nsd_fault fault;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int n = random_below(&r, 12);
    const int lda = n + random_below(&r, 3);
    for (int i = 0; i < n * lda; i++) {
      p.A[i] = any_double(&r);
    }
    for (int i = 0; i < n; i++) {
      const double one = any_double(&r);
      const double two = any_double(&r);
      p.b[i] = any_double(&r);
      p.lo[i] = random_below(&r, 4) ? fmin(one, two) : -INFINITY;
      p.hi[i] = random_below(&r, 4) ? fmax(one, two) : INFINITY;
    }
    const double *lo = random_below(&r, 2) ? p.lo : NULL;
    const double *hi = lo && random_below(&r, 2) ? p.hi : NULL;
    const size_t size = nsdyn_lcp_write_text(n, p.A, lda, p.b, lo, hi, NULL, 0);
    REQUIRE(size > 0, "seed %d", k);
    char *text = malloc(size);
    REQUIRE(nsdyn_lcp_write_text(n, p.A, lda, p.b, lo, hi, text, size) == size, "seed %d", k);
    REQUIRE(strlen(text) == size - 1, "seed %d", k);
    REQUIRE(read_bytes(text, size - 1, &q, &fault) == NSDYN_OK, "seed %d: %s\n%s", k, fault.message, text);
    REQUIRE(q.n == n, "seed %d", k);
    const size_t row = (size_t)n * sizeof(double);
    for (int i = 0; i < n; i++) {
      REQUIRE(memcmp(q.A + i * MOST, p.A + i * lda, row) == 0, "seed %d, row %d\n%s", k, i, text);
      REQUIRE(lo || q.lo[i] == 0.0, "seed %d", k);
      REQUIRE(hi || q.hi[i] == INFINITY, "seed %d", k);
    }
    REQUIRE(memcmp(q.b, p.b, row) == 0, "seed %d", k);
    REQUIRE(!lo || memcmp(q.lo, p.lo, row) == 0, "seed %d", k);
    REQUIRE(!hi || memcmp(q.hi, p.hi, row) == 0, "seed %d", k);
    free(text);
  }
}
END_TEST

/* Every prefix of a text is refused or, where it happens to be whole, is a problem again. */
START_TEST(truncated_anywhere)
{
  const char *text = "# box\n2\n12 3.5\n-1e-3 4\n0.25 6\nlo -1 -inf\nhi 1 1e3\n";
  arrays p;
  nsd_fault fault;
  int whole = 0;
  for (size_t length = 0; length <= strlen(text); length++) {
    const nsdyn_status status = read_bytes(text, length, &p, &fault);
    ck_assert_msg(status == NSDYN_OK || status == NSDYN_ERR_SYNTAX, "%zu: %s", length, fault.message);
    whole += status == NSDYN_OK;
  }
  /* "6", its line end; "-inf", its line end; "1", "1e3" and the last line end. */
  ck_assert_int_eq(whole, 7);
}
END_TEST

/* A megabyte of what might make a careless reader quadratic, or allocate. */
START_TEST(long_texts_take_linear_time)
{
  static const char fills[] = {'1', ' ', '\n', '#', 'x', '-', '.'};
  const size_t length = 1 << 20;
  char *text = malloc(length);
  arrays p;
  nsd_fault fault;
  const clock_t begin = clock();
  for (size_t k = 0; k < sizeof fills; k++) {
    memset(text, fills[k], length);
    memcpy(text, (const char[]){'2', ' ', '1', ' '}, 4);
    ck_assert_int_ne(read_bytes(text, length, &p, &fault), NSDYN_OK);
    text[0] = fills[k];
    ck_assert_int_ne(read_bytes(text, length, &p, &fault), NSDYN_OK);
    memset(text, '0', length);
    ck_assert_int_eq(read_bytes(text, length, &p, &fault), NSDYN_OK); /* n = 000…0 */
  }
  /* 21 readings of a megabyte; quadratic time would be hours. */
  ck_assert(clock() - begin < 20 * CLOCKS_PER_SEC);
  free(text);
}
END_TEST

START_TEST(a_short_buffer_is_filled_and_closed)
{
  const double A[4] = {2.0, 1.0, 1.0, 2.0};
  const double b[2] = {-5.0, -6.5};
  const char *whole = "2\n2 1\n1 2\n-5 -6.5\n";
  char text[32];
  ck_assert_uint_eq(nsdyn_lcp_write_text(2, A, 2, b, NULL, NULL, NULL, 0), strlen(whole) + 1);
  for (size_t size = 1; size < sizeof text; size++) {
    memset(text, '!', sizeof text);
    ck_assert_uint_eq(nsdyn_lcp_write_text(2, A, 2, b, NULL, NULL, text, size), strlen(whole) + 1);
    const size_t shown = size - 1 < strlen(whole) ? size - 1 : strlen(whole);
    ck_assert_uint_eq(strlen(text), shown);
    ck_assert(memcmp(text, whole, shown) == 0);
    ck_assert(shown + 1 >= sizeof text || text[shown + 1] == '!');
  }
}
END_TEST

START_TEST(what_cannot_be_read_is_not_written)
{
  double A[1] = {1.0};
  double b[1] = {1.0};
  double lo[1] = {0.0};
  double hi[1] = {1.0};
  ck_assert_uint_gt(nsdyn_lcp_write_text(1, A, 1, b, lo, hi, NULL, 0), 0);
  ck_assert_uint_gt(nsdyn_lcp_write_text(0, NULL, 0, NULL, NULL, NULL, NULL, 0), 0);
  ck_assert_uint_eq(nsdyn_lcp_write_text(-1, A, 1, b, lo, hi, NULL, 0), 0);
  ck_assert_uint_eq(nsdyn_lcp_write_text(1, A, 0, b, lo, hi, NULL, 0), 0);
  ck_assert_uint_eq(nsdyn_lcp_write_text(1, NULL, 1, b, lo, hi, NULL, 0), 0);
  ck_assert_uint_eq(nsdyn_lcp_write_text(1, A, 1, NULL, lo, hi, NULL, 0), 0);
  ck_assert_uint_eq(nsdyn_lcp_write_text(1, A, 1, b, lo, hi, NULL, 9), 0);
  double *const each[] = {A, b, lo, hi};
  static const double bad[4][3] = {
      {NAN, INFINITY, -INFINITY}, {NAN, INFINITY, -INFINITY}, {NAN, INFINITY, 1.5}, {NAN, -INFINITY, -0.5}};
  for (int k = 0; k < 4; k++) {
    const double good = each[k][0];
    for (int m = 0; m < 3; m++) {
      each[k][0] = bad[k][m];
      ck_assert_msg(nsdyn_lcp_write_text(1, A, 1, b, lo, hi, NULL, 0) == 0, "array %d, %g", k, bad[k][m]);
    }
    each[k][0] = good;
  }
  hi[0] = -1.0; /* without lo, which is then 0 */
  ck_assert_uint_eq(nsdyn_lcp_write_text(1, A, 1, b, NULL, hi, NULL, 0), 0);
}
END_TEST

/* The problems of every class, to the bit. */
START_TEST(every_class_survives)
{
  problem *p = problem_new(MOST);
  arrays q;
  nsd_fault fault;
  for (int c = 0; c < problem_class_count(); c++) {
    problem_make(p, c, MOST, (uint64_t)c);
    const size_t size = nsdyn_lcp_write_text(p->n, p->A, p->n, p->b, problem_lo(p), problem_hi(p), NULL, 0);
    char *text = malloc(size);
    nsdyn_lcp_write_text(p->n, p->A, p->n, p->b, problem_lo(p), problem_hi(p), text, size);
    ck_assert_msg(read_bytes(text, size - 1, &q, &fault) == NSDYN_OK, "%s: %s", p->name, fault.message);
    const size_t row = (size_t)p->n * sizeof(double);
    for (int i = 0; i < p->n; i++) {
      ck_assert(memcmp(q.A + i * MOST, p->A + i * p->n, row) == 0);
    }
    ck_assert(memcmp(q.b, p->b, row) == 0);
    ck_assert(memcmp(q.lo, p->lo, row) == 0);
    ck_assert(memcmp(q.hi, p->hi, row) == 0);
    free(text);
  }
  problem_free(p);
}
END_TEST

SUITE("lcp/text", TEST(reads_a_problem), TEST(reads_bounds_in_either_order), TEST(no_unknowns),
      TEST(hostile_texts_are_refused_with_their_line), TEST(a_zero_byte_is_no_blank),
      TEST(arguments_are_checked), TEST(what_is_written_reads_back_to_the_bit), TEST(truncated_anywhere),
      TEST(long_texts_take_linear_time), TEST(a_short_buffer_is_filled_and_closed),
      TEST(what_cannot_be_read_is_not_written), TEST(every_class_survives))
