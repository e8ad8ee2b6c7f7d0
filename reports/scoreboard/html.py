"""The pages of the scoreboard, all made by :mod:`reports.page.markup`."""

from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Final
from urllib.parse import urlencode

from sanproof.reports.escaping import web_address
from sanproof.reports.page.markup import Markup, Value, document, html, joined
from sanproof.reports.page.parts import away
from sanproof.reports.scoreboard.board import board, symbols
from sanproof.reports.scoreboard.contents import (
    MAY,
    AskedCase,
    CaseResult,
    LibraryRun,
    Scoreboard,
    slug,
)
from sanproof.reports.scoreboard.tables import hardest_cases
from sanproof.reports.scoreboard.words import (
    came,
    customs,
    expected,
    played,
    question,
    rejections,
    verdict,
)

MOVES: Final = ("read", "write", "play")
"""The operations whose answers can be shown on the board."""
FAILURES: Final = "failures.html"
"""The list with a filter, to which the others lead; each mechanism has a page with the boards."""
MECHANISM: Final = "mechanism.html"
"""What stands on the page of a mechanism, in ``static``."""
HEADS: Final = {
    "index.html": {
        "title": Markup("chess libraries and SAN"),
        "heading": Markup("Which chess libraries get <em>SAN</em> right?"),
        "start": Markup("summary"),
        "skip": Markup("libraries"),
    },
    "mechanisms.html": {
        "title": Markup("mechanisms of SAN by library"),
        "heading": Markup("Which mechanism fails <em>where</em>?"),
        "start": Markup("mechanisms"),
        "skip": Markup("mechanisms"),
    },
    FAILURES: {
        "title": Markup("failures of chess libraries"),
        "heading": Markup("Every <em>failure</em>"),
        "start": Markup("failures"),
        "skip": Markup("failures"),
    },
    MECHANISM: {
        "heading": Markup("Who <em>fails</em>, and on which board?"),
        "start": Markup("failures"),
        "skip": Markup("failures"),
    },
}


def scoreboard_pages(scoreboard: Scoreboard) -> dict[str, bytes]:
    """The pages, after their names: the libraries first, what is long on pages of its own."""
    operations = sorted({case.operation for case in scoreboard.cases.values()})
    lead = _lead(scoreboard)
    values: dict[str, dict[str, Markup]] = {
        "index.html": {
            "summary": _summary(scoreboard),
            "areas": _areas(scoreboard),
            "hardest": _hardest(scoreboard),
            "history": _history(scoreboard),
            "downloads": _downloads(scoreboard),
        },
        "mechanisms.html": {
            "mechanisms": joined(_mechanisms(scoreboard, area) for area in scoreboard.areas),
        },
        FAILURES: {
            "libraries": _options((run.slug, run.title) for run in scoreboard.runs),
            "area_options": _options((area, area) for area in scoreboard.areas),
            "operations": _options((name, name) for name in operations),
            "cases": joined(_listed(scoreboard, *group) for group in _failed(scoreboard)),
        },
    }
    pages = {name: _framed(name, {"lead": lead, **value}) for name, value in values.items()}
    for mechanism, cases in _failed(scoreboard):
        pages[mechanism_page(mechanism)] = _framed(
            MECHANISM,
            {
                "lead": lead,
                "title": html("failures of {mechanism}", mechanism=mechanism),
                "mechanism": html("{mechanism}", mechanism=mechanism),
                "cases": joined(_case(case, scoreboard.by_case[case.id]) for case in cases),
            },
        )
    return pages


def mechanism_page(mechanism: str) -> str:
    """The name of the page with the boards of a mechanism's failures."""
    return f"failures-{slug(mechanism)}.html"


def _failed(scoreboard: Scoreboard) -> list[tuple[str, list[AskedCase]]]:
    """The cases that somebody fails, by mechanism, in the order of the suite."""
    found: dict[str, list[AskedCase]] = {}
    for name in scoreboard.by_case:
        found.setdefault(scoreboard.cases[name].mechanism, []).append(scoreboard.cases[name])
    return list(found.items())


