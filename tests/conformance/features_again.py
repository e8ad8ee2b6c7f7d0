"""The features of the suite's cases, computed once more: from the table's words, by the oracle.

Nothing is shared with ``conformance.suite.features``. What is pinned, for one, is found here by
taking each piece from the board.
"""

import re
from collections.abc import Iterable

from tests import oracle
from tests.oracle import EMPTY, LINE, Move, Position

Values = dict[str, str]
Board = tuple[str, ...]
NEIGHBOURS = [
    [s for step in oracle.MOVES["K"] for s in oracle.RAYS[square, step][:1]] for square in range(64)
]
STARTED = {"P": 8, "Q": 1, "K": 1}
NAMES = {"w": "white", "b": "black"}


def attackers(board: Board, square: int, colour: str) -> list[int]:
    """Return from where a player attacks a square."""
    found = []
    for kind in "PNBRQK":
        for step in oracle.ATTACKS[colour + kind if kind == "P" else kind]:
            for origin in oracle.RAYS[square, step][: oracle.REACH[kind]]:
                if board[origin] == oracle.man_of(kind, colour):
                    found.append(origin)
                if board[origin] != EMPTY:
                    break
    return found


def without(board: Board, *squares: int) -> Board:
    """Return a board with some squares empty."""
    return tuple(EMPTY if square in squares else man for square, man in enumerate(board))


def king_of(board: Board, colour: str) -> int:
    """Return where a player's king stands."""
    return board.index(oracle.man_of("K", colour))


def pinned(board: Board, colour: str) -> dict[int, int]:
    """Return a player's pinned pieces, each with what would attack the king without it."""
    king, found = king_of(board, colour), {}
    before = set(attackers(board, king, oracle.OTHER[colour]))
    for square in range(64):
        if oracle.owner(board[square]) == colour and square != king:
            now = attackers(without(board, square), king, oracle.OTHER[colour])
            for pinner in set(now) - before:
                found[square] = pinner
    return found


def line(one: int, other: int) -> str:
    """Return how two squares lie to each other."""
    found = LINE.get((one, other), "jump")
    return "file" if one == other else found


def slant(one: int, other: int) -> str:
    """Return whether a line is a diagonal."""
    return "diagonal" if line(one, other) == "diagonal" else "straight"


def between(one: int, other: int) -> list[int]:
    """Return the squares between two on a line."""
    for step in (*oracle.STRAIGHT, *oracle.OBLIQUE):
        ray = oracle.RAYS[one, step]
        if other in ray:
            return list(ray[: ray.index(other)])
    return []


def yes(holds: object) -> str:
    """Return yes or no."""
    return "yes" if holds else "no"


def single(values: Iterable[str], many: str = "several") -> str:
    """Return the only value, or a word for none and for several."""
    found = sorted(set(values))
    return "none" if not found else found[0] if len(found) == 1 else many


def kinds(board: Board, squares: Iterable[int]) -> list[str]:
    """Return the kinds of pieces on some squares."""
    return [board[square].upper() for square in squares]


def pseudo(position: Position) -> list[Move]:
    """Return the moves that leave the king's safety out of account."""
    own = (s for s in range(64) if oracle.owner(position.board[s]) == position.colour)
    return [move for origin in own for move in oracle.reaching(position, origin, "moving")]


def is_legal(position: Position, move: Move) -> bool:
    """Check whether a move leaves the king safe."""
    return oracle.is_legal(position, move, "moving")


def passed(position: Position) -> str:
    """Return what a passed square allows."""
    if position.passed is None:
        return "none"
    able = [move for move in pseudo(position) if oracle.is_in_passing(position, move)]
    return ("barred", "one", "two")[sum(is_legal(position, m) for m in able)] if able else "idle"


def shared(position: Position) -> Values:
    """Return the features of a position."""
    board, colour = position.board, position.colour
    them = oracle.OTHER[colour]
    checkers = attackers(board, position.king, them)
    check = "double" if len(checkers) > 1 else "none"
    if len(checkers) == 1:
        near = "near" if checkers[0] in NEIGHBOURS[position.king] else "far"
        check = {"P": "pawn", "N": "knight"}.get(board[checkers[0]].upper(), near)
    rights = [side for side in "KQ" if oracle.RIGHTS[colour + side] in position.rights]
    names = {"": "none", "K": "king", "Q": "queen", "KQ": "both"}
    pins = pinned(board, colour).values()
    return {
        "colour": NAMES[colour],
        "in_check": check,
        "own_pins": single((slant(position.king, pinner) for pinner in pins), "both"),
        "their_pins": yes(pinned(board, them)),
        "rights": names["".join(rights)],
        "their_rights": yes({oracle.RIGHTS[them + side] for side in "KQ"} & position.rights),
        "passed": passed(position),
    }


