"use strict";
// The filter of the failures; what is chosen stands in the address.

(() => {
  const at = (id) => document.getElementById(id);
  const FIELDS = ["library", "area", "operation", "text"];
  const groups = [...document.querySelectorAll(".mechanism")];

  function fits(line) {
    const { operation, libraries } = line.dataset;
    const { hash, textContent } = line.querySelector("a"); // the case's id, and what is asked
    const text = at("text").value.trim().toLowerCase();
    return (
      (!at("library").value || libraries.split(" ").includes(at("library").value)) &&
      (!at("operation").value || operation === at("operation").value) &&
      (!text || hash.includes(text) || textContent.toLowerCase().includes(text))
    );
  }

  function show() {
    let found = 0;
    for (const group of groups) {
      const isWanted = !at("area").value || group.dataset.area === at("area").value;
      let shown = 0;
      for (const line of group.querySelectorAll("li")) {
        line.hidden = !isWanted || !fits(line);
        shown += !line.hidden;
      }
      group.hidden = !shown;
      found += shown;
    }
    at("found").textContent = found === 1 ? "1 case." : `${found} cases.`;
  }

  function follow() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    if (wanted.has("case")) {
      const end = CSS.escape(`#case-${wanted.get("case")}`);
      const link = document.querySelector(`#cases a[href$="${end}"]`);
      if (link) location.replace(link.href);
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
