// The page's side of the board: the notebook's own board, with a worker for a kernel.
(async () => {
  const root = document.getElementById("ggp-board");
  const part = (name) => root.querySelector(`[name=${name}]`);
  const tell = (text) => { root.querySelector(".ggp-said").textContent = text; };

  // From a file a page may not fetch, but it may run scripts: all files come as one.
  const load = () => new Promise((done, failed) => {
    const script = Object.assign(document.createElement("script"), { src: "_static/board-files.js", onload: done, onerror: failed });
    document.head.append(script);
  });

  const values = { moves: [], enabled: [], board: "", status: "", state: "", over: false };
  const seen = {};
  let request;
  const model = {
    get: (name) => values[name],
    set: (name, value) => { if (name === "asked") request = value; },
    save_changes: () => worker.postMessage({ request }),
    on: (event, show) => { (seen[event] ??= []).push(show); },
    off: () => {},
  };

  let games = [];
  const option = (value, text) => Object.assign(document.createElement("option"), { value, textContent: text });
  function choose() {
    const game = games.find((each) => each.name === part("game").value);
    part("parameters").value = game.parameters;
    root.querySelector(".ggp-summary").textContent = game.summary;
    game.sides.forEach((side, place) => {
      const select = part(place ? "second" : "first");
      select.previousElementSibling.textContent = side;
      select.replaceChildren(...game.players.map((name) => option(name, name)));
      select.value = place && game.players.includes("medium") ? "medium" : "human";
    });
  }
  function begin() {
    tell("");
    worker.postMessage({ begin: ["game", "parameters", "first", "second"].map((name) => part(name).value) });
  }
  function show(found, chosen) {
    games = found;
    part("game").replaceChildren(...games.map((game) => option(game.name, game.title)));
    part("game").value = chosen ?? "kalah";
    choose();
    begin();
    root.querySelector("fieldset").disabled = false;
  }

  tell("Starting Python …");
  await load();
  document.head.append(Object.assign(document.createElement("style"), { textContent: self.ggpFiles.style }));
  const { default: shown } = await import(URL.createObjectURL(new Blob([self.ggpFiles.board], { type: "text/javascript" })));
  const worker = new Worker(URL.createObjectURL(new Blob([self.ggpFiles.worker], { type: "text/javascript" })));
  worker.onmessage = ({ data }) => {
    if (data.trouble) tell(data.trouble);
    if (data.games) show(data.games, data.chosen);
    for (const [name, value] of Object.entries(data.values ?? {})) values[name] = value;
    for (const name of Object.keys(data.values ?? {})) (seen[`change:${name}`] ?? []).forEach((each) => each());
  };
  worker.onerror = (event) => tell(`Python cannot be started here: ${event.message}`);
  worker.postMessage({ files: self.ggpFiles.data });
  shown.render({ model, el: root.querySelector(".ggp-place") });

  part("game").addEventListener("change", () => { choose(); begin(); });
  part("begin").addEventListener("click", begin);
  part("load").addEventListener("click", () => { tell(""); worker.postMessage({ plugin: part("plugin").value }); });
})();
