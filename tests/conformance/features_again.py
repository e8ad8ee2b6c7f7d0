"""The features of the suite's cases, computed once more: from the table's words, by the oracle.

Nothing is shared with ``conformance.suite.features``. What is pinned, for one, is found here by
taking each piece from the board.
"""

import re
from collections.abc import Iterable, Mapping

from tests import oracle
from tests.oracle import EMPTY, LINE, Move, Position

Values = dict[str, str]
Board = tuple[str, ...]
STARTED = {"P": 8, "Q": 1, "K": 1}


def first(holds: Mapping[str, object], last: str = "none") -> str:
    """Return the first word whose condition holds, or the last."""
    return next((word for word, condition in holds.items() if condition), last)


def yes(holds: object) -> str:
    """Return yes or no."""
    return first({"yes": holds}, "no")


def single(values: Iterable[str], many: str = "several") -> str:
    """Return the only value, or a word for none and for several."""
    found = set(values)
    return many if len(found) > 1 else first(dict.fromkeys(found, True))


# Boards


def attackers(board: Board, square: int, colour: str) -> list[int]:
    """Return from where a player attacks a square."""
    found = []
    for kind in "PNBRQK":
        for step in oracle.ATTACKS[colour + kind if kind == "P" else kind]:
            ray = oracle.RAYS[square, step][: oracle.REACH[kind]]
            met = next((origin for origin in ray if board[origin] != EMPTY), None)
            if met is not None and board[met] == oracle.man_of(kind, colour):
                found.append(met)
    return found


def without(board: Board, gone: int) -> Board:
    """Return a board with a square empty."""
    return (*board[:gone], EMPTY, *board[gone + 1 :])


def king_of(board: Board, colour: str) -> int:
    """Return where a player's king stands."""
    return board.index(oracle.man_of("K", colour))


def neighbours(square: int) -> list[int]:
    """Return the squares beside one."""
    return [s for step in oracle.MOVES["K"] for s in oracle.RAYS[square, step][:1]]


def pinned(board: Board, colour: str) -> dict[int, int]:
    """Return a player's pinned pieces, each with what would attack the king without it."""
    king, them, found = king_of(board, colour), oracle.OTHER[colour], {}
    before = attackers(board, king, them)
    for square in range(64):
        if oracle.owner(board[square]) == colour and square != king:
            for pinner in attackers(without(board, square), king, them):
                if pinner not in before:
                    found[square] = pinner
    return found


def line(one: int, other: int) -> str:
    """Return how two squares lie to each other."""
    return "file" if one == other else LINE.get((one, other), "jump")


def slant(one: int, other: int) -> str:
    """Return whether a line is a diagonal."""
    return "diagonal" if line(one, other) == "diagonal" else "straight"


def between(one: int, other: int) -> list[int]:
    """Return the squares between two on a line."""
    rays = (oracle.RAYS[one, step] for step in (*oracle.STRAIGHT, *oracle.OBLIQUE))
    return next((list(ray[: ray.index(other)]) for ray in rays if other in ray), [])


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


def rights_of(position: Position, colour: str) -> str:
    """Return the sides on which a player may still castle."""
    return "".join(s for s in "KQ" if oracle.RIGHTS[colour + s] in position.rights)


# Moves


def of_move(position: Position, move: Move) -> Values:
    """Return the features of a legal move."""
    after = oracle.play(position, move)
    return (
        shared(position)
        | geometry(position, move.origin, move.target)
        | written(position, move, after)
        | others(position, move)
        | check_given(position, move, after)
    )


def passed(position: Position) -> str:
    """Return what a passed square allows."""
    able = [move for move in pseudo(position) if oracle.is_in_passing(position, move)]
    number = sum(is_legal(position, move) for move in able)
    no_square = position.passed is None
    return first(
        {"none": no_square, "idle": not able, "barred": not number, "one": number == 1}, "two"
    )


