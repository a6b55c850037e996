"use strict";
const game = JSON.parse(document.getElementById("game").textContent);
const frames = [], $ = id => document.getElementById(id);
const SIGNS = {C: "♣", D: "♦", H: "♥", S: "♠"};
let at = 0, eyes = 0, whole = false;

// Each picture is what changes in the one before: a JSON Merge Patch (RFC 7396).
function merge(before, patch) {
  if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
  const made = {...before};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete made[key]; else made[key] = merge(made[key], value);
  }
  return made;
}
for (const patch of game.frames) frames.push(merge(frames.at(-1) || {}, patch));

function el(tag, kind, text) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  if (text !== undefined) made.textContent = text;
  return made;
}
function card(code) {
  const suit = code.length === 2 ? SIGNS[code[1]] : undefined;
  const rank = (suit ? code[0] : code).replace(/^T$/, "10").replace(/^X/, "★");
  const made = el("span", "card" + (suit && "DH".includes(code[1]) ? " red" : ""));
  made.append(el("b", "", rank));
  if (suit) made.append(el("i", "", suit));
  return made;
}
function row(codes, count) {
  const made = el("div", "cards");
  if (codes) for (const code of codes) made.append(card(code));
  else for (let i = 0; i < count; i++) made.append(el("span", "card back"));
  made.setAttribute("aria-hidden", "true");
  return made;
}
function show() {
  const frame = frames[at], whose = game.eyes[eyes], seats = Object.values(frame.seats), n = seats.length;
  const first = whose.key > 0 ? whose.key : 1;
  const table = $("table");
  table.replaceChildren();
  const middle = el("div", "trick");
  for (const [seat, codes] of frame.plays) {
    const play = el("div", "play" + (seat === frame.takes ? " takes" : ""));
    play.append(row(codes), el("small", "", frame.seats[seat].name + (seat === frame.takes ? " takes it" : "")));
    middle.append(play);
  }
  table.append(middle);
  seats.forEach((seat, i) => {
    const number = i + 1, turn = ((number - first + n) % n) / n * 2 * Math.PI;
    const place = el("section", "seat" + (seat.moves ? " moves" : "") + (seat.out ? " out" : ""));
    place.style.left = 50 - 42 * Math.sin(turn) + "%";
    place.style.top = 50 + 40 * Math.cos(turn) + "%";
    const name = el("h3", "", seat.name), facts = [seat.total + (seat.total === 1 ? " point" : " points")];
    if (seat.bid) facts.push(seat.bid === "pass" ? "passed" : "bid " + seat.bid);
    if (seat.tricks) facts.push(seat.tricks + (seat.tricks === 1 ? " trick" : " tricks"));
    facts.push(seat.out ? "out" : seat.cards + (seat.cards === 1 ? " card" : " cards"));
    const open = whose.key === -1 || whose.key === number;
    const codes = open && frame.hands[number] && frame.hands[number].length ? frame.hands[number] : null;
    place.append(name, el("p", "", facts.join(" · ")), row(codes, seat.cards));
    table.append(place);
  });
  $("where").textContent = frame.hand ? "Hand " + frame.hand + (frame.trick ? ", trick " + frame.trick : "") : "Before the first hand";
  $("said").replaceChildren(...(frame.told[whose.key] || frame.told[game.eyes[0].key]).map(line => el("p", "", game.texts[line])));
  $("eyes").value = String(eyes);
  for (const id in buttons) $(id).disabled = buttons[id]() === at;
  review(seats);
  history.replaceState(null, "", "#" + (at + 1));
}
function review(seats) {
  if (!game.review) return;
  const last = frames.length - 1, seen = whole ? last : at;
  const points = game.review.curve.filter(point => point.frame <= seen);
  const span = Math.max(1, seen), svg = $("curve");
  svg.replaceChildren();
  const ns = "http://www.w3.org/2000/svg", add = (tag, of) => {
    const made = document.createElementNS(ns, tag);
    for (const key in of) made.setAttribute(key, of[key]);
    svg.append(made);
    return made;
  };
  for (const level of [0, 25, 50, 75, 100]) add("line", {x1: 0, x2: 600, y1: 150 - level * 1.5, y2: 150 - level * 1.5, class: "grid"});
  seats.forEach((_, i) => add("polyline", {class: "line s" + i % 6, points: points.map(point => point.frame / span * 600 + "," + (150 - point.chance[i] * 150)).join(" ")}));
  for (const mark of game.review.marks.filter(mark => mark.frame <= seen)) {
    const point = points.findLast(point => point.frame <= mark.frame);
    if (!point) continue;
    const dot = add("circle", {cx: mark.frame / span * 600, cy: 150 - point.chance[mark.seat - 1] * 150, r: 5, class: "dot " + mark.mark});
    dot.addEventListener("click", () => go(mark.frame));
  }
  const begun = [...frames.keys()].filter(n => n <= seen && frames[n].hand && frames[n].hand !== (frames[n - 1] || {}).hand);
  $("hands").replaceChildren(...begun.filter((_, n) => n % Math.ceil(begun.length / 12) === 0).map((n, first) => {
    const label = el("span", "", (first ? "" : "Hand ") + frames[n].hand);
    label.style.left = n / span * 100 + "%";
    return label;
  }));
  const now = points[points.length - 1];
  $("chances").replaceChildren("Chance to win: ", ...(now ? seats.flatMap((seat, i) => [el("span", "key k" + i % 6, seat.name + " " + Math.round(now.chance[i] * 100) + " %"), " "]) : []));
  $("marks").replaceChildren(...game.review.marks.filter(mark => mark.frame === at).map(mark => el("p", "mark " + mark.mark, mark.text)));
}
function within(to) { return Math.min(frames.length - 1, Math.max(0, to)); }
function go(to) { at = within(to); show(); }
function jump(way, same) {
  let to = at;
  if (way > 0) { while (to < frames.length - 1 && same(frames[to], frames[at])) to++; }
  else {
    while (to > 0 && same(frames[to], frames[at])) to--;
    while (to > 0 && same(frames[to - 1], frames[to])) to--;
  }
  return to;
}
const hand = (a, b) => a.hand === b.hand, trick = (a, b) => a.hand === b.hand && a.trick === b.trick;
// Where each button leads; one that leads nowhere cannot be pressed.
const buttons = {
  handback: () => jump(-1, hand), trickback: () => jump(-1, trick), back: () => within(at - 1),
  next: () => within(at + 1), tricknext: () => jump(1, trick), handnext: () => jump(1, hand),
};
const to = id => () => go(buttons[id]());
const keys = {
  ArrowRight: to("next"), ArrowLeft: to("back"), "]": to("tricknext"), "[": to("trickback"), "}": to("handnext"), "{": to("handback"),
  v: () => look((eyes + 1) % game.eyes.length), Home: () => go(0), End: () => go(frames.length - 1),
};
function look(to) { eyes = to; show(); }
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT" || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});
for (const id in buttons) $(id).addEventListener("click", to(id));
game.eyes.forEach((one, i) => { const option = el("option", "", one.name); option.value = String(i); $("eyes").append(option); });
$("eyes").addEventListener("change", event => look(Number(event.target.value)));
if (game.review) {
  $("review").hidden = false;
  $("whole").addEventListener("click", () => { whole = !whole; $("whole").setAttribute("aria-pressed", String(whole)); show(); });
}
const wanted = Number(location.hash.slice(1));
go(wanted > 0 ? wanted - 1 : 0);
