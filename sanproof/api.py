"""The functions and types of :mod:`sanproof`, which loads this module when one is first used."""

import ast
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib import import_module
from operator import index
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

# What is imported `as` itself is exported, and if only type checkers import it here, it is loaded
# when somebody asks for it: most need no solver, and no python-chess.
# ruff: noqa: PLC0414
# isort: off
# fmt: off
from sanproof.proofs.board.malformed import MalformedSan as MalformedSan, is_san as is_san
from sanproof.proofs.board.malformed import read_san
from sanproof.proofs.rules.san import San as San
from sanproof.proofs.theory.reasons import Reason as Reason, Verdict as Verdict
from sanproof.reports.archive.door import Archive, open_archive, open_complete, published_directory
from sanproof.reports.archive.door import ArchiveError as ArchiveError
from sanproof.reports.archive.door import GameRow as GameRow, WitnessRow as WitnessRow
from sanproof.reports.tables.names import MANIFEST
from sanproof.reports.archive.observed import Observed as Observed, Sighting as Sighting
from sanproof.verify.explain import answers
from sanproof.verify.explain.answers import Answer as Answer

if TYPE_CHECKING:
    import chess

    from sanproof.proofs.find.asking import Conclusion as Conclusion
    from sanproof.proofs.find.asking import QuestionVerdict as QuestionVerdict
    from sanproof.proofs.find.search import Hit as Hit
    from sanproof.proofs.find.questions import Criterion as Criterion
    from sanproof.proofs.find.questions import CriterionError as CriterionError
    from sanproof.proofs.find.questions import Question as Question
    from sanproof.proofs.kernel.files import EvidenceError as EvidenceError
    from sanproof.proofs.kernel.theorem import Theorem as Theorem
    from sanproof.reports.exports.grammars import Automaton as Automaton, State as State
    from sanproof.reports.exports.meant import meant as meant
    from sanproof.reports.tables.summary import Kind as Kind, Survey as Survey
    from sanproof.verify.audit.whole import AuditResult as AuditResult
    from sanproof.verify.conformance.sanproof_runner import Record as Record, Report as Report
    from sanproof.verify.errors import Failure as Failure
    from sanproof.verify.explain.prove import prove as prove
    from sanproof.verify.gate.compare import GateReport as GateReport, NotSanEntry as NotSanEntry
    from sanproof.verify.gate.compare import Order as Order, RepeatedEntry as RepeatedEntry
    from sanproof.verify.gate.compare import TooMany as TooMany
    from sanproof.verify.notation.position import FenError as FenError
    from sanproof.verify.notation.reading import Candidate as Candidate, Reading as Reading
    from sanproof.verify.notation.reading import ReadingVerdict as ReadingVerdict, read as read
    from sanproof.verify.notation.vocabulary import Deviation as Deviation, FailedTry as FailedTry
    from sanproof.verify.notation.vocabulary import Illegality as Illegality
    from sanproof.verify.notation.writing import IllegalMove as IllegalMove
    from sanproof.verify.notation.writing import MalformedUci as MalformedUci, Writing as Writing
    from sanproof.verify.notation.writing import legal_sans as legal_sans, write as write

    __version__: str
# isort: on
# fmt: on

Run = str | PathLike[str] | None
"""A finished run directory, or None for the published data."""


@cache
def _exported() -> dict[str, str]:
    """Return the public names, each with the module that has it, as this file's source says."""
    body = ast.parse(Path(__file__).read_text(encoding="utf-8")).body
    found = {"__version__": __name__}
    for node in [*body, *(part for at in body if isinstance(at, ast.If) for part in at.body)]:
        if isinstance(node, ast.ImportFrom):
            found |= {a.name: str(node.module) for a in node.names if a.asname == a.name}
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            found[node.name] = __name__
    return found


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415 - takes longer than all the others

        return version("sanproof")
    if name == "__all__":
        return sorted(_exported())
    if (place := _exported().get(name, __name__)) != __name__:
        return getattr(import_module(place), name)
    raise AttributeError(f"module 'sanproof' has no attribute {name!r}")


def parse(text: str) -> San:
    """Split a SAN string into its parts.

    Raises:
        MalformedSan: The text is not a SAN string.
    """
    return read_san(text)


def is_reachable(san: str, *, run: Run = None) -> bool:
    """Check whether some legal game contains a move with this SAN.

    A text that is not a SAN string at all is False too, so that any list can be filtered;
    :func:`look_up` tells the difference.

    Raises:
        TypeError: ``san`` is not a ``str``.
    """
    _check_text(san)
    return san in _complete(run).reachable


