/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "suite.h"
#include "support/any_contact.h"
#include "support/random.h"
#include "support/space_piles.h"

enum { CONTACTS = 6, BILATERAL = 3, ROWS = 3 * CONTACTS + BILATERAL };

/* A problem with its arrays. */
typedef struct whole {
  nsdyn_contact_problem p;
  nsdyn_contact_law law[CONTACTS];
  int32_t law_of[CONTACTS];
  double G[ROWS * (ROWS + 2)], c[ROWS], mu[CONTACTS], slip[ROWS], start[ROWS];
  int rows;
} whole;

static int some_curve(void *user, double speed, double *mu)
{
  (void)user, (void)speed;
  *mu = 0.5;
  return 0;
}

/* Reads from copies of exactly that length and size: a step beyond is one that sanitizers and valgrind see.
 * The memory is the caller's to free; NULL after a failure. */
static void *read_bytes(const char *text, size_t length, nsdyn_contact_problem *p, nsd_fault *fault)
{
  char *copy = malloc(length ? length : 1);
  memcpy(copy, text, length);
  nsd_fault_clear(fault);
  nsdyn_contact_problem_init(p, sizeof *p);
  size_t size = 0;
  void *memory = NULL;
  nsdyn_status status = nsd_contact_read_text(copy, length, NULL, NULL, &size, fault, NULL);
  if (status == NSDYN_OK) {
    memory = malloc(size);
    ck_assert_ptr_nonnull(memory);
    status = nsd_contact_read_text(copy, length, p, memory, &size, fault, NULL);
  }
  free(copy);
  ck_assert_int_eq(status, fault->status);
  if (status) {
    free(memory);
    memory = NULL;
  }
  return memory;
}

static char *write_whole(const nsdyn_contact_problem *p, size_t *size)
{
  *size = nsdyn_contact_write_text(p, NULL, 0);
  char *text = *size ? malloc(*size) : NULL;
  ck_assert(!*size || nsdyn_contact_write_text(p, text, *size) == *size);
  ck_assert(!*size || strlen(text) == *size - 1);
  return text;
}

/* Numbers of many digits, few digits, far out, and −0. */
static double any_amount(random_state *r, double most)
{
  const int kind = random_below(r, 6);
  return kind == 0   ? 0.0
         : kind == 1 ? random_below(r, 5) * most / 4.0
         : kind == 2 ? most * 1e-200
                     : most * random_unit(r);
}

static nsdyn_contact_law any_law(random_state *r)
{
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.kind = random_below(r, 2);
  law.friction = random_below(r, 5);
  law.mu = any_amount(r, 1.0);
  law.mu_static = law.mu + any_amount(r, 1.0);
  law.bound = any_amount(r, 100.0);
  law.eps_n = any_amount(r, 1.0);
  law.eps_t = any_amount(r, 1.0);
  law.reversal = random_below(r, 5) ? any_amount(r, 1.0) : -0.0;
  const int is_brake = law.friction == NSDYN_FRICTION_BOUND && random_below(r, 2);
  law.curve = law.friction == NSDYN_FRICTION_CURVE || is_brake ? some_curve : NULL;
  law.tangents = 1 + (int32_t)random_below(r, 2);
  if (law.tangents == 2) {
    law.shape = (int32_t)random_below(r, 2);
    law.sides = 4 + 2 * (int32_t)random_below(r, 5);
    law.aspect = random_below(r, 2) ? 1.0 : 0.1 + any_amount(r, 3.0);
    law.angle = random_below(r, 2) ? 0.0 : random_unit(r) - 0.5;
  }
  return law;
}

/* Known directions of some contacts. */
static void fill_slip(whole *w, random_state *r)
{
  double *slip = w->slip;
  for (int i = 0; i < w->p.contacts; i++) {
    const nsdyn_contact_law *law = &w->p.laws[w->p.law ? w->p.law[i] : i];
    const int tangents = law->friction == NSDYN_FRICTION_NONE ? 0 : law->tangents,
              is_known = random_below(r, 2);
    const double angle = 6.0 * random_unit(r);
    if (tangents == 1) {
      slip[0] = is_known ? 1.0 - 2.0 * random_below(r, 2) : 0.0;
    } else if (tangents == 2) {
      slip[0] = is_known ? cos(angle) : 0.0;
      slip[1] = is_known ? sin(angle) : -0.0;
    }
    slip += tangents;
  }
}

