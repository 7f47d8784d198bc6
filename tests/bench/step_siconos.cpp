/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "step_siconos.h"

#include <Friction_cst.h>
#include <SiconosKernel.hpp>

/* The woodpecker of Glocker & Studer (2005), eqs. 13–16, as in toy_system.c: constant M, a spring, and gaps
 * and sliding velocities that are linear in q. */
long siconos_woodpecker(const floor_toy *p, const floor_state *begin, double dt, long steps, double *q)
{
  const double M[3][3] = {{p->m_S + p->m_M, p->m_S * p->l_M, p->m_S * p->l_G},
                          {p->m_S * p->l_M, p->J_M + p->m_S * p->l_M * p->l_M, p->m_S * p->l_M * p->l_G},
                          {p->m_S * p->l_G, p->m_S * p->l_M * p->l_G, p->J_S + p->m_S * p->l_G * p->l_G}};
  const double weight[3] = {(p->m_S + p->m_M) * p->g, p->m_S * p->l_M * p->g, p->m_S * p->l_G * p->g};
  const double K[3][3] = {{0.0, 0.0, 0.0}, {0.0, p->c_phi, -p->c_phi}, {0.0, -p->c_phi, p->c_phi}};
  SP::SiconosVector q0(new SiconosVector(3)), v0(new SiconosVector(3)), h(new SiconosVector(3));
  SP::SimpleMatrix mass(new SimpleMatrix(3, 3)), stiffness(new SimpleMatrix(3, 3)),
      damping(new SimpleMatrix(3, 3));
  damping->zero();
  for (unsigned i = 0; i < 3; i++) {
    (*q0)(i) = begin->q[i];
    (*v0)(i) = begin->u[i];
    (*h)(i) = -weight[i];
    for (unsigned j = 0; j < 3; j++) {
      (*mass)(i, j) = M[i][j];
      (*stiffness)(i, j) = K[i][j];
    }
  }
  SP::LagrangianLinearTIDS toy(new LagrangianLinearTIDS(q0, v0, mass, stiffness, damping));
  toy->setFExtPtr(h);
  SP::NonSmoothDynamicalSystem model(new NonSmoothDynamicalSystem(0.0, (double)steps * dt));
  model->insertDynamicalSystem(toy);

  /* Beak, lower and upper edge of the sleeve: rows w_N and w_T. */
  const double rows[3][2][3] = {{{0.0, 0.0, -p->h_S}, {1.0, p->l_M, p->l_G - p->l_S}},
                                {{0.0, p->h_M, 0.0}, {1.0, p->r_M, 0.0}},
                                {{0.0, -p->h_M, 0.0}, {1.0, p->r_M, 0.0}}};
  const double gap[3] = {p->l_M + p->l_G - p->l_S - p->r_O, p->r_M - p->r_O, p->r_M - p->r_O};
  for (unsigned i = 0; i < 3; i++) {
    SP::SimpleMatrix H(new SimpleMatrix(2, 3));
    SP::SiconosVector b(new SiconosVector(2));
    (*b)(0) = gap[i];
    (*b)(1) = 0.0;
    for (unsigned r = 0; r < 2; r++) {
      for (unsigned j = 0; j < 3; j++) {
        (*H)(r, j) = rows[i][r][j];
      }
    }
    SP::NonSmoothLaw law(new NewtonImpactFrictionNSL(p->eps_N[i], 0.0, p->mu[i], 2));
    SP::Relation relation(new LagrangianLinearTIR(H, b));
    model->link(SP::Interaction(new Interaction(law, relation)), toy);
  }
  SP::TimeDiscretisation grid(new TimeDiscretisation(0.0, dt));
  SP::MoreauJeanOSI scheme(new MoreauJeanOSI(0.5));
  SP::FrictionContact solver(new FrictionContact(2, SICONOS_FRICTION_2D_NSGS));
  SP::TimeStepping run(new TimeStepping(model, grid, scheme, solver));
  long done = 0;
  while (done < steps && run->hasNextEvent()) {
    run->computeOneStep();
    run->nextStep();
    done++;
  }
  for (unsigned i = 0; i < 3; i++) {
    q[i] = (*toy->q())(i);
  }
  return done;
}
