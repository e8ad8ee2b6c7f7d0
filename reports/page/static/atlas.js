"use strict";
// Which strings occur, by piece and destination, and for one destination by what is written.

sanproof.atlas = (() => {
  const { at, element, page, load, judge, write } = sanproof;
  const FILES = [..."abcdefgh"];
  const RANKS = [..."87654321"];
  const EDGES = "At the edges only the file or the rank is written, in the corner neither.";
  const PIECE_LETTERS = ["Q", "R", "B", "N", "", "K"];
  let piece = "Q";
  let chosen = null;
  let byHand = false;
  let asked = 0;

  function start() {
    at("boards").hidden = false;
    for (const letter of PIECE_LETTERS) {
      const radio = option("pieces", "piece", letter, page.names[letter], letter === piece);
      radio.addEventListener("change", () => {
        byHand = true;
        choose(letter);
      });
    }
    choose(piece);
  }

  function option(group, name, value, text, checked) {
    const radio = element("input", { type: "radio", name, value, checked });
    at(group).append(element("label", {}, radio, ` ${text}`));
    return radio;
  }

  // Until the reader chooses, the atlas shows the piece and square of the string looked up: they
  // have been loaded for the answer.
  function follow(san) {
    if (byHand || san.destination === "") return;
    chosen = san.destination;
    at("pieces").querySelector(`[value="${san.piece}"]`).checked = true;
    choose(san.piece);
  }

  // If no string has been looked up, a square is opened when the atlas comes near.
  function watch() {
    const near = { rootMargin: "300px" };
    new IntersectionObserver(([seen], observer) => {
      if (!seen.isIntersecting) return;
      observer.disconnect();
      if (chosen === null) openSquare(fullest());
    }, near).observe(at("destinations"));
  }

  function fullest() {
    const counts = Object.entries(page.counts[piece] ?? {});
    return counts.reduce((best, entry) => (entry[1] > best[1] ? entry : best), [null, 0])[0];
  }

  function openSquare(destination) {
    const square = at("destinations").querySelector(`[data-square="${destination}"]`);
    if (square) open(destination, square);
  }

  function choose(letter) {
    piece = letter;
    const most = Math.max(1, ...Object.values(page.counts[piece] ?? {}));
    const cell = (destination) => {
      const count = page.counts[piece]?.[destination] ?? 0;
      const button = element("button", { type: "button", textContent: count });
      button.dataset.square = destination;
      button.setAttribute("aria-label", `${destination}: ${count} strings`);
      button.style.setProperty("--share", count / most);
      button.addEventListener("click", () => {
        byHand = true;
        open(destination, button);
      });
      return button;
    };
    at("destinations-title").textContent = `Strings of the ${page.names[piece]}`;
    at("destinations").replaceChildren(grid("destinations", (file, rank) => cell(file + rank)));
    at("origins-title").textContent = "Choose a square";
    at("origins").replaceChildren();
    openSquare(chosen);
  }

  // A board of cells with its coordinates; arrow keys walk on it.
  function grid(caption, cell, headOfRank = String, headOfFile = String, corner = "") {
    const table = element("table", { className: "squares" }, element("caption", {}, caption));
    for (const rank of RANKS) {
      const head = element("th", { scope: "row" }, headOfRank(rank));
      table.append(element("tr", {}, head, ...FILES.map((f) => element("td", {}, cell(f, rank)))));
    }
    const heads = FILES.map((file) => element("th", { scope: "col" }, headOfFile(file)));
    table.append(element("tr", {}, element("td", {}, corner), ...heads));
    walkable(table);
    return table;
  }

  function walkable(table) {
    const buttons = () => [...table.querySelectorAll("button")];
    buttons().forEach((button, i) => (button.tabIndex = i ? -1 : 0));
    table.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
      const from = event.target.closest("td, th");
      if (!step[event.key] || !from) return;
      event.preventDefault();
      const next = neighbour(table, from, step[event.key]);
      if (next) focusOnly(buttons(), next);
    });
    table.addEventListener("focusin", ({ target }) => focusOnly(buttons(), target, false));
  }

  function neighbour(table, from, [down, right]) {
    let row = from.parentElement.rowIndex + down;
    let column = from.cellIndex + right;
    while (table.rows[row]?.cells[column]) {
      const button = table.rows[row].cells[column].querySelector("button");
      if (button) return button;
      row += down;
      column += right;
    }
    return null;
  }

  function focusOnly(buttons, chosen, focus = true) {
    for (const button of buttons) button.tabIndex = button === chosen ? 0 : -1;
    if (focus) chosen.focus();
  }

  async function open(destination, button) {
    const mine = ++asked;
    chosen = destination;
    for (const other of at("destinations").querySelectorAll("[aria-pressed]")) {
      other.removeAttribute("aria-pressed");
    }
    button.setAttribute("aria-pressed", "true");
    try {
      const shard = await load(`${piece || "P"}-${destination}`);
      if (mine === asked) at("origins").replaceChildren(...detail(shard, destination));
    } catch (error) {
      if (mine === asked) at("origins").textContent = error.message;
    }
  }

  function detail(shard, destination) {
    const whole = { file: "", rank: "", capture: "", promotion: "", destination, piece };
    at("origins-title").textContent = `The ${page.names[piece]} to ${destination}`;
    return board(shard, whole);
  }

  // What can be written of the origin: as chips, or on one board or two.
  function board(shard, whole) {
    if (piece === "" || piece === "K") return [list(shard, whole)];
    const boards = page.parts.captures.map((capture) => origins(shard, { ...whole, capture }));
    if (marks(boards[0]) !== marks(boards[1])) return [...boards, legend()];
    boards[0].caption.textContent = "capturing or not";
    return [boards[0], legend()];
  }

  // The board of origins: on its squares, files and ranks what can be written of where the piece
  // comes from, and in the corner whether nothing need be written.
  function origins(shard, whole) {
    const of = (file, rank) => {
      if (file + rank === whole.destination) return element("span", {}, whole.piece);
      return link(shard, { ...whole, file, rank }, file + rank || "—");
    };
    const how = whole.capture ? "capturing" : "not capturing";
    const ofRank = (rank) => of("", rank) || rank;
    const ofFile = (file) => of(file, "") || file;
    return grid(how, of, ofRank, ofFile, of("", ""));
  }

  function marks(table) {
    return [...table.querySelectorAll("button")].map((b) => b.className + b.textContent).join();
  }

  function list(shard, whole) {
    const links = element("div", { className: "chips" });
    for (const capture of page.parts.captures) {
      for (const file of page.parts.files) {
        for (const promotion of page.parts.promotions) {
          const made = link(shard, { ...whole, capture, file, promotion });
          if (made) links.append(made);
        }
      }
    }
    return links;
  }

  // A button that looks a string up, marked by the suffixes it occurs with; nothing if none.
  function link(shard, san, label) {
    const found = page.parts.suffixes.filter(
      (suffix) => judge(shard, { ...san, suffix }).verdict === "reachable",
    );
    if (!found.length) return "";
    const bare = write({ ...san, suffix: "" });
    const button = element("button", { type: "button", textContent: label ?? bare });
    const all = found.length === page.parts.suffixes.length;
    button.className = all ? "all" : "some";
    const names = found.map((suffix) => suffix || "no suffix").join(", ");
    button.title = `${bare} with ${names}`;
    button.setAttribute("aria-label", `${button.textContent}: ${button.title}`);
    button.addEventListener("click", () => sanproof.open(bare + found[0]));
    return button;
  }

  function legend() {
    return element(
      "p",
      { className: "small legend" },
      element("span", { className: "all" }, "a1"),
      " occurs without a suffix, with + and with #; ",
      element("span", { className: "some" }, "a1"),
      ` not with all of them. ${EDGES}`,
    );
  }

  return { start, follow, watch };
})();
