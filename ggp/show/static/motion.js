// Shows a move on a board, beat by beat: what `ggp.show.motion` has found, within the picture itself. The page and the
// notebook's board share it.

const SVG = "http://www.w3.org/2000/svg";
const PIECE = 1.7; // how much longer a piece, or a whole heap, flies than a seed that is sown
const MOST = 16; // seeds that are drawn of a heap that flies
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

const made = (name) => document.createElementNS(SVG, name);

function cellsOf(svg) {
  return new Map([...svg.querySelectorAll(".cell")].map((each) => [each.dataset.name, each]));
}

function group(text) {
  const holder = made("g");
  holder.innerHTML = text; // drawn and escaped by the server
  return holder.firstElementChild;
}

function redraw(svg, drawn) {
  for (const [name, text] of Object.entries(drawn)) cellsOf(svg).get(name)?.replaceWith(group(text));
}

function middle(cell) {
  const box = (cell.querySelector(".outline") ?? cell).getBBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

// The things that fly: seeds side by side, or what stands in a cell.
function heap(count, at) {
  const seeds = made("g");
  for (let n = 0; n < Math.min(count, MOST); n++) {
    const seed = made("circle"), far = count > 1 ? 6.5 * Math.sqrt(n + 0.5) : 0;
    seed.setAttribute("class", "seed");
    seed.setAttribute("cx", at.x + far * Math.cos(n * GOLDEN));
    seed.setAttribute("cy", at.y + far * Math.sin(n * GOLDEN));
    seed.setAttribute("r", 6);
    seeds.append(seed);
  }
  return seeds;
}

function content(cell) {
  const piece = cell.cloneNode(true), whole = cell.classList.contains("piece");
  piece.removeAttribute("data-name");
  piece.classList.remove("cell", "playable", "highlighted");
  for (const part of piece.querySelectorAll(`title, .label, .digits, .dot, .ring, .reach, .undrawn, .frame, .bore${whole ? "" : ", .outline"}`)) part.remove();
  return piece;
}

function fly(svg, cells, { from, to, count, falls }, landed, duration) {
  const start = cells.get(from), end = cells.get(to) ?? (landed[to] && svg.appendChild(group(landed[to])));
  const at = middle(start ?? end), target = middle(end ?? start);
  const flying = made("g");
  flying.setAttribute("class", "flying");
  flying.setAttribute("aria-hidden", "true");
  flying.append(count ? heap(count, at) : content(start ?? group(landed[to])));
  const wall = svg.querySelector(".wall");
  if (wall) wall.after(flying); // behind the frame
  else svg.append(flying);
  if (end && !cells.has(to)) end.remove();
  if (start && !to && !count) start.setAttribute("visibility", "hidden");
  const frames = { transform: ["translate(0, 0)", `translate(${target.x - at.x}px, ${target.y - at.y}px)`] };
  if (!end) frames.opacity = [1, 0];
  if (!start) Object.assign(frames, { opacity: [0, 1], transform: ["translate(0, -10px)", "translate(0, 0)"] });
  if (falls) frames.transform = [`translate(0, ${(wall ?? svg).getBBox().y - target.y}px)`, "translate(0, 0)"];
  if (falls) frames.opacity = [1, 1];
  const easing = falls ? "ease-in" : "ease-in-out";
  const animation = flying.animate(frames, { duration, easing, fill: "forwards" });
  return { animation, remove: () => flying.remove() };
}

const isDie = (cell) => cell?.classList.contains("die");

// Turns over the pieces in these cells, or whole dice: each gets narrow, is drawn anew, and gets broad again.
async function flip(svg, beat, duration, stopped) {
  const turned = (names, widths) => {
    const partsOf = (cell) => (isDie(cell) ? [cell] : [...(cell?.querySelectorAll(".disc, .rim, .groove, .shine") ?? [])]);
    const parts = names.flatMap((name) => partsOf(cellsOf(svg).get(name)));
    return parts.map((part) => {
      part.style.transformBox = "fill-box";
      part.style.transformOrigin = "center";
      return part.animate({ transform: widths.map((width) => `scaleX(${width})`) }, { duration: duration / 2, fill: "forwards" });
    });
  };
  for (const [widths, draw] of [[[1, 0], true], [[0, 1], false]]) {
    const animations = turned(beat.flips, widths);
    const skipping = setInterval(() => stopped() && animations.forEach((each) => each.finish()), 30);
    await Promise.all(animations.map((each) => each.finished));
    clearInterval(skipping);
    if (draw) redraw(svg, beat.landed);
  }
}

// Show all beats on the picture. It ends at once where `stopped` says so, with the board as it is then.
export async function showMotion(svg, beats, { time, stopped = () => false, landed = () => {} }) {
  for (const beat of beats) {
    if (stopped()) return;
    const short = beat.flips?.some((name) => isDie(cellsOf(svg).get(name))) || (beat.flights.length === 1 && beat.flights[0].count);
    const duration = short ? time : time * PIECE;
    if (beat.flips?.length) {
      await flip(svg, beat, duration, stopped);
      landed(beat);
      continue;
    }
    const cells = cellsOf(svg);
    const flights = beat.flights.map((each) => fly(svg, cells, each, beat.landed, duration));
    redraw(svg, beat.leaving);
    const skipping = setInterval(() => stopped() && flights.forEach((each) => each.animation.finish()), 30);
    await Promise.all(flights.map((each) => each.animation.finished));
    clearInterval(skipping);
    flights.forEach((each) => each.remove());
    redraw(svg, beat.landed);
    if (beat.flights.length) landed(beat);
  }
}
