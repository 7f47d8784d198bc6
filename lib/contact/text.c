/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/text.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/safe_scalar.h"
#include "base/text.h"
#include "contact/check.h"
#include "contact/check_operator.h"
#include "contact/law.h"
#include "contact/object.h"
#include "contact/planar/glocker.h"
#include "contact/space/operator.h"

/* ---- Laws: fields and their words ---- */

enum value_kind { VALUE_WORD, VALUE_COUNT, VALUE_NUMBER };

typedef struct law_field {
  const char *name;
  enum value_kind kind;
  size_t offset;            /* in nsdyn_contact_law: an int32_t, or a double */
  const char *const *words; /* of the numbers 0, 1, …; NULL behind the last */
} law_field;

/* In the order of the enumerators; a brake is a bound with a curve. */
static const char *const kind_words[] = {"unilateral", "bilateral", NULL};
static const char *const friction_words[] = {"none", "coulomb", "static", "curve", "bound", "brake", NULL};
static const char *const shape_words[] = {"ellipse", "polygon", NULL};
enum { BRAKE = NSDYN_FRICTION_BOUND + 1 };

#define FIELD(name, kind, words)                                                                             \
  {                                                                                                          \
#name, kind, offsetof(nsdyn_contact_law, name), words                                                    \
  }
static const law_field law_fields[] = {
    FIELD(kind, VALUE_WORD, kind_words),  FIELD(friction, VALUE_WORD, friction_words),
    FIELD(tangents, VALUE_COUNT, NULL),   FIELD(shape, VALUE_WORD, shape_words),
    FIELD(sides, VALUE_COUNT, NULL),      FIELD(mu, VALUE_NUMBER, NULL),
    FIELD(mu_static, VALUE_NUMBER, NULL), FIELD(bound, VALUE_NUMBER, NULL),
    FIELD(aspect, VALUE_NUMBER, NULL),    FIELD(angle, VALUE_NUMBER, NULL),
    FIELD(eps_n, VALUE_NUMBER, NULL),     FIELD(eps_t, VALUE_NUMBER, NULL),
    FIELD(reversal, VALUE_NUMBER, NULL),
};
#undef FIELD
enum { LAW_FIELDS = sizeof law_fields / sizeof *law_fields };

/* What stands for a curve that was not in the text. */
static int unknown_curve(void *user, double speed, double *mu)
{
  (void)user, (void)speed;
  *mu = 0.0;
  return -1;
}

/* ---- Reading ---- */

/* The numbers at the head, and where all that they count stands in the caller's memory. */
typedef struct text_shape {
  int contacts, bilateral, rows, laws;
  size_t law_at, G_at, c_at, mu_at, slip_at, start_at, law_of_at; /* bytes from its beginning */
  size_t size;                                                    /* bytes of it */
} text_shape;

static nsdyn_status read_counts(nsd_scanner *s, text_shape *is)
{
  static const char *const names[] = {"contacts", "bilateral", "rows", "laws"};
  static const char *const things[] = {"contacts", "bilateral rows", "rows", "laws"};
  int *const counts[] = {&is->contacts, &is->bilateral, &is->rows, &is->laws};
  for (int k = 0; k < 4; k++) {
    char what[48];
    if (!nsd_scanner_next(s) || !nsd_scanner_is(s, names[k])) {
      snprintf(what, sizeof what, "'%s' is expected here", names[k]);
      return nsd_scanner_refuse(s, what);
    }
    const nsdyn_status status = nsd_scanner_read_count(s, things[k], counts[k]);
    if (status) {
      return status;
    }
  }
  /* Each contact and each bilateral constraint has a row, each row a number in c, each law its word. */
  if ((int64_t)is->contacts + is->bilateral > is->rows) {
    return nsd_scanner_refuse(s, "there are fewer rows than contacts and bilateral rows");
  }
  const size_t left = nsd_scanner_numbers_left(s);
  if ((size_t)is->rows > left || (size_t)is->laws > left / 2) {
    return nsd_scanner_refuse(s, "the text is too short for so many rows and laws");
  }
  return NSDYN_OK;
}

