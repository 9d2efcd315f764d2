"use strict";
// Steps through searches. The page has every mark with its versions: what it looks like from which step on. What is in
// view is drawn, and nothing else; from afar the whole tree is a few lines.
{
  const find = (name) => document.getElementById(name);
  const { panes: searches, shapes, lengths, pieces, boards } = JSON.parse(find("searches").textContent);
  const SVG = "http://www.w3.org/2000/svg";
  const DETAIL = 0.3; // the scale below which a tree has no texts
  const THUMB = { width: 104, height: 64 }; // pixels, at most
  const AROUND = 300; // pixels beyond the view that are drawn, too
  const BROAD = 4000; // pixels: of a tree that is broader, only the path and what hangs from it is laid out at first
  const LEGIBLE = 1; // the scale at which the smallest texts have 11 pixels: no smaller unless the reader zooms
  const SHORT = 24; // pixels: the least height of a branch of a long path
  const LARGE = 1.6; // the scale up to which a small tree grows to fill the pane
  const DRAGGED = 5; // pixels: less is a click
  const make = (name, attributes = {}, text = null) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== null) element.textContent = text;
    return element;
  };
  const round = (value) => Math.round(value * 10) / 10;
  const short = (value) => String(Number(value.toPrecision(3)));
  const pressed = (name) => find(name).getAttribute("aria-pressed") === "true";
  const press = (name, on) => find(name).setAttribute("aria-pressed", on);

  // The board of a place in `boards`, within a box.
  function boardIn(place, width, height) {
    const [x, y, wide, high, parts] = boards[place];
    const scale = Math.min(width / wide, height / high);
    const board = make("g", { class: "ggp-board", transform: `scale(${scale}) translate(${-x - wide / 2} ${-y})` });
    board.innerHTML = parts.map((part) => pieces[part]).join("");
    return board;
  }

  // Where the roots of trees stand that lie side by side; as ggp.show.tree_layout places them.
  const centred = (places) => {
    const middle = places.length ? (places[0] + places[places.length - 1]) / 2 : 0;
    return places.map((place) => place - middle);
  };
  function packed(parts) {
    const places = [], edge = [];
    for (const part of parts) {
      let place = -Infinity;
      for (let level = 0; level < Math.min(edge.length, part.length); level++)
        place = Math.max(place, edge[level] + lengths.gap - part[level][0]);
      if (place === -Infinity) place = 0;
      places.push(place);
      part.forEach(([, right], level) => { edge[level] = place + right; });
    }
    return places;
  }
  function abreast(parts) {
    const mirrored = [...parts].reverse().map((part) => part.map(([left, right]) => [-right, -left]));
    const rightmost = centred(packed(mirrored).reverse().map((place) => -place));
    return centred(packed(parts)).map((place, index) => (place + rightmost[index]) / 2);
  }

  class Pane {
    constructor(search, section) {
      this.name = search.name;
      this.steps = search.steps;
      this.visits = search.visits;
      this.outlines = search.outlines;
      this.classes = search.classes;
      this.marks = search.marks.map(([key, parent, size, branch, board, versions]) =>
        ({ key, parent, size, branch, board, versions, first: versions[0][0], gone: Infinity, children: [], collapsed: false }));
      this.marks.forEach((mark, index) => {
        mark.index = index;
        if (mark.versions.at(-1).length === 1) mark.gone = mark.versions.pop()[0];
        mark.up = mark.parent < 0 ? null : this.marks[mark.parent];
        if (mark.up) mark.up.children.push(mark);
        mark.level = mark.up ? mark.up.level + 1 : 0;
        mark.below = 0;
      });
      for (const mark of [...this.marks].reverse()) if (mark.up) mark.up.below += mark.below + 1;
      this.section = section;
      this.box = section.querySelector(".tree");
      this.narration = section.querySelector(".narration");
      this.tally = section.querySelector(".tally");
      this.table = (several ? section : document).querySelector(".known tbody");
      this.svg = make("svg", { class: "ggp-tree", role: "group", "aria-label": "The search tree" });
      this.world = make("g");
      this.all = make("g", { class: "all", "aria-hidden": "true" });
      this.ways = make("g", { "aria-hidden": "true" });
      this.symbols = make("g");
      this.world.append(this.all, this.ways, this.symbols);
      this.svg.append(this.world);
      this.box.append(this.svg);
      this.drawn = new Map();
      this.scale = 1;
      this.free = false;
      this.x = this.y = 0;
      this.now = 1;
      this.span = this.ends();
      this.measure();
      this.listen();
    }

    // The least and the greatest number that is known anywhere.
    ends() {
      let low = 0, high = 0;
      for (const mark of this.marks) for (const version of mark.versions)
        for (const each of (version[6] ?? []).slice(2, 6))
          if (each !== null) [low, high] = [Math.min(low, each), Math.max(high, each)];
      return [low, high === low ? low + 1 : high];
    }

    version(mark, step) {
      let from = 0, to = mark.versions.length;
      while (to - from > 1) {
        const middle = (from + to) >> 1;
        if (mark.versions[middle][0] <= step) from = middle; else to = middle;
      }
      return from;
    }

    // The deepest node on the path that has children: with only the path in view, what is laid out depends on it alone.
    get tip() { return this.here.children.length ? this.here : this.here.up; }

    get layout() { return `${this.tip?.key} ${this.best().at(-1)?.key}`; }

    layOut() {
      const shown = [], path = new Set();
      const best = new Set(pressed("path") ? this.best() : []);
      this.laidOut = this.layout;
      for (let mark = pressed("path") ? this.here : null; mark; mark = mark.up) path.add(mark);
      for (const mark of this.marks) {
        const { up } = mark;
        mark.hidden = up !== null && (up.hidden || up.collapsed || (path.size > 0 && !path.has(up) && !best.has(mark)));
        if (!mark.hidden) shown.push(mark);
      }
      this.shown = shown;
      for (const mark of shown) {
        let [left, right, above, below] = mark.size;
        mark.depth = shapes[mark.versions[mark.versions.length - 1][1]];
        mark.thumb = 0;
        if (pressed("boards") && !this.bare && mark.board >= 0) {
          const [, , wide, high] = boards[mark.board];
          const scale = Math.min(THUMB.width / wide, THUMB.height / high);
          left = Math.max(left, (scale * wide) / 2);
          right = Math.max(right, (scale * wide) / 2);
          mark.thumb = below + 3;
          below += scale * high + 6;
          mark.depth = below;
        }
        if (mark.collapsed) below += 16;
        mark.room = [left, right, above, below];
      }
      const outlines = new Map();
      for (let index = shown.length - 1; index >= 0; index--) {
        const mark = shown[index], children = mark.children.filter((child) => !child.hidden);
        const parts = children.map((child) => outlines.get(child)), places = abreast(parts), own = [];
        parts.forEach((part, place) => {
          children[place].shift = places[place];
          outlines.delete(children[place]);
          part.forEach(([left, right], level) => {
            const here = [places[place] + left, places[place] + right];
            own[level] = own[level] ? [Math.min(own[level][0], here[0]), Math.max(own[level][1], here[1])] : here;
          });
        });
        outlines.set(mark, [[-mark.room[0], mark.room[1]], ...own]);
      }
      const rows = []; // of each level: room above and below, and the widest branch
      let start = Infinity, end = -Infinity;
      for (const mark of shown) {
        mark.x = mark.up ? mark.up.x + mark.shift : 0;
        start = Math.min(start, mark.x - mark.room[0]);
        end = Math.max(end, mark.x + mark.room[1]);
        const row = (rows[mark.level] ??= [0, 0, 0]);
        row[0] = Math.max(row[0], mark.room[2]);
        row[1] = Math.max(row[1], mark.room[3]);
        row[2] = Math.max(row[2], mark.up ? Math.abs(mark.shift) : 0);
      }
      const heights = [lengths.margin + rows[0][0]];
      const symbols = rows.reduce((sum, row) => sum + row[0] + row[1], 2 * lengths.margin);
      for (let level = 1; level < rows.length; level++) {
        const steep = Math.min(Math.max(lengths.low, lengths.steep * rows[level][2]), lengths.high);
        const left = (this.view.height - symbols) / (rows.length - 1);
        const between = pressed("path") && this.bare ? Math.min(steep, Math.max(SHORT, left)) : steep;
        heights.push(heights[level - 1] + rows[level - 1][1] + between + rows[level][0]);
      }
      for (const mark of shown) {
        mark.x += lengths.margin - start;
        mark.y = heights[mark.level];
      }
      this.width = end - start + 2 * lengths.margin;
      this.height = heights[rows.length - 1] + rows[rows.length - 1][1] + lengths.margin;
      this.far = "";
      // A path that is too long for the pane is shortened, without boards: the one of its end is beside the tree.
      if (pressed("path") && !this.bare && !this.boarded && this.height * LEGIBLE > this.view.height) {
        this.bare = true;
        this.layOut();
      }
    }

    clear() {
      this.drawn.clear();
      this.ways.replaceChildren();
      this.symbols.replaceChildren();
      this.all.replaceChildren();
      this.far = "";
    }

    // Kept, for to ask the browser in the midst of a change costs a layout.
    measure() { this.view = { width: this.box.clientWidth || 1, height: this.box.clientHeight || 1 }; }
    // From afar a tree is far broader than high: its height is kept.
    get tall() {
      return this.scale >= DETAIL ? this.scale : Math.max(this.scale, Math.min(1, (this.view.height - 8) / this.height));
    }

    zoom(factor, x = this.view.width / 2, y = this.view.height / 2) {
      this.free = true; // the reader chooses what is in view
      const { scale, tall } = this;
      const least = Math.min(0.9 * DETAIL, this.view.width / this.width);
      this.scale = Math.min(Math.max(scale * factor, least), 4);
      this.x = x - ((x - this.x) * this.scale) / scale;
      this.y = y - ((y - this.y) * this.tall) / tall;
      this.soon();
    }

    fit() {
      const { width, height } = this.view;
      const both = Math.min(width / this.width, height / this.height, 1.5);
      this.scale = both >= DETAIL ? both : width / this.width;
      this.x = (width - this.width * this.scale) / 2;
      this.y = Math.max(0, (height - this.height * this.tall) / 2);
      this.soon();
    }

    // Show the path from the root to here, and what hangs from it where there is room; all texts can be read.
    fitPath() {
      const { width, height } = this.view, path = [], edges = (marks) => [
        Math.min(...marks.map((mark) => mark.x - mark.room[0])) - 8, Math.max(...marks.map((mark) => mark.x + mark.room[1])) + 8];
      for (let mark = this.current; mark; mark = mark.up) path.push(mark);
      const seen = edges(this.shown.filter((mark) => this.seen(mark) || this.awaited(mark))), own = edges(path);
      const end = lengths.margin + Math.max(...this.lowest().map((mark) => mark.y + mark.room[3]));
      const scale = Math.min(Math.max(Math.min(width / (seen[1] - seen[0]), height / end), LEGIBLE), LARGE);
      this.scale = scale;
      if ((seen[1] - seen[0]) * scale <= width) this.x = (width - (seen[0] + seen[1]) * scale) / 2;
      else { // the path in the middle, or else what is current, but no empty space beside the tree
        const wide = (own[1] - own[0]) * scale > width;
        const middle = width / 2 - (wide ? this.current.x : (own[0] + own[1]) / 2) * scale;
        this.x = Math.min(Math.max(middle, width - seen[1] * scale), -seen[0] * scale);
      }
      this.y = end * scale <= height ? Math.max(0, (height - end * scale) / 4) : height - end * scale;
      this.follow(this.current);
      this.soon();
    }

    // Whether a mark is there at this step; or is still to come, below a node that was entered.
    seen(mark) { return mark.first <= this.now && mark.gone > this.now; }
    awaited(mark) { return mark.first > this.now && mark.up !== null && this.seen(mark.up) && !pressed("predict"); }

    // Best play so far, from the root down.
    best() {
      const line = [], principal = (mark) => this.seen(mark) && mark.versions[this.version(mark, this.now)][3];
      for (let mark = this.marks[0]; mark; mark = mark.children.find(principal)) line.push(mark);
      return line;
    }

    // The marks below the path, which leave room for them before they are visited: the scale stays while they are.
    lowest() {
      const marks = (this.tip ?? this.here).children.filter((mark) => !mark.hidden);
      return marks.length ? marks : [this.current];
    }

    // The mark that stands for one that may be hidden.
    standing(mark) {
      while (mark.hidden) mark = mark.up;
      return mark;
    }

    // Keep a mark in view, and the one above it where there is room for both.
    follow(mark) {
      if (pressed("whole")) return;
      const { width, height } = this.view;
      const boxes = (mark.up ? [mark, mark.up] : [mark]).map((each) => {
        const x = each.x * this.scale + this.x, y = each.y * this.tall + this.y;
        const [left, right, above, below] = each.room.map((room) => room * this.scale + 8);
        return [x - left, x + right, y - above, y + below];
      });
      const moved = (low, high, room) => {
        const ends = (some) => [Math.min(...some.map((box) => box[low])), Math.max(...some.map((box) => box[high]))];
        const both = ends(boxes), [start, end] = both[1] - both[0] <= room ? both : ends(boxes.slice(0, 1));
        return start < 0 || end > room ? (room - start - end) / 2 : 0;
      };
      this.x += moved(0, 1, width);
      this.y += moved(2, 3, height);
      if (this.height * this.tall <= height) this.y = Math.max(0, (height - this.height * this.tall) / 4);
    }

    soon() {
      this.waiting ??= requestAnimationFrame(() => { this.waiting = undefined; this.draw(); });
    }

    draw() {
      const near = this.scale >= DETAIL, scaled = near ? ` scale(${this.scale})` : "";
      this.world.setAttribute("transform", `translate(${round(this.x)} ${round(this.y)})${scaled}`);
      if (near !== this.near) this.clear();
      this.near = near;
      if (near) this.drawNear(); else this.drawFar();
    }

    // A mark is drawn anew where it looks different; where it is only somewhere else, it is moved.
    drawNear() {
      const { scale, view: { width, height } } = this;
      const left = (-this.x - AROUND) / scale, right = (width - this.x + AROUND) / scale;
      const top = (-this.y - AROUND) / scale, bottom = (height - this.y + AROUND) / scale, wanted = new Set();
      for (const mark of this.shown) {
        const awaited = this.awaited(mark);
        if (!awaited && !this.seen(mark)) continue;
        const { x, y, up, room } = mark;
        const here = x + room[1] > left && x - room[0] < right && y + room[3] > top && y - room[2] < bottom;
        const joined = up && Math.max(x, up.x) > left && Math.min(x, up.x) < right && y > top && up.y < bottom;
        if (!here && !joined) continue;
        const at = this.version(mark, this.now), way = up && this.branch(mark, awaited ? "entered" : mark.versions[at][1]);
        const looks = `${awaited} ${at} ${mark.thumb} ${mark.collapsed} ${way}`, place = `translate(${round(x)} ${round(y)})`;
        let drawn = this.drawn.get(mark);
        wanted.add(mark);
        if (!drawn || drawn.looks !== looks || (here && !awaited && !drawn.symbol)) {
          if (drawn) this.remove(drawn);
          drawn = awaited ? { looks, way: this.drawAwaited(way), symbol: null } :
            { looks, way: way && this.drawWay(mark, at, way), symbol: here && this.drawMark(mark, at, way) };
          this.drawn.set(mark, drawn);
        }
        if (drawn.place === place) continue;
        drawn.place = place;
        for (const part of [drawn.way, drawn.symbol]) if (part) part.setAttribute("transform", place);
      }
      for (const [mark, was] of this.drawn) if (!wanted.has(mark)) {
        this.remove(was);
        this.drawn.delete(mark);
      }
      for (const [mark, { symbol }] of this.drawn)
        if (symbol) symbol.classList.toggle("current", mark === this.current || mark === this.asked);
    }

    remove({ way, symbol }) {
      if (way) way.remove();
      if (symbol) symbol.remove();
    }

    // Where a branch begins under its parent, and ends on top of the mark, from the mark's own place.
    branch(mark, kind) {
      const { up } = mark;
      return [up.x - mark.x, up.y - mark.y + up.depth, 0, -shapes[kind]].map(round);
    }

    // The place of a node that nobody has looked at.
    drawAwaited([x1, y1, x2, y2]) {
      const group = make("g", { class: "awaited", "aria-hidden": "true" });
      group.append(make("path", { d: `M${x1} ${y1}L${x2} ${y2}` }), make("circle", { r: shapes.entered }));
      this.ways.append(group);
      return group;
    }

    drawWay(mark, at, [x1, y1, x2, y2]) {
      const [, kind, , principal] = mark.versions[at];
      const group = make("g", { class: `way ${kind}${principal ? " principal" : ""}` });
      group.append(make("path", { class: "branch", d: `M${x1} ${y1}L${x2} ${y2}` }));
      if (kind === "unvisited") {
        const length = Math.hypot(x2 - x1, y2 - y1), x = (x2 - x1) / length, y = (y2 - y1) / length, far = 7;
        const strokes = [-2.5, 2.5].map((shift) => {
          const cx = x1 + 0.36 * (x2 - x1) + shift * x, cy = y1 + 0.36 * (y2 - y1) + shift * y;
          return `M${round(cx + far * y)} ${round(cy - far * x)}L${round(cx - far * y)} ${round(cy + far * x)}`;
        });
        group.append(make("path", { class: "cut", d: strokes.join("") }));
      }
      this.ways.append(group);
      return group;
    }

    drawMark(mark, at, way) {
      const [, kind, outline, principal, words, lines] = mark.versions[at];
      const group = make("g", { class: `mark ${kind}${principal ? " principal" : ""}`, "data-key": mark.key, role: "img" });
      group.append(make("title", {}, words));
      if (mark.branch) {
        const [x1, y1, x2, y2] = way, share = lengths.above;
        const x = x1 + share * (x2 - x1), y = y1 + share * (y2 - y1) + 4;
        group.append(make("text", { class: "action", x: round(x), y: round(y) }, mark.branch));
      }
      if (this.outlines[outline]) group.append(make("path", { class: "symbol", d: this.outlines[outline] }));
      for (let place = 0; place < lines.length; place += 4) {
        const [kind, x, y, text] = lines.slice(place, place + 4);
        group.append(make("text", { class: this.classes[kind], x, y }, text));
      }
      if (mark.thumb) {
        const place = make("g", { transform: `translate(0 ${mark.thumb})`, "aria-hidden": "true" });
        place.append(boardIn(mark.board, THUMB.width, THUMB.height));
        group.append(place);
      }
      if (mark.collapsed)
        group.append(make("text", { class: "away", x: 0, y: mark.room[3] - 3 }, `▸ ${mark.below.toLocaleString("en")} below`));
      this.symbols.append(group);
      return group;
    }

    // All of the tree in a few lines.
    drawFar() {
      const { scale, tall } = this;
      const key = `${this.now} ${scale} ${tall}`;
      if (this.far !== key) {
        this.far = key;
        const ways = [], best = [], symbols = new Map();
        for (const mark of this.shown) {
          if (mark.first > this.now || mark.gone <= this.now) continue;
          const [, kind, , principal] = mark.versions[this.version(mark, this.now)], x = mark.x * scale, y = mark.y * tall;
          if (mark.up) {
            const line = `M${round(mark.up.x * scale)} ${round(mark.up.y * tall)}L${round(x)} ${round(y)}`;
            (principal ? best : ways).push(line);
          }
          const wide = Math.max(1, 20 * scale), sign = kind === "min" ? -1 : 1;
          if (!symbols.has(kind)) symbols.set(kind, []);
          symbols.get(kind).push(kind === "max" || kind === "min"
            ? `M${round(x)} ${round(y - sign * wide)}l${round(wide)} ${round(2 * sign * wide)}h${round(-2 * wide)}z`
            : `M${round(x - wide)} ${round(y - wide)}h${round(2 * wide)}v${round(2 * wide)}h${round(-2 * wide)}z`);
        }
        this.all.replaceChildren(make("path", { class: "branch", d: ways.join("") }));
        for (const [kind, paths] of symbols) this.all.append(make("path", { class: `symbol ${kind}`, d: paths.join("") }));
        this.all.append(make("path", { class: "principal", d: best.join("") }));
      }
      this.all.querySelector(".spot")?.remove();
      if (this.current) this.all.append(
        make("circle", { class: "spot", r: 7, cx: round(this.current.x * scale), cy: round(this.current.y * tall) }));
    }

    show(step) {
      this.now = Math.min(step, this.steps.length);
      const [at, , say, visits] = this.steps[this.now - 1];
      this.here = this.marks[at];
      if (pressed("path") && this.layout !== this.laidOut) this.arrange();
      this.current = this.standing(this.here);
      this.asked = null;
      this.narration.textContent = say;
      if (this.tally) this.count(visits);
      this.tabulate();
      if (pressed("path") && !this.free) this.fitPath(); else this.follow(this.current);
      this.draw();
    }

    // Only at its end does a search say what it has saved: until then the reader may predict it.
    count(visits) {
      const most = panes.reduce((one, other) => (other.visits > one.visits ? other : one));
      const saved = most.visits - this.visits, share = Math.round((100 * saved) / most.visits);
      const than = saved ? `saves ${saved.toLocaleString("en")} of ${most.name}’s ${most.visits.toLocaleString("en")} (${share}\u00a0%)` :
        "saves nothing";
      const states = `${visits.toLocaleString("en")} ${visits === 1 ? "state" : "states"} visited`;
      this.tally.textContent = this.now < this.steps.length ? states : `${states}; ${than}`;
    }

    // What is known on the path from the root to here.
    tabulate() {
      const path = [];
      for (let mark = this.here; mark; mark = mark.up) path.unshift(mark);
      this.table.replaceChildren(...path.map((mark) => {
        const version = mark.versions[this.version(mark, this.now)], facts = version[6];
        const row = document.createElement("tr");
        if (mark === this.here) row.className = "here";
        const head = document.createElement("th");
        head.scope = "row";
        const cells = [];
        if (facts) {
          const [name, mover, alpha, beta, lower, upper, best] = facts;
          const value = lower === upper && lower !== null ? short(lower) : lower === null && upper === null ? "…"
            : lower === null ? `≤ ${short(upper)}` : upper === null ? `≥ ${short(lower)}` : `${short(lower)} to ${short(upper)}`;
          head.textContent = name;
          cells.push(mover, alpha === null ? "-inf" : short(alpha), beta === null ? "+inf" : short(beta), value, best);
        } else {
          const inside = version[5].indexOf(version[5].find((each) => typeof each === "string")), text = version[5][inside];
          head.textContent = mark.branch || "root";
          cells.push("", "", "", text === "?" ? "…" : text ?? "", "");
        }
        row.append(head, ...cells.map((text) => {
          const cell = document.createElement("td");
          cell.textContent = text;
          return cell;
        }));
        const cell = document.createElement("td");
        if (facts) cell.append(this.range(facts));
        row.append(cell);
        return row;
      }));
    }

    // The window and what is known of the value, on a scale from the least to the greatest value.
    range([, , alpha, beta, lower, upper]) {
      const [low, high] = this.span, at = (value, other) => 4 + (88 * ((value ?? other) - low)) / (high - low);
      const bar = make("svg", { viewBox: "0 0 96 18", role: "img",
        "aria-label": `window ${alpha ?? "-inf"} to ${beta ?? "+inf"}, value ${lower ?? "-inf"} to ${upper ?? "+inf"}` });
      const [from, to] = [at(alpha, low), at(beta, high)], [least, most] = [at(lower, low), at(upper, high)];
      bar.append(make("line", { class: "scale", x1: 2, x2: 94, y1: 9, y2: 9 }),
        make("rect", { class: "window", x: from, width: Math.max(2, to - from), y: 2, height: 14 }));
      if (lower !== null || upper !== null)
        bar.append(make("rect", { class: "value", x: least - 1, width: Math.max(3, most - least), y: 7, height: 4, rx: 2 }));
      return bar;
    }

    at(x, y) {
      const { scale, tall } = this, near = this.scale < DETAIL ? Infinity : 12;
      let found = null, least = Infinity;
      for (const mark of this.shown) {
        if (mark.first > this.now || mark.gone <= this.now) continue;
        const across = x - this.x - mark.x * scale, down = y - this.y - mark.y * tall;
        const [left, right, above, below] = mark.room.map((each) => each * scale);
        const beyond = Math.max(across - right, -left - across, 0) + Math.max(down - below, -above - down, 0);
        const distance = 100 * beyond + Math.hypot(across, down);
        if (beyond <= near && distance < least) [found, least] = [mark, distance];
      }
      return found;
    }

    // Lay out anew, and leave a mark where it is in the view.
    arrange(mark = this.marks[0]) {
      const { x, y, scale, tall } = this, before = [mark.x * scale + x, mark.y * tall + y];
      this.layOut();
      if (pressed("whole")) this.fit();
      else [this.x, this.y] = [before[0] - mark.x * this.scale, before[1] - mark.y * this.tall];
    }

    // On a narrow screen the trees lie side by side, and one of them is seen.
    intoView() {
      const section = this.box.closest(".pane"), row = section.parentNode;
      row.scrollLeft += section.getBoundingClientRect().left - row.getBoundingClientRect().left;
    }

    toggle(mark) {
      if (!mark.children.length) return;
      mark.collapsed = !mark.collapsed;
      this.arrange(mark);
      this.current = this.standing(this.here);
      this.soon();
    }

    listen() {
      const fingers = new Map();
      let moved = 0, last = null;
      const place = (event) => {
        const frame = this.box.getBoundingClientRect();
        return [event.clientX - frame.left, event.clientY - frame.top];
      };
      this.box.addEventListener("pointerdown", (event) => {
        if (event.button) return;
        this.box.setPointerCapture(event.pointerId);
        fingers.set(event.pointerId, place(event));
        moved = fingers.size > 1 ? DRAGGED : 0;
      });
      this.box.addEventListener("pointermove", (event) => {
        if (!fingers.has(event.pointerId)) return;
        const [x, y] = place(event), [oldX, oldY] = fingers.get(event.pointerId);
        moved += Math.hypot(x - oldX, y - oldY);
        if (moved < DRAGGED) return;
        this.box.classList.add("moving");
        press("whole", false);
        const [other] = [...fingers].filter(([name]) => name !== event.pointerId).map(([, each]) => each);
        fingers.set(event.pointerId, [x, y]);
        if (other) {
          const before = Math.hypot(oldX - other[0], oldY - other[1]), after = Math.hypot(x - other[0], y - other[1]);
          if (before > 0) this.zoom(after / before, (x + other[0]) / 2, (y + other[1]) / 2);
        } else {
          this.x += x - oldX;
          this.y += y - oldY;
          this.soon();
        }
      });
      const leave = (event) => {
        if (!fingers.delete(event.pointerId) || fingers.size) return;
        this.box.classList.remove("moving");
        if (moved >= DRAGGED || event.type === "pointercancel") return;
        const mark = this.at(...place(event));
        if (!mark) return;
        if (last && last.mark === mark && event.timeStamp - last.time < 400) this.toggle(mark);
        else go(mark.first);
        last = { mark, time: event.timeStamp };
      };
      this.box.addEventListener("pointerup", leave);
      this.box.addEventListener("pointercancel", leave);
      this.box.addEventListener("wheel", (event) => {
        if (!event.ctrlKey && !event.metaKey && document.activeElement !== this.box) return; // the page scrolls
        event.preventDefault();
        press("whole", false);
        this.zoom(Math.exp(-event.deltaY / 400), ...place(event));
      }, { passive: false });
      new ResizeObserver(() => {
        const { current, view: { width, height } } = this;
        const x = current.x * this.scale + this.x, y = current.y * this.tall + this.y;
        this.measure();
        if (pressed("whole")) this.fit();
        else if (x >= 0 && x <= width && y >= 0 && y <= height) this.follow(current); // unless the reader has left it
        this.soon();
      }).observe(this.box);
    }
  }

  const several = searches.length > 1;
  const sections = document.querySelectorAll(".pane");
  press("boards", Boolean(boards));
  const panes = searches.map((search, index) => new Pane(search, sections[index]));
  const length = Math.max(...panes.map((pane) => pane.steps.length));
  const lines = document.querySelectorAll(".code li");
  const slider = find("step"), figure = find("board");
  let now = 0, playing = 0, line = -1;

  function show(step) {
    now = Math.min(Math.max(step, 1), length);
    if (!several) showLine(panes[0].steps[Math.min(now, panes[0].steps.length) - 1][1]);
    find("quiz").hidden = true;
    for (const pane of panes) pane.show(now);
    slider.value = now;
    find("count").textContent = `${now} of ${length}`;
    for (const name of ["first", "back"]) find(name).disabled = now === 1;
    for (const name of ["next", "last"]) find(name).disabled = now === length;
    press("collapse", panes.some((pane) => pane.current.collapsed));
    if (figure && boards) showBoard(panes[0].here);
  }

  // The line of the program; looked for before anything is drawn, while the browser knows where it is.
  function showLine(next) {
    const was = lines[line], here = lines[next], code = here?.parentNode;
    line = next;
    if (here && (here.offsetTop < code.scrollTop || here.offsetTop + here.offsetHeight > code.scrollTop + code.clientHeight))
      code.scrollTop = here.offsetTop - code.clientHeight / 2;
    was?.removeAttribute("aria-current");
    here?.setAttribute("aria-current", "step");
  }

  function showBoard(mark) {
    while (mark.board < 0 && mark.up) mark = mark.up;
    figure.hidden = false;
    const [, , wide, high, , caption] = boards[mark.board];
    const picture = make("svg", { viewBox: `${-wide / 2} 0 ${wide} ${high}`, role: "img", "aria-label": `The board. ${caption}` });
    picture.append(boardIn(mark.board, wide, high));
    figure.querySelector("svg")?.remove();
    figure.prepend(picture);
    figure.querySelector("figcaption").textContent = caption;
  }

  // "Predict the cut": before the search goes on, the reader says what it does with the actions that are left.
  const answered = new Set();
  let right = 0, asked = null;
  function ask() {
    if (!pressed("predict")) return false;
    for (const pane of panes) {
      const question = now <= pane.steps.length && pane.steps[now - 1][4], name = `${pane.name} ${now}`;
      if (!question || answered.has(name)) continue;
      asked = { question, name };
      pane.asked = pane.standing(pane.marks[question[0]]);
      pane.draw();
      if (several) pane.intoView();
      find("question").textContent = (pane.name ? `${pane.name}: ` : "") + question[1];
      find("question").className = "";
      for (const each of ["cut", "visit"]) find(each).hidden = false;
      find("go").hidden = true;
      find("quiz").hidden = false;
      stop();
      find("cut").focus();
      return true;
    }
    return false;
  }
  function answer(cut) {
    const { question: [, , truth, why], name } = asked, good = Boolean(truth) === cut;
    answered.add(name);
    right += good;
    find("question").textContent = `${good ? "Right." : truth ? "No, they are cut." : "No, they are visited."} ${why}`;
    find("question").className = good ? "right" : "wrong";
    find("score").textContent = `${right} of ${answered.size} right`;
    for (const each of ["cut", "visit"]) find(each).hidden = true;
    find("go").hidden = false;
    find("go").focus();
  }
  const forward = () => { if (!ask()) show(now + 1); };
  find("cut").addEventListener("click", () => answer(true));
  find("visit").addEventListener("click", () => answer(false));
  find("go").addEventListener("click", () => { forward(); if (find("quiz").hidden) find("next").focus(); });
  find("predict").hidden = !searches.some((search) => search.steps.some((step) => step[4]));
  find("predict").addEventListener("click", () => {
    press("predict", !pressed("predict"));
    if (pressed("predict") && now === length) show(1);
    if (!pressed("predict")) find("quiz").hidden = true;
  });

  function stop() {
    clearTimeout(playing);
    playing = 0;
    find("play").textContent = "Play";
  }
  function play() {
    if (playing) return stop();
    if (now === length) show(1);
    find("play").textContent = "Pause";
    const tick = () => {
      playing = setTimeout(tick, Number(find("speed").value));
      if (now < length) forward();
      if (now === length) stop();
    };
    playing = setTimeout(tick, Number(find("speed").value));
  }
  function go(step) {
    stop();
    show(step);
  }

  function whole() {
    press("whole", !pressed("whole"));
    if (pressed("whole") && pressed("path")) again("path");
    else if (broad && !pressed("whole")) again("path");
    else for (const pane of panes) if (pressed("whole")) pane.fit(); else near(pane);
  }
  function near(pane) {
    pane.free = false;
    pane.scale = 1;
    pane.x = pane.view.width / 2 - pane.current.x;
    pane.y = pane.view.height / 2 - pane.current.y;
    pane.follow(pane.current);
    pane.soon();
  }
  const zoom = (factor) => {
    press("whole", false);
    for (const pane of panes) {
      const { current } = pane;
      pane.zoom(factor, current.x * pane.scale + pane.x, current.y * pane.tall + pane.y);
    }
  };
  // Press a button that says how the tree is laid out.
  function again(name) {
    press(name, !pressed(name));
    for (const pane of panes) {
      pane.layOut();
      pane.current = pane.standing(pane.here);
      if (pressed("whole")) pane.fit(); else near(pane);
    }
    show(now);
  }
  const by = {
    first: () => go(1), back: () => go(now - 1), next: () => { stop(); forward(); }, last: () => go(length), play, whole,
    in: () => zoom(1.4), out: () => zoom(1 / 1.4),
    collapse: () => { for (const pane of panes) pane.toggle(pane.current); show(now); },
    boards: () => {
      for (const pane of panes) [pane.bare, pane.boarded] = [false, true];
      again("boards");
    },
    path: () => { press("whole", false); again("path"); },
    up: () => { const { up } = panes[0].here; if (up) go(up.first); },
    down: () => { const [first] = panes[0].here.children; if (first) go(first.first); },
  };
  for (const name of ["first", "back", "play", "next", "last", "in", "out", "whole", "collapse", "path", "boards"])
    find(name).addEventListener("click", by[name]);
  find("boards").hidden = !boards;
  find("more").addEventListener("click", () => {
    const more = find("more");
    more.setAttribute("aria-expanded", more.getAttribute("aria-expanded") !== "true");
  });
  slider.addEventListener("input", () => go(Number(slider.value)));
  const keys = {
    ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play", ArrowUp: "up", ArrowDown: "down",
    c: "collapse", p: "path", "+": "in", "-": "out", w: "whole",
  };
  document.addEventListener("keydown", (event) => {
    const name = keys[event.key], at = event.target;
    const taken = at.closest("button") ? event.key === " " : at.closest("select") || (at === slider && event.key !== " ") ||
      (at.closest(".code, .known") && event.key.startsWith("Arrow")) || (at !== slider && at.closest("input, textarea"));
    if (!name || taken || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    by[name]();
  });
  addEventListener("hashchange", () => show(Number(location.hash.slice(1)) || now));
  addEventListener("beforeprint", () => { if (!pressed("whole")) whole(); panes.forEach((pane) => pane.draw()); });
  slider.max = length;
  for (const pane of panes) {
    pane.here = pane.marks[0];
    pane.layOut();
  }
  const broad = panes.some((pane) => pane.width > BROAD);
  if (broad) again("path");
  for (const pane of panes) {
    const fitting = pane.view.width / pane.width;
    pane.scale = Math.min(Math.max(Math.min(fitting, pane.view.height / pane.height), LEGIBLE), LARGE);
    pane.x = pane.view.width / 2 - pane.marks[0].x * pane.scale;
  }
  if (location.hash === "#predict") press("predict", true);
  show(Number(location.hash.slice(1)) || 1);
}