/* G by blocks, some of them zero; to the last bit symmetric, or off by a rounding. */
static void fill_matrix(whole *w, random_state *r)
{
  const int is_sparse = random_below(r, 2), is_rounded = random_below(r, 3) == 0, ldg = (int)w->p.ldg;
  for (int i = 0; i < w->rows; i++) {
    for (int j = 0; j <= i; j++) {
      const double share = is_sparse && (i / 3 != j / 3) && random_below(r, 4) ? 0.0 : 1.0;
      const double value = i == j ? 1.0 + any_amount(r, 1.0) : share * (random_unit(r) - 0.5) * 0.1;
      w->G[i * ldg + j] = value;
      w->G[j * ldg + i] = is_rounded && random_below(r, 4) == 0 ? nextafter(value, 1.0) : value;
    }
  }
}

static void make(whole *w, random_state *r)
{
  nsdyn_contact_problem_init(&w->p, sizeof w->p);
  w->p.contacts = (int32_t)random_below(r, CONTACTS + 1);
  w->p.bilateral = (int32_t)random_below(r, BILATERAL + 1);
  const int shares = random_below(r, 2);
  w->p.nlaws = shares ? 1 + (int32_t)random_below(r, CONTACTS) : w->p.contacts;
  for (int k = 0; k < w->p.nlaws; k++) {
    w->law[k] = any_law(r);
  }
  w->p.laws = w->law;
  for (int i = 0; shares && i < w->p.contacts; i++) {
    w->law_of[i] = (int32_t)random_below(r, w->p.nlaws);
  }
  w->p.law = shares ? w->law_of : NULL;
  w->rows = nsdyn_contact_rows(&w->p);
  w->p.ldg = w->rows + (int)random_below(r, 3);
  fill_matrix(w, r);
  for (int i = 0; i < w->rows; i++) {
    w->c[i] = random_below(r, 9) ? random_unit(r) - 0.5 : -0.0;
    w->start[i] = random_unit(r);
  }
  for (int i = 0; i < w->p.contacts; i++) {
    w->mu[i] = any_amount(r, 1.0);
  }
  fill_slip(w, r);
  w->p.G = w->G;
  w->p.c = w->c;
  w->p.mu = w->mu;
  w->p.slip = random_below(r, 2) ? w->slip : NULL;
  w->p.start = random_below(r, 2) ? w->start : NULL;
  w->p.dt = random_below(r, 3) ? any_amount(r, 0.1) : -0.0;
}

START_TEST(what_is_written_reads_back_to_the_bit)
{
  static whole w;
  const int cases = random_cases(3000);
  int in_blocks = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make(&w, &r);
    size_t size;
    char *text = write_whole(&w.p, &size);
    REQUIRE(text, "seed %d", k);
    in_blocks += strstr(text, "blocks") != NULL;
    nsdyn_contact_problem q;
    nsd_fault fault;
    void *memory = read_bytes(text, size - 1, &q, &fault);
    REQUIRE(memory, "seed %d: %s\n%s", k, fault.message, text);
    REQUIRE(same_contact_problems(&w.p, &q), "seed %d\n%s", k, text);
    free(memory);
    free(text);
  }
  ck_assert(10 * in_blocks > cases && 10 * in_blocks < 9 * cases); /* both forms are tried */
}
END_TEST

START_TEST(a_pile_is_written_by_blocks)
{
  random_state r = random_seed(3);
  space_pile heap = space_pile_make(SPACE_PILE_SPHERES, PILE_REST, 60, &r);
  space_pile_delassus(&heap);
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.tangents = 2;
  law.mu = heap.mu;
  nsdyn_contact_problem p, q;
  nsdyn_contact_problem_init(&p, sizeof p);
  p.contacts = heap.contacts;
  p.nlaws = 1;
  p.laws = &law;
  int32_t *law_of = calloc((size_t)heap.contacts, sizeof *law_of);
  p.law = law_of;
  p.G = heap.G;
  p.ldg = heap.rows;
  p.c = heap.c;
  size_t size;
  nsd_fault fault;
  char *text = write_whole(&p, &size);
  ck_assert_ptr_nonnull(strstr(text, "\nblocks "));
  ck_assert_ptr_nonnull(strstr(text, "\nlaw tangents 2 mu "));
  void *memory = read_bytes(text, size - 1, &q, &fault);
  ck_assert_msg(memory && same_contact_problems(&p, &q), "%s", fault.message);
  free(memory);
  free(text);
  free(law_of);
  space_pile_free(&heap);
}
END_TEST

