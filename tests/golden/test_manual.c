/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The tables that the manual prints of the woodpecker's limit cycle are what comes out here. Where one does
 * not agree, what it should be is written beside the test program: look at it, and put it in the table's
 * place. */
#include <stdio.h>
#include <string.h>

#include "cycle.h"
#include "nsdyn/event.h"
#include "nsdyn/stepper.h"

enum { ROOM = 8192 };

/* ---- Text, and the file that holds it ---- */

typedef struct text {
  size_t length;
  char at[ROOM];
} text;

static void grow(text *t, int count)
{
  REQUIRE(count >= 0 && t->length + (size_t)count < ROOM, "no room");
  t->length += (size_t)count;
}
#define ADD(t, ...) grow(t, snprintf((t)->at + (t)->length, ROOM - (t)->length, __VA_ARGS__))

static void is_printed(const text *t, const char *name)
{
  char path[1024], stored[ROOM] = {0};
  const int length = snprintf(path, sizeof path, "%s/%s", NSD_TABLES, name);
  REQUIRE(length > 0 && (size_t)length < sizeof path, "a path too long");
  FILE *file = fopen(path, "rb");
  const size_t count = file ? fread(stored, 1, sizeof stored - 1, file) : 0;
  if (file) {
    (void)fclose(file);
  }
  if (count == t->length && memcmp(stored, t->at, count) == 0) {
    return;
  }
  file = fopen(name, "wb");
  if (file) {
    (void)fwrite(t->at, 1, t->length, file);
    (void)fclose(file);
  }
  ck_abort_msg("%s should be as written here:\n%s", path, t->at);
}

/* ---- Events ---- */

