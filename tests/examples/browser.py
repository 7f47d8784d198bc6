# nsdyn: dynamics of mechanical systems with contact, friction and impact
# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of all examples in a headless browser without a network, on a phone and on a desk: usage: browser.py FOLDER

Each page is loaded as it is, with a few lines behind it that press play, wait for the end, and write what they saw into
the document: the clock, what the canvases show, whether the page is wider than the screen, and each error."""
import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pages

SCREENS = {"phone": (390, 844), "desk": (1280, 900)}
SEEN = re.compile(r'<pre id="seen">(.*?)</pre>', re.S)
# Pictures at 60 a second of the browser's virtual time, which a busy machine would not draw; errors from the start on.
HEAD = """<script>
const seen = { errors: [], outside: 0 };
window.addEventListener('error', (e) => seen.errors.push(String(e.message)));
window.requestAnimationFrame = (f) => setTimeout(() => f(performance.now()), 1000 / 60);
</script>
</head>"""
PROBE = """<script>
(() => {
  const $ = (id) => document.getElementById(id);
  /* How many pixels of a canvas are painted. */
  const painted = (canvas) => {
    const d = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    let count = 0;
    for (let k = 3; k < d.length; k += 4) { count += d[k] > 0; }
    return count;
  };
  seen.start = $('clock').textContent;
  seen.scene = painted($('scene'));
  seen.energies = $('energies').hidden ? -1 : painted($('energies'));
  $('speed').value = '10';
  $('speed').dispatchEvent(new Event('change'));
  $('play').click();
  seen.pressed = $('play').textContent;
  const wait = () => {
    if ($('play').textContent === seen.pressed) { setTimeout(wait, 100); return; }
    seen.end = $('clock').textContent;
    seen.sceneAtEnd = painted($('scene'));
    seen.wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    seen.small = [...document.querySelectorAll('button, select')].filter((e) => e.getBoundingClientRect().height < 32).length;
    seen.outside = performance.getEntriesByType('resource').length;
    const out = document.createElement('pre');
    out.id = 'seen';
    out.textContent = JSON.stringify(seen);
    document.body.append(out);
  };
  wait();
})();
</script>
</body>"""


def look(browser, path, screen):
    """What the browser saw of a page; None where it did not come to the end."""
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
               "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=120000",
               "--window-size=%d,%d" % SCREENS[screen], "--user-data-dir=%s" % path.parent]
    done = subprocess.run([browser, *options, "--dump-dom", path.as_uri()], capture_output=True, text=True, check=False,
                          timeout=300)
    found = SEEN.search(done.stdout)
    return json.loads(html.unescape(found.group(1))) if found else None


def faults(seen, motion):
    """What is wrong with it, in words."""
    if seen is None:
        return ["it does not play to its end"]
    first, last = (f"{motion['time'][k]:.4f} s" for k in (0, -1))
    questions = {
        f"errors: {seen['errors']}": seen["errors"],
        f"it begins at {seen['start']}, not {first}": seen["start"] != first,
        f"it ends at {seen['end']}, not {last}": seen["end"] != last,
        "nothing is drawn": min(seen["scene"], seen["sceneAtEnd"]) < 100,
        "no energies are drawn": motion["energies"] and seen["energies"] < 100,
        f"it is {seen['wide']} px wider than the screen": seen["wide"] > 0,
        f"{seen['small']} buttons are too small for a finger": seen["small"],
        f"it asked for {seen['outside']} things of outside": seen["outside"],
    }
    return [text for text, is_wrong in questions.items() if is_wrong]


def main():
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser:
        sys.exit("browser: chromium is not here")
    folder, count, bad = Path(sys.argv[1]).resolve(), 0, 0
    for program in sorted(p for p in folder.iterdir() if p.is_file() and not p.suffix):
        usage = subprocess.run([program, "--help"], capture_output=True, text=True, check=False, timeout=60).stdout
        if "--html FILE" not in usage:
            continue
        with tempfile.TemporaryDirectory() as temporary:
            path = Path(temporary) / "page.html"
            subprocess.run([program, "--quiet", "--html", path], check=True, timeout=600)
            motion = pages.read(path)
            text = path.read_text(encoding="utf-8").replace("</head>", HEAD).replace("</body>", PROBE)
            path.write_text(text, encoding="utf-8")
            for screen in SCREENS:
                wrong = faults(look(browser, path, screen), motion)
                print(f"{program.name}, {screen}: {'; '.join(wrong) or 'plays'}", flush=True)
                count, bad = count + 1, bad + bool(wrong)
    print(f"{count - bad} passed, {bad} failed")
    sys.exit(0 if count and not bad else 1)


if __name__ == "__main__":
    main()