/* By hand: a slot with friction in space on a floor of polygons, one bilateral row. */
static const char slot_text[] = "contacts 2 bilateral 1 rows 7 laws 2  # head\n"
                                "dt 0.5\n"
                                "law kind bilateral friction static mu 0.25 mu_static 0.5 tangents 2\n"
                                "law shape polygon sides 6 angle 0.125 aspect 2 tangents 2 friction bound\n"
                                "  bound 3\n"
                                "law_of 1 0\n"
                                "blocks 4\n"
                                "0 0  1 0 0  0 2 0  0 0 3\n"
                                "1 0  0.5 0 0.25  0 0 0  0 0 0\n"
                                "1 1  4 0 0  0 5 0  0 0 6\n"
                                "2 2  7\n"
                                "c 1 2 3 4 5 6 7\n"
                                "mu 0.25 0.375\n"
                                "slip 0 0 0 -1\n"
                                "start 7 6 5 4 3 2 1\n";

START_TEST(reads_a_text_by_hand)
{
  nsdyn_contact_problem p;
  nsd_fault fault;
  void *memory = read_bytes(slot_text, strlen(slot_text), &p, &fault);
  ck_assert_msg(memory, "%s", fault.message);
  ck_assert(p.contacts == 2 && p.bilateral == 1 && p.nlaws == 2 && p.ldg == 7 && p.dt == 0.5);
  ck_assert(p.law[0] == 1 && p.law[1] == 0);
  ck_assert(p.laws[0].kind == NSDYN_CONTACT_BILATERAL && p.laws[0].friction == NSDYN_FRICTION_STATIC);
  ck_assert(p.laws[0].mu == 0.25 && p.laws[0].mu_static == 0.5 && p.laws[0].tangents == 2);
  ck_assert(p.laws[1].shape == NSDYN_FRICTION_POLYGON && p.laws[1].sides == 6 && p.laws[1].bound == 3.0);
  ck_assert(p.laws[1].angle == 0.125 && p.laws[1].aspect == 2.0);
  for (int i = 0; i < 7; i++) {
    for (int j = 0; j < 7; j++) {
      const int low = i < j ? i : j, high = i < j ? j : i;
      const double there = i == j                  ? i + 1.0
                           : high == 3 && low == 0 ? 0.5
                           : high == 3 && low == 2 ? 0.25
                                                   : 0.0;
      ck_assert_msg(p.G[7 * i + j] == there, "%d %d: %g", i, j, p.G[7 * i + j]);
    }
    ck_assert(p.c[i] == i + 1.0 && p.start[i] == 7.0 - i);
  }
  ck_assert(p.mu[1] == 0.375 && p.slip[3] == -1.0 && p.slip[0] == 0.0);
  free(memory);
}
END_TEST

typedef struct hostile {
  const char *text;
  nsdyn_status status;
  int line;
  const char *says; /* a part of the message */
} hostile;

#define HEAD "contacts 1 bilateral 0 rows 2 laws 1\n"
#define BODY HEAD "law\nG 1 0 0 1\nc 1 2\n"

