// Plays through the games of a page: `#game-3` shows the third one, move by move.
"use strict";
{
  const { pieces, boards, games } = JSON.parse(document.getElementById("games").textContent);
  const find = (id) => document.getElementById(id);
  const make = (name, attributes = {}) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  let game = null, seen = 0, timer = null;

  function show(number) {
    seen = Math.max(0, Math.min(number, game.boards.length - 1));
    const [x, y, width, height, parts, caption] = boards[game.boards[seen]];
    const board = make("svg", { class: `ggp-board ${game.look}`, viewBox: `${x} ${y} ${width} ${height}`, role: "img", "aria-label": `The board. ${caption}` });
    board.innerHTML = parts.map((part) => pieces[part]).join("");
    find("board").replaceChildren(board);
    find("caption").textContent = caption;
    find("told").textContent = seen ? `${seen}. ${game.told[seen - 1]}` : "The start";
    find("at").value = seen;
    find("at").setAttribute("aria-valuetext", find("told").textContent);
    [...find("moves").children].forEach((each, place) => {
      if (place === seen - 1) each.firstElementChild.setAttribute("aria-current", "step");
      else each.firstElementChild.removeAttribute("aria-current");
    });
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    find("play").textContent = "Play";
  }

  function open() {
    const number = Number(/^#game-(\d+)$/.exec(location.hash)?.[1]);
    game = games.find((each) => each.number === number) ?? null;
    find("replay").hidden = !game;
    stop();
    if (!game) return;
    find("title").textContent = game.title;
    find("at").max = game.boards.length - 1;
    find("moves").replaceChildren(...game.moves.map((move, place) => {
      const item = document.createElement("li"), button = document.createElement("button");
      button.type = "button";
      button.textContent = move;
      button.className = `side${game.sides[place]}`;
      button.addEventListener("click", () => show(place + 1));
      item.append(button);
      return item;
    }));
    show(0);
    find("replay").scrollIntoView({ block: "start" });
    find("title").focus({ preventScroll: true });
  }

  const go = { first: () => show(0), back: () => show(seen - 1), next: () => show(seen + 1), last: () => show(Infinity) };
  for (const [name, move] of Object.entries(go)) find(name).addEventListener("click", () => { stop(); move(); });
  find("play").addEventListener("click", () => {
    if (timer) return stop();
    if (seen === game.boards.length - 1) show(0);
    find("play").textContent = "Pause";
    timer = setInterval(() => (seen < game.boards.length - 1 ? show(seen + 1) : stop()), 700);
  });
  find("at").addEventListener("input", () => { stop(); show(Number(find("at").value)); });
  document.addEventListener("keydown", (event) => {
    if (!game || event.target.closest("input, button") || event.metaKey || event.ctrlKey || event.altKey) return;
    const move = { ArrowLeft: go.back, ArrowRight: go.next, Home: go.first, End: go.last }[event.key];
    if (move) { event.preventDefault(); stop(); move(); }
  });
  window.addEventListener("hashchange", open);
  open();
}
