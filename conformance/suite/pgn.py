"""Makes games in PGN in which each token of the import format occurs beside each other one.

The tokens are those of the PGN standard, 3.1 to 8.2: tags, numbers, moves, both kinds of comments
with all kinds of contents, NAGs, variations, escapes and results, with and without blanks between.
"""

import io
import logging
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final, NamedTuple

import chess
import chess.pgn

from sanproof.verify.conformance.suite import Case, case_of

CONTENTS: Final = {
    "empty": "",
    "words": "good",
    "semicolon": "a; b",
    "parentheses": "(see)",
    "move": "Nf9 e4",
    "moves": "1. e4 e5 2.",
    "result": "1-0",
    "star": "*",
    "percent": "5% of",
    "tag": '[Event "y"]',
    "clock": "[%clk 0:01:00]",
    "code": "$1",
    "quote": 'a "b',
    "backslash": "a\\b",
    "brace": "a { b",
}
"""The contents of comments."""
LINES: Final = {
    "line-tag": 'see\n[Event "y"]\nend',
    "line-result": "won\n1-0\nend",
    "line-move": "x\nNf3\ny",
    "line-semicolon": "x\n; y\nz",
    "line-number": "x\n2. y",
}
"""More contents of comments in braces: lines that look like something else."""
STARTS: Final = (
    None,
    None,
    "r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R b KQkq - 3 9",
    "8/2P2k2/8/8/8/8/1p3K2/8 w - - 0 99",
)
"""The first positions of games, for promotions, castling, long numbers, and Black first."""
TAGS: Final = (
    '[White "A"]',
    '[White "A \\"B]\\" \\\\"]',
    '[White "{A; 1-0 1. e4"]',
    '[White ""]',
    '[Any_Tag2 "%"]',
)
CUSTOMS: Final = {"always": "fen", "pseudo-legal": "xfen", "legal": "legal"}
GAP: Final = (" ", " ", "\n", "  ", "\t", "\r\n")
DRAWN: Final = 1500
SORTS: Final = {
    ("brace", "brace", "lines"): 26,
    ("brace", "lines", "semicolon", "semicolon"): 12,
    ("brace", "semicolon", "escape", "escape", "escape"): 12,
}
"""The kinds of comments that occur together in a game, the rarest last, and their most games."""
WHY: Final = (
    "Comments, codes, variations, escapes and white space change no moves (PGN standard 3 to 8)."
)


class Token(NamedTuple):
    """A token: its kind, by which pairs are distinguished, and its text."""

    kind: str
    text: str


class Written(NamedTuple):
    """A game as PGN, with its moves, its last position, and the pairs of neighbours in it."""

    pgn: str
    sans: list[str]
    last: chess.Board
    shown: set[tuple[str, ...]]


def _comment(chance: Random, sorts: Sequence[str]) -> Token:
    kind = chance.choice(sorts)
    name = chance.choice(list(LINES if kind == "lines" else CONTENTS))
    if kind == "lines":
        return Token(f"brace {name}", f"{{{LINES[name]}}}")
    text = CONTENTS[name]
    if kind == "brace":
        return Token(f"brace {name}", f"{{{text}}}")
    return Token(f"{kind} {name}", f"{';' if kind == 'semicolon' else chr(10) + '%'}{text}\n")


def _extras(chance: Random, likely: float, sorts: Sequence[str], *, code: bool) -> Iterator[Token]:
    while chance.random() < likely:
        if code and chance.random() < 0.4:
            yield Token("code", chance.choice(("$1", "$14", "$139")))
        else:
            yield _comment(chance, sorts)


def _tokens(
    chance: Random, board: chess.Board, plies: int, sorts: Sequence[str], depth: int = 0
) -> Iterator[Token]:
    """Yield the tokens of some moves, which are made on the board."""
    numbers = chance.choice(("dots", "dots", "none", "blank", "bare", "all"))
    yield from _extras(chance, 0.25, sorts, code=False)
    is_due = True
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves or board.is_game_over():
            return
        if numbers != "none" and (board.turn or is_due or numbers == "all"):
            dots = {"bare": "", "blank": " ." if board.turn else " ..."}
            text = f"{board.fullmove_number}{dots.get(numbers, '.' if board.turn else '...')}"
            kind = f"number {numbers} {len(str(board.fullmove_number))} {board.turn}"
            yield Token(kind, text)
            yield from _extras(chance, 0.1, sorts, code=False)
        dear = [m for m in moves if m.promotion or board.is_castling(m) or board.gives_check(m)]
        move = chance.choice(dear if dear and chance.random() < 0.5 else moves)
        before, san = board.copy(), board.san_and_push(move)
        glyph = chance.choice(("!", "?", "!?")) if chance.random() < 0.1 else ""
        kind = "castling" if san[0] == "O" else "promotion" if "=" in san else "move"
        yield Token(f"{kind}{san[-1] if san[-1] in '+#' else ''}{glyph[:1]}", san + glyph)
        after = [*_extras(chance, 0.3, sorts, code=True)]
        yield from after
        is_due = bool(after)
        while depth < 2 and chance.random() < 0.2:
            is_due = True
            yield Token("open", "(")
            few = chance.choice((1, 1, 2, 3))
            yield from _tokens(chance, before.copy(), few, sorts, depth + 1)
            yield Token("close", ")")
            yield from _extras(chance, 0.2, sorts, code=True)