def shared(position: Position) -> Values:
    """Return the features of a position."""
    board, colour = position.board, position.colour
    them = oracle.OTHER[colour]
    checkers = attackers(board, position.king, them)
    check = "none"
    if len(checkers) == 1:
        near = "near" if checkers[0] in neighbours(position.king) else "far"
        check = {"P": "pawn", "N": "knight"}.get(board[checkers[0]].upper(), near)
    return {
        "colour": {"w": "white", "b": "black"}[colour],
        "in_check": "double" if len(checkers) > 1 else check,
        "own_pins": single(
            (slant(position.king, p) for p in pinned(board, colour).values()), "both"
        ),
        "their_pins": yes(pinned(board, them)),
        "rights": {"": "none", "K": "king", "Q": "queen", "KQ": "both"}[
            rights_of(position, colour)
        ],
        "their_rights": yes(rights_of(position, them)),
        "passed": passed(position),
    }


def geometry(position: Position, origin: int, to: int) -> Values:
    """Return what is to be said of a piece and a square."""
    board, colour = position.board, position.colour
    start, end = (s // 8 + 1 if colour == "w" else 8 - s // 8 for s in (origin, to))
    files = {0: "a", 1: "b", 7: "h"}
    aside = to % 8 - origin % 8
    far = max(abs(aside), abs(end - start))
    pin = pinned(board, colour).get(origin)
    return {
        "piece": board[origin].upper(),
        "from_file": files.get(origin % 8, "inner"),
        "to_file": files.get(to % 8, "inner"),
        "from_rank": {1: "first", 2: "second", 7: "seventh", 8: "last"}.get(start, "middle"),
        "to_rank": {1: "first", 8: "last"}.get(end, "middle"),
        "line": line(origin, to),
        "ahead": first({"ahead": end > start, "back": end < start}, "level"),
        "aside": first({"right": aside > 0, "left": aside < 0}, "same"),
        "far": first({"1": far < 2, "2": far == 2}, "more"),
        "pin": "none" if pin is None else slant(position.king, pin),
        "surplus": yes(board.count(board[origin]) > STARTED.get(board[origin].upper(), 2)),
    }


def written(position: Position, move: Move, after: Position) -> Values:
    """Return how a move is written, what it takes, and what it changes but for the board."""
    board, colour, to = position.board, position.colour, move.target
    passing = oracle.is_in_passing(position, move)
    san = oracle.write(position, move)
    plain = san.rstrip("+#")
    origin = plain[1:].replace("x", "")[:-2] if plain[0] in "NBRQ" else ""
    double = board[move.origin].upper() == "P" and abs(to - move.origin) == 16
    lost = position.rights - after.rights
    mine = {right for right in lost if right.isupper() == (colour == "w")}
    makes = passed(after)
    special = {plain: oracle.is_castling(position, move), "double": double}
    return {
        "origin": first(
            {"none": not origin, "square": len(origin) == 2, "file": origin.isalpha()}, "rank"
        ),
        "capture": first({"passing": passing, board[to].upper(): board[to] != EMPTY}),
        "promotion": move.promotion or "none",
        "suffix": san[-1] if san[-1] in "+#" else "none",
        "special": first(special),
        "answer": answer(position, move),
        "ends": first({"both": mine and lost - mine, "own": mine, "theirs": lost}),
        "makes_passed": "legal" if makes in {"one", "two"} else makes,
        "to_passed": first({"none": to != position.passed, "pawn": passing}, "piece"),
        "stalemate": yes(san[-1] not in "+#" and not list(oracle.legal_moves(after))),
        "dead": yes(is_dead(after.board)),
        "late": yes(after.clock >= 100),
    }


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
    passing = oracle.is_in_passing(position, move)
    taken = move.target - (oracle.FORWARD[position.colour] if passing else 0)
    if move.origin != position.king:
        return first({"none": not checkers, "takes": taken in checkers}, "blocks")
    takes_other = position.board[taken] != EMPTY
    ways = {"none": not checkers, "king-takes": taken in checkers, "takes-other": takes_other}
    return first(ways, "steps")


def others(position: Position, move: Move) -> Values:
    """Return what other pieces have to do with a move's square."""
    board, colour, to = position.board, position.colour, move.target
    man, kind = board[move.origin], board[move.origin].upper()
    alike = [s for s in range(64) if board[s] == man and s != move.origin]
    reach = {m.origin: is_legal(position, m) for m in pseudo(position) if m.target == to}
    pins = pinned(board, colour)
    bad = [slant(position.king, pins[s]) for s in alike if reach.get(s) is False and s in pins]
    lines = {"B": {"diagonal"}, "R": {"file", "rank"}, "Q": {"diagonal", "file", "rank"}}
    lined_up = [s for s in alike if line(s, to) in lines.get(kind, set())]
    shut = [s for s in lined_up if any(board[b] != EMPTY for b in between(s, to))]
    step = oracle.FORWARD[colour]
    if kind == "P" and to - move.origin == step:
        shut = [s for s in alike if s == move.origin - step and s // 8 == oracle.PAWNS[colour]]
    by = set(kinds(board, attackers(board, to, colour))) - {kind}
    return {
        "twin": yes(any(reach.get(s) for s in alike)),
        "bad_twin": first({"straight": "straight" in bad, "diagonal": bad}),
        "shut_twin": yes(shut),
        "others": first({"P": "P" in by, "B": "B" in by, "other": by}),
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
    double, castles = len(givers) > 1, oracle.is_castling(position, move)
    came = oracle.ROOKS[move.target][1] if castles else move.target
    replies = list(oracle.legal_moves(after))
    mine, theirs = pinned(board, me), pinned(board, them)
    targets = [] if double else [givers[0], *between(king, givers[0])]
    barred = [m for m in pseudo(after) if m not in replies and m.origin != king]
    failed = kinds(board, (m.origin for m in barred if m.origin in theirs and m.target in targets))
    flights = [s for s in neighbours(king) if oracle.owner(board[s]) != them]
    guards = {s: attackers(without(board, king), s, me) for s in flights}
    beside = sorted(set(givers) & set(neighbours(king)))
    guarding = attackers(board, beside[0], me) if beside else []
    alone = givers[0] != came
    ways = {
        "double": double,
        "passing": alone and oracle.is_in_passing(position, move),
        "discovered": alone,
        "castling": castles,
        "promoted": move.promotion,
    }
    guard = {
        "far": not beside,
        "unguarded": not guarding,
        "pinned": set(guarding) <= mine.keys(),
        "king": kinds(board, guarding) == ["K"],
    }
    in_passing = any(oracle.is_in_passing(after, m) for m in barred)
    return {
        "given": first(ways, "direct"),
        "giver": "double" if double else board[givers[0]].upper(),
        "given_far": yes(all(between(king, giver) for giver in givers)),
        "giver_pinned": yes(mine.keys() & set(givers)),
        "only_reply": only_reply(after, replies),
        "failed": first({"passing": in_passing, "P": "P" in failed, "piece": failed}),
        "xray": yes(any(by and not attackers(board, s, me) for s, by in guards.items())),
        "weak_guard": yes(any(by and set(by) <= mine.keys() for by in guards.values())),
        "lone_guard": single(board[by[0]].upper() for by in guards.values() if len(by) == 1),
        "checker_guard": first(guard, "guarded"),
        "pawn_stopped": pawn_stopped(after, min(givers), targets),
        "promotes": yes(any(reply.promotion for reply in replies)),
        "castling_reply": yes(rights_of(after, them)),
    }


def only_reply(after: Position, replies: list[Move]) -> str:
    """Return how the only reply to a check answers it."""
    if len({reply[:2] for reply in replies}) != 1:
        return "none"
    reply = replies[0]
    kind, captures = after.board[reply.origin].upper(), oracle.is_capture(after, reply)
    ways = {
        "king-takes": kind == "K" and captures,
        "king": kind == "K",
        "promotes": reply.promotion,
        "passing": oracle.is_in_passing(after, reply),
        "takes": captures,
        "double": kind == "P" and abs(reply.target - reply.origin) == 16,
    }
    return first(ways, "blocks")


def pawn_stopped(after: Position, giver: int, targets: list[int]) -> str:
    """Return whether a pawn faces what gives check, or cannot jump before it."""
    board, step = after.board, oracle.FORWARD[after.colour]
    pawns = [s for s in range(64) if board[s] == oracle.man_of("P", after.colour)]
    home = [s for s in pawns if s // 8 == oracle.PAWNS[after.colour]]
    jumps = [s for s in home if s + 2 * step in targets and s + 2 * step != giver]
    shut = any(board[s + step] != EMPTY for s in jumps)
    return first({"straight": any(s + step == giver for s in pawns), "jumps": shut}, "no")


# Refused texts

TEXT = re.compile(
    r"(?P<castling>O-O(?:-O)?)"
    r"|(?P<piece>[KQRBN])(?P<file>[a-h]?)(?P<rank>[1-8]?)(?P<takes>x?)(?P<to>[a-h][1-8])"
    r"|(?:(?P<pawn>[a-h])(?P<pawn_takes>x))?(?P<pawn_to>[a-h][1-8])(?:=(?P<promotion>[QRBN]))?"
)
FIRST = (
    *("pinned", "en-passant-exposes-king", "check-not-answered", "attacked-square"),
    *("castling-out-of-check", "castling-through-check", "castling-into-check"),
    *("castling-blocked", "no-castling-right", "blocked", "no-en-passant", "nothing-to-capture"),
    *("own-piece", "cannot-reach"),
)
"""Which reason is told if several pieces could be meant: that of the piece that is nearest."""
Reason = tuple[str, int, list[int]]
"""Why a man on a square does not make a move, and which men forbid it."""


def of_refusal(position: Position, text: str) -> Values | None:
    """Return the features of a text that is written as SAN; None if no man could be meant."""
    match = TEXT.fullmatch(text.rstrip("+#"))
    if match is None:
        return None
    part = {name: found or "" for name, found in match.groupdict().items()}
    for name, of_pawn in (("file", "pawn"), ("takes", "pawn_takes"), ("to", "pawn_to")):
        part[name] += part[of_pawn]
    if part["pawn"] == "b" and part["to"][0] not in "abc":  # a bishop, for tolerant readers
        return None
    if part["castling"]:
        to = (position.king + (2 if part["castling"] == "O-O" else -2)) % 64
        fitting, why = 0, uncastled(position, oracle.SIDES[part["castling"]])
    else:
        to = oracle.square_of(part["to"])
        if part["promotion"] and to // 8 != oracle.LAST[position.colour]:
            return None
        fitting, why = unfitting(position, to, part)
    if fitting == 1 or why is None:
        return None
    choices = {"choices": first({"none": not fitting, "2": fitting == 2}, "many")}
    values = geometry(position, why[1], to) | told(position, part, to, why) | choices
    return {name: value for name, value in values.items() if name not in NOT_SAID}


def unfitting(position: Position, to: int, part: Values) -> tuple[int, Reason | None]:
    """Return how many legal moves a text can mean, and why there is not one."""
    origins = [s for s in range(64) if could_be_meant(position, s, to, part)]
    legal = [m for m in oracle.legal_moves(position) if m.origin in origins and m.target == to]
    fitting = [m for m in legal if part["promotion"] in {"", m.promotion}]
    if len(fitting) > 1:
        named = min((len(s), s, m) for m in fitting for s in [oracle.write(position, m)])
        return len(fitting), ("ambiguous", named[2].origin, [])
    reasons = list(filter(None, (obstacle(position, s, to) for s in origins)))
    near = [reason for reason in reasons if reason[0] != "cannot-reach"]
    near = near or (reasons if len(reasons) == 1 else [])
    why = min(near, key=lambda one: FIRST.index(one[0]), default=None)
    straight = part["takes"] and not part["piece"] and part["file"] == part["to"][0]
    if why and why[0] == "blocked" and straight:  # no pawn captures so, blocked or not
        why = ("cannot-reach", why[1], [])
    return len(fitting), why


def could_be_meant(position: Position, square: int, to: int, part: Values) -> bool:
    """Check whether a text can be about the man on a square."""
    kind, name = part["piece"] or "P", oracle.name_of(square)
    free = position.board[to] == EMPTY and to != position.passed
    return (
        position.board[square] == oracle.man_of(kind, position.colour)
        and part["file"] in {"", name[0]}
        and part["rank"] in {"", name[1]}
        and (kind != "P" or bool(part["file"]) or not free or square % 8 == to % 8)
    )


def obstacle(position: Position, origin: int, to: int) -> Reason | None:
    """Return why a man does not go to a square; None if it may."""
    board, colour = position.board, position.colour
    if origin == position.king == (4 if colour == "w" else 60) and abs(to - origin) == 2:
        return uncastled(position, "K" if to > origin else "Q")
    if step := unreached(position, origin, to):
        return step[0], origin, step[1]
    if oracle.owner(board[to]) == colour:
        return "own-piece", origin, [to]
    them, kind = oracle.OTHER[colour], board[origin].upper()
    after = oracle.board_after(position, Move(origin, to))
    by = sorted(attackers(after, king_of(after, colour), them))
    if not by:
        return None
    checkers = sorted(attackers(board, position.king, them))
    still = checkers if len(checkers) > 1 else [s for s in by if s in checkers]
    if kind == "K":
        return "attacked-square", origin, by
    if still:
        return "check-not-answered", origin, still
    in_passing = kind == "P" and to == position.passed and origin % 8 != to % 8
    alone = origin in pinned(board, colour)
    return "en-passant-exposes-king" if in_passing and not alone else "pinned", origin, by


def unreached(position: Position, origin: int, to: int) -> tuple[str, list[int]] | None:
    """Return why a man does not reach a square, and what is in its way; None if it does."""
    board, colour = position.board, position.colour
    kind, step = board[origin].upper(), oracle.FORWARD[colour]
    steps = oracle.CAPTURES[colour] if kind == "P" else oracle.MOVES[kind]
    reached = any(to in oracle.RAYS[origin, s][: oracle.REACH[kind]] for s in steps)
    path = between(origin, to)
    if kind == "P" and reached:
        if board[to] != EMPTY or to == position.passed:
            return None
        fifth = origin // 8 == (4 if colour == "w" else 3)
        if fifth and board[to - step] == oracle.man_of("P", oracle.OTHER[colour]):
            return "no-en-passant", [to - step]
        return "nothing-to-capture", []
    if kind == "P":
        double = origin // 8 == oracle.PAWNS[colour] and to == origin + 2 * step
        reached, path = to == origin + step or double, [*path, to]
    way = [s for s in path if board[s] != EMPTY]
    if not reached:
        return "cannot-reach", []
    return ("blocked", way[:1]) if way else None


def uncastled(position: Position, side: str) -> Reason | None:
    """Return why a player may not castle; None if it is legal."""
    name, them = position.colour + side, oracle.OTHER[position.colour]
    if oracle.RIGHTS[name] not in position.rights:
        return "no-castling-right", position.king, []
    if way := [s for s in oracle.BETWEEN[name] if position.board[s] != EMPTY]:
        return "castling-blocked", position.king, way
    places = {"out-of": position.king, "through": oracle.CROSSED[name], "into": oracle.GOALS[name]}
    for why, square in places.items():
        if by := sorted(attackers(position.board, square, them)):
            return f"castling-{why}-check", position.king, by
    return None


NOT_SAID = ("their_rights", "from_file", "from_rank", "to_rank", "aside", "surplus")
"""What is not said of a refused text."""


def told(position: Position, part: Values, to: int, why: Reason) -> Values:
    """Return the features of a refusal from its parts."""
    name, _, by = why
    at = to if name in {"castling-into-check", "attacked-square"} else position.king
    if name == "castling-through-check":
        at = (position.king + to) // 2
    ways = {
        "castling": part["castling"],
        "promotion": part["promotion"],
        "square": part["piece"] and part["file"] and part["rank"],
        "file": part["piece"] and part["file"],
        "rank": part["piece"] and part["rank"],
        "piece": part["piece"],
        "capture": part["takes"],
    }
    return shared(position) | {
        "refused": name,
        "by": single(kinds(position.board, by)),
        "by_line": line(by[0], at) if by else "none",
        "by_pinned": yes(pinned(position.board, oracle.OTHER[position.colour]).keys() & by),
        "written": first(ways, "pawn"),
        "captures": yes(part["takes"]),
    }