static nsdyn_status read_shape(nsd_scanner *s, text_shape *is)
{
  nsdyn_status status = read_counts(s, is);
  if (status) {
    return status;
  }
  status = nsd_stride_check(is->rows, is->rows, is->rows);
  if (status) {
    return nsd_fault_set(s->fault, status, NSDYN_DETAIL_LINE, s->line,
                         "line %lld: no memory has %d rows of %d numbers", (long long)s->line, is->rows,
                         is->rows);
  }
  const size_t rows = (size_t)is->rows, contacts = (size_t)is->contacts, number = sizeof(double);
  is->law_at = 0;
  is->G_at = is->law_at + (size_t)is->laws * sizeof(nsdyn_contact_law);
  is->c_at = is->G_at + rows * rows * number;
  is->mu_at = is->c_at + rows * number;
  is->slip_at = is->mu_at + contacts * number;
  is->start_at = is->slip_at + rows * number;
  is->law_of_at = is->start_at + rows * number;
  /* Never nothing, so that a caller's malloc() has something to give. */
  is->size = is->law_of_at + (contacts + 1) * sizeof(int32_t);
  return NSDYN_OK;
}

static const law_field *find_field(const nsd_scanner *s)
{
  for (int k = 0; k < LAW_FIELDS; k++) {
    if (nsd_scanner_is(s, law_fields[k].name)) {
      return &law_fields[k];
    }
  }
  return NULL;
}

static nsdyn_status read_word(nsd_scanner *s, const law_field *field, int32_t *value)
{
  (void)nsd_scanner_next(s);
  for (int k = 0; field->words[k]; k++) {
    if (nsd_scanner_is(s, field->words[k])) {
      *value = k;
      return NSDYN_OK;
    }
  }
  char what[96];
  snprintf(what, sizeof what, "not a word for '%s' of a law", field->name);
  return nsd_scanner_refuse(s, what);
}

/* The value behind a field's name. */
static nsdyn_status read_value(nsd_scanner *s, int k, const law_field *field, nsdyn_contact_law *law)
{
  char *at = (char *)law + field->offset;
  if (field->kind == VALUE_NUMBER) {
    char name[48];
    double value = 0.0;
    snprintf(name, sizeof name, "law %d, %s", k, field->name);
    const nsdyn_status status = nsd_scanner_read_finite(s, (nsd_text_place){name, -1, -1}, &value);
    memcpy(at, &value, sizeof value);
    return status;
  }
  int32_t value = 0;
  const nsdyn_status status = field->kind == VALUE_WORD ? read_word(s, field, &value)
                                                        : nsd_scanner_read_count(s, field->name, &value);
  memcpy(at, &value, sizeof value);
  return status;
}

/* A law as the solver checks it; what that says of "contact k" is told of law k, with the line. */
static nsdyn_status check_law(const nsd_scanner *s, int64_t line, int k, const nsdyn_contact_law *law)
{
  nsdyn_contact_law own;
  nsd_fault fault;
  nsd_fault_clear(&fault);
  const nsdyn_status status = nsd_contact_law_read(&own, law, k, &fault);
  const char *what = strchr(fault.message, ':');
  return status ? nsd_fault_set(s->fault, status, NSDYN_DETAIL_LINE, line, "line %lld: law %d%s",
                                (long long)line, k, what ? what : "")
                : NSDYN_OK;
}

/* The fields behind `law`; the word that ends them is read. */
static nsdyn_status read_law(nsd_scanner *s, int k, nsdyn_contact_law *law)
{
  nsdyn_contact_law_init(law, sizeof *law);
  unsigned seen = 0;
  int64_t line = s->line;
  const law_field *field;
  while (nsd_scanner_next(s) && (field = find_field(s)) != NULL) {
    const unsigned bit = 1u << (field - law_fields);
    if (seen & bit) {
      return nsd_scanner_refuse(s, "this field of the law was given before");
    }
    seen |= bit;
    const nsdyn_status status = read_value(s, k, field, law);
    if (status) {
      return status;
    }
    line = s->line;
  }
  if (law->friction == NSDYN_FRICTION_CURVE || law->friction == BRAKE) {
    law->curve = unknown_curve;
  }
  law->friction = law->friction == BRAKE ? NSDYN_FRICTION_BOUND : law->friction;
  return check_law(s, line, k, law);
}

/* n finite numbers behind the word `name`; the word behind them is read. */
static nsdyn_status read_array(nsd_scanner *s, const char *name, int n, double *values)
{
  for (int i = 0; i < n; i++) {
    const nsdyn_status status = nsd_scanner_read_finite(s, (nsd_text_place){name, i, -1}, &values[i]);
    if (status) {
      return status;
    }
  }
  (void)nsd_scanner_next(s);
  return NSDYN_OK;
}

