// What the script adds to a page of plain links: moves without loading the page anew, that are seen as they happen, an
// analysis that streams, machines that play on among themselves. All that it shows, the server has sent.
import { showMotion } from "./motion.js";

const main = document.getElementById("main");
const live = document.getElementById("live");
const still = window.matchMedia("(prefers-reduced-motion: reduce)");
const BUSY = 150; // milliseconds after which a visitor who waits is told so
const BETWEEN = 260; // milliseconds between two moves
const AFTER_GAME = 2500; // milliseconds for which the end of a game is seen before the next one of a match
const AGAIN_SEEN = 700; // milliseconds for which "extra turn" is seen
const SPEEDS = { off: 0, slow: 250, normal: 190, fast: 150 }; // milliseconds for each seed that is sown
const LOOKS = 10, AGAIN = 500; // looks for values that a busy server has left out, and milliseconds between them

const pause = (time) => new Promise((done) => setTimeout(done, time));
const table = (root) => root.querySelector(".table");

// ---- what the visitor prefers, kept by the browser

function preference(name, usual) {
  try {
    return localStorage.getItem(`ggp.${name}`) ?? usual;
  } catch {
    return usual; // the browser keeps nothing
  }
}

function prefer(name, value) {
  try {
    localStorage.setItem(`ggp.${name}`, value);
  } catch {
    // it holds until the page is left, where it is shown
  }
}

const speed = () => (still.matches ? 0 : SPEEDS[preference("speed", "normal")] ?? SPEEDS.normal);

// ---- from page to page

let journey = 0; // the number of the latest journey: one that is overtaken changes nothing any more
let skipped = false; // whether the visitor wants to see the end of the motion at once
let entered = null; // what the visitor has given the focus since the latest journey began, or before one that wants none
const pathAndQuery = () => location.pathname + location.search;
let here = pathAndQuery(); // of the present entry of the history: a jump within the page loads nothing

document.addEventListener("focusin", ({ target }) => (entered = target));

function enter(change, url) {
  history[change]({}, "", url);
  here = pathAndQuery();
}

class Trouble extends Error {} // what the server says, in words for the visitor

