"""The modules that the audit rests on, with their line counts: the table of TRUST.md.

Run as a program (`nox -s trust`) it prints the table.
"""

from __future__ import annotations

from pathlib import Path

import grimp

ROOT = Path(__file__).parent.parent
JOBS = {
    "proofs.rules.squares": "squares and lines",
    "proofs.rules.san": "the strings",
    "proofs.rules.cubes": "the cases, and the exchange of colours",
    "proofs.encoding.cnf": "clauses and definitions",
    "proofs.encoding.board": "a board of unknowns",
    "proofs.encoding.attacks": "lines of sight and attacks",
    "proofs.encoding.moves": "a move and the board after it",
    "proofs.search.mate": "answers to check, mate: in no certificate's formula",
    "proofs.encoding.relaxation": "a cube's formula",
    "proofs.kernel.certificates": "the form of a certificate, and its formula",
    "proofs.verdicts.reasons": "named reasons: they explain, and prove nothing",
    "proofs.verdicts.rulings": "a verdict for each string",
    "proofs.search.models": "the form of a witness (the rest of it is search)",
    "proofs.kernel.refutation": "the checker of refutations",
    "proofs.games.game": "the form of a game",
    "proofs.kernel.games": "the check of a game",
    "proofs.verdicts.witness": "the check of a witness, for runs without games",
    "verify.run.selection": "which strings a run is about",
    "verify.audit.manifest": "hashes: against damage, not against forgery",
    "verify.errors": "exit codes",
    "proofs.kernel.files": "reading files of any content",
    "verify.audit.crosscheck": "what the summary says of the generator",
    "verify.audit.games": "the audit's replay of games",
    "verify.audit.whole": "the audit",
    "reports.tables.survey": "counting",
    "reports.tables.outputs": "the lists and tables, to compare with",
    "reports.tables.pgn": "the form of the file of games",
    "reports.tables.files": "the form of the others",
}


def trusted_modules() -> set[str]:
    """Every module of ours that the audit imports, directly or not.

    But for the generator: its list is only compared with the proven one, to see that the summary
    tells the difference right.
    """
    graph = grimp.build_graph("generator", "proofs", "verify", "reports", cache_dir=None)
    imported = {"verify.audit.whole", *graph.find_upstream_modules("verify.audit.whole")}
    return {name for name in imported if not name.startswith("generator")}


def table() -> str:
    """The table in Markdown: each trusted file, its lines (without blank ones), and its job."""
    counts = {name: _lines(name) for name in JOBS}
    rows = [f"| `{name.replace('.', '/')}.py` | {n} | {JOBS[name]} |" for name, n in counts.items()]
    total = f"| **all** | **{sum(counts.values()):,}** | |"
    return "\n".join(["| file | lines | what it is |", "| --- | --: | --- |", *rows, total])


def _lines(module: str) -> int:
    path = ROOT / f"{module.replace('.', '/')}.py"
    return sum(1 for line in path.read_text(encoding="utf-8").splitlines() if line.strip())


if __name__ == "__main__":
    print(table())  # noqa: T201 - a program
