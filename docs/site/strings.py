"""An address for each string that a page links to: title, sentence and picture, when shared."""

import re
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

import chess
import chess.svg

from docs.site.first_games import PUBLISHED, kept
from docs.site.taken import page
from sanproof.proofs.board.drawing import COLOURS
from sanproof.proofs.board.malformed import MalformedSan, read_san
from sanproof.proofs.theory.pictures import MEANINGS, TWIN, Picture, picture
from sanproof.proofs.theory.reasons import Verdict
from sanproof.reports.archive.door import Archive, open_archive
from sanproof.verify.explain.answers import Answer, look_up

PIXELS: Final = 480
GREEN, RED, BLUE = "#15781ba0", "#882020a0", "#003088a0"
FILLS: Final = {
    "left": GREEN,
    "comes": GREEN,
    "both": GREEN,
    "before": RED,
    "named": RED,
    "shut": BLUE,
}
"""The colours that fill the squares of a picture, by mark."""
FOLDER: Final = "s"


def slug(san: str) -> str:
    """Return a string as a file's name: none needs an escape, and no two differ in case alone.

    A pawn's ``bxa3`` and a bishop's ``Bxa3`` do, which many file systems take for the same.
    """
    name = f"pawn-{san}" if san.startswith("bx") else san
    return name.replace("+", "-check").replace("#", "-mate").replace("=", "-")


def linked(page: str) -> list[str]:
    """Return the strings that a page links to, such as the look-up page.

    Rarities link to thousands, whose pictures would take 180 MB; these share a general one.
    """
    found = re.findall(r'href="(?:index\.html)?#([^"]+)"', page)
    strings = []
    for text in sorted(set(map(unquote, found))):
        try:
            read_san(text)
        except MalformedSan:
            continue
        strings.append(text)
    return strings


def write_strings(strings: Iterable[str], source: Path, pictures: Path) -> None:
    """Write a page for each string, for Sphinx, and its picture for beside it."""
    archive = open_archive()
    for folder in (source / FOLDER, pictures):
        folder.mkdir()
    for san in strings:
        answer = answer_of(archive, san)
        name = slug(san)
        (pictures / f"{name}.png").write_bytes(png(answer))
        (source / FOLDER / f"{name}.md").write_text(string_page(answer), encoding="utf-8")


def answer_of(archive: Archive, san: str) -> Answer:
    """Return what is known of a string, without its game, which takes long to unpack."""
    if archive.is_reachable(san):
        return Answer(san, Verdict.REACHABLE, archive.witness_of(san))
    return look_up(archive, san)


def string_page(answer: Answer) -> str:
    """Return the page of a string, as a source for Sphinx."""
    san, name, said = answer.san, slug(answer.san), sentence(answer)
    image = f'<noscript><img src="{name}.png" width="{PIXELS}" alt="The board."></noscript>'
    body = (
        f"<p>{escape(said)}</p>{_first(san)}\n{board_of(answer)}{image}"
        f'<p><a href="../look-up/index.html#{quote(san, safe="")}">'
        "The answer, with its evidence</a></p>\n"
    )
    head = {
        "description": said,
        "picture": f"{FOLDER}/{name}.png",
        "styles": "../look-up/board.css ../look-up/page.css ../_static/report.css",
        "scripts": "../look-up/board.js ../_static/boards.js",
    }
    return page(f"{san} is {answer.verdict.value}", f'<div class="report">\n{body}</div>\n', head)


def board_of(answer: Answer) -> str:
    """Return the board of a string and its legend, for the script that draws boards."""
    if answer.found is not None:
        board, move, rings = _moved(answer)
        fen, marks = board.fen(), {}
        data = {"from": chess.square_name(move.from_square)}
        data |= {"to": chess.square_name(move.to_square), "rings": _names(rings)}
        legend = {TWIN: "could go there too"} if rings else {}
    elif shown := _shown(answer):
        board, rings = _placed(shown)
        fen, marks = board.fen(), shown.marks
        named = " ".join(f"{chess.square_name(square)}:{mark}" for square, mark in marks.items())
        data = {"marks": named, "rings": _names(rings)}
        legend = {mark: text for mark, text in MEANINGS.items() if mark in marks.values()}
    else:
        return ""
    attributes = "".join(f' data-{name}="{value}"' for name, value in data.items() if value)
    rows = "".join(f'<li><i class="mark-{mark}"></i>{text}</li>' for mark, text in legend.items())
    return (
        f'<div class="board" data-fen="{fen}"{attributes}></div>'
        f'<ul class="small legend">{rows}</ul>\n'
    )


def _first(san: str) -> str:
    first = kept().get(san)
    if first is None:
        return ""
    link = f'<a rel="noreferrer" href="{PUBLISHED}">in this file</a>'
    return f"\n<p>First real game known to us, {link}: {escape(first.sentence())}.</p>"


def sentence(answer: Answer) -> str:
    """Return what is said of a string when it is shared."""
    if answer.found is None:
        return answer.sentence or ""
    board = chess.Board(answer.found.before_fen)
    move = chess.Move.from_uci(answer.found.uci)
    who = "White" if board.turn else "Black"
    piece = chess.piece_name(board.piece_type_at(move.from_square) or chess.PAWN)
    start, end = map(chess.square_name, (move.from_square, move.to_square))
    return (
        f"{who}'s {piece} goes from {start} to {end}, and in this legal game the move is written "
        f"{answer.san}."
    )


def png(answer: Answer) -> bytes:
    """Return the board of a string: a move with that SAN, or why it is impossible."""
    import resvg_py  # noqa: PLC0415 - only the session `site` installs it

    if answer.found is not None:
        board, move, rings = _moved(answer)
        arrows, turn = [chess.svg.Arrow(move.from_square, move.to_square)], board.turn
        fill: dict[int, str] = {}
    else:
        shown, turn, arrows = _shown(answer), chess.WHITE, []
        board, rings = _placed(shown) if shown else (chess.Board(None), [])
        marks = shown.marks.items() if shown else ()
        fill = {square: FILLS[mark] for square, mark in marks if mark != TWIN}
    arrows += [chess.svg.Arrow(square, square, color="yellow") for square in rings]
    drawn = chess.svg.board(board, orientation=turn, arrows=arrows, fill=fill, colors=COLOURS)
    return bytes(resvg_py.svg_to_bytes(svg_string=drawn, width=PIXELS, skip_system_fonts=True))


def _moved(answer: Answer) -> tuple[chess.Board, chess.Move, list[int]]:
    """Return position and move of a witness, and where the twins of the moved piece stand."""
    if answer.found is None:
        raise ValueError(f"{answer.san} has no witness")
    board, move = chess.Board(answer.found.before_fen), chess.Move.from_uci(answer.found.uci)
    kind = board.piece_type_at(move.from_square)
    alike = {
        other.from_square
        for other in board.legal_moves
        if other.to_square == move.to_square and board.piece_type_at(other.from_square) == kind
    }
    return board, move, [] if kind == chess.PAWN else sorted(alike - {move.from_square})


def _shown(answer: Answer) -> Picture | None:
    return picture(read_san(answer.san), playable=answer.reason == "no-check")


def _placed(shown: Picture) -> tuple[chess.Board, list[int]]:
    """Return the board of a picture, and where its twins stand."""
    board, piece = chess.Board(None), chess.Piece.from_symbol(shown.piece)
    twins = sorted(square for square, mark in shown.marks.items() if mark == TWIN)
    for square in (shown.destination, *twins):
        board.set_piece_at(square, piece)
    return board, twins


def _names(squares: Iterable[int]) -> str:
    return " ".join(map(chess.square_name, squares))
