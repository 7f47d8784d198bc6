/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/directions.h"

#include <math.h>

static void combine(const double *a, double s, const double *b, double *out)
{
  out[0] = a[0] + s * b[0];
  out[1] = a[1] + s * b[1];
}

static double dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1];
}

/* Distance of the vertex from the edge's line in the frame of the edge, where the normal does not turn: what
 * a small turn of a body changes is not lost beside the length of an edge. */
static double distance_in_edge_frame(const nsd_search *search, const nsd_meeting *meeting)
{
  const nsd_outline *line = &search->view.shape[!meeting->side]->line;
  const double *n = line->n[meeting->edge];
  const double *end[2] = {line->p[meeting->edge], line->p[nsd_corner_after(line, meeting->edge)]};
  const nsd_frame *own = meeting->side ? &search->its : &search->world;
  const nsd_frame *its = meeting->side ? &search->world : &search->its;
  double c[2], d[2][2];
  nsd_frame_place(own, search->view.shape[meeting->side]->line.p[meeting->vertex], c);
  nsd_frame_unplace(its, c, c);
  /* From the end that is nearer. */
  combine(c, -1.0, end[0], d[0]);
  combine(c, -1.0, end[1], d[1]);
  return dot(d[dot(d[1], d[1]) < dot(d[0], d[0])], n);
}

void nsd_spot_of(const nsd_search *search, const nsd_meeting *meeting, nsd_spot *place)
{
  const nsd_view *view = &search->view;
  const int side = meeting->side;
  double c[2], x[2][2], middle[2][2];
  /* The vertex C, and the foot D of it on the edge, or the other vertex: D = C − h n. */
  nsd_search_corner(search, side, meeting->vertex, c);
  combine(c, 0.0, c, middle[side]);
  combine(c, -meeting->h, meeting->n, middle[!side]);
  /* Rounding goes from each towards the other. */
  const double r[2] = {view->shape[0]->radius, view->shape[1]->radius};
  combine(middle[side], -r[side], meeting->n, x[side]);
  combine(middle[!side], r[!side], meeting->n, x[!side]);
  place->side = side;
  place->at_vertex = meeting->at_vertex;
  place->gap = (meeting->at_vertex ? meeting->h : distance_in_edge_frame(search, meeting)) - view->rounding;
  for (int body = 0; body < 2; body++) {
    /* Seen from each body's own origin, which for the second one is at frame.d, then turned to the world. */
    const double origin[2] = {body ? view->frame.d[0] : 0.0, body ? view->frame.d[1] : 0.0};
    combine(x[body], -1.0, origin, place->arm[body]);
    combine(middle[body], -1.0, origin, place->middle[body]);
    combine(c, -1.0, origin, place->vertex[body]);
    nsd_frame_turn(&search->world, place->arm[body], place->arm[body]);
    nsd_frame_turn(&search->world, place->middle[body], place->middle[body]);
    nsd_frame_turn(&search->world, place->vertex[body], place->vertex[body]);
    place->radius[body] = r[body];
  }
  nsd_frame_turn(&search->world, meeting->n, place->n);
  if (side) { /* n leads from the second shape to the first one */
    place->n[0] = -place->n[0];
    place->n[1] = -place->n[1];
  }
}

void nsd_spot_rows(const nsd_spot *place, int body, int32_t count, const double *J, double *w)
{
  const double *n = place->n, *arm = place->arm[body], t[2] = {-n[1], n[0]};
  const double sign = body ? -1.0 : 1.0;
  const double turn[2] = {-arm[1], arm[0]}; /* how the point moves as the body turns */
  const double n_turn = dot(n, turn), t_turn = dot(t, turn);
  /* SB eqs. 29 and 31: J_C = J + J_R, w_N = J_Cᵀ n, w_T = J_Cᵀ t, with −n and −t for the second body. */
  for (int32_t k = 0; k < count; k++) {
    const double x = J[k], y = J[count + k], phi = J[2 * count + k];
    w[k] = sign * (n[0] * x + n[1] * y + n_turn * phi);
    w[count + k] = sign * (t[0] * x + t[1] * y + t_turn * phi);
  }
}

void nsd_spot_velocities(const nsd_spot *place, const double *v, double *gamma)
{
  gamma[0] = gamma[1] = 0.0;
  for (int body = 0; body < 2; body++) {
    double part[2];
    nsd_spot_rows(place, body, 1, v + 3 * (size_t)body, part);
    gamma[0] += part[0];
    gamma[1] += part[1];
  }
}

/* Velocity of a body's point at `arm`, and its acceleration but for what u̇ adds (SB eqs. 29, 30). */
static void point_motion(const double *v, const double *b, const double *arm, double *velocity, double *bias)
{
  const double turn[2] = {-arm[1], arm[0]};
  combine(v, v[2], turn, velocity);
  combine(b, b[2], turn, bias);
  combine(bias, -v[2] * v[2], arm, bias);
}

void nsd_spot_bias(const nsd_spot *place, const double *v, const double *b, double *w_bar)
{
  const int body = place->side, other = !body;
  const double sign = body ? -1.0 : 1.0; /* n and t of the edge: outwards */
  const double n[2] = {sign * place->n[0], sign * place->n[1]}, t[2] = {-n[1], n[0]};
  const double *at = place->at_vertex ? place->middle[other] : place->vertex[other];
  double vc[2], bc[2], vd[2], bd[2], relative[2], bias[2];
  point_motion(v + 3 * (size_t)body, b + 3 * (size_t)body, place->vertex[body], vc, bc);
  point_motion(v + 3 * (size_t)other, b + 3 * (size_t)other, at, vd, bd);
  combine(vc, -1.0, vd, relative);
  combine(bc, -1.0, bd, bias);
  const double along_n = dot(n, relative), along_t = dot(t, relative);
  const double r = place->radius[body], omega = v[3 * other + 2];
  const double beta[2] = {b[2], b[5]}; /* of the angles */
  if (place->at_vertex) {
    /* n turns with the line between the two centres, ṅ = (γ_t/l) t, l their distance. */
    const double l = place->gap + r + place->radius[other], turning = along_t / l;
    w_bar[0] = l > 0.0 ? dot(n, bias) + turning * along_t : NAN;
    w_bar[1] = l > 0.0
                   ? dot(t, bias) - turning * along_n - r * beta[body] - place->radius[other] * beta[other]
                   : NAN;
    return;
  }
  /* n turns with the edge, ṅ = ω t; D is the edge's own point where the vertex is now, and moves on by ω ×
   * (v_C − v_D) besides its acceleration: SB eq. 32 and the term 2 ω γ_t that it lacks. */
  w_bar[0] = dot(n, bias) + 2.0 * omega * along_t;
  /* γ_T = t·(v_C − v_D) − r ω_C + (g + r) ω_D: of the points on the outlines. */
  w_bar[1] = dot(t, bias) - omega * along_n - r * beta[body] + (place->gap + r) * beta[other];
}
