// Shows the page in a frame of its own, whose slider and the trait `step` follow each other.
const TALL = { least: 200, most: 1000 }; // pixels: as tall as the page is when it opens, within reason

function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.className = "ggp-stepper";
  frame.title = "A search, step by step";
  const slider = () => frame.contentDocument?.getElementById("step");

  function show() {
    const step = slider();
    if (!step || Number(step.value) === model.get("step")) return;
    step.value = model.get("step");
    step.dispatchEvent(new Event("input"));
  }

  function tell() {
    const step = Number(slider().value);
    if (step === model.get("step")) return;
    model.set("step", step);
    model.save_changes();
  }

  frame.addEventListener("load", () => {
    const count = frame.contentDocument.getElementById("count");
    if (!count) return;
    const { scrollHeight } = frame.contentDocument.documentElement;
    if (scrollHeight > TALL.least) frame.style.height = `${Math.min(scrollHeight + 4, TALL.most)}px`;
    show();
    new MutationObserver(tell).observe(count, { childList: true, characterData: true, subtree: true });
  });
  frame.srcdoc = model.get("page");
  el.append(frame);
  model.on("change:step", show);
  return () => model.off("change:step", show);
}

export default { render };