static nsdyn_status read_law_numbers(nsd_scanner *s, const text_shape *is, int32_t *law_of)
{
  for (int i = 0; i < is->contacts; i++) {
    int number = 0;
    const nsdyn_status status = nsd_scanner_read_count(s, "a law", &number);
    if (status) {
      return status;
    }
    if (number >= is->laws) {
      return nsd_scanner_refuse(s, "there is no law of this number");
    }
    law_of[i] = number;
  }
  (void)nsd_scanner_next(s);
  return NSDYN_OK;
}

/* dt and the laws; the word behind them is read. */
static nsdyn_status read_laws(nsd_scanner *s, const text_shape *is, nsdyn_contact_problem *p,
                              nsdyn_contact_law *laws, int32_t *law_of)
{
  (void)nsd_scanner_next(s);
  nsdyn_status status = nsd_scanner_is(s, "dt") ? read_array(s, "dt", 1, &p->dt) : NSDYN_OK;
  for (int k = 0; k < is->laws && status == NSDYN_OK; k++) {
    if (!nsd_scanner_is(s, "law")) {
      return nsd_scanner_refuse(s, "'law' is expected here");
    }
    status = read_law(s, k, &laws[k]);
  }
  if (status) {
    return status;
  }
  p->laws = laws;
  if (nsd_scanner_is(s, "law_of")) {
    p->law = law_of;
    status = read_law_numbers(s, is, law_of);
  } else if (is->laws != is->contacts) {
    return nsd_scanner_refuse(s, "'law_of' is expected here: the contacts have not one law each");
  }
  if (status == NSDYN_OK && nsdyn_contact_rows(p) != is->rows) {
    return nsd_scanner_refuse(s, "the laws make another number of rows than the text begins with");
  }
  return status;
}

/* Where the cells of G stand: a contact's rows, or one bilateral row. */
typedef struct cells {
  const nsdyn_contact_problem *p;
  int cell; /* the one whose first row is `row` */
  int row;
} cells;

static int rows_of_cell(const nsdyn_contact_problem *p, int cell)
{
  return cell < p->contacts ? nsd_contact_law_rows(nsd_contact_law_at(p, cell)) : 1;
}

/* First row of a cell, from that of one near it: blocks stand in order, so that few steps lead to the next.
 */
static int row_of_cell(cells *at, int cell)
{
  while (at->cell < cell) {
    at->row += rows_of_cell(at->p, at->cell++);
  }
  while (at->cell > cell) {
    at->row -= rows_of_cell(at->p, --at->cell);
  }
  return at->row;
}

static nsdyn_status read_block(nsd_scanner *s, const int of[2], const int row[2], const int rows[2],
                               double *G, size_t ldg)
{
  for (int i = row[0]; i < row[0] + rows[0]; i++) {
    for (int j = row[1]; j < row[1] + rows[1]; j++) {
      double *element = &G[(size_t)i * ldg + (size_t)j];
      const nsdyn_status status = nsd_scanner_read_finite(s, (nsd_text_place){"G", i, j}, element);
      if (status) {
        return status;
      }
      if (of[0] > of[1]) {
        G[(size_t)j * ldg + (size_t)i] = *element;
      }
    }
  }
  return NSDYN_OK;
}