def geometry(position: Position, origin: int, to: int) -> Values:
    """Return what is to be said of a piece and a square."""
    board, colour = position.board, position.colour
    kind = board[origin].upper()
    ranks = [s // 8 + 1 if colour == "w" else 8 - s // 8 for s in (origin, to)]
    files = [
        "a" if s % 8 == 0 else "b" if s % 8 == 1 else "h" if s % 8 == 7 else "inner"
        for s in (origin, to)
    ]
    aside = to % 8 - origin % 8
    far = max(abs(aside), abs(ranks[1] - ranks[0]))
    pin = pinned(board, colour).get(origin)
    from_rank = {1: "first", 2: "second", 7: "seventh", 8: "last"}
    return {
        "piece": kind,
        "from_file": files[0],
        "to_file": files[1],
        "from_rank": from_rank.get(ranks[0], "middle"),
        "to_rank": {1: "first", 8: "last"}.get(ranks[1], "middle"),
        "line": line(origin, to),
        "ahead": "ahead" if ranks[1] > ranks[0] else "back" if ranks[1] < ranks[0] else "level",
        "aside": "right" if aside > 0 else "left" if aside < 0 else "same",
        "far": "1" if far < 2 else "2" if far == 2 else "more",
        "pin": "none" if pin is None else slant(position.king, pin),
        "surplus": yes(board.count(board[origin]) > STARTED.get(kind, 2)),
    }


def of_move(position: Position, move: Move) -> Values:
    """Return the features of a legal move."""
    board, colour = position.board, position.colour
    kind, to = board[move.origin].upper(), move.target
    castles, passing = oracle.is_castling(position, move), oracle.is_in_passing(position, move)
    after = oracle.play(position, move)
    san = oracle.write(position, move)
    plain = san.rstrip("+#")
    written = plain[1:].replace("x", "")[:-2] if kind in "NBRQ" else ""
    lost = position.rights - after.rights
    mine = {right for right in lost if right.isupper() == (colour == "w")}
    theirs = lost - mine
    double = kind == "P" and abs(to - move.origin) == 16
    makes = passed(after)
    return (
        shared(position)
        | geometry(position, move.origin, to)
        | others(position, move)
        | {
            "origin": {0: "none", 2: "square"}.get(
                len(written), "file" if written.isalpha() else "rank"
            ),
            "capture": "passing"
            if passing
            else board[to].upper()
            if board[to] != EMPTY
            else "none",
            "promotion": move.promotion or "none",
            "suffix": san[-1] if san[-1] in "+#" else "none",
            "special": plain if castles else "double" if double else "none",
            "answer": answer(position, move),
            "ends": "both"
            if mine and theirs
            else "own"
            if mine
            else "theirs"
            if theirs
            else "none",
            "makes_passed": "legal" if makes in {"one", "two"} else makes,
            "to_passed": "none" if to != position.passed else "pawn" if passing else "piece",
            "stalemate": yes(
                san[-1] not in "+#" and not any(True for _ in oracle.legal_moves(after))
            ),
            "dead": yes(is_dead(after.board)),
            "late": yes(after.clock >= 100),
        }
        | check_given(position, move, after)
    )


def is_dead(board: Board) -> bool:
    """Check whether no mate is possible: a minor piece, or bishops on squares of one colour."""
    men = {square: man.upper() for square, man in enumerate(board) if man not in ".Kk"}
    if len(men) < 2:
        return set(men.values()) <= {"N", "B"}
    colours = {(square // 8 + square) % 2 for square in men}
    return set(men.values()) == {"B"} and len(colours) == 1


def answer(position: Position, move: Move) -> str:
    """Return how a move answers a check."""
    checkers = attackers(position.board, position.king, oracle.OTHER[position.colour])
    if not checkers:
        return "none"
    taken = move.target
    if oracle.is_in_passing(position, move):
        taken -= oracle.FORWARD[position.colour]
    if move.origin != position.king:
        return "takes" if taken in checkers else "blocks"
    if taken in checkers:
        return "king-takes"
    return "takes-other" if position.board[taken] != EMPTY else "steps"


def others(position: Position, move: Move) -> Values:
    """Return what other pieces have to do with a move's square."""
    board, colour, to = position.board, position.colour, move.target
    man, kind = board[move.origin], board[move.origin].upper()
    alike = [s for s in range(64) if board[s] == man and s != move.origin]
    reach = {m.origin: is_legal(position, m) for m in pseudo(position) if m.target == to}
    pins = pinned(board, colour)
    bad = {slant(position.king, pins[s]) for s in alike if reach.get(s) is False and s in pins}
    lines = {"B": {"diagonal"}, "R": {"file", "rank"}, "Q": {"diagonal", "file", "rank"}}
    shut = [
        s
        for s in alike
        if line(s, to) in lines.get(kind, set()) and any(board[b] != EMPTY for b in between(s, to))
    ]
    step = oracle.FORWARD[colour]
    if kind == "P" and to - move.origin == step:
        shut = [s for s in alike if s == move.origin - step and s // 8 == oracle.PAWNS[colour]]
    by = set(kinds(board, attackers(board, to, colour))) - {kind}
    return {
        "twin": yes(any(reach.get(s) for s in alike)),
        "bad_twin": "straight" if "straight" in bad else "diagonal" if bad else "none",
        "shut_twin": yes(shut),
        "others": "P" if "P" in by else "B" if "B" in by else "other" if by else "none",
        "guarded": yes(attackers(board, to, oracle.OTHER[colour])),
    }


CHECK = (
    *("given", "giver", "given_far", "giver_pinned", "only_reply", "failed", "xray", "weak_guard"),
    *("lone_guard", "checker_guard", "pawn_stopped", "promotes", "castling_reply"),
)


def check_given(position: Position, move: Move, after: Position) -> Values:
    """Return the features of the check that a move gives."""
    me, them, board, king = position.colour, after.colour, after.board, after.king
    givers = attackers(board, king, me)
    if not givers:
        return dict.fromkeys(CHECK, "none")
    double = len(givers) > 1
    came = move.target
    if oracle.is_castling(position, move):
        came = oracle.ROOKS[move.target][1]
    if double:
        given = "double"
    elif givers[0] != came:
        given = "passing" if oracle.is_in_passing(position, move) else "discovered"
    else:
        given = "castling" if came != move.target else "promoted" if move.promotion else "direct"
    replies = list(oracle.legal_moves(after))
    mine, theirs = pinned(board, me), pinned(board, them)
    targets = [] if double else [givers[0], *between(king, givers[0])]
    barred = [m for m in pseudo(after) if m not in replies and m.origin != king]
    failed = kinds(board, (m.origin for m in barred if m.origin in theirs and m.target in targets))
    flights = [s for s in NEIGHBOURS[king] if oracle.owner(board[s]) != them]
    bare = without(board, king)
    guards = [attackers(bare, s, me) for s in flights]
    beside = sorted(set(givers) & set(NEIGHBOURS[king]))
    guarding = attackers(board, beside[0], me) if beside else []
    right = {oracle.RIGHTS[them + side] for side in "KQ"} & after.rights
    in_passing = any(oracle.is_in_passing(after, m) for m in barred)
    if not guarding:
        guard = "unguarded" if beside else "far"
    elif set(guarding) <= mine.keys():
        guard = "pinned"
    else:
        guard = "king" if kinds(board, guarding) == ["K"] else "guarded"
    return {
        "given": given,
        "giver": "double" if double else board[givers[0]].upper(),
        "given_far": yes(all(between(king, giver) for giver in givers)),
        "giver_pinned": yes(mine.keys() & set(givers)),
        "only_reply": only_reply(after, replies),
        "failed": "passing"
        if in_passing
        else "P"
        if "P" in failed
        else "piece"
        if failed
        else "none",
        "xray": yes(
            any(by and not attackers(board, s, me) for s, by in zip(flights, guards, strict=True))
        ),
        "weak_guard": yes(any(by and set(by) <= mine.keys() for by in guards)),
        "lone_guard": single(board[by[0]].upper() for by in guards if len(by) == 1),
        "checker_guard": guard,
        "pawn_stopped": pawn_stopped(after, min(givers), targets),
        "promotes": yes(any(reply.promotion for reply in replies)),
        "castling_reply": yes(right),
    }


def only_reply(after: Position, replies: list[Move]) -> str:
    """Return how the only reply to a check answers it."""
    if len({reply[:2] for reply in replies}) != 1:
        return "none"
    reply = replies[0]
    kind, captures = after.board[reply.origin].upper(), oracle.is_capture(after, reply)
    if kind == "K":
        return "king-takes" if captures else "king"
    if reply.promotion:
        return "promotes"
    if oracle.is_in_passing(after, reply):
        return "passing"
    double = kind == "P" and abs(reply.target - reply.origin) == 16
    return "takes" if captures else "double" if double else "blocks"


def pawn_stopped(after: Position, first: int, targets: list[int]) -> str:
    """Return whether a pawn faces what gives check, or cannot jump before it."""
    board, step = after.board, oracle.FORWARD[after.colour]
    pawns = [s for s in range(64) if board[s] == oracle.man_of("P", after.colour)]
    if any(pawn + step == first for pawn in pawns):
        return "straight"
    home = (s for s in pawns if s // 8 == oracle.PAWNS[after.colour])
    jumps = (s for s in home if s + 2 * step in targets and s + 2 * step != first)
    return "jumps" if any(board[s + step] != EMPTY for s in jumps) else "no"


# Refused texts

TEXT = re.compile(
    r"(?P<castling>O-O(?:-O)?)"
    r"|(?P<piece>[KQRBN])(?P<file>[a-h]?)(?P<rank>[1-8]?)(?P<takes>x?)(?P<to>[a-h][1-8])"
    r"|(?:(?P<pawn>[a-h])(?P<pawn_takes>x))?(?P<pawn_to>[a-h][1-8])(?:=(?P<promotion>[QRBN]))?"
)
FIRST = ["pinned", "en-passant-exposes-king", "check-not-answered", "attacked-square"]
FIRST += [f"castling-{why}" for why in ("out-of-check", "through-check", "into-check", "blocked")]
FIRST += ["no-castling-right", "blocked", "no-en-passant", "nothing-to-capture", "own-piece"]
FIRST += ["cannot-reach"]
"""Which reason is told if several pieces could be meant: that of the piece that is nearest."""
Reason = tuple[str, int, list[int]]
"""Why a man on a square does not make a move, and which men forbid it."""


def of_refusal(position: Position, text: str) -> Values | None:
    """Return the features of a text that is written as SAN; None if no man could be meant."""
    match = TEXT.fullmatch(text.rstrip("+#"))
    if match is None:
        return None
    part = {name: found or "" for name, found in match.groupdict().items()}
    part["file"] += part["pawn"]
    part["takes"] += part["pawn_takes"]
    if part["pawn"] == "b" and part["pawn_to"][0] not in "abc":  # a bishop, for tolerant readers
        return None
    part["to"] += part["pawn_to"]
    king, colour = position.king, position.colour
    fitting: list[Move] = []
    if part["castling"]:
        to = (king + (2 if part["castling"] == "O-O" else -2)) % 64
        why = uncastled(position, oracle.SIDES[part["castling"]])
    else:
        to = oracle.square_of(part["to"])
        if part["promotion"] and to // 8 != oracle.LAST[colour]:
            return None
        origins = [s for s in range(64) if could_be_meant(position, s, to, part)]
        legal = [m for m in oracle.legal_moves(position) if m.origin in origins and m.target == to]
        fitting = [m for m in legal if part["promotion"] in {"", m.promotion}]
        reasons = list(filter(None, (obstacle(position, s, to) for s in origins)))
        near = [reason for reason in reasons if reason[0] != "cannot-reach"]
        near = near or (reasons if len(reasons) == 1 else [])
        why = min(near, key=lambda one: FIRST.index(one[0]), default=None)
    if len(fitting) > 1:
        named = sorted((len(s), s, m) for m in fitting for s in [oracle.write(position, m)])
        why = "ambiguous", named[0][2].origin, []
    if len(fitting) == 1 or why is None:
        return None
    name, origin, by = why
    return told(position, geometry(position, origin, to), part, (name, to, by)) | {
        "choices": {0: "none", 2: "2"}.get(len(fitting), "many"),
    }


def could_be_meant(position: Position, square: int, to: int, part: Values) -> bool:
    """Check whether a text can be about the man on a square."""
    kind = part["piece"] or "P"
    if position.board[square] != oracle.man_of(kind, position.colour):
        return False
    name = oracle.name_of(square)
    if part["file"] not in {"", name[0]} or part["rank"] not in {"", name[1]}:
        return False
    free = position.board[to] == EMPTY and to != position.passed
    return kind != "P" or bool(part["file"]) or not free or square % 8 == to % 8


def obstacle(position: Position, origin: int, to: int) -> Reason | None:
    """Return why a man does not go to a square; None if it may."""
    board, colour = position.board, position.colour
    if origin == position.king == (4 if colour == "w" else 60) and abs(to - origin) == 2:
        return uncastled(position, "K" if to > origin else "Q")
    step = unreached(position, origin, to)
    if step is not None:
        return step[0], origin, step[1]
    if oracle.owner(board[to]) == colour:
        return "own-piece", origin, [to]
    them, kind = oracle.OTHER[colour], board[origin].upper()
    after = oracle.board_after(position, Move(origin, to))
    by = sorted(attackers(after, king_of(after, colour), them))
    if not by:
        return None
    checkers = sorted(attackers(board, position.king, them))
    if kind == "K":
        return "attacked-square", origin, by
    if len(checkers) > 1 or set(by) & set(checkers):
        still = checkers if len(checkers) > 1 else [s for s in by if s in checkers]
        return "check-not-answered", origin, still
    in_passing = kind == "P" and to == position.passed and origin % 8 != to % 8
    alone = origin in pinned(board, colour)
    return "en-passant-exposes-king" if in_passing and not alone else "pinned", origin, by


def unreached(position: Position, origin: int, to: int) -> tuple[str, list[int]] | None:
    """Return why a man does not reach a square, and what is in its way; None if it does."""
    board, colour = position.board, position.colour
    kind, step = board[origin].upper(), oracle.FORWARD[position.colour]
    path = between(origin, to)
    if kind == "P":
        if any(to in oracle.RAYS[origin, s][:1] for s in oracle.CAPTURES[colour]):
            beside = to - step
            if board[to] != EMPTY or to == position.passed:
                return None
            fifth = origin // 8 == (4 if colour == "w" else 3)
            if fifth and board[beside] == oracle.man_of("P", oracle.OTHER[colour]):
                return "no-en-passant", [beside]
            return "nothing-to-capture", []
        home = origin // 8 == oracle.PAWNS[colour]
        reached = to == origin + step or (home and to == origin + 2 * step)
        path = [*path, to]
    else:
        reached = any(
            to in oracle.RAYS[origin, s][: oracle.REACH[kind]] for s in oracle.MOVES[kind]
        )
    if not reached:
        return "cannot-reach", []
    way = [s for s in path if board[s] != EMPTY]
    return ("blocked", way[:1]) if way else None


def uncastled(position: Position, side: str) -> Reason | None:
    """Return why a player may not castle; None if it is legal."""
    name, them = position.colour + side, oracle.OTHER[position.colour]
    if oracle.RIGHTS[name] not in position.rights:
        return "no-castling-right", position.king, []
    way = [s for s in oracle.BETWEEN[name] if position.board[s] != EMPTY]
    if way:
        return "castling-blocked", position.king, way
    places = position.king, oracle.CROSSED[name], oracle.GOALS[name]
    for why, square in zip(("out-of", "through", "into"), places, strict=True):
        if by := sorted(attackers(position.board, square, them)):
            return f"castling-{why}-check", position.king, by
    return None


def told(position: Position, place: Values, part: Values, why: Reason) -> Values:
    """Return the features of a refusal from its parts."""
    name, to, by = why
    at = to if name in {"castling-into-check", "attacked-square"} else position.king
    if name == "castling-through-check":
        at = (position.king + to) // 2
    if part["castling"] or part["promotion"]:
        written = "castling" if part["castling"] else "promotion"
    elif part["piece"]:
        sorts = {(0, 0): "piece", (1, 0): "file", (0, 1): "rank", (1, 1): "square"}
        written = sorts[len(part["file"]), len(part["rank"])]
    else:
        written = "capture" if part["takes"] else "pawn"
    common = shared(position)
    names = ("colour", "in_check", "own_pins", "their_pins", "rights", "passed")
    geometric = ("piece", "to_file", "line", "ahead", "far", "pin")
    return (
        {name: common[name] for name in names}
        | {name: place[name] for name in geometric}
        | {
            "refused": name,
            "by": single(kinds(position.board, by)),
            "by_line": line(by[0], at) if by else "none",
            "by_pinned": yes(pinned(position.board, oracle.OTHER[position.colour]).keys() & by),
            "written": written,
            "captures": yes(part["takes"]),
        }
    )
