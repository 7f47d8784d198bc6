#!/usr/bin/env bash
#
# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs a test program under valgrind and says, as TAP, whether it used memory well: memcheck.sh PROGRAM
# Only that: valgrind computes long double with 53 bits, so tests that judge with it may disagree here,
# and ./dev test has judged results already. Each test is a process of its own; each writes a log.
set -euo pipefail

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
name=$(basename "$1")

CK_FORK=yes valgrind --quiet --log-file="$logs/%p" --trace-children=no --error-exitcode=9 --leak-check=full \
  --errors-for-leak-kinds=definite,possible "$@" >"$logs/output" || true

printf '1..1\n'
if cat "$logs"/[0-9]* | grep -q .; then
  printf 'not ok 1 - %s: valgrind has something to say\n' "$name"
  cat "$logs"/[0-9]* >&2
elif ! grep -q '^1\.\.[1-9]' "$logs/output"; then
  printf 'not ok 1 - %s: it did not come to its end\n' "$name"
  cat "$logs/output" >&2
else
  printf 'ok 1 - %s: clean in %d tests\n' "$name" "$(grep -c 'ok ' "$logs/output")"
  exit 0
fi
exit 1
