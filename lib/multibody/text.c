/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Trees as text: records of bodies, elements and loops, each with its fields by name. Tables of fields tell
 * both the reader and the writer. */
#include "base/text.h"

#include <stdio.h>
#include <string.h>

#include "multibody/elements.h"
#include "multibody/joints.h"
#include "multibody/loops.h"

/* ---- the fields of each record ---- */

enum field_kind { NUMBERS, COUNTS, BODIES, JOINT, ELEMENT_KIND };

typedef struct field {
  const char *word;
  size_t offset;
  int kind, count; /* field_kind, and how many of it */
} field;

#define BODY(name) #name, offsetof(nsdyn_tree_body, name)
#define ELEMENT(name) #name, offsetof(nsdyn_tree_element, name)
#define LOOP(name) #name, offsetof(nsdyn_tree_loop, name)

static const field body_fields[] = {
    {BODY(parent), BODIES, 1},      {BODY(joint), JOINT, 1},       {BODY(joint_place), NUMBERS, 3},
    {BODY(joint_turn), NUMBERS, 4}, {BODY(own_place), NUMBERS, 3}, {BODY(own_turn), NUMBERS, 4},
    {BODY(axis), NUMBERS, 3},       {BODY(second), NUMBERS, 3},    {BODY(pitch), NUMBERS, 1},
    {BODY(mass), NUMBERS, 1},       {BODY(centre), NUMBERS, 3},    {BODY(inertia), NUMBERS, 6},
};
static const field element_fields[] = {
    {ELEMENT(kind), ELEMENT_KIND, 1},
    {ELEMENT(held), COUNTS, 1},
    {"between", offsetof(nsdyn_tree_element, body), BODIES, 2},
    {ELEMENT(axis), COUNTS, 2},
    {ELEMENT(ratio), NUMBERS, 1},
    {ELEMENT(anchor), NUMBERS, 6},
    {ELEMENT(rest), NUMBERS, 1},
    {ELEMENT(stiffness), NUMBERS, 1},
    {ELEMENT(damping), NUMBERS, 1},
    {ELEMENT(friction), NUMBERS, 1},
    {ELEMENT(lower), NUMBERS, 1},
    {ELEMENT(upper), NUMBERS, 1},
    {ELEMENT(eps_n), NUMBERS, 1},
};
static const field loop_fields[] = {
    {"between", offsetof(nsdyn_tree_loop, body), BODIES, 2},
    {LOOP(joint), JOINT, 1},
    {LOOP(joint_place), NUMBERS, 3},
    {LOOP(joint_turn), NUMBERS, 4},
    {LOOP(own_place), NUMBERS, 3},
    {LOOP(own_turn), NUMBERS, 4},
    {LOOP(axis), NUMBERS, 3},
    {LOOP(second), NUMBERS, 3},
};

/* A kind of record: its fields, and how one becomes part of a tree. */
typedef struct record_type {
  const char *word;
  const field *fields;
  size_t count, name; /* fields; offset of the name */
} record_type;

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const record_type body_type = {"body", body_fields, COUNT(body_fields),
                                      offsetof(nsdyn_tree_body, name)};
static const record_type element_type = {"element", element_fields, COUNT(element_fields),
                                         offsetof(nsdyn_tree_element, name)};
static const record_type loop_type = {"loop", loop_fields, COUNT(loop_fields),
                                      offsetof(nsdyn_tree_loop, name)};

static const char *const element_kinds[] = {"axis", "line"};

/* ---- names ---- */

/* Longest word of a name: each of its bytes as %XX. */
enum { WORD_LENGTH = 3 * NSD_NAME_LENGTH };

static int digit_of(char c)
{
  static const char digits[] = "0123456789ABCDEF", small[] = "0123456789abcdef";
  const char *at = c ? strchr(digits, c) : NULL, *other = c ? strchr(small, c) : NULL;
  return at ? (int)(at - digits) : other ? (int)(other - small) : -1;
}

/* A name as one word: blanks, what begins a comment and what else could not be read back stand as %XX. */
static const char *encode(const char *name, char word[WORD_LENGTH])
{
  static const char digits[] = "0123456789ABCDEF";
  size_t length = 0;
  for (size_t i = 0; name[i]; i++) {
    const unsigned char c = (unsigned char)name[i];
    const int is_first = i == 0 && ((c >= '0' && c <= '9') || c == '-' || !strcmp(name, "world"));
    if (c <= ' ' || c == '#' || c == '%' || c == 0x7f || is_first) {
      word[length++] = '%';
      word[length++] = digits[c >> 4];
      word[length++] = digits[c & 15];
    } else {
      word[length++] = (char)c;
    }
  }
  word[length] = '\0';
  return word;
}