// The page at an address. The script asks for a "move", and is shown it before anybody has thought about it; then it
// asks for the "answer".
async function load(address, kind) {
  const answer = await fetch(address, { headers: { Accept: "text/html", "X-Script": kind } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const next = page.getElementById("main");
  if (!next) throw new Error("no page");
  const trouble = !answer.ok && next.querySelector(".trouble");
  if (trouble && table(main)) throw new Trouble(trouble.textContent);
  return { next, table: table(next), title: page.title, url: answer.url + new URL(address, location.href).hash };
}

async function go(address, { remember = true, focus = null } = {}) {
  const mine = ++journey, wanted = () => mine === journey;
  entered = focus || document.activeElement === document.body ? null : document.activeElement;
  stopStream();
  main.setAttribute("aria-busy", "true");
  try {
    let page = await thinking(load(address, "move"), wanted, SEARCHED.test(address) && focus);
    if (!wanted()) return;
    if (remember) enter("pushState", page.url);
    const answering = page.table?.dataset.answer;
    const coming = answering && load(answering, "answer");
    coming?.catch(() => {}); // it is awaited below
    if (remember) await animate(page.table, wanted);
    if (!wanted()) return;
    if (coming) {
      showBoard(page.table);
      say(page.table.dataset.announcement);
      page = await thinking(coming, wanted, focus ?? {});
      if (!wanted()) return;
      enter("replaceState", page.url);
      await animate(page.table, wanted);
      if (!wanted()) return;
    }
    document.title = page.title;
    show(page.next, focus);
  } catch (error) {
    if (!wanted()) return;
    if (error instanceof Trouble) complain(error.message, address);
    else location.assign(address); // the browser tells what is wrong
  } finally {
    if (wanted()) main.removeAttribute("aria-busy");
  }
}

const SEARCHED = /[?&](ask|show|tried)=/; // in an address that needs a search

// What was asked for, with "Thinking ..." as long as it is thought about: not while a page is sent, nor while a move is
// seen. Without a focus nothing is said.
async function thinking(coming, wanted, focus) {
  const telling = setTimeout(() => focus && wanted() && work(focus), BUSY);
  try {
    return await coming;
  } finally {
    clearTimeout(telling);
    if (wanted()) document.getElementById("working")?.remove();
  }
}

// Who waits for a search sees at once that work is going on: in the panel that was opened, or beside the buttons.
function work(focus) {
  const link = (document.getElementById(focus.id) ??
    [...main.querySelectorAll("a")].find((each) => focus.text && each.textContent.trim() === focus.text));
  let said = document.getElementById("working");
  if (!said) {
    said = document.createElement("p");
    said.id = "working";
    said.textContent = "Thinking …";
  }
  const panel = link?.closest(".panel");
  (panel ?? main.querySelector(".actions"))?.append(said);
  say("Thinking …");
}

// What went wrong is said below the board, which stays as it is.
function complain(words, address) {
  let said = document.getElementById("complaint");
  if (!said) {
    said = document.createElement("p");
    said.id = "complaint";
    said.className = "trouble";
    main.querySelector("#happened").after(said);
  }
  const again = document.createElement("a");
  again.href = address;
  again.textContent = "Try again";
  said.replaceChildren(words, " ", again);
  say(words);
}

function show(next, focus) {
  const before = scrollPositions();
  main.replaceChildren(...next.childNodes);
  before();
  const fresh = table(main);
  say(fresh ? fresh.dataset.announcement : main.querySelector("h1")?.textContent);
  if (fresh?.dataset.won) celebrate();
  begin();
  if (entered && entered !== main && (main.contains(entered) || !entered.isConnected)) keepFocus(place(entered));
  else if (focus && !entered) keepFocus(focus);
}

// The board and what can be done with it, while a machine thinks: nothing else of the page has changed yet.
function showBoard(fresh) {
  for (const place of [".players", "#board", "#happened", ".actions"]) {
    const old = main.querySelector(place), next = fresh.querySelector(place);
    if (old && next) old.replaceWith(next.cloneNode(true));
  }
  const shown = table(main);
  for (const name of ["seen", "line", "moves", "mover"]) shown.dataset[name] = fresh.dataset[name];
  tick();
}

function scrollPositions() {
  const tree = main.querySelector(".drawing"), left = tree?.scrollLeft ?? 0, drawn = tree?.innerHTML;
  const aside = main.querySelector("#board")?.scrollLeft ?? 0;
  return () => {
    const board = main.querySelector("#board");
    if (board) board.scrollLeft = aside;
    const again = main.querySelector(".drawing");
    if (again && again.innerHTML === drawn) again.scrollLeft = left;
    else toRoot(again);
  };
}

// A tree that is broader than its place is seen from its root on.
function toRoot(drawing) {
  const root = drawing?.querySelector(".mark")?.getBoundingClientRect();
  if (!root) return;
  const seen = drawing.getBoundingClientRect();
  drawing.scrollLeft += root.x + root.width / 2 - seen.x - seen.width / 2;
}

function say(words) {
  if (words) live.textContent = words;
}

// The focus stays where it was: on the same cell or link, else on the nearest that can be chosen.
function keepFocus({ cell, id, text }) {
  const links = [...main.querySelectorAll("#board a")];
  const same = links.find((each) => each.querySelector(".cell")?.dataset.name === cell);
  const found = (cell && (same ?? links[0])) || (id && document.getElementById(id)) ||
    (text && [...main.querySelectorAll("a")].find((each) => each.textContent.trim() === text)) || main;
  found.focus({ preventScroll: true });
}

function place(link) {
  return { cell: link.querySelector(".cell")?.dataset.name, id: link.id, text: link.textContent.trim() };
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const href = link.getAttribute("href") ?? "";
  if (!main.contains(link) || !href.startsWith("/play/") || !table(main)) return;
  event.preventDefault();
  if (link.id === "share") return copy(link);
  go(href, { focus: place(link) });
});

window.addEventListener("popstate", () => {
  if (pathAndQuery() === here) return;
  here = pathAndQuery();
  go(location.href, { remember: false });
});

async function copy(link) {
  const address = new URL(link.getAttribute("href"), location.href).href;
  try {
    await navigator.clipboard.writeText(address);
    link.textContent = "Link copied";
    say("The link to this position is copied.");
  } catch {
    location.assign(address);
  }
}

// ---- one board after the other

async function animate(fresh, wanted) {
  const old = table(main), time = speed();
  if (!time || !fresh || !old || old.dataset.game !== fresh.dataset.game) return;
  const from = Number(old.dataset.seen), to = Number(fresh.dataset.seen);
  const line = (page, count) => page.dataset.line.split(",").slice(0, count).join(","); // within a move it is %2C
  if (to <= from || line(old, from) !== line(fresh, from)) return;
  const figure = main.querySelector("#board");
  skipped = false;
  figure.classList.add("moving");
  try {
    for (const frame of fresh.querySelectorAll("template.frame")) {
      if (Number(frame.dataset.number) <= from) continue;
      const stopped = () => skipped || !wanted();
      tell(frame.dataset, fresh);
      const beats = JSON.parse(frame.dataset.motion);
      await showMotion(figure.querySelector("svg"), beats, { time, stopped, landed: tap });
      if (!wanted()) return;
      const board = frame.content.firstElementChild;
      if (board) figure.replaceChildren(board.cloneNode(true));
      showScores(frame.dataset);
      if (frame.dataset.again && !stopped()) await announce(figure, frame.dataset);
      if ((board || !beats.length) && !skipped) await pause(BETWEEN);
    }
  } finally {
    figure.classList.remove("moving");
  }
}

// Says "extra turn" where the move has ended, until it is read.
async function announce(figure, { again, end }) {
  const cell = [...figure.querySelectorAll(".cell")].find((each) => each.dataset.name === end);
  const said = document.createElement("span"), all = figure.getBoundingClientRect();
  const box = (cell?.querySelector(".outline") ?? cell ?? figure).getBoundingClientRect();
  said.className = "again";
  said.textContent = again;
  said.setAttribute("aria-hidden", "true"); // the step in words says so, too
  said.style.left = `${box.x + box.width / 2 - all.x}px`;
  said.style.top = `${box.y + box.height / 2 - all.y}px`;
  figure.append(said);
  const over = figure.clientWidth - (said.offsetLeft + said.offsetWidth / 2), under = said.offsetLeft - said.offsetWidth / 2;
  said.style.left = `${said.offsetLeft + Math.min(0, over) - Math.min(0, under)}px`; // within the picture
  await pause(AGAIN_SEEN);
  said.remove();
}

function showScores({ scores }) {
  const parts = main.querySelectorAll(".players .score");
  (scores ? JSON.parse(scores) : []).forEach((text, side) => parts[side] && (parts[side].textContent = text));
}

// What is happening, while it is seen: the step in words, in the list of moves too, and who makes it.
function tell({ told, side, number }, fresh) {
  const line = fresh.querySelector(`.moves li[value="${number}"]`);
  let list = main.querySelector(".moves");
  if (line && !list) { // the first move
    list = line.parentElement.cloneNode();
    main.querySelector(".steps")?.nextElementSibling?.replaceWith(list);
  }
  if (line && list && !list.querySelector(`li[value="${number}"]`)) {
    const added = line.cloneNode(true);
    added.querySelector(".worth")?.remove();
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    added.querySelector("a").setAttribute("aria-current", "step");
    list.append(added);
    showCurrentMove();
  }
  const place = main.querySelector("#happened"), said = document.createElement("p"), words = document.createElement("b");
  said.className = "events";
  words.className = `side${side}`;
  words.textContent = told;
  said.append(words);
  place?.querySelector(".outcome")?.remove();
  const before = place?.querySelector(".events");
  if (before) before.replaceWith(said);
  else place?.append(said);
  for (const player of main.querySelectorAll(".players li")) {
    const moves = player.classList.contains(`side${side}`);
    player.classList.toggle("moving", moves);
    player.querySelector("em")?.remove();
    if (moves) player.querySelector(".who")?.after(" ", Object.assign(document.createElement("em"), { textContent: "moves" }));
  }
}

main.addEventListener("click", (event) => {
  if (event.target.closest?.("#board.moving")) skipped = true;
});

// ---- the analysis, as it deepens

let stream = null;

function stopStream() {
  stream?.abort();
  stream = null;
}

async function follow(panel) {
  stream = new AbortController();
  const mine = stream;
  try {
    const answer = await fetch(panel.dataset.stream, { signal: mine.signal, headers: { Accept: "text/event-stream" } });
    if (!answer.ok) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      note(panel, page.querySelector(".trouble")?.textContent ?? "The analysis is not to be had now.");
      return;
    }
    await events(answer.body.pipeThrough(new TextDecoderStream()).getReader(), (kind, text) => {
      if (kind === "waiting") note(panel, "Waiting for other searches to end …");
      if (kind === "begun") note(panel, "Searching deeper …");
      if (kind === "trouble") note(panel, text);
      if (kind === "found" || kind === "ended") panel.innerHTML = text; // escaped by the server's templates
      gauge();
      if (kind === "ended") refresh(journey);
    });
  } catch (error) {
    if (error.name !== "AbortError" && mine === stream) note(panel, "The server has gone.");
  }
}

