"use strict";
// Checks the answers as ggp_teach.quizzes.answers does, and writes the code that `ggp quiz --check` reads.
const quiz = JSON.parse(document.getElementById("quiz").textContent);
const given = quiz.questions.map(() => "");
const right = quiz.questions.map(() => null);

function number(text) {
  if (text.length > 30) throw new Error();
  const infinite = /^([+-]?)inf(inity)?$/i.exec(text);
  if (infinite) return infinite[1] === "-" ? -Infinity : Infinity;
  const compact = text.replace(/ /g, "");
  const parts = /^([+-]?\d+)\/(\d+)$/.exec(compact);
  if (parts && Number(parts[2]) !== 0) return Number(parts[1]) / Number(parts[2]);
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(compact)) throw new Error();
  return Number(compact);
}

function read(form, raw) {
  const text = raw.trim().replaceAll("∞", "inf").replaceAll("−", "-").replaceAll("≤", "<=").replaceAll("≥", ">=");
  if (form === "number") return [number(text)];
  if (form === "window") {
    const ends = text.replace(/^[[(\]) ]+|[[(\]) ]+$/g, "").split(/[\s,;]+/).map(number);
    if (ends.length !== 2) throw new Error();
    return ends;
  }
  if (form === "bound") {
    const found = /^(<=|>=|=|<|>)?\s*(\S+)$/.exec(text);
    if (!found) throw new Error();
    return [found[1] || "=", number(found[2])];
  }
  const names = text.toLowerCase().split(/[\s,;]+/).filter(Boolean);
  if (!names.length) throw new Error();
  return form === "order" ? names : [...new Set(names)].filter((name) => name !== "none").sort();
}

function alike(form, one, other) {
  if (one.length !== other.length) return false;
  return one.every((part, place) => {
    if (typeof part !== "number") return part === other[place];
    const truth = number(String(other[place]));
    return part === truth || Math.abs(part - truth) <= quiz.tolerance;
  });
}

function crc32(bytes) {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ -1) >>> 0;
}

function show() {
  const name = document.getElementById("name").value;
  const data = new TextEncoder().encode(JSON.stringify([quiz.plan, name, given]));
  const crc = crc32(data);
  const all = Uint8Array.of(crc >>> 24, (crc >>> 16) & 255, (crc >>> 8) & 255, crc & 255, ...data);
  let binary = "";
  for (const byte of all) binary += String.fromCharCode(byte);
  document.getElementById("code").value = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  const answered = right.filter((each) => each !== null).length;
  const good = right.filter(Boolean).length;
  document.getElementById("score").textContent = `${good} of ${quiz.questions.length} right, ${answered} answered`;
}

for (const form of document.querySelectorAll("form.question")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const place = Number(form.dataset.place);
    const [kind, accepted, shown, why, line] = quiz.questions[place];
    const input = form.querySelector("input");
    const verdict = form.querySelector(".verdict");
    let answer;
    try {
      answer = read(kind, input.value);
    } catch {
      verdict.className = "verdict";
      verdict.textContent = `Write ${quiz.hints[kind]}.`;
      return;
    }
    const good = accepted.some((each) => alike(kind, answer, each));
    if (right[place] === null) {
      given[place] = input.value.trim();
      right[place] = good;
    }
    verdict.className = `verdict ${good ? "right" : "wrong"}`;
    verdict.textContent = `${good ? "Right" : `No: ${shown}`}. ${why[0].toUpperCase()}${why.slice(1)}. `;
    if (line) verdict.append(Object.assign(document.createElement("code"), { textContent: line }));
    show();
  });
}
document.getElementById("name").addEventListener("input", show);
show();
