"use strict";
// Point searches for a move to the look-up: few strings have pages of their own.

{
  const text = new URLSearchParams(location.search).get("q")?.trim();
  const place = document.getElementById("as-string");
  if (text && !text.includes(" ")) {
    const href = `${place.dataset.page}#${encodeURIComponent(text)}`;
    const link = Object.assign(document.createElement("a"), { href, textContent: `Look ${text} up` });
    place.append("Is it a move? ", link, ".");
  }
}
