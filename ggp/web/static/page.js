// What the script adds to a page of plain links: moves without loading the page anew, seeds sown one by one, an
// analysis that streams, machines that play on among themselves. All that it shows, the server has sent.
"use strict";

const main = document.getElementById("main");
const live = document.getElementById("live");
const still = window.matchMedia("(prefers-reduced-motion: reduce)");
const STEP = 130; // milliseconds for each cell that changes
const LONGEST = 2600; // milliseconds for one move, however many cells it changes
const BETWEEN = 260; // milliseconds between two moves

const pause = (time) => new Promise((done) => setTimeout(done, time));
const table = (root) => root.querySelector(".table");

// ---- from page to page

let journey = 0; // the number of the latest journey: one that is overtaken changes nothing any more

async function go(address, { remember = true, focus = null } = {}) {
  const mine = ++journey;
  stopStream();
  main.setAttribute("aria-busy", "true");
  const slow = setTimeout(() => say("Thinking …"), 400);
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html", "X-Script": "yes" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const next = page.getElementById("main");
    if (mine !== journey) return;
    if (!next) throw new Error("no page");
    const old = table(main), fresh = table(next);
    if (remember) history.pushState({}, "", answer.url + new URL(address, location.href).hash);
    document.title = page.title;
    if (remember && old && fresh) await animate(old, fresh, () => mine === journey);
    if (mine !== journey) return;
    show(next, focus);
  } catch {
    if (mine === journey) location.assign(address); // the browser tells what is wrong
  } finally {
    clearTimeout(slow);
    if (mine === journey) main.removeAttribute("aria-busy");
  }
}

function show(next, focus) {
  const before = scrollPositions();
  main.replaceChildren(...next.childNodes);
  before();
  const fresh = table(main);
  say(fresh ? fresh.dataset.told : main.querySelector("h1")?.textContent);
  if (focus) keepFocus(focus);
  begin();
}

function scrollPositions() {
  const tree = main.querySelector(".drawing"), left = tree?.scrollLeft ?? 0, drawn = tree?.innerHTML;
  return () => {
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

window.addEventListener("popstate", () => go(location.href, { remember: false }));

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

async function animate(old, fresh, wanted) {
  if (still.matches || old.dataset.game !== fresh.dataset.game) return;
  const from = Number(old.dataset.seen), to = Number(fresh.dataset.seen);
  const line = (page, count) => page.dataset.line.split(",").slice(0, count).join(","); // within a move it is %2C
  if (to <= from || line(old, from) !== line(fresh, from)) return;
  const boards = [...fresh.querySelectorAll("template.frame")].map((each) => each.content.firstElementChild);
  const last = fresh.querySelector("#board > svg");
  for (const board of [...boards, last].slice(-(to - from))) {
    if (!wanted()) return;
    const figure = main.querySelector("#board");
    await sow(figure, board);
    figure.replaceChildren(board.cloneNode(true));
    if (board !== last) await pause(BETWEEN);
  }
}

// From the board that is shown to the next one: what was taken flies to the cells that gained, in their order from where
// it was taken; then the next board takes its place.
async function sow(figure, board) {
  const cells = [...figure.querySelectorAll(".cell")];
  const after = new Map([...board.querySelectorAll(".cell")].map((each) => [each.dataset.name, count(each)]));
  const change = cells.map((cell) => (after.get(cell.dataset.name) ?? count(cell)) - count(cell));
  const source = change.indexOf(Math.min(...change));
  if (!(change[source] < 0) || !change.some((each) => each > 0)) return;
  const order = cells.map((_, place) => (source + 1 + place) % cells.length).filter((place) => change[place] > 0);
  const time = Math.min(STEP, LONGEST / order.length);
  for (const place of order) {
    await fly(figure, cells[source], cells[place], time);
    write(cells[place], after.get(cells[place].dataset.name));
    cells[place].classList.add("landing");
    setTimeout(() => cells[place].classList.remove("landing"), time * 2);
  }
}

function count(cell) {
  return Number(cell.querySelector(".digits")?.textContent ?? 0);
}

function write(cell, number) {
  const digits = cell.querySelector(".digits");
  if (digits) digits.textContent = number;
}

function fly(figure, source, target, time) {
  const seed = document.createElement("span");
  seed.className = "flying";
  seed.setAttribute("aria-hidden", "true");
  figure.append(seed);
  const [a, b] = [source, target].map((cell) => middle(figure, cell));
  const arc = -Math.min(40, Math.abs(b.x - a.x) / 6 + 8);
  const frames = [0, 0.5, 1].map((part) => ({
    transform: `translate(${a.x + (b.x - a.x) * part}px, ${a.y + (b.y - a.y) * part + (part === 0.5 ? arc : 0)}px)`,
  }));
  return seed.animate(frames, { duration: time, easing: "ease-in-out" }).finished.then(() => seed.remove(), () => seed.remove());
}

function middle(figure, cell) {
  const frame = figure.getBoundingClientRect(), box = (cell.querySelector(".outline") ?? cell).getBoundingClientRect();
  return { x: box.x + box.width / 2 - frame.x, y: box.y + box.height / 2 - frame.y };
}

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
    });
  } catch (error) {
    if (error.name !== "AbortError" && mine === stream) note(panel, "The server has gone.");
  }
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
    setTimeout(() => playing && mine === journey && go(fresh.dataset.step, { focus: { id: "run" } }), BETWEEN * 2);
  }
}

// ---- at the start of every page

function begin() {
  const fresh = table(main);
  main.querySelector(".moves [aria-current]")?.scrollIntoView?.({ block: "nearest", inline: "nearest" });
  const panel = main.querySelector("[data-stream]");
  if (panel?.dataset.stream) follow(panel);
  offerPlaying(fresh);
}

window.addEventListener("pagehide", stopStream);
toRoot(main.querySelector(".drawing"));
begin();
