// Shows the board that Python has drawn, and asks Python for what is clicked.
const SOWN = 190; // milliseconds for each seed that is sown
const still = window.matchMedia("(prefers-reduced-motion: reduce)");
const BUTTONS = { back: "Take back", hint: "Hint", go: "Go on", new: "New game", swap: "Swap sides" };

function element(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function render({ model, el }) {
  const place = element("div", { class: "place", tabindex: "-1" });
  const status = element("p", { class: "status", role: "status" });
  const buttons = Object.entries(BUTTONS).map(([command, text]) => element("button", { type: "button", "data-command": command }, text));
  const bar = element("div", { class: "buttons", role: "group", "aria-label": "The game" }, ...buttons);
  // The notebook's own keys are off while one is on the board.
  const root = element("div", { class: "ggp-play", "data-lm-suppress-shortcuts": "true" }, place, status, bar);
  let asked = 0;
  let cell = null; // the name of the cell that had the focus last, while it is on the board

  function ask(command, more) {
    asked += 1;
    const after = model.get("moves").length;
    model.set("asked", { command, after, number: `${asked} ${performance.now()}`, ...more });
    model.save_changes();
  }

  function focused() {
    const active = el.getRootNode().activeElement;
    return place.contains(active) ? active : null;
  }

  // The moves that have been made since the last board are seen one after the other; a board that comes meanwhile waits.
  let shown = 0; // how many moves the board shows
  let waiting = 0, turn = Promise.resolve();

  function draw() {
    const next = element("div", {});
    next.innerHTML = model.get("board");
    const frames = [...next.querySelectorAll("template.frame")].filter((each) => Number(each.dataset.number) > shown);
    const last = Number([...next.querySelectorAll("template.frame")].pop()?.dataset.number ?? 0);
    const seen = !still.matches && place.querySelector("svg") && frames[0]?.dataset.number === String(shown + 1);
    shown = last;
    const board = next.querySelector("svg");
    if (!seen && !waiting) return paint(board);
    waiting += 1;
    turn = turn.then(async () => {
      place.classList.add("moving");
      for (const frame of seen ? frames : []) {
        await showMotion(place.querySelector("svg"), JSON.parse(frame.dataset.motion), { time: SOWN });
        const after = frame.content.firstElementChild;
        if (after) place.replaceChildren(after.cloneNode(true));
      }
      place.classList.remove("moving");
      waiting -= 1;
      paint(board);
    });
  }

  function paint(board) {
    const active = focused();
    if (active && active !== place) cell = active.querySelector(".cell")?.dataset.name ?? null;
    place.replaceChildren(board);
    if (!active) return;
    const links = [...place.querySelectorAll("a")];
    const same = links.find((link) => link.querySelector(".cell").dataset.name === cell);
    (same ?? links[0] ?? place).focus({ preventScroll: true });
  }

  function tell() {
    status.textContent = model.get("status");
  }

  function enable() {
    for (const button of buttons) button.setAttribute("aria-disabled", !model.get("enabled").includes(button.dataset.command));
  }

  place.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link) return;
    event.preventDefault();
    event.stopPropagation();
    const [kind, text] = [link.getAttribute("href")[0], decodeURIComponent(link.getAttribute("href").slice(1))];
    if (kind === "?") ask("pick", { cell: text });
    else ask("play", { move: text });
  });
  root.addEventListener("keydown", (event) => {
    event.stopPropagation();
    const link = event.target.closest("a");
    if (event.key !== " " || !link) return;
    event.preventDefault();
    link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  });
  for (const button of buttons) {
    button.addEventListener("click", () => button.getAttribute("aria-disabled") !== "true" && ask(button.dataset.command));
  }

  const traits = { board: draw, status: tell, enabled: enable };
  for (const [trait, show] of Object.entries(traits)) {
    model.on(`change:${trait}`, show);
    show();
  }
  el.append(root);
  return () => Object.entries(traits).forEach(([trait, show]) => model.off(`change:${trait}`, show));
}

export default { render };
