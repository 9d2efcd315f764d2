"use strict";
// Steps through a search. Everything that is ever to be seen is in the page, and knows from which step to which it is
// there (data-from, data-to): a step shows and hides, and makes nothing.
{
  const find = (name) => document.getElementById(name);
  const steps = JSON.parse(find("steps").textContent);
  const tree = document.querySelector(".tree");
  const parts = [...tree.querySelectorAll("[data-from]")].map((part) =>
    ({ part, from: Number(part.dataset.from), to: Number(part.dataset.to ?? Infinity) }));
  const lines = document.querySelectorAll(".code li");
  const slider = find("step");
  const pace = 900; // milliseconds
  let now = 0;
  let playing = 0;

  function follow(mark) {
    const seen = tree.getBoundingClientRect(), there = mark.getBoundingClientRect();
    if (there.left < seen.left + 20 || there.right > seen.right - 20)
      tree.scrollLeft += there.left + there.width / 2 - seen.left - seen.width / 2;
    if (there.top < seen.top + 20 || there.bottom > seen.bottom - 20)
      tree.scrollTop += there.top + there.height / 2 - seen.top - seen.height / 2;
  }

  function show(step) {
    now = Math.min(Math.max(step, 1), steps.length);
    const { at, line, say } = steps[now - 1];
    for (const { part, from, to } of parts) {
      const seen = from <= now && now < to;
      part.toggleAttribute("hidden", !seen);
      part.classList.toggle("current", seen && part.dataset.key === at);
    }
    lines.forEach((each, index) => {
      if (index === line) each.setAttribute("aria-current", "step");
      else each.removeAttribute("aria-current");
    });
    slider.value = now;
    find("count").textContent = `${now} of ${steps.length}`;
    find("told").textContent = say;
    for (const name of ["first", "back"]) find(name).disabled = now === 1;
    for (const name of ["next", "last"]) find(name).disabled = now === steps.length;
    const mark = tree.querySelector(".current");
    if (mark) follow(mark);
  }

  function stop() {
    clearInterval(playing);
    playing = 0;
    find("play").textContent = "Play";
  }

  function play() {
    if (playing) return stop();
    if (now === steps.length) show(1);
    find("play").textContent = "Pause";
    playing = setInterval(() => (now < steps.length ? show(now + 1) : stop()), pace);
  }

  const by = {
    first: () => show(1), back: () => show(now - 1), next: () => show(now + 1), last: () => show(steps.length), play,
  };
  for (const [name, act] of Object.entries(by)) find(name).addEventListener("click", () => {
    if (name !== "play") stop();
    act();
  });
  find("whole").addEventListener("click", () => {
    const whole = tree.classList.toggle("whole");
    find("whole").setAttribute("aria-pressed", whole);
    show(now);
  });
  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play" };
  document.addEventListener("keydown", (event) => {
    const name = keys[event.key];
    const taken = event.target.closest("button") ? event.key === " " : event.target === slider && event.key !== " ";
    if (!name || taken || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (name !== "play") stop();
    by[name]();
  });
  addEventListener("hashchange", () => show(Number(location.hash.slice(1)) || now));
  slider.max = steps.length;
  show(Number(location.hash.slice(1)) || 1);
}
