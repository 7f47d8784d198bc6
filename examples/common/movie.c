/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "movie.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "movie_page.h"

enum { FRAMES = 2000, LEAST_FRAMES = 200, NUMBERS = 60000, ENERGIES = 8, COLORS = 6 };

/* Text that grows. */
typedef struct text {
  char *at;
  size_t length, room;
} text;

typedef struct numbers {
  double *at;
  int count, room;
} numbers;

typedef struct shown {
  char name[32];
  int color;
  text shapes; /* as JSON, between commas */
} shown;

struct movie {
  int dimensions, bodies, follow, has_view, energy_count;
  double t_end, next, view[6];
  shown *body;
  text ground, springs, impulses;
  const char *energy_names;
  numbers time, poses, energies, forces;
  numbers ends; /* of each frame in `forces` */
};

/* ---- Growing ---- */

static void add_text(text *t, const char *more)
{
  const size_t length = strlen(more);
  if (t->length + length + 1 > t->room) {
    t->room = 2 * (t->length + length + 1);
    t->at = memory(t->at, t->room, 1);
  }
  memcpy(t->at + t->length, more, length + 1);
  t->length += length;
}

/* What JSON has no number for is null. */
static void add_number(text *t, double value)
{
  char digits[NUMBER_LENGTH];
  (void)snprintf(digits, sizeof digits, isfinite(value) ? "%.7g" : "null", value);
  add_text(t, digits);
}

static void add_list(text *t, int count, const double *values)
{
  for (int i = 0; i < count; i++) {
    add_text(t, i ? "," : "[");
    add_number(t, values[i]);
  }
  add_text(t, count ? "]" : "[]");
}

static void add_values(numbers *n, int count, const double *values)
{
  if (n->count + count > n->room) {
    n->room = 2 * (n->count + count);
    n->at = memory(n->at, (size_t)n->room, sizeof *n->at);
  }
  for (int i = 0; i < count; i++) {
    n->at[n->count++] = values ? values[i] : NAN;
  }
}

/* ---- What there is ---- */

movie *movie_new(const output *out, int dimensions, double t_end)
{
  if (!out->html) {
    return NULL;
  }
  movie *m = memory(NULL, 1, sizeof *m);
  *m = (movie){.dimensions = dimensions, .follow = MOVIE_GROUND, .t_end = t_end, .energy_names = ""};
  return m;
}

int movie_add_body(movie *m, const char *name, int color)
{
  if (!m) {
    return 0;
  }
  m->body = memory(m->body, (size_t)m->bodies + 1, sizeof *m->body);
  shown *b = &m->body[m->bodies];
  *b = (shown){.color = color == PLOT_COLOR_AUTO ? 1 + m->bodies % COLORS : color};
  (void)snprintf(b->name, sizeof b->name, "%s", name);
  return m->bodies++;
}

/* The list of shapes of a body, after the beginning of one more. */
static text *begin_shape(movie *m, int body, const char *kind)
{
  text *t = body == MOVIE_GROUND ? &m->ground : &m->body[body].shapes;
  add_text(t, t->length ? ",{\"kind\":\"" : "{\"kind\":\"");
  add_text(t, kind);
  add_text(t, "\"");
  return t;
}

static void add_point(text *t, const char *name, int dimensions, const double *point)
{
  add_text(t, name);
  add_list(t, dimensions, point);
}

static void add_radius(text *t, double r)
{
  add_text(t, ",\"r\":");
  add_number(t, r);
  add_text(t, "}");
}

static void add_points(movie *m, int body, const char *kind, int count, const double *points)
{
  text *t = begin_shape(m, body, kind);
  for (int i = 0; i < count; i++) {
    add_point(t, i ? "," : ",\"points\":[", m->dimensions, points + (ptrdiff_t)m->dimensions * i);
  }
  add_text(t, "]}");
}

void movie_add_polygon(movie *m, int body, int count, const double *points)
{
  if (m) {
    add_points(m, body, "polygon", count, points);
  }
}

void movie_add_line(movie *m, int body, int count, const double *points)
{
  if (m) {
    add_points(m, body, "line", count, points);
  }
}

void movie_add_ball(movie *m, int body, const double *centre, double r)
{
  if (m) {
    text *t = begin_shape(m, body, "ball");
    add_point(t, ",\"at\":", m->dimensions, centre);
    add_radius(t, r);
  }
}

static void add_along(movie *m, int body, const char *kind, const double *from, const double *to, double r)
{
  text *t = begin_shape(m, body, kind);
  add_point(t, ",\"from\":", m->dimensions, from);
  add_point(t, ",\"to\":", m->dimensions, to);
  add_radius(t, r);
}

