"use strict";
// The filter of the failures; what is chosen stands in the address.

(() => {
  const at = (id) => document.getElementById(id);
  const FIELDS = ["library", "area", "operation", "text"];
  const cases = [...document.querySelectorAll(".case")];

  // The whole text of a case, in small letters: its words, its id, its FEN and its answers.
  const texts = new Map(cases.map((entry) => [entry, entry.textContent.toLowerCase()]));

  function fits(entry) {
    const { id, area, operation, libraries } = entry.dataset;
    const text = at("text").value.trim().toLowerCase();
    return (
      (!at("library").value || libraries.split(" ").includes(at("library").value)) &&
      (!at("area").value || area === at("area").value) &&
      (!at("operation").value || operation === at("operation").value) &&
      (!text || id.includes(text) || texts.get(entry).includes(text))
    );
  }

  function show() {
    let found = 0;
    for (const entry of cases) {
      entry.hidden = !fits(entry);
      found += !entry.hidden;
    }
    for (const row of document.querySelectorAll("tr[data-library]")) {
      row.classList.toggle("chosen", row.dataset.library === at("library").value);
    }
    at("found").textContent = found === 1 ? "1 case." : `${found} cases.`;
  }

  function follow() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    if (wanted.has("case")) {
      for (const name of FIELDS) at(name).value = ""; // not reset(): the address stays
      show();
      const entry = at(`case-${wanted.get("case")}`);
      if (!entry) return;
      entry.open = true;
      entry.scrollIntoView();
      entry.querySelector("summary").focus({ preventScroll: true });
    } else if (FIELDS.some((name) => wanted.has(name))) {
      for (const name of FIELDS) at(name).value = wanted.get(name) ?? "";
      show();
      at("failures").scrollIntoView();
      at("failures").focus({ preventScroll: true });
    }
  }

  function choose() {
    const chosen = FIELDS.filter((name) => at(name).value).map((name) => [name, at(name).value]);
    const hash = chosen.length ? `#${new URLSearchParams(chosen)}` : "#failures";
    history.replaceState(null, "", hash);
    show();
  }

  at("filter").hidden = false;
  at("filter").addEventListener("input", choose);
  at("filter").addEventListener("submit", (event) => event.preventDefault());
  at("filter").addEventListener("reset", () => setTimeout(choose));
  addEventListener("hashchange", follow);
  show();
  follow();
})();