static nsdyn_status read_blocks(nsd_scanner *s, const nsdyn_contact_problem *p, int rows, double *G)
{
  const int most = p->contacts + p->bilateral;
  int blocks = 0, before[3] = {-1, -1, -1};
  cells at[2] = {{.p = p}, {.p = p}};
  nsdyn_status status = nsd_scanner_read_count(s, "blocks", &blocks);
  for (int i = 0; i < rows && !nsd_poll_stops(s->poll, NSD_POLL_READ * rows); i++) {
    memset(G + (size_t)i * (size_t)rows, 0, (size_t)rows * sizeof *G);
  }
  for (int k = 0; k < blocks && status == NSDYN_OK; k++) {
    int of[2] = {0, 0}, row[2], count[2];
    for (int e = 0; e < 2; e++) {
      status = nsd_scanner_read_count(s, "a block", &of[e]);
      if (status) {
        return status;
      }
      if (of[e] >= most) {
        return nsd_scanner_refuse(s, "there is no contact or bilateral row of this number");
      }
    }
    /* Line by line, the one above the diagonal behind its mirror image: none comes twice. */
    const int now[3] = {of[0] > of[1] ? of[0] : of[1], of[0] > of[1] ? of[1] : of[0], of[0] < of[1]};
    const int is_next = now[0] != before[0]   ? now[0] > before[0]
                        : now[1] != before[1] ? now[1] > before[1]
                                              : now[2] > before[2];
    if (!is_next) {
      return nsd_scanner_refuse(s, "blocks stand line by line, each once");
    }
    memcpy(before, now, sizeof before);
    for (int e = 0; e < 2; e++) {
      row[e] = row_of_cell(&at[e], of[e]);
      count[e] = rows_of_cell(p, of[e]);
    }
    status = read_block(s, of, row, count, G, (size_t)rows);
  }
  (void)(status ? 0 : nsd_scanner_next(s));
  return status;
}

static nsdyn_status read_matrix(nsd_scanner *s, const nsdyn_contact_problem *p, int rows, double *G)
{
  if (nsd_scanner_is(s, "blocks")) {
    return read_blocks(s, p, rows, G);
  }
  if (!nsd_scanner_is(s, "G")) {
    return nsd_scanner_refuse(s, "'G' or 'blocks' is expected here");
  }
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < rows; j++) {
      const nsdyn_status status =
          nsd_scanner_read_finite(s, (nsd_text_place){"G", i, j}, &G[(size_t)i * (size_t)rows + (size_t)j]);
      if (status) {
        return status;
      }
    }
  }
  (void)nsd_scanner_next(s);
  return NSDYN_OK;
}

/* c, and what may follow it. */
static nsdyn_status read_vectors(nsd_scanner *s, const text_shape *is, nsdyn_contact_problem *p, char *memory)
{
  const int tangential = is->rows - is->contacts - is->bilateral;
  const struct {
    const char *name;
    const double **to;
    int n;
    size_t at;
  } arrays[] = {{"c", &p->c, is->rows, is->c_at},
                {"mu", &p->mu, is->contacts, is->mu_at},
                {"slip", &p->slip, tangential, is->slip_at},
                {"start", &p->start, is->rows, is->start_at}};
  for (int k = 0; k < 4; k++) {
    if (nsd_scanner_is(s, arrays[k].name)) {
      double *values = (double *)(void *)(memory + arrays[k].at);
      const nsdyn_status status = read_array(s, arrays[k].name, arrays[k].n, values);
      if (status) {
        return status;
      }
      *arrays[k].to = values;
    } else if (k == 0) {
      return nsd_scanner_refuse(s, "'c' is expected here");
    }
  }
  return s->word ? nsd_scanner_refuse(s, "the end of the text is expected here: 'mu', 'slip' and 'start' "
                                         "stand behind c in this order, each once")
                 : NSDYN_OK;
}

static nsdyn_status read_problem(nsd_scanner *s, const text_shape *is, nsdyn_contact_problem *p, char *memory)
{
  nsdyn_contact_law *laws = (nsdyn_contact_law *)(void *)(memory + is->law_at);
  double *G = (double *)(void *)(memory + is->G_at);
  p->contacts = is->contacts;
  p->bilateral = is->bilateral;
  p->nlaws = is->laws;
  nsdyn_status status = read_laws(s, is, p, laws, (int32_t *)(void *)(memory + is->law_of_at));
  status = status ? status : read_matrix(s, p, is->rows, G);
  p->G = G;
  p->ldg = is->rows;
  return status ? status : read_vectors(s, is, p, memory);
}