def _framed(name: str, values: dict[str, Markup]) -> bytes:
    """A page: its part of ``static``, in the frame that all have."""
    folder = files(__package__).joinpath("static")
    frame, part = (folder.joinpath(file).read_text("utf-8") for file in ("frame.html", name))
    more = {
        "script": Markup(
            '<script defer src="scoreboard.js"></script>\n' if name == FAILURES else ""
        ),
        "symbols": html("{symbols}\n", symbols=symbols()) if name == MECHANISM else Markup(),
    }
    return document(frame.replace("$main", part), {**HEADS[name], **more, **values})


def _lead(scoreboard: Scoreboard) -> Markup:
    libraries = {run.name for run in scoreboard.runs}
    ups = sum(case.demand == MAY for case in scoreboard.cases.values())
    dates = sorted({run.date for run in scoreboard.runs})
    return html(
        "{libraries} chess libraries, some in two versions or settings, were asked how moves are "
        "read and written: {cases} cases of the conformance suite {version} ({level}). In {ups} "
        "of them the library may do as it likes; they never count as failures. {dates}.",
        libraries=len(libraries),
        cases=len(scoreboard.cases),
        version=scoreboard.version,
        level=scoreboard.level,
        ups=ups,
        dates=" to ".join(dict.fromkeys((dates[0], dates[-1]))) if dates else "Never",
    )


def _summary(scoreboard: Scoreboard) -> Markup:
    rows = []
    for run in scoreboard.runs:
        count = scoreboard.count(run)
        kind, word = verdict(count.passed, count.failed)
        if run.ended:
            word += f"; {run.ended}"
        if not count.failed and count.asked:
            word = f"all {count.asked} pass"
        origin = ", ".join(filter(None, (run.registry, run.language)))
        cells: list[Markup] = [
            _name(run),
            html("<td>{origin}</td>", origin=origin),
            _verdict_cell(kind, word, _address(run) if count.failed else ""),
            html('<td class="number">{skipped}</td>', skipped=count.skipped),
            html("<td>{up}</td>", up=rejections(scoreboard, run)),
            html("<td>{custom}</td>", custom=customs(run)),
        ]
        rows.append(html("<tr>{cells}</tr>", cells=joined(cells)))
    head = ("library", "from", "verdict", "not asked", "free", "en passant")
    return _table("Libraries", head, rows)


def _name(run: LibraryRun) -> Markup:
    title: Value = away(run.title, run.home) if web_address(run.home) else run.title
    return html('<th scope="row" title="{whole}">{title}</th>', whole=run.title, title=title)


def _areas(scoreboard: Scoreboard) -> Markup:
    areas = scoreboard.areas_that_can_fail
    rows = [
        _row(run.title, (_score(scoreboard, run, area=area) for area in areas))
        for run in scoreboard.runs
    ]
    return _table("Libraries by area", ("library", *areas), rows, kind="matrix")


def _row(name: str, cells: Iterable[Markup]) -> Markup:
    text = '<tr><th scope="row" title="{name}">{name}</th>{cells}</tr>'
    return html(text, name=name, cells=joined(cells))


def _score(
    scoreboard: Scoreboard, run: LibraryRun, *, area: str = "", mechanism: str = ""
) -> Markup:
    """How a library did in an area or a mechanism, with a link to what it fails."""
    count = scoreboard.count(run, area=area, mechanism=mechanism)
    address = mechanism_page(mechanism) if mechanism else _address(run, area=area)
    kind, word = verdict(count.passed, count.failed)
    return _verdict_cell(kind, word, address if count.failed else "")