def look_up(san: str, *, black: bool = False, run: Run = None) -> Answer:
    """Return the verdict on a string, with a position and a move, or with the reason against it.

    Its ``witness`` is the earliest place of the string in the published games, or, if the string
    ends in ``+`` or ``#``, its place in the game made for it; ``game(witness.game)`` returns that
    game. ``observed`` has how often the string was played in real games, ``game`` the shortest
    game known, and ``earliest`` the ply there and the bound below which no game is possible. With
    ``black``, position, move and game are Black's, if Black can play the string. Evidence is read
    only when one of these is used, so an ArchiveError may come as late as that.

    Raises:
        MalformedSan: ``san`` is not a SAN string at all.
        TypeError: ``san`` is not a ``str``.
    """
    return answers.look_up(_complete(run), san, "black" if black else None)


def strings(pattern: str | None = None, *, bare: bool = False, run: Run = None) -> list[str]:
    """Return the reachable strings that match a shell pattern, or all if there is no pattern.

    In the pattern ``*`` is any text, ``?`` any character, and ``[ab]`` a or b. ``bare`` leaves out
    the strings with ``+`` or ``#``. The list is sorted by length, then by character.
    """
    found = _open(run).strings(bare=bare)
    if pattern is None:
        return found
    _check_text(pattern)
    from sanproof.proofs.find.questions import Pattern  # noqa: PLC0415

    return list(filter(Pattern(pattern).takes, found))


def witnesses(*, run: Run = None) -> Iterator[WitnessRow]:
    """Yield, for each reachable string, a move with the positions before and after it."""
    return _open(run).witnesses()


def games(*, run: Run = None) -> Iterator[GameRow]:
    """Yield the proof games: of each string one by White and one by Black, if both can play it."""
    return _open(run).games()


def game(number: int | None, *, run: Run = None) -> GameRow:
    """Return the proof game with this number, which :attr:`WitnessRow.game` has.

    For many games :func:`games` is faster.

    Raises:
        ArchiveError: No game has this number, or ``number`` is None.
    """
    return _open(run).game(0 if number is None else index(number))


def cover(*, run: Run = None) -> Iterator[tuple[str, int, int]]:
    """Yield each reachable string, the first game of the cover with it, and the ply, from 1."""
    return _open(run).cover()


def impossible(*, run: Run = None) -> Iterator[tuple[str, str]]:
    """Yield each impossible string with the name of the reason."""
    return _open(run).impossible()


def observed(*, run: Run = None) -> Observed:
    """Return how often each string was played in real games.

    ``observed().sighting("Nf3").times`` is the number for one string, ``observed().times`` has
    those of all strings that were seen, and ``observed().source`` has who counted them.
    """
    return _complete(run).counts()


def gate(
    given: Iterable[str], *, bare: bool | None = None, ordered: bool = False, run: Run = None
) -> "GateReport":
    """Compare a collection of strings with the proven list; ``.exact`` says whether it is the same.

    If ``bare`` is True, the proven list is that without ``+`` and ``#``, if False the full one, and
    if None the closer one. ``ordered`` requires the proven order too: by length, then by character.

    Raises:
        TypeError: ``given`` is a ``str``, or contains something that is not.
    """
    from sanproof.verify.gate.compare import compare  # noqa: PLC0415
    from sanproof.verify.gate.lists import StringList  # noqa: PLC0415

    _refuse_text("the strings", given)
    entries = list(given)
    for entry in entries:
        _check_text(entry)
    strings = StringList("the collection", "item", entries)
    return compare(_complete(run), strings, bare=bare, ordered=ordered)


def find(
    *words: str,
    count: int = 1,
    seed: int | None = None,
    game: bool = False,
    timeout_seconds: float | None = None,
) -> "Conclusion":
    """Search for positions by the move played there and by criteria, or prove that none exists.

        find("Q*d4#", "pinned-twin", "men=7", count=3).answers

    The words are at most one SAN string or pattern, and criteria as `sanproof find --criteria`
    lists them. A ``seed`` draws answers at random; with ``game`` each comes with a legal game.

    Raises:
        ValueError: A word is not a criterion.
        Failure: The solvers are not installed.
    """
    from sanproof.verify.work.provenance import require_solvers  # noqa: PLC0415

    require_solvers("find")
    from sanproof.proofs.find.asking import find as ask  # noqa: PLC0415 - loads a solver

    return ask(*words, count=count, seed=seed, game=game, timeout_seconds=timeout_seconds)


def data_version(*, run: Run = None) -> str:
    """Return the SHA-256 that names this state of the data. Cite its first eight digits."""
    return _open(run).digest


def automaton(*, bare: bool = False, run: Run = None) -> "Automaton":
    """Return the minimal automaton that accepts exactly the reachable strings."""
    from sanproof.reports.exports.grammars import Automaton  # noqa: PLC0415

    return Automaton(strings(bare=bare, run=run))