nsdyn_status nsd_contact_read_text(const char *text, size_t length, nsdyn_contact_problem *problem,
                                   void *memory, size_t *size, nsd_fault *fault, nsd_poll *poll)
{
  if (!size || (!text && length > 0) || (memory && !problem)) {
    const int which = !size ? 5 : memory && !problem ? 3 : 1;
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, which, "%s is NULL",
                         which == 5   ? "size"
                         : which == 3 ? "problem"
                                      : "text");
  }
  nsd_scanner s = nsd_scanner_of(text, length, fault, poll);
  text_shape is = {.contacts = 0};
  nsdyn_status status = read_shape(&s, &is);
  if (status) {
    return status;
  }
  /* The caller asks for the size only, to allocate. */
  if (!memory) {
    *size = is.size;
    return NSDYN_OK;
  }
  if (*size < is.size || (uintptr_t)memory % sizeof(double) != 0) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, *size < is.size ? 5 : 4,
                         *size < is.size ? "size is %zu bytes, the problem takes %zu"
                                         : "memory is not aligned (%zu bytes for %zu)",
                         *size, is.size);
  }
  nsdyn_contact_problem own;
  nsdyn_contact_problem_init(&own, sizeof own);
  status = nsd_scanner_end(&s, read_problem(&s, &is, &own, memory));
  return status ? status
                : nsd_sized_tell(problem, NSD_CONTACT_PROBLEM_LEAST, &own, sizeof own,
                                 "nsdyn_contact_problem", fault);
}

nsdyn_status nsdyn_contact_read_text(nsdyn_contact *solver, const char *text, size_t length,
                                     nsdyn_contact_problem *problem, void *memory, size_t *size)
{
  if (!solver) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (solver->busy) {
    return NSDYN_ERR_BUSY;
  }
  nsd_fault_clear(&solver->fault);
  nsd_poll poll = nsd_poll_of(solver->ctx, "reading");
  solver->busy = 1;
  const nsdyn_status status =
      nsd_contact_read_text(text, length, problem, memory, size, &solver->fault, &poll);
  solver->busy = 0;
  return status;
}

/* ---- Writing ---- */

static void put_field(nsd_writer *w, const law_field *field, const nsdyn_contact_law *law,
                      const nsdyn_contact_law *defaults)
{
  const char *own = (const char *)law + field->offset, *other = (const char *)defaults + field->offset;
  /* By their bits: −0 is not the default 0. */
  if (memcmp(own, other, field->kind == VALUE_NUMBER ? sizeof(double) : sizeof(int32_t)) == 0) {
    return;
  }
  nsd_writer_put(w, " ");
  nsd_writer_put(w, field->name);
  nsd_writer_put(w, " ");
  if (field->kind == VALUE_NUMBER) {
    double value;
    memcpy(&value, own, sizeof value);
    nsd_writer_put_number(w, value);
    return;
  }
  int32_t value;
  memcpy(&value, own, sizeof value);
  if (field->kind == VALUE_COUNT) {
    nsd_writer_put_count(w, value);
  } else {
    nsd_writer_put(w, field->words[value]);
  }
}

static void put_law(nsd_writer *w, const nsdyn_contact_law *given)
{
  nsdyn_contact_law law = *given, defaults;
  nsdyn_contact_law_init(&defaults, sizeof defaults);
  if (law.friction == NSDYN_FRICTION_BOUND && law.curve) {
    law.friction = BRAKE;
  }
  nsd_writer_put(w, "law");
  for (int k = 0; k < LAW_FIELDS; k++) {
    put_field(w, &law_fields[k], &law, &defaults);
  }
  nsd_writer_put(w, "\n");
}

/* A block of G as it stands, and the one across. */
typedef struct block {
  const nsdyn_contact_problem *p;
  int of[2];   /* cells */
  int row[2];  /* their first rows */
  int rows[2]; /* how many */
} block;

static const double *element(const nsdyn_contact_problem *p, int i, int j)
{
  return &p->G[(size_t)i * (size_t)p->ldg + (size_t)j];
}

/* Whether all its bits are zero, so that it need not be told. */
static int is_nothing(const block *b)
{
  const double zero = 0.0;
  for (int i = 0; i < b->rows[0]; i++) {
    for (int j = 0; j < b->rows[1]; j++) {
      if (memcmp(element(b->p, b->row[0] + i, b->row[1] + j), &zero, sizeof zero) != 0) {
        return 0;
      }
    }
  }
  return 1;
}

static int is_mirrored(const block *b)
{
  for (int i = 0; i < b->rows[0]; i++) {
    for (int j = 0; j < b->rows[1]; j++) {
      if (memcmp(element(b->p, b->row[0] + i, b->row[1] + j), element(b->p, b->row[1] + j, b->row[0] + i),
                 sizeof(double)) != 0) {
        return 0;
      }
    }
  }
  return 1;
}

static block across(const block *b)
{
  return (block){b->p, {b->of[1], b->of[0]}, {b->row[1], b->row[0]}, {b->rows[1], b->rows[0]}};
}