def _mechanisms(scoreboard: Scoreboard, area: str) -> Markup:
    """Mechanisms of an area by library, folded."""
    runs = [run for run in scoreboard.runs if run.answers]
    rows = [
        _row(
            mechanism.removeprefix(f"{area}."),
            (_score(scoreboard, run, mechanism=mechanism) for run in runs),
        )
        for mechanism in scoreboard.mechanisms
        if mechanism.partition(".")[0] == area
        and any(scoreboard.count(run, mechanism=mechanism).asked for run in runs)
    ]
    if not rows:
        return Markup()
    head = ("mechanism", *(run.title for run in runs))
    return html(
        "<details><summary>{area} ({number})</summary>{table}</details>",
        area=area,
        number=len(rows),
        table=_table(f"Libraries by mechanism: {area}", head, rows, kind="matrix tall"),
    )


def _hardest(scoreboard: Scoreboard) -> Markup:
    cases = hardest_cases(scoreboard)
    if not cases:
        return html("<p>No case is failed by a fifth of the libraries that were asked it.</p>")
    rows = [
        html(
            '<tr><th scope="row"><a href="{address}">{id}</a></th><td>{question}</td>'
            '<td class="number">{failing} of {asked}</td><td class="rule">{why}</td></tr>',
            address=f"{mechanism_page(case.mechanism)}#case-{case.id}",
            id=case.id,
            question=question(case),
            failing=failing,
            asked=asked,
            why=case.why,
        )
        for case, failing, asked in cases
    ]
    return _table("Most failed cases", ("case", "asked", "fail", "the rule"), rows)


def _history(scoreboard: Scoreboard) -> Markup:
    """What libraries failed by date, if there is an earlier date than this."""
    boards = [*scoreboard.earlier, scoreboard]
    rows = []
    for run in scoreboard.runs:
        found = [(board, board.same(run)) for board in boards]
        if sum(other is not None for _, other in found) > 1:
            rows.append(_row(run.title, (_dated(board, other) for board, other in found)))
    if not rows:
        return html("<p>No library was asked before.</p>")
    head = ("library", *(f"{board.date}, suite {board.version}" for board in boards))
    return _table("Libraries by date", head, rows)


def _dated(scoreboard: Scoreboard, run: LibraryRun | None) -> Markup:
    if run is None:
        return Markup("<td></td>")
    count = scoreboard.count(run)
    text = "<td>{version}: {failed} of {asked}</td>"
    return html(text, version=run.version, failed=count.failed, asked=count.asked)


def _listed(scoreboard: Scoreboard, mechanism: str, cases: Sequence[AskedCase]) -> Markup:
    """A mechanism in the list of failures: a line for each case that somebody fails."""
    page = mechanism_page(mechanism)
    lines = [
        html(
            '<li data-operation="{operation}" data-libraries="{libraries}">'
            '<a href="{page}#case-{id}">{question}</a> {fails}</li>',
            id=case.id,
            operation=case.operation,
            libraries=" ".join(run.slug for run, _ in scoreboard.by_case[case.id]),
            page=page,
            question=question(case),
            fails=_fails(scoreboard.by_case[case.id]),
        )
        for case in cases
    ]
    return html(
        '<section class="mechanism" data-area="{area}"><h3>{mechanism}</h3><ul>{lines}</ul>'
        "</section>",
        area=cases[0].area,
        mechanism=mechanism,
        lines=joined(lines),
    )


def _fails(pairs: Sequence[tuple[LibraryRun, CaseResult]]) -> str:
    return f"{len(pairs)} fail" if len(pairs) > 1 else "1 fails"


def _case(case: AskedCase, pairs: Sequence[tuple[LibraryRun, CaseResult]]) -> Markup:
    """A case that somebody fails: the board, what was expected, and what came from whom."""
    parts = [html("<p>{why}</p>", why=case.why), _facts(case), _answers(case, pairs)]
    parts += [
        html('<p class="small">Reported before: {link}</p>', link=away(address, address))
        for address in filter(web_address, case.reports)
    ]
    if case.game:
        parts.append(
            html(
                '<details><summary>A legal game to it</summary><pre tabindex="0">{game}</pre>'
                "</details>",
                game=played(case),
            )
        )
    return html(
        '<section class="case" id="case-{id}"><h3>{question} <code>{id}</code> '
        '<span class="fails">{fails}</span></h3><div class="shown">{board}<div>{parts}</div></div>'
        "</section>",
        id=case.id,
        question=question(case),
        fails=_fails(pairs),
        board=_board(case, pairs),
        parts=joined(parts),
    )


