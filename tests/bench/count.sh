#!/usr/bin/env bash
#
# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Instructions that the woodpecker takes for one step and for one period from event to event: count.sh PROGRAM,
# which is count_woodpecker at -O2. Two periods less one, so that what comes before cancels. The limits are 5 %
# more than at f6707ee with gcc 12 (1252 and 3249895): that much the checks since then may cost, and no more.
set -euo pipefail

program=$1
steps=14600 # of a period

# period KIND: the instructions of one period.
period() {
  local one two
  one=$(count "$1" 1)
  two=$(count "$1" 2)
  echo $((two - one))
}

count() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$@" 2>&1 | sed -n 's/.*Collected : //p'
}

# compare WHAT INSTRUCTIONS LIMIT
compare() {
  printf 'woodpecker, %s: %d instructions, at most %d\n' "$@"
  [ "$2" -gt 0 ] && [ "$2" -le "$3" ]
}

status=0
compare 'a step' $(($(period steps) / steps)) 1315 || status=1
compare 'a period from event to event' "$(period events)" 3412000 || status=1
exit "$status"
