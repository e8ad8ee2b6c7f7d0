"use strict";
// SAN strings: how they are read, and what the run says of them; and what all scripts need.

const sanproof = (() => {
  const page = JSON.parse(document.getElementById("page-data").textContent);
  const PATTERN =
    /^(?:(O-O(?:-O)?)|([BKNQR])?([a-h])?([1-8])?(x)?([a-h][1-8])(?:=([BKNQR]))?)([+#])?$/;
  const shards = new Map();
  const waiting = new Map();

  const at = (id) => document.getElementById(id);

  function element(tag, properties = {}, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  }

  // The parts of a string of the grammar, null for any other text.
  function read(text) {
    const match = PATTERN.exec(text);
    if (!match) return null;
    const [castling, piece, file, rank, capture, destination, promotion, suffix] = match
      .slice(1)
      .map((part) => part ?? "");
    return { piece: castling || piece, file, rank, capture, destination, promotion, suffix };
  }

  function write(san) {
    const promotion = san.promotion && "=" + san.promotion;
    return san.piece + san.file + san.rank + san.capture + san.destination + promotion + san.suffix;
  }

  const castles = (san) => san.destination === "";

  function shardOf(san) {
    return castles(san) ? page.castling : `${san.piece || "P"}-${san.destination}`;
  }

  // A shard is a script that calls `receive`: a page opened from disk may not fetch.
  function load(name) {
    if (!shards.has(name)) {
      const promise = new Promise((resolve, reject) => {
        waiting.set(name, resolve);
        const script = document.createElement("script");
        script.src = `data/${name}.js`;
        script.onerror = () => {
          shards.delete(name);
          script.remove();
          reject(new Error(`data/${name}.js could not be loaded.`));
        };
        document.head.append(script);
      });
      shards.set(name, promise);
    }
    return shards.get(name);
  }

  function receive(name, shard) {
    waiting.get(name)?.(shard.codes ? opened(shard) : shard);
  }

  function opened({ rows, seen, earliest, ...shard }) {
    const codes = shard.codes.replace(/(\D)(\d+)/g, (_, code, times) => code.repeat(Number(times)));
    return {
      ...shard,
      codes,
      rows: new Map(rows.map((row) => [row[0], row])),
      seen: seen && new Map(rows.map((row, i) => [row[0], seen[i]])),
      earliest: earliest && new Map(rows.map((row, i) => [row[0], earliest[i]])),
    };
  }

  // What stands in the shard for a string; the order of strings is the one the shard was made in.
  function code(shard, san) {
    const { suffixes } = page.parts;
    if (castles(san)) {
      const at = page.castlings.indexOf(san.piece) * suffixes.length;
      return shard.codes[at + suffixes.indexOf(san.suffix)];
    }
    const { files, ranks, captures, promotions } = page.parts;
    let at = files.indexOf(san.file);
    at = at * ranks.length + ranks.indexOf(san.rank);
    at = at * captures.length + captures.indexOf(san.capture);
    at = at * promotions.length + promotions.indexOf(san.promotion);
    return shard.codes[at * suffixes.length + suffixes.indexOf(san.suffix)];
  }

  // The verdict on a string: a word, and for an impossible one its reason in a sentence.
  function judge(shard, san) {
    const found = code(shard, san);
    if (found === page.reachable) return { verdict: "reachable" };
    if (found === page.undecided) return { verdict: "undecided" };
    const reason = page.reasons[found];
    if (!reason) return { verdict: "not asked" };
    const { name, template, rule } = reason;
    return { verdict: "impossible", reason: name, rule, sentence: fill(template, san, shard) };
  }

  function fill(template, san, shard) {
    const bare = write({ ...san, suffix: "" });
    const values = {
      san: write(san),
      bare,
      piece: page.names[san.piece],
      target: san.destination,
      origin: origin(san),
      twins: page.twins[Number(san.file !== "")][Number(san.rank !== "")],
      places: shard.places[bare],
    };
    return template.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  }

  function origin({ file, rank }) {
    if (file && rank) return file + rank;
    return file ? `the ${file}-file` : `rank ${rank}`;
  }

  // Guesses what was meant by a text that is not SAN, by the rules of reports/exports/meant.py.
  const RULES = page.meant.map(([pattern, to]) => [
    new RegExp(pattern, "g"),
    to.replace(/\\(\d)/g, "$$$1"),
  ]);

  // The string that a text may stand for, if any; "++" gives two.
  function guesses(given) {
    const text = RULES.reduce((one, [from, to]) => one.replace(from, to), given);
    if (text.endsWith("++")) {
      const bare = text.replace(/\++$/, "");
      return [`${bare}+`, `${bare}#`].filter(read);
    }
    return [text, text.slice(0, 1).toUpperCase() + text.slice(1)].filter(read).slice(0, 1);
  }

  // How often a string was played, as the command says it; nothing if there are no counts.
  function seenSentence(times) {
    if (!page.observed || times === undefined) return "";
    const played = times === 1 ? "once" : `${times.toLocaleString("en")} times`;
    return `${times ? `Played ${played}` : "Never seen"} in ${page.observed}.`;
  }

  // How early a string can be, if a table says so: the ply known, and the one before which it is not.
  function earlySentence(plies) {
    if (!plies) return "";
    const [ply, bound] = plies;
    return ply === bound
      ? `At ply ${ply} at the earliest.`
      : `At ply ${ply} in the shortest game known; none has it before ply ${bound}.`;
  }

  return {
    at,
    element,
    page,
    read,
    write,
    load,
    receive,
    judge,
    shardOf,
    guesses,
    seenSentence,
    earlySentence,
  };
})();
