# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of all example drivers need: to run one, and to check what every driver has to do."""
import os
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

import pages

PROGRAM = []  # the driver under test, set by main()
SCALE = float(os.environ.get("NSDYN_TEST_SCALE", 1))
QUICK = SCALE <= 0.1  # as sanitizers run for each change: long runs of one kind may be fewer


def some(steps):
    """So many steps of what goes on in the same way all the time; of a part of the random cases, that part of them."""
    return max(100, round(steps * min(SCALE, 1)))


def run(*arguments, stdout=subprocess.PIPE):
    return subprocess.run(PROGRAM + [str(a) for a in arguments], stdout=stdout, stderr=subprocess.PIPE,
                          text=True, check=False, timeout=300)


class Results(dict):
    """The lines `name value unit` that a driver prints: values by name, units in .units."""

    def __init__(self, text):
        super().__init__()
        self.units = {}
        for line in text.splitlines():
            name, value, unit = line.split(" ")
            try:
                self[name] = float(value)
            except ValueError:
                self[name] = value
            self.units[name] = unit


class Driver(unittest.TestCase):
    """A test of one driver. `numbers` are its options that take a number; with `brief` a run takes no time."""
    numbers = ()
    brief = ()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def results(self, *arguments):
        done = run(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return Results(done.stdout)

    def refused(self, *arguments, names, stdout=subprocess.PIPE):
        """Exit status 2, nothing on stdout, and one line on stderr that names the option."""
        done = run(*arguments, stdout=stdout)
        self.assertEqual(done.returncode, 2, arguments)
        self.assertFalse(done.stdout)
        self.assertRegex(done.stderr, r"\A[^\n]+\n\Z")
        self.assertTrue(done.stderr.startswith(os.path.basename(PROGRAM[0]).removesuffix(".exe") + ": "))
        self.assertIn(names, done.stderr)


class CommonMixin:
    """What models.md asks of every driver; mixed into a Driver that sets `numbers`."""

    def test_help_names_every_option(self):
        done = run("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for name in (*self.numbers, "csv", "svg", "quiet", "help"):
            self.assertIn("--" + name, done.stdout)

    def test_numbers_that_are_none(self):
        """Each option with each value, in turn apart and joined. Where starting a program is what takes long, under
        sanitizers, with two of them, so that all come to one option or another."""
        values = ("nan", "-nan", "inf", "-inf", "1e999", "one", "", "1x", "0x", "1 2")
        tried = 2 if QUICK else len(values)
        for k, name in enumerate(self.numbers):
            for i in range(tried):
                value = values[(tried * k + i) % len(values)]
                with self.subTest(name=name, value=value):
                    if (i + k) % 2:
                        self.refused("--" + name, value, names="--" + name)
                    else:
                        self.refused(f"--{name}={value}", names="--" + name)
            self.refused("--" + name, names="--" + name)

    def test_options_that_are_none(self):
        self.refused("--no-such-option", names="--no-such-option")
        self.refused("--no-such-option=3", names="--no-such-option")
        self.refused("--", names="--")
        self.refused("word", names="word")
        self.refused("--quiet=1", names="--quiet")
        self.refused("--svg", names="--svg")

    def test_files_that_cannot_be_written(self):
        missing = self.folder / "missing" / "file"
        for option in ("--csv", "--svg"):
            self.refused(option, missing, names=option)
            self.refused(option, self.folder, names=option)
            self.refused(option, "", names=option)

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full here")
    def test_full_disk(self):
        for option in ("--csv", "--svg"):
            self.refused(*self.brief, "--quiet", option, "/dev/full", names=option)
        with open("/dev/full", "w", encoding="ascii") as full:
            self.refused(*self.brief, names="could not be printed", stdout=full)

    def test_quiet_prints_nothing(self):
        done = run(*self.brief, "--quiet")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_picture_is_svg(self):
        path = self.folder / "picture.svg"
        self.results("--svg", path)
        root = xml.etree.ElementTree.parse(path).getroot()
        self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
        self.assertNotRegex(path.read_text(encoding="utf-8"), r"[\" ,LM-](nan|inf)\b")

    def test_same_run_same_bytes(self):
        texts = []
        kinds = ("csv", "svg", "html") if isinstance(self, PageMixin) else ("csv", "svg")
        for name in ("one", "two"):
            files = [self.folder / f"{name}.{kind}" for kind in kinds]
            done = run(*self.brief, *(word for kind, file in zip(kinds, files) for word in ("--" + kind, file)))
            texts.append([done.stdout] + [f.read_bytes() for f in files])
        self.assertEqual(texts[0], texts[1])


class PageMixin:
    """What a driver that shows a mechanism in motion has to do with --html; `brief` is a run with some motion. `shown` are
    options of a run whose page is looked at; the default is `brief`."""
    shown = None

    def page(self, *arguments):
        """The motion of a run, from a page that is all that pages have to be."""
        path = self.folder / "page.html"
        self.results(*arguments, "--html", path)
        motion = pages.read(path)
        pages.play(path, motion)
        return motion

    def test_page_plays(self):
        motion = self.page(*(self.brief if self.shown is None else self.shown))
        self.assertGreater(len(motion["time"]), 1)
        self.assertEqual(motion["time"][0], 0)
        self.assertTrue(motion["bodies"])
        self.assertNotEqual(motion["poses"][0], motion["poses"][-1])

    def test_pages_that_cannot_be_written(self):
        self.assertIn("--html FILE", run("--help").stdout)
        for path in (self.folder / "missing" / "file", self.folder, ""):
            self.refused("--html", path, names="--html")
        self.refused("--html", names="--html")
        if os.path.exists("/dev/full"):
            self.refused(*self.brief, "--quiet", "--html", "/dev/full", names="--html")


def main(program, tests):
    PROGRAM[:] = [program]
    unittest.main(module=tests, argv=["test"], verbosity=1)
