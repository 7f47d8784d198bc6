/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The machines, one file each; meson.build names them too. */
ZOO(liftoff)
ZOO(conveyor)
ZOO(belt)
ZOO(ladder)
ZOO(brake)
ZOO(valve)
ZOO(geneva)
ZOO(seesaw)
ZOO(pile)
ZOO(backlash)
ZOO(blocks)
ZOO(column)
ZOO(washer)
ZOO(cradle)
ZOO(ratchet)
ZOO(billiard)
ZOO(clutch)
ZOO(bead_stops)
ZOO(rod)
ZOO(fourbar)
ZOO(hopper)