/* The word last read as a name, of which the library keeps the beginning. */
static nsdyn_status decode(const nsd_scanner *s, char name[2 * NSD_NAME_LENGTH])
{
  size_t length = 0;
  for (size_t i = 0; i < s->length && length + 1 < 2 * NSD_NAME_LENGTH; i++, length++) {
    name[length] = s->word[i];
    if (s->word[i] == '%') {
      const int high = i + 2 < s->length ? digit_of(s->word[i + 1]) : -1;
      const int low = high < 0 ? -1 : digit_of(s->word[i + 2]);
      if (low < 0 || high + low == 0) {
        return nsd_scanner_refuse(s, "% in a name begins two digits, 01 to FF, of a byte");
      }
      name[length] = (char)(16 * high + low);
      i += 2;
    } else if (s->word[i] == '\0') {
      return nsd_scanner_refuse(s, "a name has no zero in it");
    }
  }
  name[length] = '\0';
  return NSDYN_OK;
}

/* ---- reading ---- */

typedef struct text_reader {
  nsd_scanner s;
  nsd_fault *fault;
  nsdyn_tree *tree;
} text_reader;

/* "world", the number of a body, or a name that fits one body alone: of which the tree has kept all. */
static nsdyn_status read_body(text_reader *r, int32_t *body)
{
  char name[2 * NSD_NAME_LENGTH], kept[NSD_NAME_LENGTH];
  nsd_scanner *s = &r->s;
  if (!nsd_scanner_next(s)) {
    return nsd_scanner_refuse(s, "a body is missing");
  }
  if (nsd_scanner_is(s, "world")) {
    *body = -1;
    return NSDYN_OK;
  }
  if (s->word[0] >= '0' && s->word[0] <= '9') {
    nsd_scanner again = *s;
    int number = -1;
    again.at = s->word;
    const nsdyn_status status = nsd_scanner_read_count(&again, "bodies", &number);
    *body = number;
    return status;
  }
  const nsdyn_status status = decode(s, name);
  if (status) {
    return status;
  }
  nsd_name_copy(kept, name);
  if (strcmp(kept, name) != 0) {
    return nsd_scanner_refuse(s, "only 31 bytes of a name are kept; tell the number of that body");
  }
  *body = nsdyn_tree_find(r->tree, name);
  if (*body < 0) {
    return nsd_scanner_refuse(s, "no body before this line has that name");
  }
  return r->tree->body[*body].is_shared
             ? nsd_scanner_refuse(s, "several bodies have that name; tell the number of that body")
             : NSDYN_OK;
}

static nsdyn_status read_word(text_reader *r, const field *f, int32_t *value)
{
  nsd_scanner *s = &r->s;
  const int most = f->kind == JOINT ? NSDYN_TREE_FREE + 1 : (int)COUNT(element_kinds);
  (void)nsd_scanner_next(s);
  for (int i = 0; i < most; i++) {
    if (nsd_scanner_is(s, f->kind == JOINT ? nsd_joint_type_of(i)->name : element_kinds[i])) {
      *value = i;
      return NSDYN_OK;
    }
  }
  return nsd_scanner_refuse(s,
                            f->kind == JOINT ? "not a kind of joint" : "not a kind of element: axis or line");
}

static nsdyn_status read_field(text_reader *r, const field *f, void *record)
{
  char *at = (char *)record + f->offset;
  nsdyn_status status = NSDYN_OK;
  for (int i = 0; i < f->count && !status; i++) {
    const nsd_text_place to = {f->word, f->count > 1 ? i : -1, -1};
    int32_t whole = 0;
    double number = 0.0;
    int count = 0;
    switch (f->kind) {
    case NUMBERS:
      status = nsd_scanner_read(&r->s, to, &number);
      memcpy(at + (size_t)i * sizeof number, &number, sizeof number);
      continue;
    case COUNTS:
      status = nsd_scanner_read_count(&r->s, f->word, &count);
      whole = count;
      break;
    case BODIES:
      status = read_body(r, &whole);
      break;
    default:
      status = read_word(r, f, &whole);
      break;
    }
    memcpy(at + (size_t)i * sizeof whole, &whole, sizeof whole);
  }
  return status;
}