START_TEST(hostile_texts_are_refused_with_their_line)
{
  static const hostile texts[] = {
      {"", NSDYN_ERR_SYNTAX, 1, "'contacts'"},
      {"2 1 0 0 1", NSDYN_ERR_SYNTAX, 1, "'contacts'"},
      {"contacts -1", NSDYN_ERR_SYNTAX, 1, "contacts"},
      {"contacts\n99999999999 bilateral 0", NSDYN_ERR_TOO_LARGE, 2, "too many contacts"},
      {"contacts 1 rows 2", NSDYN_ERR_SYNTAX, 1, "'bilateral'"},
      {"contacts 1 bilateral 1 rows 1 laws 1\n", NSDYN_ERR_SYNTAX, 1, "fewer rows"},
      {"contacts 1 bilateral 0 rows 2147483647 laws 1", NSDYN_ERR_SYNTAX, 1, "too short"},
      {"contacts 1 bilateral 0 rows 2 laws 999999 law law", NSDYN_ERR_SYNTAX, 1, "too short"},
      {HEAD "dt\n# no number", NSDYN_ERR_SYNTAX, 3, "dt, row 0"},
      {HEAD "dt nan", NSDYN_ERR_SYNTAX, 2, "'nan' in dt"},
      {HEAD "friction none\nG 1 c 2 3 4 5", NSDYN_ERR_SYNTAX, 2, "'law'"},
      {HEAD "law\nmu\n0x3 c 2 3 4 5", NSDYN_ERR_SYNTAX, 4, "'0x3' in law 0, mu"},
      {HEAD "law mu -0.5\nG 1 0 0 1 c 1 2", NSDYN_ERR_ARGUMENT, 2, "law 0: mu: -0.5"},
      {HEAD "law mu 1 mu 1\nG 1 0 0 1 c 1 2", NSDYN_ERR_SYNTAX, 2, "given before"},
      {HEAD "law friction wet\nG 1 0 0 1", NSDYN_ERR_SYNTAX, 2, "'wet': not a word for 'friction'"},
      {HEAD "law aspect 2\nG 1 0 0 1", NSDYN_ERR_ARGUMENT, 2, "law 0: aspect is for contacts in space"},
      {HEAD "law tangents 2\nG 1 0 0 1 c 2 3 4", NSDYN_ERR_SYNTAX, 3, "another number of rows"},
      {HEAD "law colour 3\nG 1 0 0 1 c 3 4", NSDYN_ERR_SYNTAX, 2, "'colour'"},
      {HEAD "law\nlaw_of 1\nG 1 0 0 1 c 2 3", NSDYN_ERR_SYNTAX, 3, "no law of this number"},
      {"contacts 2 bilateral 0 rows 2 laws 1\nlaw friction none\nG 1 0 0 1 c 2 3", NSDYN_ERR_SYNTAX, 3,
       "'law_of' is expected"},
      {HEAD "law\nG 1 0 0\nc 1 2", NSDYN_ERR_SYNTAX, 4, "'c' in G, row 1, column 1"},
      {HEAD "law\nG 1 0 inf 3\nc 1 2", NSDYN_ERR_SYNTAX, 3, "must be finite"},
      {HEAD "law\nA 1 0 0 3\nc 1 2", NSDYN_ERR_SYNTAX, 3, "'G' or 'blocks'"},
      {HEAD "law\nblocks 1\n0 1 1 0 0 1\nc 1 2", NSDYN_ERR_SYNTAX, 4, "no contact or bilateral row"},
      {HEAD "law\nblocks 2\n0 0 1 0 0 1\n0 0 1 0 0 1\nc 1 2", NSDYN_ERR_SYNTAX, 5, "each once"},
      {HEAD "law\nG 1 0 0 3\n", NSDYN_ERR_SYNTAX, 4, "'c' is expected"},
      {HEAD "law\nG 1 0 0 3\nc 1", NSDYN_ERR_SYNTAX, 4, "c, row 1"},
      {BODY "start 1 2 mu 0.5", NSDYN_ERR_SYNTAX, 5, "'mu'"},
      {BODY "mu 1e400", NSDYN_ERR_SYNTAX, 5, "'1e400' in mu, row 0"},
      {BODY "slip", NSDYN_ERR_SYNTAX, 5, "slip, row 0"},
      {BODY "c 1 2", NSDYN_ERR_SYNTAX, 5, "'c'"},
      {BODY "\xc3\xa4", NSDYN_ERR_SYNTAX, 5, "'?"},
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    nsdyn_contact_problem p;
    nsd_fault fault;
    void *memory = read_bytes(texts[i].text, strlen(texts[i].text), &p, &fault);
    ck_assert_msg(!memory && fault.status == texts[i].status, "%zu: %s", i, fault.message);
    ck_assert_msg(fault.detail.kind == NSDYN_DETAIL_LINE && fault.detail.index == texts[i].line, "%zu: %s", i,
                  fault.message);
    ck_assert_msg(strstr(fault.message, texts[i].says) != NULL, "%zu: %s", i, fault.message);
    ck_assert_msg(p.contacts == 0 && !p.G, "%zu", i);
  }
}
END_TEST

START_TEST(truncated_anywhere)
{
  int read = 0;
  for (size_t length = 0; length <= strlen(slot_text); length++) {
    nsdyn_contact_problem p;
    nsd_fault fault;
    void *memory = read_bytes(slot_text, length, &p, &fault);
    /* A law may be cut in its fields, so that its coefficients no longer fit each other. */
    const int is_cut = length < (size_t)(strstr(slot_text, "law_of") - slot_text);
    ck_assert_msg(memory || fault.status == NSDYN_ERR_SYNTAX ||
                      (is_cut && fault.status == NSDYN_ERR_ARGUMENT),
                  "%zu: %s", length, fault.message);
    read += memory != NULL;
    free(memory);
  }
  /* Behind the last number of c, of mu (0, 0., 0.3, 0.37, 0.375, its line), of slip and of start. */
  ck_assert_int_eq(read, 2 + 6 + 2 + 2);
}
END_TEST

