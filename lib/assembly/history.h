/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What is remembered of each contact from step to step: whether friction held, where a warm start begins, and
 * what the next step has to know of gaps (stepper/drift/keep_closed.h). It changes only when a step is done.
 */
#ifndef NSD_ASSEMBLY_HISTORY_H
#define NSD_ASSEMBLY_HISTORY_H

#include <float.h>
#include <math.h>

#include "base/arena.h"
#include "contact/problem.h"
#include "system/keys.h"

struct nsd_closed;
struct nsd_scene;

/* A contact's trace: its mode, and the state that the solver begins with (contact/planar/states.h), which
 * says more.
 */
static inline int32_t nsd_trace(int32_t mode, int32_t state)
{
  return mode | state * 16;
}

static inline int32_t nsd_trace_mode(int32_t trace)
{
  return trace & 15;
}

static inline int32_t nsd_trace_state(int32_t trace)
{
  return trace / 16;
}

/* What is known of a contact that was closed in the step before. */
enum {
  NSD_PAST_KNOWN = 1,    /* it was closed, and what stands here holds */
  NSD_PAST_HELD = 2,     /* it is in force: it pressed, and was to stay closed */
  NSD_PAST_CURVE = 4,    /* `curve` was observed */
  NSD_PAST_BENT = 8,     /* it has been curved since it closed */
  NSD_PAST_START = 16,   /* it is the state that a run begins with */
  NSD_PAST_CALM = 32,    /* of a scene: its approach is what curvature makes, and no collision */
  NSD_PAST_SLIDE = 64,   /* `slide` holds */
  NSD_PAST_SWERVE = 128, /* `swerve` was observed */
  NSD_PAST_MIDDLE = 256, /* with projection: it was seen in the middle of its step, and is open at its end */
  NSD_PAST_SHOWN = 512,  /* `shown` holds */
  NSD_PAST_PATH = 1024,  /* of a scene: it follows a smooth path (stepper/drift/follow_path.h) */
  NSD_PAST_LANDED =
      2048 /* it was open, and the projection has put it on its surface (stepper/drift/lifted.h) */
};

/* The gap of what is not known: nothing gets deeper than that. */
#define NSD_PAST_NOWHERE (-DBL_MAX)

typedef struct nsd_past {
  double gap;    /* where it was seen */
  double speed;  /* γ_N there, with the velocities that the step ended with */
  double aim;    /* the gap at which it is held */
  double curve;  /* what its gap accelerates by at constant velocities */
  double lost;   /* how much its gap changed by what its directions do not say, in `worse` steps */
  double size;   /* Σ |w_j u_j| + |ŵ| */
  double wide;   /* max |w_j| max |u_j| + |ŵ| */
  double bias;   /* of the row of a scene: its law is 0 <= γ_N + bias */
  double slide;  /* with projection: γ_T where the step ended */
  double swerve; /* with projection: what γ_T accelerates by at constant velocities */
  double bias_T; /* of the tangent's row of a scene */
  double shown;  /* with projection of what is taken at the beginning: `curve` as the step itself showed it */
  double shown_T; /* likewise `swerve` */
  double turn;    /* of the row of a scene: what curvature makes of γ_N until the step's end */
  double impulse[NSD_CONTACT_ROWS]; /* in space, beside contacts in space, and of many rows: Λ, where the next
                                       solve begins */
  int32_t worse; /* steps in a row in which its gap changed unexplained, in one direction */
  int32_t flags;
} nsd_past;

/* A contact that opened though its directions say that it closes (stepper/check/verify_gaps.h). */
typedef struct nsd_stray {
  nsd_past past;
  double seen; /* when */
  int64_t key;
  int64_t index; /* −1: found */
} nsd_stray;

typedef struct nsd_history {
  nsdyn_context *ctx; /* not held */
  int32_t *trace;     /* of each contact known in advance; −1 where it was open */
  int32_t *known;     /* those that were closed, in their order */
  int known_count;
  nsd_keys keys;        /* of contacts found, with their place in what follows */
  int64_t *found_key;   /* found_count */
  int32_t *found_trace; /* found_count */
  int found_count;
  nsd_past *past;       /* of each contact known in advance */
  nsd_past *found_past; /* found_count */
  double seen;          /* when the contacts remembered were seen */
  double near; /* what is in force takes part up to its aim + near · |curve|; infinite: wherever it is */
  int found_room;
  nsd_stray *strays, *strays_next; /* stray_room: after the step before, and after this one */
  int stray_count, stray_next_count, stray_room;
  int is_same;      /* of a step that solves: the same contacts are closed as in the step before */
  int is_in_solver; /* the contact solver holds these states, in this order */
} nsd_history;

void nsd_history_init(nsd_history *history, nsdyn_context *ctx);
void nsd_history_release(nsd_history *history);
void nsd_history_lay_out(nsd_arena *arena, nsd_history *history, int contacts);

/* Forgets all; there are so many contacts known in advance. */
void nsd_history_clear(nsd_history *history, int contacts);

/* Room for `count` contacts found at run time; what is remembered stays. */
nsdyn_status nsd_history_reserve(nsd_history *history, int count);

/* `to` := `from`, of as many contacts known in advance, whatever `to` held. NSDYN_ERR_NOMEM where room for
 * contacts found is short; not where `to` has held as many. */
nsdyn_status nsd_history_copy(nsd_history *to, const nsd_history *from, int contacts);

/* Room for `count` strays after this step; those that are there stay, though elsewhere. */
nsdyn_status nsd_history_reserve_strays(nsd_history *history, int count);

/* Trace in the step before of a contact known in advance, of a found one; −1 where it was not closed. */
static inline int32_t nsd_history_known(const nsd_history *history, int32_t index)
{
  return history->trace[index];
}

int32_t nsd_history_found(const nsd_history *history, int64_t key);

/* Whether a contact of this trace pressed. */
static inline int nsd_trace_pressed(int32_t trace)
{
  return trace >= 0 && nsd_trace_mode(trace) != NSDYN_MODE_OPEN;
}

/* Of either kind. */
int32_t nsd_history_trace(const nsd_history *history, const struct nsd_closed *c);

/* Its impulses in the step before; NULL where it was not closed. */
const double *nsd_history_impulses(const nsd_history *history, const struct nsd_closed *c);

/* What is known of a contact; NULL where it was not closed where it should have been seen. */
const nsd_past *nsd_history_past(const nsd_history *history, const struct nsd_closed *c);
const nsd_past *nsd_history_found_past(const nsd_history *history, int64_t key);

/* Whether a contact with this gap is in force still. */
static inline int nsd_history_holds(const nsd_history *history, const nsd_past *past, double gap)
{
  return (past->flags & NSD_PAST_HELD) && gap <= DBL_MAX &&
         (history->near > DBL_MAX || gap - past->aim <= history->near * fabs(past->curve));
}

/* Takes over the traces of a scene; room for them has been reserved. is_same: what nsd_history_is_same() of
 * scene.h says.
 */
void nsd_history_keep(nsd_history *history, const struct nsd_scene *scene, int is_same);

/* Adds one contact as it was saved; room has been reserved. 0 where it is there already. */
int nsd_history_add_known(nsd_history *history, int32_t index, int32_t trace);
int nsd_history_add_found(nsd_history *history, int64_t key, int32_t trace);

#endif
