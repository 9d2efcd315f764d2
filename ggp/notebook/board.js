// Shows the board that Python has drawn, and asks Python for what is clicked.
const BUTTONS = { back: "Take back", hint: "Hint", go: "Go on", new: "New game", swap: "Swap sides" };

function made(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function render({ model, el }) {
  const place = made("div", { class: "place", tabindex: "-1" });
  const status = made("p", { class: "status", role: "status" });
  const buttons = Object.entries(BUTTONS).map(([wish, text]) => made("button", { type: "button", "data-wish": wish }, text));
  const bar = made("div", { class: "buttons", role: "group", "aria-label": "The game" }, ...buttons);
  // The notebook's own keys are off while one is on the board.
  const root = made("div", { class: "ggp-play", "data-lm-suppress-shortcuts": "true" }, place, status, bar);
  let asked = 0;
  let cell = null; // the name of the cell that had the focus last, while it is on the board

  function ask(wish, more) {
    asked += 1;
    const after = model.get("moves").length;
    model.set("asked", { wish, after, number: `${asked} ${performance.now()}`, ...more });
    model.save_changes();
  }

  function focused() {
    const active = el.getRootNode().activeElement;
    return place.contains(active) ? active : null;
  }

  function draw() {
    const active = focused();
    if (active && active !== place) cell = active.querySelector(".cell")?.dataset.name ?? null;
    place.innerHTML = model.get("board");
    if (!active) return;
    const links = [...place.querySelectorAll("a")];
    const same = links.find((link) => link.querySelector(".cell").dataset.name === cell);
    (same ?? links[0] ?? place).focus({ preventScroll: true });
  }

  function tell() {
    status.textContent = model.get("status");
  }

  function enable() {
    for (const button of buttons) button.setAttribute("aria-disabled", !model.get("wishes").includes(button.dataset.wish));
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
    button.addEventListener("click", () => button.getAttribute("aria-disabled") !== "true" && ask(button.dataset.wish));
  }

  const shown = { board: draw, status: tell, wishes: enable };
  for (const [trait, show] of Object.entries(shown)) {
    model.on(`change:${trait}`, show);
    show();
  }
  el.append(root);
  return () => Object.entries(shown).forEach(([trait, show]) => model.off(`change:${trait}`, show));
}

export default { render };
