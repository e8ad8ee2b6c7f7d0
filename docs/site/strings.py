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
from sanproof.proofs.arrangements.pictures import (
    BEFORE,
    BOTH,
    COMES,
    LEFT,
    NAMED,
    SHUT,
    TWIN,
    picture,
)
from sanproof.proofs.verdicts.malformed import MalformedSan, read_san
from sanproof.proofs.verdicts.reasons import Verdict
from sanproof.reports.archive.door import Archive, open_archive
from sanproof.verify.explain.answers import Answer, look_up

PIXELS: Final = 480
COLOURS: Final = {
    TWIN: "#e68f00",
    LEFT: "#15781b",
    BEFORE: "#c0504d",
    SHUT: "#5b7fb5",
    COMES: "#7fb37f",
    NAMED: "#c0504d",
    BOTH: "#e68f00",
}
"""The colours that fill the squares of a picture, by mark."""
FOLDER: Final = "s"


def slug(san: str) -> str:
    """Return a string as a file's name: none needs an escape, and no two differ in case alone.

    A pawn's ``bxa3`` and a bishop's ``Bxa3`` do, which many file systems take for the same.
    """
    name = f"pawn-{san}" if san.startswith("bx") else san
    return name.replace("+", "-check").replace("#", "-mate").replace("=", "-")


def linked(*pages: str) -> list[str]:
    """Return the strings that pages link to or name, such as the look-up page and the quiz.

    Rarities link to thousands, whose pictures would take 180 MB; these share a general one.
    """
    found = set()
    for text in pages:
        found |= set(re.findall(r'href="(?:index\.html)?#([^"]+)"', text))
        found |= {quote(san, safe="") for san in re.findall(r'"san": "([^"]+)"', text)}
    strings = []
    for text in sorted(map(unquote, found)):
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
    body = (
        f"<p>{escape(said)}</p>{_first(san)}\n"
        f'<p><img src="{name}.png" alt="The board of {escape(san)}." '
        f'width="{PIXELS}" height="{PIXELS}"></p>\n'
        f'<p><a href="../look-up/index.html#{quote(san, safe="")}">'
        "The answer, with its evidence</a></p>\n"
    )
    head = {"description": said, "picture": f"{FOLDER}/{name}.png"}
    return page(f"{san} is {answer.verdict.value}", body, head)


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
    """Return the board of a string: the move that is written so, or why it is impossible."""
    import resvg_py  # noqa: PLC0415 - only the session `site` installs it

    drawn = _witness(answer) if answer.verdict is Verdict.REACHABLE else _impossible(answer)
    return bytes(resvg_py.svg_to_bytes(svg_string=drawn, width=PIXELS, skip_system_fonts=True))


def _witness(answer: Answer) -> str:
    if answer.found is None:
        raise ValueError(f"{answer.san} has no witness")
    board = chess.Board(answer.found.before_fen)
    move = chess.Move.from_uci(answer.found.uci)
    arrow = chess.svg.Arrow(move.from_square, move.to_square)
    return chess.svg.board(board, orientation=board.turn, arrows=[arrow])


def _impossible(answer: Answer) -> str:
    san = read_san(answer.san)
    board = chess.Board(None)
    shown = picture(san, playable=answer.reason == "no-check")
    if shown is None:
        return chess.svg.board(board)
    man = chess.Piece.from_symbol(shown.piece)
    twins = [square for square, mark in shown.marks.items() if mark == TWIN]
    for square in (shown.destination, *twins):
        board.set_piece_at(square, man)
    fill = {s: COLOURS[mark] for s, mark in shown.marks.items()}
    return chess.svg.board(board, fill=fill)