// What an analysis has found, the curve and the list of moves show too: one position has one value.
async function refresh(mine, looks = LOOKS) {
  if (!main.querySelector("#curve svg")) return;
  const { next, table: fresh } = await load(location.href, "move").catch(() => ({}));
  if (mine !== journey || !next) return;
  for (const place of ["#curve", ".moves", "#board"]) {
    const old = main.querySelector(place), found = next.querySelector(place);
    if (old && found && !old.contains(document.activeElement)) old.replaceWith(found);
  }
  if (fresh?.dataset.share) table(main).dataset.share = fresh.dataset.share;
  gauge();
  showCurrentMove();
  improveCurve(mine, looks);
}

// A server that was busy has left values out, or a review goes on: look again, as long as that brings something.
let reviewed = "";
function improveCurve(mine, looks) {
  const done = main.querySelector("#curve[data-unfinished]")?.dataset.unfinished;
  if (done !== undefined && done !== reviewed) looks = LOOKS;
  reviewed = done ?? "";
  if (looks && done !== undefined) setTimeout(() => mine === journey && refresh(mine, looks - 1), AGAIN);
}

async function events(reader, tell) {
  for (let rest = ""; ; ) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const lines = part.split("\n");
      const kind = lines.find((line) => line.startsWith("event: "))?.slice(7);
      const data = lines.filter((line) => line.startsWith("data: ")).map((line) => line.slice(6)).join("\n");
      if (kind) tell(kind, data);
    }
  }
}

