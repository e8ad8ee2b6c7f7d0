"use strict";
// The search box of the home page leads to the look-up page.

document.getElementById("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  const san = event.target.elements.san.value.trim();
  location.href = `look-up/index.html${san ? "#" + encodeURIComponent(san) : ""}`;
});