void movie_add_capsule(movie *m, int body, const double *from, const double *to, double r)
{
  if (m) {
    add_along(m, body, "capsule", from, to, r);
  }
}

void movie_add_cylinder(movie *m, int body, const double *from, const double *to, double r)
{
  if (m) {
    add_along(m, body, "cylinder", from, to, r);
  }
}

void movie_add_box(movie *m, int body, const double *centre, const double *half)
{
  if (m) {
    text *t = begin_shape(m, body, "box");
    add_point(t, ",\"at\":", m->dimensions, centre);
    add_point(t, ",\"half\":", m->dimensions, half);
    add_text(t, "}");
  }
}

void movie_add_spring(movie *m, int first, const double *from, int second, const double *to)
{
  if (m) {
    text *t = &m->springs;
    add_text(t, t->length ? ",{\"bodies\":" : "{\"bodies\":");
    add_list(t, 2, (double[]){first, second});
    add_point(t, ",\"points\":[", m->dimensions, from);
    add_point(t, ",", m->dimensions, to);
    add_text(t, "]}");
  }
}

void movie_set_energies(movie *m, const char *names)
{
  if (m) {
    m->energy_names = names;
    m->energy_count = *names != '\0';
    for (const char *c = names; *c; c++) {
      m->energy_count += *c == ',';
    }
  }
}

void movie_follow(movie *m, int body)
{
  if (m) {
    m->follow = body;
  }
}

void movie_set_view(movie *m, const double *low, const double *high)
{
  if (m) {
    m->has_view = 1;
    for (int k = 0; k < m->dimensions; k++) {
      m->view[k] = low[k];
      m->view[m->dimensions + k] = high[k];
    }
  }
}

/* ---- What happens ---- */

int movie_is_due(const movie *m, double t)
{
  return m && t >= m->next;
}

void movie_frame(movie *m, double t, const double *poses, const double *energies)
{
  if (!m) {
    return;
  }
  const int frames = (int)fmax(LEAST_FRAMES, fmin(FRAMES, NUMBERS / fmax(m->bodies, 1.0)));
  const double apart = m->t_end / frames;
  m->next = apart * (floor(t / apart) + 1.0) * (1.0 - 1e-9); /* a step that ends there has rounding */
  add_values(&m->time, 1, &t);
  add_values(&m->poses, m->bodies * (m->dimensions == 2 ? 3 : 7), poses);
  add_values(&m->energies, m->energy_count, energies);
  add_values(&m->ends, 1, &(double){m->forces.count});
}

void movie_force(movie *m, const double *point, const double *force)
{
  if (m && m->ends.count) {
    add_values(&m->forces, m->dimensions, point);
    add_values(&m->forces, m->dimensions, force);
    m->ends.at[m->ends.count - 1] = m->forces.count;
  }
}

void movie_impulse(movie *m, double t, const double *point, const double *impulse)
{
  if (m) {
    double one[7] = {t};
    memcpy(one + 1, point, (size_t)m->dimensions * sizeof *one);
    memcpy(one + 1 + m->dimensions, impulse, (size_t)m->dimensions * sizeof *one);
    add_text(&m->impulses, m->impulses.length ? ",\n" : "");
    add_list(&m->impulses, 1 + 2 * m->dimensions, one);
  }
}

/* ---- The page ---- */

/* A text within quotes; within a script element nothing may look like the end of one. */
static void write_quoted(FILE *file, const char *words)
{
  fputc('"', file);
  for (const unsigned char *c = (const unsigned char *)words; *c; c++) {
    if (*c < 0x20 || *c == '"' || *c == '\\' || *c == '<' || *c == '>' || *c == '&') {
      fprintf(file, "\\u%04x", (unsigned)*c);
    } else {
      fputc(*c, file);
    }
  }
  fputc('"', file);
}

/* Some of the numbers, from one on. */
static void write_part(FILE *file, const numbers *n, int from, int count)
{
  text t = {0};
  for (int i = 0; i < count; i++) {
    add_text(&t, i ? "," : "[");
    add_number(&t, n->at[from + i]);
  }
  fputs(count ? t.at : "[", file);
  fputc(']', file);
  free(t.at);
}

static const char *text_of(const text *t)
{
  return t->at ? t->at : "";
}

