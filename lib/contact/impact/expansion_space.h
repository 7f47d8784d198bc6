/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Expansion where contacts are in space. Its law is that of contact/impact/expansion.h with
 *
 *   friction under load   −γ_T in the normal cone of {Λ_T in C(Q) : e·Λ_T >= −(1 − ν) μ Q + ν ε_N ε_T e·Λ_TC}
 *
 * at Λ_T, C(Q) Coulomb's set, μ Q large: a disk, an ellipse, a polygon (contact/space/friction.h). In the
 * axes in which C(1/μ) is a disk or a regular polygon of radius 1, Λ' = A⁻¹ Λ_T, ξ' = Aᵀ ξ_T, the normal e'
 * is along Λ'_TC, as long as C(1/μ) has support 1 along it. So max e·Λ_T = μ Q over C(Q), e = A⁻ᵀ e'; of a
 * disk e = Λ_TC/‖Λ_TC‖, of an ellipse the normal of the ellipse through Λ_TC, which is the direction of −γ_TC
 * where compression ended sliding; a polygon of many sides comes near the disk, and e does not jump at its
 * corners. In the plane e = sgn Λ_TC, and all is as it was there.
 *
 * ε_N Λ_TC is in the set for all Q >= L: it is in ε_N C(Λ_NC) = C(L), and e·(ε_N Λ_TC) >= ν ε_N ε_T e·Λ_TC.
 * So the set is never empty, and the proof of contact/impact/expansion.h holds word for word: with one ε_N
 * for all contacts ΔT <= −½ (1 − ε_N²) Λ_Cᵀ G Λ_C.
 *
 * With P = Λ_N − L it is a contact problem, ξ = G P + (γ_C + G L), whose friction feels μ (P + L). */
#ifndef NSD_CONTACT_IMPACT_EXPANSION_SPACE_H
#define NSD_CONTACT_IMPACT_EXPANSION_SPACE_H

#include "contact/impact/expansion.h"

/* What compression's impulses of a contact make of its law; Λ_C: its rows. */
nsd_contact_stored nsd_expansion_stored_of(const nsd_contact_spec *spec, const nsd_restitution *restitution,
                                           const double *Lambda_C);

/* Nothing given back anywhere: Λ_E = 0 is the solution. */
int nsd_expansion_stores_nothing(const nsd_contact_data *data, const nsd_contact_stored *stored);

/* The contact problem of an expansion from data->c = γ_C. spec, stored: contacts, shift: rows; they receive
 * what the problem is made of. */
nsd_contact_data nsd_expansion_as_contacts(const nsd_contact_data *data, const nsd_restitution *restitution,
                                           const double *Lambda_C, nsd_contact_spec *spec,
                                           nsd_contact_stored *stored, double *shift);

/* Λ (rows) := Λ_E of its solution P. */
void nsd_expansion_from_contacts(const nsd_contact_data *problem, const nsd_contact_stored *stored,
                                 const double *P, double *Lambda);

#endif