/* A name, or -, then fields in any order, each once, up to a word that is none: it begins what comes next. */
static nsdyn_status read_record(text_reader *r, const record_type *type, void *record,
                                char name[2 * NSD_NAME_LENGTH])
{
  nsd_scanner *s = &r->s;
  const char *given = name;
  uint32_t seen = 0;
  if (!nsd_scanner_next(s)) {
    return nsd_scanner_refuse(s, "a name is missing, or - for none");
  }
  nsdyn_status status = NSDYN_OK;
  if (!nsd_scanner_is(s, "-")) {
    status = decode(s, name);
    memcpy((char *)record + type->name, &given, sizeof given);
  }
  while (!status && nsd_scanner_next(s)) {
    size_t i = 0;
    while (i < type->count && !nsd_scanner_is(s, type->fields[i].word)) {
      i++;
    }
    if (i == type->count) {
      break;
    }
    if (seen & 1u << i) {
      return nsd_scanner_refuse(s, "this field was told before");
    }
    seen |= 1u << i;
    status = read_field(r, &type->fields[i], record);
  }
  return nsd_scanner_end(s, status); /* a caller who stops it has not told the whole record */
}

/* What the tree says of a record that begins in this line. */
static nsdyn_status told_at(text_reader *r, int64_t line, nsdyn_status status)
{
  return status ? nsd_fault_set(r->fault, status, NSDYN_DETAIL_LINE, line, "line %lld: %s", (long long)line,
                                nsdyn_tree_message(r->tree))
                : NSDYN_OK;
}

static nsdyn_status read_one(text_reader *r)
{
  char name[2 * NSD_NAME_LENGTH] = "";
  const int64_t line = r->s.line;
  nsdyn_tree_body body;
  nsdyn_tree_element element;
  nsdyn_tree_loop loop;
  nsdyn_status status;
  if (nsd_scanner_is(&r->s, "body")) {
    nsdyn_tree_body_init(&body, sizeof body);
    status = read_record(r, &body_type, &body, name);
    return status ? status : told_at(r, line, nsdyn_tree_add(r->tree, &body, NULL));
  }
  if (nsd_scanner_is(&r->s, "element")) {
    nsdyn_tree_element_init(&element, sizeof element);
    status = read_record(r, &element_type, &element, name);
    return status ? status : told_at(r, line, nsdyn_tree_add_element(r->tree, &element, NULL));
  }
  if (nsd_scanner_is(&r->s, "loop")) {
    nsdyn_tree_loop_init(&loop, sizeof loop);
    status = read_record(r, &loop_type, &loop, name);
    return status ? status : told_at(r, line, nsdyn_tree_add_loop(r->tree, &loop, NULL));
  }
  return nsd_scanner_refuse(&r->s, "neither a field of this record nor body, element or loop");
}

/* tree, gravity, and records. */
static nsdyn_status read_tree(nsdyn_context *ctx, text_reader *r)
{
  nsd_scanner *s = &r->s;
  nsdyn_tree_options options;
  nsdyn_error error = {.size = sizeof error};
  nsdyn_status status = NSDYN_OK;
  nsdyn_tree_options_init(&options, sizeof options);
  if (!nsd_scanner_next(s) || !nsd_scanner_is(s, "tree")) {
    return nsd_scanner_refuse(s, "a tree begins with the word tree");
  }
  if (nsd_scanner_next(s) && nsd_scanner_is(s, "gravity")) {
    for (int i = 0; i < 3 && !status; i++) {
      const nsd_text_place to = {"gravity", i, -1};
      status = nsd_scanner_read_finite(s, to, &options.gravity[i]);
    }
    (void)(status || nsd_scanner_next(s));
  }
  const int64_t line = s->line;
  status = status ? status : nsdyn_tree_new(ctx, &options, &r->tree, &error);
  if (status) {
    return r->fault->message[0] ? status
                                : nsd_fault_set(r->fault, status, NSDYN_DETAIL_LINE, line, "line %lld: %s",
                                                (long long)line, error.message);
  }
  while (!status && s->word) {
    status = read_one(r);
  }
  return nsd_scanner_end(s, status);
}

nsdyn_status nsdyn_tree_read_text(nsdyn_context *ctx, const char *text, size_t length, nsdyn_tree **out,
                                  nsdyn_error *error)
{
  nsd_fault fault;
  nsdyn_status status = nsd_error_begin(error, &fault, out, "nsdyn_tree_read_text", 3);
  if (!out) {
    return nsd_error_end(error, &fault, status);
  }
  *out = NULL;
  if (!status && !text) {
    status = nsd_fault_set(&fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1,
                           "nsdyn_tree_read_text: text is NULL");
  }
  if (!status) {
    nsd_poll poll = nsd_poll_of(ctx, "nsdyn_tree_read_text");
    text_reader r = {.s = nsd_scanner_of(text, length, &fault, &poll), .fault = &fault};
    status = read_tree(ctx, &r);
    if (status) {
      nsdyn_tree_free(r.tree);
    } else {
      *out = r.tree;
    }
  }
  return nsd_error_end(error, &fault, status);
}