def _board(case: AskedCase, pairs: Sequence[tuple[LibraryRun, CaseResult]]) -> Markup:
    if not case.fen:
        return Markup()
    marks: dict[str, str] = {}
    for _, answer in pairs:  # what came, and over it what is right
        marks |= _squares(answer.result, "wrong") if case.operation == "read" else {}
    right = case.expected if case.operation == "read" else case.asked
    marks |= _squares(right, "right") if case.operation in MOVES else {}
    turn = "Black" if " b " in case.fen else "White"
    try:
        return board(case.fen, marks, f"The position {case.fen}: {turn} to move")
    except ValueError:  # broken input on purpose
        return Markup()


def _squares(move: object, kind: str) -> dict[str, str]:
    """The squares of a move in UCI, as far as it is one."""
    if not isinstance(move, str) or len(move) not in {4, 5}:
        return {}
    squares = (move[:2], move[2:4])
    fit = all(square[0] in "abcdefgh" and square[1] in "12345678" for square in squares)
    return dict.fromkeys(squares, kind) if fit else {}


def _facts(case: AskedCase) -> Markup:
    rows: list[tuple[str, Markup]] = []
    if case.fen:
        rows.append(("position", html("<code>{fen}</code>", fen=case.fen)))
    if case.operation == "game":
        rows.append(("PGN", html('<pre tabindex="0">{pgn}</pre>', pgn=case.asked)))
    rows.append(("expected", html('<span class="yes">{text}</span>', text=expected(case))))
    return html(
        '<dl class="facts">{rows}</dl>',
        rows=joined(
            html("<dt>{name}</dt><dd>{value}</dd>", name=name, value=value) for name, value in rows
        ),
    )


def _answers(case: AskedCase, pairs: Sequence[tuple[LibraryRun, CaseResult]]) -> Markup:
    rows = [
        html(
            '<tr><th scope="row">{title}</th><td class="rule"><span class="no">{came}</span></td>'
            "</tr>",
            title=run.title,
            came=came(case, answer),
        )
        for run, answer in pairs
    ]
    return _table(f"What came: {case.id}", ("library", "what came"), rows)


def _downloads(scoreboard: Scoreboard) -> Markup:
    items = [
        html(
            '<li>{title}: <a href="reports/{slug}.md">report for its maintainers</a>, badge '
            '<a href="badges/{slug}.svg">SVG</a> and <a href="badges/{slug}.json">JSON</a></li>',
            title=run.title,
            slug=run.slug,
        )
        for run in scoreboard.runs
    ]
    return joined(items)


def _options(pairs: Iterable[tuple[str, str]]) -> Markup:
    return joined(
        html('<option value="{value}">{text}</option>', value=value, text=text)
        for value, text in pairs
    )


def _address(run: LibraryRun, **wanted: str) -> str:
    return f"{FAILURES}#{urlencode({'library': run.slug, **wanted})}"


def _verdict_cell(kind: str, word: str, address: str = "") -> Markup:
    inside: Value = word
    if address:
        inside = html('<a href="{address}">{word}</a>', address=address, word=word)
    return html('<td class="verdict-cell {kind}">{inside}</td>', kind=kind, inside=inside)


def _table(caption: str, head: Sequence[str], rows: Iterable[Markup], *, kind: str = "") -> Markup:
    heads = joined(html('<th scope="col"><span>{name}</span></th>', name=name) for name in head)
    return html(
        '<div class="scroll {kind}" tabindex="0" role="region" aria-label="{caption}"><table>'
        '<caption class="unseen">{caption}</caption><thead><tr>{heads}</tr></thead>'
        "<tbody>{rows}</tbody></table></div>",
        kind=kind,
        caption=caption,
        heads=heads,
        rows=joined(rows),
    )
