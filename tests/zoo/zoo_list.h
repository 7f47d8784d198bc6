/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The machines, one file each; meson.build names them too. */
ZOO(liftoff)
ZOO(throw)
ZOO(wall)
ZOO(yoke)
ZOO(cam)
ZOO(bead)
ZOO(bar)
ZOO(box)
ZOO(shaker)
ZOO(block)
ZOO(chain)
ZOO(crank)
ZOO(roller)
ZOO(ladder)
ZOO(backlash)