static void put_block(nsd_writer *w, const block *b)
{
  nsd_writer_put_count(w, b->of[0]);
  nsd_writer_put(w, " ");
  nsd_writer_put_count(w, b->of[1]);
  nsd_writer_put(w, "\n");
  for (int i = 0; i < b->rows[0]; i++) {
    nsd_writer_put_row(w, b->rows[1], element(b->p, b->row[0] + i, b->row[1]));
  }
}

/* All blocks in their order: counted, with their numbers, and written where there is a writer. */
static int go_through_blocks(const nsdyn_contact_problem *p, nsd_writer *w, int64_t *numbers)
{
  int count = 0;
  cells at[2] = {{.p = p}, {.p = p}};
  *numbers = 0;
  for (int i = 0; i < p->contacts + p->bilateral; i++) {
    for (int j = 0; j <= i; j++) {
      const block b = {p,
                       {i, j},
                       {row_of_cell(&at[0], i), row_of_cell(&at[1], j)},
                       {rows_of_cell(p, i), rows_of_cell(p, j)}};
      const block other = across(&b);
      const int differs = i != j && !is_mirrored(&b);
      if (is_nothing(&b) && !differs) {
        continue;
      }
      for (int k = 0; k <= differs; k++) {
        count++;
        *numbers += 2 + (int64_t)b.rows[0] * b.rows[1];
        if (w) {
          put_block(w, k ? &other : &b);
        }
      }
    }
  }
  return count;
}

static void put_matrix(nsd_writer *w, const nsdyn_contact_problem *p, int rows)
{
  int64_t numbers;
  const int blocks = go_through_blocks(p, NULL, &numbers);
  if (numbers < (int64_t)rows * rows) {
    nsd_writer_put(w, "blocks ");
    nsd_writer_put_count(w, blocks);
    nsd_writer_put(w, "\n");
    (void)go_through_blocks(p, w, &numbers);
    return;
  }
  nsd_writer_put(w, "G\n");
  for (int i = 0; i < rows; i++) {
    nsd_writer_put_row(w, rows, element(p, i, 0));
  }
}

static void put_array(nsd_writer *w, const char *name, int n, const double *values)
{
  if (values) {
    nsd_writer_put(w, name);
    nsd_writer_put(w, " ");
    nsd_writer_put_row(w, n, values);
  }
}

static void put_counts(nsd_writer *w, const int counts[4])
{
  static const char *const names[] = {"contacts ", " bilateral ", " rows ", " laws "};
  for (int k = 0; k < 4; k++) {
    nsd_writer_put(w, names[k]);
    nsd_writer_put_count(w, counts[k]);
  }
  nsd_writer_put(w, "\n");
}

/* Laws that no contact has are not the solver's to check. */
static int are_laws_good(const nsdyn_contact_problem *p, int laws)
{
  for (int k = 0; k < laws; k++) {
    const nsdyn_contact_law *law = (const void *)((const char *)p->laws + (size_t)k * p->laws->size);
    nsdyn_contact_law own;
    if (law->size != p->laws->size || nsd_contact_law_read(&own, law, k, NULL)) {
      return 0;
    }
  }
  return 1;
}

size_t nsdyn_contact_write_text(const nsdyn_contact_problem *problem, char *text, size_t size)
{
  nsdyn_contact_problem p;
  if ((!text && size > 0) || nsd_contact_check(&p, problem, NULL, NULL, NULL) ||
      nsd_contact_check_matrix(&p, "the text", NULL)) {
    return 0;
  }
  const int rows = nsdyn_contact_rows(&p), laws = p.law ? p.nlaws : p.contacts;
  if (laws < 0 || (laws > 0 && !p.laws) || !are_laws_good(&p, laws)) {
    return 0;
  }
  nsd_writer w = nsd_writer_of(text, size);
  const double zero = 0.0;
  put_counts(&w, (const int[]){p.contacts, p.bilateral, rows, laws});
  put_array(&w, "dt", 1, memcmp(&p.dt, &zero, sizeof zero) != 0 ? &p.dt : NULL);
  for (int k = 0; k < laws; k++) {
    nsdyn_contact_law own;
    (void)nsd_contact_law_read(&own, (const void *)((const char *)p.laws + (size_t)k * p.laws->size), k,
                               NULL);
    put_law(&w, &own);
  }
  if (p.law) {
    nsd_writer_put(&w, "law_of");
    for (int i = 0; i < p.contacts; i++) {
      nsd_writer_put(&w, " ");
      nsd_writer_put_count(&w, p.law[i]);
    }
    nsd_writer_put(&w, "\n");
  }
  put_matrix(&w, &p, rows);
  put_array(&w, "c", rows, rows > 0 ? p.c : &zero); /* the word, where there is no row */
  put_array(&w, "mu", p.contacts, p.mu);
  put_array(&w, "slip", rows - p.contacts - p.bilateral, p.slip);
  put_array(&w, "start", rows, p.start);
  return nsd_writer_end(&w);
}

