// nsdyn: dynamics of mechanical systems with contact, friction and impact
// SPDX-License-Identifier: GPL-3.0-or-later
// Plays a page of examples/common/movie.c without a browser: node play.js PAGE. Elements and canvases are the least
// that its script needs; each stroke of a canvas is counted, and what leaves for a network stops the program. Prints
// as JSON what was seen.
'use strict';
const fs = require('fs');
const vm = require('vm');

const page = fs.readFileSync(process.argv[2], 'utf8');
const blocks = [...page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)];
const motion = blocks.find((b) => b[1].includes('application/json'))[2];
const script = blocks.find((b) => !b[1].trim())[2];

const seen = { strokes: 0, fills: 0, texts: [], notFinite: 0, unknown: [], paths: [] };

function makeCanvas() {
  const finite = (values) => { seen.notFinite += values.filter((v) => typeof v === 'number' && !Number.isFinite(v)).length; };
  let path = [];
  return new Proxy({}, {
    get: (own, name) => {
      if (name in own) { return own[name]; }
      if (name === 'measureText') { return (text) => ({ width: 7 * text.length }); }
      return (...values) => {
        finite(values);
        seen.strokes += name === 'stroke';
        if (name === 'beginPath') { path = []; }
        if (name === 'moveTo' || name === 'lineTo') { path.push(values); }
        if (name === 'stroke' && seen.paths.length < 4) { seen.paths.push(path); }
        seen.fills += name === 'fill';
        if (name === 'fillText') { seen.texts.push(values[0]); }
      };
    },
    set: (own, name, value) => { own[name] = value; return true; },
  });
}

const elements = {};
function element(id) {
  if (!page.includes(`id="${id}"`)) { seen.unknown.push(id); }
  const heard = {}, canvas = makeCanvas();
  return {
    id, heard, clientWidth: 640, clientHeight: 400, width: 0, height: 0, hidden: false, value: '0', textContent: '',
    checked: new RegExp(`id="${id}"[^>]*checked`).test(page), children: [],
    getContext: () => canvas,
    addEventListener: (name, f) => { heard[name] = f; },
    append: function append(child) { this.children.push(child); },
    setPointerCapture: () => {},
  };
}

let asked = null;
const none = (what) => () => { throw new Error(`the page asked for ${what}`); };
const document = {
  documentElement: {}, body: {}, heard: {},
  getElementById: (id) => (elements[id] = elements[id] || element(id)),
  createElement: () => ({}),
  addEventListener: (name, f) => { document.heard[name] = f; },
};
const window = { devicePixelRatio: 2, heard: {}, addEventListener: (name, f) => { window.heard[name] = f; } };
document.getElementById('motion').textContent = motion;
vm.runInNewContext(script, {
  document, window, getComputedStyle: () => ({ getPropertyValue: () => '#123456' }),
  requestAnimationFrame: (f) => { asked = f; },
  fetch: none('fetch'), XMLHttpRequest: none('XMLHttpRequest'), WebSocket: none('WebSocket'), Image: none('Image'),
});

const result = { title: elements.title.textContent, note: elements.note.textContent, start: elements.clock.textContent };
const event = (more) => ({ preventDefault: () => {}, target: document.body, buttons: 1, pointerId: 1, ...more });

// To the end, 60 pictures a second; speeds from 1/1000 to 10.
elements.speed.value = '10';
elements.speed.heard.change();
elements.play.heard.click();
let pictures = 0;
for (let stamp = 0; asked && pictures < 20000; stamp += 1000 / 60) {
  const next = asked;
  asked = null;
  next(stamp);
  pictures++;
}
result.pictures = pictures;
result.end = elements.clock.textContent;
result.strokes = seen.strokes;

// Pause and play by a key, the slider, the graph, a finger that drags, two that zoom, a wheel, the other boxes.
document.heard.keydown(event({ key: ' ' }));
result.playing = asked !== null;
document.heard.keydown(event({ key: ' ' }));
elements.time.value = String((Number(elements.time.min) + Number(elements.time.max)) / 2);
elements.time.heard.input();
result.middle = elements.clock.textContent;
document.heard.keydown(event({ key: 'ArrowRight' }));
elements.energies.heard.pointerdown(event({ offsetX: 0 }));
result.left = elements.clock.textContent;
for (const [id, x] of [[1, 10], [2, 200]]) { elements.scene.heard.pointerdown(event({ pointerId: id, clientX: x, clientY: 50 })); }
for (const [id, x] of [[1, 20], [2, 300]]) { elements.scene.heard.pointermove(event({ pointerId: id, clientX: x, clientY: 70 })); }
elements.scene.heard.pointerup(event({ pointerId: 2 }));
elements.scene.heard.pointermove(event({ pointerId: 1, clientX: 60, clientY: 90 }));
elements.scene.heard.pointerup(event({ pointerId: 1 }));
elements.scene.heard.wheel(event({ deltaY: -200 }));
for (const id of ['forces', 'follow']) {
  elements[id].checked = !elements[id].checked;
  elements[id].heard.change();
}
elements.home.heard.click();
window.heard.resize();
result.speeds = elements.speed.children.length;
result.notFinite = seen.notFinite;
result.unknown = seen.unknown;
result.paths = seen.paths; // of what is drawn first: the ground
result.texts = [...new Set(seen.texts)];
console.log(JSON.stringify(result));