def language(
    what: str,
    form: str | None = None,
    *,
    fen: "str | chess.Board | None" = None,
    run: Run = None,
    **options: Any,  # noqa: ANN401 - of each its type
) -> str:
    """Return a tokenizer, expression or grammar of the strings, as ``sanproof export`` writes it.

    ``what`` is ``tokenizer``, ``regex``, ``gbnf``, ``lark``, or ``movetext`` for a whole game,
    whose ``form`` is ``gbnf``, ``lark`` or ``txt`` (an expression). With ``fen``, a FEN or a board,
    the strings are the legal moves of that position.

    Other options are those of the command: the flags ``bare``, ``parts`` and ``results``, and
    ``at_least=100``, ``numbers=300`` and ``special=("[PAD]", "[BOS]")``.

    Raises:
        ValueError: ``what`` or ``form`` does not exist, or an option does not fit.
        FenError: ``fen`` is not a position. This is a ValueError too.
        TypeError: There is no option of this name.
    """
    _refuse_text("special", options.get("special", ()))
    from sanproof.reports.exports import languages  # noqa: PLC0415
    from sanproof.reports.exports.exports import ExportError  # noqa: PLC0415
    from sanproof.reports.exports.languages import Language  # noqa: PLC0415

    if what not in languages.LANGUAGES:
        raise ValueError(f"{what!r} is not one of {', '.join(languages.LANGUAGES)}")
    legal = None
    if fen is not None:
        from sanproof.verify.notation.writing import legal_sans  # noqa: PLC0415

        legal = legal_sans(fen, bare=options.get("bare", False))
    wanted = Language(legal=legal, **options)
    try:
        return languages.language(_open(run), what, form, wanted)
    except ExportError as error:
        raise ValueError(f"{error}.") from error


def scan(
    *files: str | PathLike[str],
    out: str | PathLike[str],
    workers: int = 1,
    run: Run = None,
    **options: Any,  # noqa: ANN401 - of each its type
) -> dict[str, Any]:
    """Compare every move of game files with how it is written, and count the strings.

    The files are PGN, plain or compressed, or folders of such files. ``out`` is the folder for the
    results: new, empty, or of the same scan, which then continues. The function returns the content
    of its ``summary.json``.

    Other options are those of ``sanproof scan``: the flags ``strict``, ``rewrite``, ``games`` and
    ``variations``, and ``rows="parquet"``, ``language="de"``, ``tags=("ECO",)`` and
    ``where="WhiteElo >= 2500"``.

    Raises:
        Failure: A file or the folder cannot be used.
        ValueError: An option has a value that cannot be used.
        TypeError: There is no option of this name.
    """
    from sanproof.verify.scan.results import Options  # noqa: PLC0415
    from sanproof.verify.scan.scanner import scan as scan_files  # noqa: PLC0415

    checked = Options.checked(None if run is None else Path(run), **options)
    return scan_files([str(file) for file in files], Path(out), checked, workers)


def conformance(
    *commands: str,
    only: Iterable[str] = (),
    skip: Iterable[str] = (),
    timeout_seconds: float = 10,
) -> "list[Report]":
    """Run the conformance suite on chess libraries, and return a report for each adapter.

    A command starts an adapter; ``python-chess`` is one of our own. ``only`` and ``skip`` are shell
    patterns of the ids of cases. An adapter has ``timeout_seconds`` for its first line, and as long
    for each case.

    Raises:
        Failure: A pattern matches no case.
    """
    _refuse_text("only", only)
    _refuse_text("skip", skip)
    from sanproof.verify.conformance.run import ask_libraries  # noqa: PLC0415

    _, _, found = ask_libraries(
        commands, only=tuple(only), skip=tuple(skip), timeout_seconds=timeout_seconds
    )
    return [one.report for one in found]


def audit(*, workers: int = 1, second_opinion: bool = False, run: Run = None) -> "AuditResult":
    """Check the evidence of a run, or of the published data, again, without a search.

    If Z3 is installed, it refutes every formula as well; ``second_opinion`` requires that.

    Raises:
        EvidenceError: Some evidence is missing or wrong.
        ValueError: ``workers`` is less than 1.
    """
    from sanproof.verify.audit.whole import audit as audit_run  # noqa: PLC0415
    from sanproof.verify.work.executors import worker_pool  # noqa: PLC0415

    with worker_pool(workers) as pool:
        return audit_run(_directory(run), pool, second_opinion=second_opinion)


def _refuse_text(name: str, values: Iterable[str]) -> None:
    """Refuse a text: it is a list of its letters, which is never meant."""
    if isinstance(values, str):
        raise TypeError(f"{name} should be a list of texts")


def _check_text(value: object) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a string")


def _directory(run: Run) -> Path:
    return published_directory() if run is None else Path(run)


def _open(run: Run) -> Archive:
    return open_archive(_directory(run))


def _complete(run: Run) -> Archive:
    """Return a complete run for look-ups, opened once as long as its manifest is the same file."""
    manifest = _directory(run) / MANIFEST
    return _opened(manifest.parent, manifest.stat().st_mtime_ns if manifest.is_file() else 0)


@lru_cache(maxsize=4)
def _opened(directory: Path, _: int) -> Archive:
    return open_complete(directory)
