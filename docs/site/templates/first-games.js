// Says below a string in which real game it was played first, if one is known.

document.addEventListener("sanproof:reachable", ({ detail }) => {
  const sentence = FIRST_GAMES.sentences[detail];
  if (!sentence) return;
  const link = Object.assign(document.createElement("a"), {
    href: FIRST_GAMES.address,
    rel: "noreferrer",
    textContent: "in this file",
  });
  const seen = document.getElementById("seen");
  seen.append(" First real game known to us, ", link, `: ${sentence}.`);
});