/* ---- writing ---- */

/* A body by its name, where that leads to it alone; else by its number. */
static void put_body(nsd_writer *w, const nsdyn_tree *tree, int32_t body)
{
  char word[WORD_LENGTH];
  const char *name = body < 0 ? "" : tree->body[body].name;
  if (body < 0) {
    nsd_writer_put(w, "world");
  } else if (nsdyn_tree_find(tree, name) == body && !tree->body[body].is_shared) {
    nsd_writer_put(w, encode(name, word));
  } else {
    nsd_writer_put_count(w, body);
  }
}

/* Fields that are not as the defaults have them. */
static void put_record(nsd_writer *w, const nsdyn_tree *tree, const record_type *type, const char *name,
                       const void *record, const void *defaults)
{
  char word[WORD_LENGTH];
  nsd_writer_put(w, type->word);
  nsd_writer_put(w, " ");
  nsd_writer_put(w, name[0] ? encode(name, word) : "-");
  nsd_writer_put(w, "\n");
  for (size_t k = 0; k < type->count; k++) {
    const field *f = &type->fields[k];
    const char *at = (const char *)record + f->offset;
    const size_t size = f->kind == NUMBERS ? sizeof(double) : sizeof(int32_t);
    if (!memcmp(at, (const char *)defaults + f->offset, (size_t)f->count * size)) {
      continue;
    }
    nsd_writer_put(w, "  ");
    nsd_writer_put(w, f->word);
    for (int i = 0; i < f->count; i++) {
      int32_t whole = 0;
      double number = 0.0;
      nsd_writer_put(w, " ");
      if (f->kind == NUMBERS) {
        memcpy(&number, at + (size_t)i * size, size);
        nsd_writer_put_number(w, number);
        continue;
      }
      memcpy(&whole, at + (size_t)i * size, size);
      if (f->kind == BODIES) {
        put_body(w, tree, whole);
      } else if (f->kind == COUNTS) {
        nsd_writer_put_count(w, whole);
      } else {
        nsd_writer_put(w, f->kind == JOINT ? nsd_joint_type_of(whole)->name : element_kinds[whole]);
      }
    }
    nsd_writer_put(w, "\n");
  }
}

size_t nsdyn_tree_write_text(const nsdyn_tree *tree, char *text, size_t size)
{
  nsdyn_tree_body body;
  nsdyn_tree_element element;
  nsdyn_tree_loop loop;
  if (!tree || (!text && size)) {
    return 0;
  }
  if (tree->solids.count || tree->laws.count) { /* which no text holds either */
    return 0;
  }
  for (int32_t i = 0; i < tree->elements.count; i++) { /* functions, which no text holds */
    const nsdyn_tree_element *def = &nsd_tree_element_at(tree, i)->def;
    if (def->drive || def->force) {
      return 0;
    }
  }
  nsd_writer w = nsd_writer_of(text, size);
  nsd_writer_put(&w, "tree\ngravity ");
  nsd_writer_put_row(&w, 3, tree->gravity);
  nsdyn_tree_body_init(&body, sizeof body);
  for (int32_t i = 0; i < tree->bodies; i++) {
    put_record(&w, tree, &body_type, tree->body[i].name, (const nsdyn_tree_body *)tree->given.item + i,
               &body);
  }
  /* Elements that are held and loops count their constraints together, in the order in which they came. */
  nsdyn_tree_element_init(&element, sizeof element);
  nsdyn_tree_loop_init(&loop, sizeof loop);
  for (int32_t i = 0, k = 0; i < tree->elements.count || k < tree->loops.count;) {
    const nsd_loop *closed = k < tree->loops.count ? (const nsd_loop *)tree->loops.item + k : NULL;
    if (closed && closed->elements <= i) {
      put_record(&w, tree, &loop_type, closed->name, &closed->def, &loop);
      k++;
    } else {
      const nsd_element *own = nsd_tree_element_at(tree, i++);
      put_record(&w, tree, &element_type, own->name, &own->def, &element);
    }
  }
  return nsd_writer_end(&w);
}