/* ---- Problems of steps and instants ---- */

/* One contact's law, such that a solver that reads it makes the same spec. */
static void law_of_spec(const nsd_contact_spec *spec, nsdyn_contact_law *law, double *slip)
{
  nsdyn_contact_law_init(law, sizeof *law);
  law->kind = spec->kind;
  law->mu = spec->mu;
  law->bound = spec->bound;
  law->friction = spec->friction == NSD_FRICTION_NONE    ? NSDYN_FRICTION_NONE
                  : spec->friction == NSD_FRICTION_GIVEN ? NSDYN_FRICTION_BOUND
                                                         : NSDYN_FRICTION_COULOMB;
  if (spec->space) {
    law->tangents = 2;
    law->shape = spec->space->sides > 0 ? NSDYN_FRICTION_POLYGON : NSDYN_FRICTION_ELLIPSE;
    law->sides = spec->space->sides > 0 ? spec->space->sides : law->sides;
    law->aspect = spec->space->aspect;
    law->angle = atan2(spec->space->axis[1], spec->space->axis[0]);
    /* Of friction at a known point of a polygon: a direction whose corner or side is there, or near. */
    const double length = spec->sliding == NSD_SLIDES_AT ? nsd_norm_plane(spec->slip[0], spec->slip[1]) : 1.0;
    slip[0] = spec->sliding ? spec->slip[0] / length : 0.0;
    slip[1] = spec->sliding ? spec->slip[1] / length : 0.0;
  } else if (spec->friction != NSD_FRICTION_NONE) {
    slip[0] = spec->sliding;
  }
}

typedef struct written {
  nsdyn_contact_law *laws; /* contacts */
  double *slip;            /* rows, more than enough */
  double *G, *unit;        /* where it is an operator: rows², and a vector of it */
} written;

static void lay_out(nsd_arena *arena, written *to, const nsd_contact_data *d)
{
  const size_t rows = (size_t)d->rows;
  to->laws = nsd_arena_take(arena, (size_t)d->contacts, sizeof *to->laws);
  to->slip = nsd_arena_take(arena, rows, sizeof *to->slip);
  to->G = nsd_arena_take(arena, d->G ? 0 : rows, rows * sizeof *to->G);
  to->unit = nsd_arena_take(arena, d->G ? 0 : (size_t)d->W->columns, sizeof *to->unit);
}

size_t nsd_contact_write_data(const nsd_contact_data *d, nsd_arena *arena, char *text, size_t size)
{
  /* Eq. 33 is for contacts in the plane. */
  if (!d->is_spatial) {
    return nsd_glocker_write_text(d, arena, text, size);
  }
  written to;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &to, d);
  if (nsd_arena_reserve(arena, &measure)) {
    return 0;
  }
  lay_out(arena, &to, d);
  double *slip = to.slip;
  for (int i = 0; i < d->contacts; i++) {
    law_of_spec(&d->spec[i], &to.laws[i], slip);
    slip += nsd_contact_rows_of(&d->spec[i]) - 1;
  }
  if (!d->G && nsd_operator_matrix(d->W, to.unit, to.G, NULL)) {
    return 0;
  }
  nsdyn_contact_problem p;
  nsdyn_contact_problem_init(&p, sizeof p);
  p.contacts = d->contacts;
  p.bilateral = d->bilateral;
  p.laws = to.laws;
  p.G = d->G ? d->G : to.G;
  p.ldg = d->G ? d->ldg : d->rows;
  p.c = d->c;
  p.slip = to.slip;
  p.dt = 1.0; /* bounds are impulses already */
  return nsdyn_contact_write_text(&p, text, size);
}