/* Table 1 of Slavič & Boltežar (2006), three degrees of freedom, in ms; the last row is the period. */
static const struct {
  const char *name;
  exact_kind kind;
  int contact;
  double printed;
} rows[] = {
    {"lower edge hits the pole", EXACT_IMPACT, LOWER, 0.0},
    {"it sticks", EXACT_STOP, LOWER, 51.4},
    {"it slips", EXACT_START, LOWER, 90.6},
    {"it leaves", EXACT_DETACH, LOWER, 96.2},
    {"upper edge hits the pole", EXACT_IMPACT, UPPER, 106.4},
    {"beak hits the pole", EXACT_IMPACT, BEAK, 110.0},
    {"upper edge hits again", EXACT_IMPACT, UPPER, 110.8},
    {"it leaves", EXACT_DETACH, UPPER, 114.0},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Times of the rows in ms, from the first impact of the lower edge on, and period and drop. */
static void time_rows(double mu, double *t, double *period, double *drop)
{
  exact_woodpecker p;
  exact_cycle c;
  exact_woodpecker_table(&p);
  for (int i = 0; i < EXACT_CONTACTS; i++) {
    p.mu[i] = mu;
  }
  ck_assert_int_eq(exact_woodpecker_cycle(&p, &c), EXACT_EVENT);
  int at = 0, first = 0;
  while (c.event[first].contact != LOWER || c.event[first].kind != EXACT_IMPACT) {
    first++;
  }
  for (int k = first; at < ROWS && k < first + c.events; k++) {
    const exact_event *e = &c.event[k % c.events];
    if (e->contact == rows[at].contact && e->kind == rows[at].kind) {
      const long double turn = k >= c.events ? c.period : 0.0L;
      t[at++] = 1e3 * (double)(e->t + turn - c.event[first].t);
    }
  }
  ck_assert_int_eq(at, ROWS);
  *period = 1e3 * (double)c.period;
  *drop = 1e3 * (double)c.drop;
}

START_TEST(events_of_a_period)
{
  static const double mu[3] = {0.3, 0.295, 0.305};
  double t[3][ROWS], period[3], drop[3];
  text table = {0};
  for (int k = 0; k < 3; k++) {
    time_rows(mu[k], t[k], &period[k], &drop[k]);
  }
  ADD(&table, "event,printed,μ = 0.3,μ = 0.295,μ = 0.305\n");
  for (int i = 0; i < ROWS; i++) {
    ADD(&table, "%s,%.1f ms,%.1f ms,%.1f ms,%.1f ms\n", rows[i].name, rows[i].printed, t[0][i], t[1][i],
        t[2][i]);
  }
  ADD(&table, "period,149.4 ms,%.1f ms,%.1f ms,%.1f ms\n", period[0], period[1], period[2]);
  ADD(&table, "drop,23 mm,%.1f mm,%.1f mm,%.1f mm\n", drop[0], drop[1], drop[2]);
  is_printed(&table, "woodpecker-events.csv");
}
END_TEST

/* What the text says beside the table: μ less by a sixtieth, and by a thirtieth. */
START_TEST(how_sensitive_it_is)
{
  double t[ROWS], period[2], drop[2];
  exact_woodpecker p;
  exact_cycle c;
  time_rows(0.3, t, &period[0], &drop[0]);
  time_rows(0.295, t, &period[1], &drop[1]);
  ck_assert_double_eq_tol(period[1] / period[0], 1.025, 5e-4);
  ck_assert_double_eq_tol(drop[1] / drop[0], 1.13, 5e-3);
  exact_woodpecker_table(&p);
  for (int i = 0; i < EXACT_CONTACTS; i++) {
    p.mu[i] = 0.29;
  }
  ck_assert_int_eq(exact_woodpecker_cycle(&p, &c), EXACT_EVENT);
  ck_assert_double_eq_tol((double)c.multiplier, -1.024, 5e-4);
}
END_TEST

/* ---- From event to event ---- */

/* The same table with the impact that it does not print: it comes so soon after the first that both are one
 * there. */
static const struct {
  const char *name, *printed;
  int32_t kind;
  int contact;
} logged[] = {
    {"lower edge hits the pole", "0.0 ms", NSDYN_EVENT_IMPACT, LOWER},
    {"it hits again", "", NSDYN_EVENT_IMPACT, LOWER},
    {"it sticks", "51.4 ms", NSDYN_EVENT_STICK, LOWER},
    {"it slips", "90.6 ms", NSDYN_EVENT_SLIP, LOWER},
    {"it leaves", "96.2 ms", NSDYN_EVENT_OPEN, LOWER},
    {"upper edge hits the pole", "106.4 ms", NSDYN_EVENT_IMPACT, UPPER},
    {"beak hits the pole", "110.0 ms", NSDYN_EVENT_IMPACT, BEAK},
    {"upper edge hits again", "110.8 ms", NSDYN_EVENT_IMPACT, UPPER},
    {"it leaves", "114.0 ms", NSDYN_EVENT_OPEN, UPPER},
    {"lower edge hits the pole", "149.4 ms", NSDYN_EVENT_IMPACT, LOWER},
};
enum { LOGGED = sizeof logged / sizeof *logged };

/* One period's events on the cycle, and the one that begins the next. */
static void log_period(const exact_cycle *c, nsdyn_system *sys, int32_t law, nsdyn_event *log)
{
  nsdyn_event_driver_options options;
  nsdyn_event_driver *driver;
  double q[3], u[3];
  for (int i = 0; i < 3; i++) {
    q[i] = (double)c->section.q[i];
    u[i] = (double)c->section.u[i];
  }
  ck_assert_int_eq(nsdyn_event_driver_options_init(&options, sizeof options), NSDYN_OK);
  options.impact = law;
  ck_assert_int_eq(nsdyn_event_driver_new(NULL, sys, &options, &driver, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_set_state(driver, 0.0, q, u), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_advance(driver, 2.0 * (double)c->period), NSDYN_OK);
  int at = 0;
  for (int64_t k = 0; k < nsdyn_event_driver_events(driver) && at < LOGGED; k++) {
    log[at] = (nsdyn_event){.size = sizeof *log};
    ck_assert_int_eq(nsdyn_event_driver_event(driver, k, &log[at]), NSDYN_OK);
    if (at > 0 || (log[at].kind == NSDYN_EVENT_IMPACT && log[at].contact == LOWER)) {
      REQUIRE(log[at].kind == logged[at].kind && log[at].contact == logged[at].contact, "%d: %s of %d", at,
              nsdyn_event_name(log[at].kind), (int)log[at].contact);
      at++;
    }
  }
  ck_assert_int_eq(at, LOGGED);
  nsdyn_event_driver_free(driver);
}

/* When the k-th of them is to happen. */
static double time_of(const exact_cycle *c, int k)
{
  int first = 0;
  while (c->event[first].contact != LOWER || c->event[first].kind != EXACT_IMPACT) {
    first++;
  }
  const int at = (first + k) % c->events;
  return (double)(c->event[at].t + (first + k >= c->events ? c->period : 0.0L) - c->event[first].t);
}

static double clean(double speed)
{
  return fabs(speed) < 1e-9 ? 0.0 : speed;
}

START_TEST(the_cycle_from_event_to_event)
{
  toy p;
  exact_cycle c;
  nsdyn_system *sys;
  nsdyn_event newton[LOGGED], poisson[LOGGED];
  text table = {0};
  make_toy(&p);
  ck_assert_int_eq(exact_woodpecker_cycle(&p.exact, &c), EXACT_EVENT);
  ck_assert_int_eq(c.events, LOGGED - 1);
  ck_assert_int_eq(model_system(&p.m, NULL, MACHINE_FLAGS, 0, &sys), NSDYN_OK);
  log_period(&c, sys, NSDYN_IMPACT_NEWTON, newton);
  log_period(&c, sys, NSDYN_IMPACT_POISSON, poisson);
  ADD(&table, "event,printed,computed,\"γ_N before, after\",\"γ_T before, after\"\n");
  for (int k = 0; k < LOGGED; k++) {
    const nsdyn_event *e = &newton[k];
    const double t = e->t - newton[0].t;
    ck_assert_double_le(fabs(t - time_of(&c, k)), 5e-10); /* what is printed is exact */
    ck_assert_double_le(fabs(t - (poisson[k].t - poisson[0].t)), 5e-10);
    ADD(&table, "%s,%s,%.6f ms,\"%.4f, %.4f\",\"%.4f, %.4f\"\n", logged[k].name, logged[k].printed, 1e3 * t,
        clean(e->before[0]), clean(e->after[0]), clean(e->before[1]), clean(e->after[1]));
  }
  nsdyn_system_free(sys);
  nsdyn_stepper_free(p.stepper);
  is_printed(&table, "woodpecker-log.csv");
}
END_TEST

/* ---- Steps ---- */

START_TEST(the_cycle_by_steps)
{
  static const double steps[] = {1e-4, 1e-5, 1e-6};
  static const char *const names[] = {"100 µs", "10 µs", "1 µs"};
  toy p;
  exact_cycle c;
  text table = {0};
  make_toy(&p);
  ck_assert_int_eq(exact_woodpecker_cycle(&p.exact, &c), EXACT_EVENT);
  ADD(&table, "step,period,off by,drop,off by,scatter of periods\n");
  for (int k = 0; k < 3; k++) {
    const settled s = settle(&p, steps[k], 20);
    ADD(&table, "%s,%.3f ms,%.1e,%.3f mm,%.1e,%.2g ms\n", names[k], 1e3 * s.period,
        fabs(s.period / (double)c.period - 1.0), 1e3 * s.drop, fabs(s.drop / (double)c.drop - 1.0),
        1e3 * s.scatter);
  }
  ADD(&table, "exact,%.3f ms,,%.3f mm,,\n", 1e3 * (double)c.period, 1e3 * (double)c.drop);
  nsdyn_stepper_free(p.stepper);
  is_printed(&table, "woodpecker-steps.csv");
}
END_TEST

SUITE("manual", TEST(events_of_a_period), TEST(how_sensitive_it_is), TEST(the_cycle_from_event_to_event),
      TEST(the_cycle_by_steps))