def _gap(chance: Random, one: Token, other: Token) -> str | None:
    """Return what stands between two tokens; None if the line end of the one is the other's too."""
    if one.text.endswith("\n") and other.text.startswith("\n"):
        return None
    if one.text.endswith("\n") or other.text.startswith("\n"):
        return ""
    is_closed = one.text[-1] in "}()." or other.text[0] in "{()$;"
    if one.text.endswith(".") and other.kind.startswith("number"):
        is_closed = False
    return chance.choice(("", "", *GAP) if is_closed else GAP)


def _game(chance: Random, sorts: Sequence[str]) -> Written:
    """Return a random game with random tokens, and comments of some sorts."""
    start = chance.choice(STARTS)
    board = chess.Board(start or chess.STARTING_FEN)
    tokens = list(_tokens(chance, board, chance.choice((1, 2, 3, 4, 6)), sorts))
    over = board.result() if board.is_game_over() else None
    result = over or chance.choice(("1-0", "0-1", "1/2-1/2", "*"))
    tokens.append(Token(f"result {result}", result))
    tag = chance.choice(TAGS)
    tags = [tag, f'[Result "{result}"]', *(['[SetUp "1"]', f'[FEN "{start}"]'] if start else [])]
    text = "" if not start and chance.random() < 0.3 else "\n".join([*tags, "", ""])
    shown: set[tuple[str, ...]] = {("tags", tag if text else "none")}
    last = Token("begin", "\n")
    for token in tokens:
        gap = "" if last.kind == "begin" else _gap(chance, last, token)
        text += token.text.lstrip("\n") if gap is None or last.kind == "begin" else gap + token.text
        kinds = last.kind.partition(" ")[0], token.kind.partition(" ")[0]
        shown |= {(kinds[0], gap or "", kinds[1]), (last.kind, kinds[1]), (kinds[0], token.kind)}
        last = token
    ends = chance.choice(("\n", "\n", "", "\r\n"))
    text = text.replace("\r\n", "\n") + "\n" * (ends != "")
    if ends == "\r\n":
        text = text.replace("\n", "\r\n")
    replayed = chess.Board(start or chess.STARTING_FEN)
    sans = [replayed.san_and_push(move) for move in board.move_stack]
    return Written(text, sans, board, shown | {("ends", ends), ("start", str(start), ends)})


def _is_read(game: Written) -> bool:
    """Check whether python-chess reads a game so."""
    read = chess.pgn.read_game(io.StringIO(game.pgn))
    if read is None or read.errors:
        return False
    return list(read.mainline_moves()) == game.last.move_stack and bool(game.sans)


def _chosen(seed: int) -> Iterator[Written]:
    """Yield games in which each neighbour of many random games occurs.

    What many libraries cannot read stands in few games: first come those without.
    """
    chance = Random(seed)
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    shown: set[tuple[str, ...]] = set()
    for sorts, most in SORTS.items():
        games = [game for _ in range(DRAWN) if _is_read(game := _game(chance, sorts))]
        left = set().union(*(game.shown for game in games)) - shown
        for _ in range(most):
            best = max(games, key=lambda game: len(game.shown & left) / (60 + len(game.pgn)) ** 0.5)
            if not best.shown & left:
                break
            left -= best.shown
            shown |= best.shown
            yield best


def game_cases(seed: int) -> Iterator[Case]:
    """Yield games with many tokens, and four of another kind."""
    for best in _chosen(seed):
        fens = {name: best.last.fen(en_passant=way) for name, way in CUSTOMS.items()}  # type: ignore[arg-type]
        yield _of(best.last, "must", WHY, best.pgn, {"moves": best.sans, "fen": fens})
    yield from _others()


def _of(board: chess.Board, demand: str, why: str, pgn: str, expected: Any) -> Case:  # noqa: ANN401
    colour = chess.COLOR_NAMES[not board.turn]
    name = {"must": "game.tokens", "may": "game.tolerated", "must not": "game.refused"}[demand]
    about = {"operation": "game", "demand": demand, "mechanism": name, "colour": colour}
    return case_of(pgn, expected, why=why, **about)


def _others() -> Iterator[Case]:
    """Yield games that may be read, and games that cannot go on."""
    board = chess.Board()
    sans = [board.san_and_push(board.parse_san(san)) for san in ("e4", "e5", "Nf3")]
    fens = {name: board.fen(en_passant=way) for name, way in CUSTOMS.items()}  # type: ignore[arg-type]
    expected = {"moves": sans, "fen": fens}
    mark = "Some programs write a byte order mark; the standard knows none (PGN standard 4.1)."
    yield _of(board, "may", mark, "\ufeff1. e4 e5 2. Nf3 *\n", expected)
    ends = "The result is missing, which the standard asks for (PGN standard 8.2.6)."
    yield _of(board, "may", ends, "1. e4 e5 2. Nf3\n", expected)
    two = "The last move can be either of two knights (PGN standard 8.2.3.4)."
    yield _of(board, "must not", two, "1. Nf3 e5 2. d3 d6 3. Nd2 *\n", None)
    yield _of(board, "must not", "The last move is illegal (FIDE 3.10.2).", "1. e4 Ke7 *\n", None)