function note(panel, words) {
  let said = panel.querySelector(".note");
  if (!said) {
    said = document.createElement("p");
    said.className = "quiet note";
    panel.append(said);
  }
  said.textContent = words;
}

// ---- keys

const TURNS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const KEYS = { h: "hint", u: "back", n: "new", t: "turn" };

const links = () => [...main.querySelectorAll("#board a")];

function centre(link) {
  const box = (link.querySelector(".outline") ?? link).getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

// The nearest link in that direction; what lies aside of the way seems farther.
function next([across, along]) {
  const now = document.activeElement?.closest?.("#board a");
  if (!now) return links()[0];
  const [x, y] = centre(now);
  const far = (link) => {
    const [dx, dy] = centre(link).map((each, axis) => each - [x, y][axis]);
    const ahead = dx * across + dy * along, aside = Math.abs(dx * along) + Math.abs(dy * across);
    return ahead > 1 ? ahead + 3 * aside : Infinity;
  };
  const nearest = links().filter((each) => each !== now).sort((one, other) => far(one) - far(other))[0];
  return nearest && far(nearest) < Infinity ? nearest : now;
}

// The link of a house, or of a field, that has this sign for its name.
function named(key) {
  return links().find((link) => (link.querySelector(".cell")?.dataset.name ?? "").toLowerCase() === key.toLowerCase());
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || !table(main)) return;
  if (event.target.closest?.("input, select, textarea, [contenteditable]")) return;
  if (event.key in TURNS) {
    const onBoard = event.target === document.body || event.target === main || event.target.closest?.("#board");
    if (!onBoard || !links().length) return;
    event.preventDefault();
    next(TURNS[event.key])?.focus({ preventScroll: true });
    return;
  }
  const wanted = named(event.key) ?? document.getElementById(KEYS[event.key.toLowerCase()]);
  if (wanted && event.key.length === 1) {
    event.preventDefault();
    wanted.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  }
});