static void write_bodies(FILE *file, const movie *m)
{
  fputs("\"bodies\":[", file);
  for (int i = 0; i < m->bodies; i++) {
    fputs(i ? ",\n{\"name\":" : "\n{\"name\":", file);
    write_quoted(file, m->body[i].name);
    fprintf(file, ",\"color\":%d,\"shapes\":[%s]}", m->body[i].color, text_of(&m->body[i].shapes));
  }
  fprintf(file, "],\n\"ground\":[%s],\n\"springs\":[%s],\n", text_of(&m->ground), text_of(&m->springs));
}

/* An array for each name: the columns of the frames' energies. */
static void write_energies(FILE *file, const movie *m)
{
  const char *name = m->energy_names;
  fputs("\"energies\":{", file);
  for (int k = 0; k < m->energy_count; k++) {
    const int length = (int)strcspn(name, ",");
    char own[32];
    (void)snprintf(own, sizeof own, "%.*s", length, name);
    numbers column = {0};
    for (int i = 0; i < m->time.count; i++) {
      add_values(&column, 1, &m->energies.at[i * m->energy_count + k]);
    }
    fputs(k ? ",\n" : "\n", file);
    write_quoted(file, own);
    fputc(':', file);
    write_part(file, &column, 0, column.count);
    free(column.at);
    name += length + 1;
  }
  fputs("}", file);
}

static void write_motion(FILE *file, movie *m, const char *title, const char *note)
{
  const int size = m->bodies * (m->dimensions == 2 ? 3 : 7);
  fputs("{\"title\":", file);
  write_quoted(file, title);
  fputs(",\"note\":", file);
  write_quoted(file, note);
  fprintf(file, ",\n\"dimensions\":%d,\"follow\":%d,\"view\":", m->dimensions, m->follow);
  if (m->has_view) {
    const numbers view = {.at = m->view, .count = 2 * m->dimensions};
    fputc('[', file);
    write_part(file, &view, 0, m->dimensions);
    fputc(',', file);
    write_part(file, &view, m->dimensions, m->dimensions);
    fputs("],\n", file);
  } else {
    fputs("null,\n", file);
  }
  write_bodies(file, m);
  fputs("\"time\":", file);
  write_part(file, &m->time, 0, m->time.count);
  fputs(",\n\"poses\":[", file);
  for (int i = 0; i < m->time.count; i++) {
    fputs(i ? ",\n" : "\n", file);
    write_part(file, &m->poses, size * i, size);
  }
  fputs("],\n\"forces\":[", file);
  for (int i = 0, from = 0; i < m->time.count; i++) {
    const int to = (int)m->ends.at[i];
    fputs(i ? ",\n" : "\n", file);
    write_part(file, &m->forces, from, to - from);
    from = to;
  }
  fprintf(file, "],\n\"impulses\":[%s],\n", text_of(&m->impulses));
  write_energies(file, m);
  fputs("}\n", file);
}

/* Words as text of a page. */
static void write_escaped(FILE *file, const char *words)
{
  for (const char *c = words; *c; c++) {
    switch (*c) {
    case '<':
      fputs("&lt;", file);
      break;
    case '>':
      fputs("&gt;", file);
      break;
    case '&':
      fputs("&amp;", file);
      break;
    default:
      fputc(*c, file);
    }
  }
}

static void free_movie(movie *m)
{
  for (int i = 0; i < m->bodies; i++) {
    free(m->body[i].shapes.at);
  }
  free(m->body);
  free(m->ground.at);
  free(m->springs.at);
  free(m->impulses.at);
  free(m->time.at);
  free(m->poses.at);
  free(m->energies.at);
  free(m->forces.at);
  free(m->ends.at);
  free(m);
}

void movie_close(movie *m, const output *out, const char *title, const char *note)
{
  if (!m) {
    return;
  }
  /* A page without a frame would have no time to show: the bodies at their origin stand for it. */
  if (m->time.count == 0) {
    double *origin = memory(NULL, 7 * (size_t)m->bodies + 1, sizeof *origin);
    for (int i = 0; i < 7 * m->bodies; i++) {
      origin[i] = m->dimensions == 3 && i % 7 == 3;
    }
    movie_frame(m, 0.0, origin, NULL);
    free(origin);
  }
  for (size_t i = 0; i < sizeof movie_page / sizeof *movie_page; i++) {
    const char *line = movie_page[i], *mark = strstr(line, "@TITLE@");
    if (mark) {
      fprintf(out->html, "%.*s", (int)(mark - line), line);
      write_escaped(out->html, title);
      fputs(mark + strlen("@TITLE@"), out->html);
    } else if (strcmp(line, "@MOTION@\n") == 0) {
      write_motion(out->html, m, title, note);
    } else {
      fputs(line, out->html);
    }
  }
  free_movie(m);
}