START_TEST(long_texts_take_linear_time)
{
  static const char fills[] = {'1', ' ', '\n', '#', 'x', '-', '.'};
  static const char head[] = HEAD "law mu ";
  const size_t length = 1 << 20;
  char *text = malloc(length);
  nsdyn_contact_problem p;
  nsd_fault fault;
  const clock_t begin = clock();
  for (size_t k = 0; k < sizeof fills; k++) {
    memset(text, fills[k], length);
    ck_assert_ptr_null(read_bytes(text, length, &p, &fault));
    memcpy(text, head, sizeof head - 1);
    ck_assert_ptr_null(read_bytes(text, length, &p, &fault));
  }
  ck_assert(clock() - begin < 20 * CLOCKS_PER_SEC);
  free(text);
}
END_TEST

START_TEST(arguments_are_checked)
{
  nsdyn_contact *solver;
  nsdyn_contact_problem p;
  nsdyn_contact_problem_init(&p, sizeof p);
  const size_t length = strlen(slot_text);
  double memory[200];
  size_t size = 0;
  ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &solver, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_contact_read_text(NULL, slot_text, length, &p, NULL, &size), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_contact_read_text(solver, NULL, length, &p, NULL, &size), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_contact_read_text(solver, slot_text, length, &p, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_contact_read_text(solver, slot_text, length, NULL, memory, &size),
                   NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_contact_read_text(solver, slot_text, length, NULL, NULL, &size), NSDYN_OK);
  ck_assert_uint_le(size, sizeof memory - sizeof *memory);
  size_t less = size - 1;
  ck_assert_int_eq(nsdyn_contact_read_text(solver, slot_text, length, &p, memory, &less), NSDYN_ERR_ARGUMENT);
  ck_assert_ptr_nonnull(strstr(nsdyn_contact_message(solver), "size is"));
  char *askew = (char *)memory + 1;
  ck_assert_int_eq(nsdyn_contact_read_text(solver, slot_text, length, &p, askew, &size), NSDYN_ERR_ARGUMENT);
  p.size = 3;
  ck_assert_int_eq(nsdyn_contact_read_text(solver, slot_text, length, &p, memory, &size),
                   NSDYN_ERR_STRUCT_SIZE);
  p.size = sizeof p;
  ck_assert_int_eq(nsdyn_contact_read_text(solver, slot_text, length, &p, memory, &size), NSDYN_OK);
  ck_assert_str_eq(nsdyn_contact_message(solver), "");
  nsdyn_contact_free(solver);
}
END_TEST

START_TEST(what_a_solver_refuses_is_not_written)
{
  static whole w;
  random_state r = random_seed(5);
  do {
    make(&w, &r);
  } while (w.p.contacts < 2 || w.p.law || !w.p.start || !w.p.slip);
  char text[8];
  ck_assert_uint_gt(nsdyn_contact_write_text(&w.p, text, sizeof text), sizeof text);
  ck_assert_uint_eq(strlen(text), sizeof text - 1);
  ck_assert_uint_eq(nsdyn_contact_write_text(NULL, NULL, 0), 0);
  ck_assert_uint_eq(nsdyn_contact_write_text(&w.p, NULL, 9), 0);
  double *const each[] = {w.G, w.c, w.mu, w.slip, w.start, &w.law[1].eps_n, &w.p.dt};
  for (size_t k = 0; k < sizeof each / sizeof *each; k++) {
    const double good = *each[k];
    *each[k] = NAN;
    const int is_read = each[k] != w.slip || w.rows > w.p.contacts + w.p.bilateral;
    ck_assert_msg(!is_read || nsdyn_contact_write_text(&w.p, NULL, 0) == 0, "array %zu", k);
    *each[k] = good;
  }
  w.p.contacts = -1;
  ck_assert_uint_eq(nsdyn_contact_write_text(&w.p, NULL, 0), 0);
  nsdyn_contact_problem nothing;
  nsdyn_contact_problem_init(&nothing, sizeof nothing);
  size_t size;
  nsd_fault fault;
  char *whole_text = write_whole(&nothing, &size);
  void *memory = read_bytes(whole_text, size - 1, &w.p, &fault);
  ck_assert_msg(memory && w.p.contacts == 0 && nsdyn_contact_rows(&w.p) == 0, "%s", fault.message);
  free(memory);
  free(whole_text);
}
END_TEST

SUITE("contact/text", TEST(what_is_written_reads_back_to_the_bit), TEST(a_pile_is_written_by_blocks),
      TEST(reads_a_text_by_hand), TEST(hostile_texts_are_refused_with_their_line), TEST(truncated_anywhere),
      TEST(long_texts_take_linear_time), TEST(arguments_are_checked),
      TEST(what_a_solver_refuses_is_not_written))