// ---- clocks, sound and settings

const clocks = { line: null, taken: [0, 0], since: 0 };

// What each side has taken for its moves, as long as the page is open.
function tick() {
  const fresh = table(main), now = performance.now(), passed = now - clocks.since;
  clocks.since = now;
  if (!fresh) return;
  const game = fresh.dataset.game + location.search.replace(/&?(moves|at|show|view|branch|from|ask|resigned)=[^&]*/g, "");
  if (clocks.line !== game || fresh.dataset.moves === "0") Object.assign(clocks, { line: game, taken: [0, 0] });
  else if (["0", "1"].includes(fresh.dataset.mover) && fresh.dataset.moves === fresh.dataset.seen && !document.hidden && !main.querySelector("#board.moving")) {
    clocks.taken[fresh.dataset.mover] += passed;
  }
  for (const clock of main.querySelectorAll(".clock")) {
    const seconds = Math.floor(clocks.taken[clock.dataset.side] / 1000);
    clock.hidden = false;
    const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (clock.textContent !== text) clock.textContent = text;
  }
}

setInterval(tick, 500);

let audio = null;

// A soft tone, as of a wooden bar: it begins at once and dies away.
function tone(frequency, delay = 0, loudness = 0.1, length = 0.25) {
  audio ??= new AudioContext();
  const swinging = audio.createOscillator(), gain = audio.createGain(), start = audio.currentTime + delay;
  swinging.type = "triangle";
  swinging.frequency.value = frequency;
  gain.gain.setValueAtTime(0.0001, start);
  gain.gain.exponentialRampToValueAtTime(loudness, start + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  swinging.connect(gain).connect(audio.destination);
  swinging.start(start);
  swinging.stop(start + length);
}

const SCALE = [523.25, 587.33, 659.25, 783.99, 880]; // five tones that go together in any order
function tap(beat) {
  if (preference("sound", "off") !== "on") return;
  const sown = beat.flights.length === 1 && beat.flights[0].count;
  tone(sown ? SCALE[beat.flights[0].count % SCALE.length] : 329.63, 0, 0.08, sown ? 0.2 : 0.3);
}

// ---- the end of a game that the visitor has won, or of a match

const PAPERS = 36, COLOURS = ["#12813f", "#0b57a4", "#d8a012", "#b02a1c", "#7a3fb0"];

function celebrate() {
  if (preference("sound", "off") === "on") [523.25, 659.25, 783.99, 1046.5].forEach((each, place) => tone(each, 0.12 * place, 0.08, 0.6));
  if (still.matches) return;
  for (let n = 0; n < PAPERS; n++) {
    const paper = document.createElement("span");
    paper.className = "confetti";
    paper.setAttribute("aria-hidden", "true");
    paper.style.left = `${Math.random() * 100}%`;
    paper.style.background = COLOURS[n % COLOURS.length];
    document.body.append(paper);
    const drift = `${(Math.random() - 0.5) * 20}vw`;
    const falling = paper.animate(
      { transform: ["none", `translate(${drift}, 105vh) rotate(${360 + Math.random() * 720}deg)`], opacity: [1, 1, 0] },
      { duration: 1400 + Math.random() * 1200, easing: "ease-in", delay: Math.random() * 300 });
    falling.finished.then(() => paper.remove(), () => paper.remove());
  }
}

function labelled(words, control) {
  const label = document.createElement("label");
  label.append(words, control);
  return label;
}

function offerSettings() {
  const place = document.getElementById("settings");
  if (!place) return;
  const pace = document.createElement("select"), sound = document.createElement("input");
  pace.id = "speed";
  for (const name of Object.keys(SPEEDS)) pace.add(new Option(name, name, false, name === preference("speed", "normal")));
  pace.addEventListener("change", () => prefer("speed", pace.value));
  sound.id = "sound";
  sound.type = "checkbox";
  sound.checked = preference("sound", "off") === "on";
  sound.addEventListener("change", () => prefer("sound", sound.checked ? "on" : "off"));
  place.append(labelled("Motion", pace), labelled("Sound", sound));
  place.classList.add("settings");
  place.hidden = false;
}

// ---- the bar beside the board: how good it is for each side

function gauge() {
  const bar = document.getElementById("gauge"), shared = main.querySelector(".verdict[data-share], .table[data-share]");
  if (!bar) return;
  const from = main.querySelector(".verdict[data-share]") ?? shared;
  bar.classList.toggle("unknown", !from);
  if (from) bar.firstElementChild.style.height = `${100 * from.dataset.share}%`;
}

// ---- machines among themselves

let playing = false;

function offerPlaying(fresh) {
  const step = document.getElementById("step");
  if (!fresh?.dataset.step || !step) {
    playing = false;
    return;
  }
  const button = document.createElement("button");
  button.type = "button";
  button.id = "run";
  button.className = "button";
  const label = () => (button.textContent = playing ? "Pause" : "Let them play");
  label();
  button.addEventListener("click", () => {
    playing = !playing;
    label();
    if (playing) go(fresh.dataset.step, { focus: { id: "run" } });
  });
  step.after(button);
  if (playing) {
    const mine = journey;
    const seen = main.querySelector(".outcome") ? AFTER_GAME : BETWEEN * 2;
    setTimeout(() => playing && mine === journey && go(fresh.dataset.step), seen);
  }
}

// Puzzles in a row that were solved at the first try, counted by the browser.
function streak() {
  const task = main.querySelector(".task[data-tried]"), { puzzle, tried } = task?.dataset ?? {};
  if (!tried) return;
  if (preference("puzzle", "") !== puzzle) prefer("streak", tried === "right" ? Number(preference("streak", "0")) + 1 : 0);
  prefer("puzzle", puzzle);
  task.append(Object.assign(document.createElement("span"), { id: "streak", textContent: ` Streak: ${preference("streak", "0")}` }));
}

// ---- at the start of every page

function begin() {
  const fresh = table(main);
  showCurrentMove();
  const panel = main.querySelector("[data-stream]");
  if (panel?.dataset.stream) follow(panel);
  offerPlaying(fresh);
  offerSettings();
  streak();
  gauge();
  tick();
  improveCurve(journey, LOOKS);
}

// The list of moves is scrolled, never the page.
function showCurrentMove() {
  const list = main.querySelector(".moves"), current = list?.querySelector("[aria-current]");
  if (!current) return;
  const [inner, outer] = [current, list].map((each) => each.getBoundingClientRect());
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}

window.addEventListener("pagehide", stopStream);
toRoot(main.querySelector(".drawing"));
const upright = table(main)?.dataset.upright;
if (upright && window.matchMedia("(max-width: 30rem) and (orientation: portrait)").matches) location.replace(upright);
else begin();
