# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the cases of one or more runs of the suite, and says all about those that failed.

usage: summary.py [--longest N] TESTLOG.json...

A program that speaks TAP counts as its cases, any other as one. The last line is
`N passed, N failed, N skipped`; the exit status is 1 where a case failed or none ran. Before it, where that is
asked for, the N tests that took longest, with their seconds.
"""
import argparse
import json
import re
import shlex
import sys

CASE = re.compile(r'^(not )?ok\b[^#]*(#\s*(\w+))?', re.IGNORECASE)
PLAN = re.compile(r'^1\.\.(\d+)(\s*#\s*skip\b)?', re.IGNORECASE)
GOOD = ('OK', 'EXPECTEDFAIL')


def tap_cases(text):
    """Passed, failed, skipped and whether TAP was spoken at all."""
    passed = failed = skipped = 0
    spoken = False
    for line in text.splitlines():
        plan = PLAN.match(line)
        if plan:
            spoken = True
            skipped += 1 if plan.group(2) else 0
            continue
        case = CASE.match(line)
        if not case:
            continue
        spoken = True
        if (case.group(3) or '').lower() == 'skip':
            skipped += 1
        elif case.group(1):
            failed += 1
        else:
            passed += 1
    return passed, failed, skipped, spoken


def count(test):
    """Passed, failed and skipped cases of one entry of the log."""
    passed, failed, skipped, spoken = tap_cases(test.get('stdout') or '')
    if not spoken:
        good = test['result'] in GOOD
        skip = test['result'] == 'SKIP'
        return int(good), int(not good and not skip), int(skip)
    if test['result'] not in GOOD + ('SKIP',) and failed == 0:
        failed = 1  # it crashed, timed out or broke its plan
    if passed + failed + skipped == 0:
        failed = 1  # a program without a case shows nothing
    return passed, failed, skipped


def describe(test):
    print('---- %s: %s, exit status %s' % (test['name'], test['result'].lower(), test.get('returncode')))
    print('$ ' + ' '.join(shlex.quote(word) for word in test['command']))
    for stream in ('stdout', 'stderr'):
        text = (test.get(stream) or '').rstrip()
        if text:
            print(text)
    print()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--longest', type=int, default=0, metavar='N')
    parser.add_argument('paths', nargs='+')
    options = parser.parse_args()
    total = [0, 0, 0]
    times = []
    for path in options.paths:
        with open(path, encoding='utf-8') as log:
            for test in map(json.loads, log):
                counts = count(test)
                times.append((test['duration'], test['name']))
                total = [a + b for a, b in zip(total, counts)]
                if counts[1]:
                    describe(test)
    for time in sorted(times, reverse=True)[:options.longest]:
        print('%8.1f s  %s' % time)
    if sum(total[:2]) == 0:
        print('No test ran: that is a failure, not a success.')
        total[1] += 1
    print('%d passed, %d failed, %d skipped' % tuple(total))
    return 1 if total[1] else 0


if __name__ == '__main__':
    sys.exit(main())
