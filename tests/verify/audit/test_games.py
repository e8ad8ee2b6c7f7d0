"""The audit of games: that it passes a run's own games, and no others."""

import gzip
import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random

import chess
import pytest
import verify.audit.games
from verify.audit.games import AuditedGame, audit_games, check_players

from proofs.kernel.files import EvidenceError
from proofs.rules.cubes import BLACK, COLOURS, WHITE
from reports.tables.outputs import GAMES, SUMMARY, WITNESSES
from reports.tables.pgn import PgnGame, movetext, number_games, read_pgn, split_pgn, write_pgn
from tests.verify.audit.corruption import audit_here, fast_audits
from tests.verify.command import InlineExecutor, sanproof
from verify.audit.manifest import MANIFEST, make_manifest, read_manifest

Games = list[str]


@pytest.fixture(scope="module", autouse=True)
def _fast() -> Iterator[None]:
    with fast_audits():
        yield


def games_of(directory: Path) -> Games:
    return list(split_pgn(gzip.decompress((directory / GAMES).read_bytes()).decode()))


def forge(directory: Path, games: Games) -> None:
    """Give a run other games, and a manifest that is right about them."""
    packed = gzip.compress("".join(games).encode(), mtime=0)
    (directory / GAMES).write_bytes(packed)
    reseal(directory)


def reseal(directory: Path) -> None:
    names = read_manifest((directory / MANIFEST).read_bytes()).files
    files = {name: (directory / name).read_bytes() for name in names}
    (directory / MANIFEST).write_bytes(make_manifest(files, json.loads(files[SUMMARY])))


def renumbered(games: Games) -> Games:
    return [
        re.sub(r'\[Round "\d+"\]', f'[Round "{i}"]', game) if game else game
        for i, game in enumerate(games, 1)
    ]


def change(number: int, old: str, new: str) -> Callable[[Games], Games]:
    """Replace a pattern in one game's text."""

    def changed(games: Games) -> Games:
        text, n = re.subn(old, new, games[number - 1], count=1)
        assert n == 1
        return [*games[: number - 1], text, *games[number:]]

    return changed


def other_moves(games: Games) -> Games:
    """Game 1 with the moves of game 2, its tags made right."""
    first, second = read_pgn(games[0]), read_pgn(games[1])
    return [write_pgn(first._replace(sans=second.sans)), *games[1:]]


def stops_before_its_string(games: Games) -> Games:
    game = read_pgn(games[0])
    return [write_pgn(game._replace(sans=game.sans[: game.ply])), *games[1:]]


def stops_before_mate(games: Games) -> Games:
    game = read_pgn(games[0])
    return [write_pgn(game._replace(sans=game.sans[:-1])), *games[1:]]


def with_move(ply: int, text: str) -> Callable[[Games], Games]:
    def changed(games: Games) -> Games:
        game = read_pgn(games[0])
        return [write_pgn(game._replace(sans=replaced(game.sans, ply, text))), *games[1:]]

    return changed


def replaced(sans: tuple[str, ...], ply: int, text: str) -> tuple[str, ...]:
    return (*sans[:ply], text, *sans[ply + 1 :])


def not_canonical(games: Games) -> Games:
    """A pawn's move with the square it comes from, which any reader understands."""
    sans = read_pgn(games[0]).sans
    ply = next(i for i, san in enumerate(sans) if re.fullmatch("[a-h][34]", san))
    return with_move(ply, f"{sans[ply][0]}2{sans[ply]}")(games)


def another_ply(games: Games) -> Games:
    game = read_pgn(games[0])
    return [write_pgn(game._replace(ply=game.ply - 2)), *games[1:]]


FORGERIES: dict[str, tuple[Callable[[Games], Games], str]] = {
    "no games at all": (lambda _: [], "neither a game nor a refutation"),
    "White's game missing": (lambda g: renumbered(g[1:]), r"white has neither a game .* for Bxh8"),
    "Black's game missing": (
        lambda g: renumbered([g[0], *g[2:]]),
        "black has neither a game nor a refutation for Bxh8",
    ),
    "a game twice": (lambda g: renumbered([g[0], *g]), "white has two games for Bxh8"),
    "two games exchanged": (lambda g: [g[1], g[0], *g[2:]], "game 1 has the number 2"),
    "exchanged and renumbered": (lambda g: renumbered([g[1], g[0], *g[2:]]), "out of order"),
    "moves of another game": (other_moves, "game 1: game of white's Bxh8, ply {ply}: "),
    "stops before its string": (stops_before_its_string, "ply {ply}: the game has {before} plies"),
    "stops before mate": (stops_before_mate, "does not end in checkmate"),
    "an illegal move": (with_move(8, "Ke5"), "game 1: .* ply 9: illegal san: 'Ke5'"),
    "not canonical": (not_canonical, "python-chess writes .* as"),
    "another ply": (another_ply, r"ply {two_before}: python-chess writes the move as"),
    "wrong result": (change(1, r'\[Result "1-0"\]', '[Result "0-1"]'), "game 1: .* canonical"),
    "wrong count": (change(2, r'\[PlyCount "\d+"\]', '[PlyCount "61"]'), "game 2: .*PlyCount"),
    "wrong event": (change(1, '"sanproof"', '"Hastings"'), "game 1: its tags"),
    "a tag missing": (change(3, r'\[Site "\?"\]\n', ""), "game 3: its tags"),
    "a tag more": (change(3, r"\[Site", '[ECO "A00"]\n[Site'), "game 3: its tags"),
    "a comment": (change(1, r"\n\n1\. ", "\n\n{!} 1. "), "game 1: .* canonical"),
    "lines broken elsewhere": (change(1, r" 2\. ", "\n2. "), "game 1: .* canonical"),
    "a huge number": (change(1, r'Round "1"', f'Round "{"9" * 5000}"'), "game 1: its tags"),
    "another string": (change(1, 'Shows "Bxh8"', 'Shows "Bxh1"'), "out of order|ply {ply}: "),
    "a string of markup": (change(1, 'Shows "Bxh8"', 'Shows "<b>"'), "game 1"),
    "a null move": (with_move(2, "--"), "game 1: .* ply 3: "),
    "cut short": (lambda g: [*g[:-1], g[-1][: len(g[-1]) // 2]], f"game {180}: "),
}


def test_a_sound_run_passes(finished_run: Path) -> None:
    audited = audit_here(finished_run)
    assert audited.games == len(games_of(finished_run))
    done = sanproof("audit", str(finished_run), "--workers", "1")
    assert done.returncode == 0, done.stderr
    assert f"and {audited.games:,} games." in done.stdout
    assert "are written for a move of a legal game" in done.stdout


def test_the_forger_adds_no_error_of_his_own(finished: Path) -> None:
    games = games_of(finished)
    forge(finished, games)
    assert audit_here(finished).games == len(games)


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_game_is_found(finished: Path, name: str) -> None:
    forgery, match = FORGERIES[name]
    before = games_of(finished)
    after = forgery(before)
    assert after != before
    forge(finished, after)
    ply = read_pgn(before[0]).ply + 1
    expected = match.format(ply=ply, before=ply - 1, two_before=ply - 2)
    with pytest.raises(EvidenceError, match=expected) as caught:
        audit_here(finished)
    assert str(caught.value).startswith(f"{GAMES}: ")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("sealed_again", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_a_damaged_file_is_found(finished: Path, seed: int, sealed_again: bool) -> None:
    """A byte changed, taken out or put in, in the packed file or in its text."""
    random = Random(seed)
    path = finished / GAMES
    packed = path.read_bytes()
    text = bytearray(gzip.decompress(packed) if seed % 2 else packed)
    place = random.randrange(len(text))
    kind = random.randrange(3)
    text[place : place + (kind < 2)] = bytes([(text[place] + 1) % 256] if kind else [])
    if kind == 2:
        text[place:place] = b"x"
    path.write_bytes(gzip.compress(bytes(text), mtime=0) if seed % 2 else bytes(text))
    if sealed_again:
        reseal(finished)
    try:
        audit_here(finished)
    except EvidenceError as error:
        assert str(error).startswith(f"{GAMES}: ")  # noqa: PT017
    else:
        # A gzip file has a few bytes that say nothing of its content, such as the time.
        assert sealed_again
        assert gzip.decompress(path.read_bytes()) == gzip.decompress(packed)


FOOLS_MATE = ("f3", "e5", "g4", "Qh4#")
SHOWN = {WHITE: ("f3", "g4"), BLACK: ("e5", "Qh4#")}
SLOWER = ("f3", "e6", "g4", "Qh4#")
FEW = number_games((san, ply, FOOLS_MATE if ply else SLOWER) for ply, san in enumerate(FOOLS_MATE))
"""Games whose order is not that of their moves."""


def few_audited(games: Iterable[PgnGame] = FEW) -> list[AuditedGame]:
    """What the audit makes of a file of these games."""
    text = "".join(map(write_pgn, games))
    return audit_games(GAMES, text, InlineExecutor(), lambda _: None)


@pytest.mark.parametrize("batch", [1, 2, 3, 100])
def test_games_are_replayed_in_batches(monkeypatch: pytest.MonkeyPatch, batch: int) -> None:
    monkeypatch.setattr(verify.audit.games, "BATCH", batch)
    audited = few_audited()
    assert [item.game for item in audited] == FEW
    board = chess.Board()
    for item in sorted(audited, key=lambda item: item.game.ply):
        san, before, uci, after = item.witness
        assert (san, before) == (FOOLS_MATE[item.game.ply], board.fen())
        assert board.san_and_push(chess.Move.from_uci(uci)) == san
        assert after == board.fen()


def test_games_that_do_not_hold_are_refused() -> None:
    first, *rest = FEW
    wrong = {
        "game 2 has the number 3": [
            first,
            *(game._replace(number=game.number + 1) for game in rest),
        ],
        "out of order": [game._replace(number=i) for i, game in enumerate([*rest, first], 1)],
        "ply 4: ": [first._replace(sans=(*FOOLS_MATE[:3], "Qh5")), *rest],
        "python-chess writes the move as": [first._replace(ply=first.ply + 2), *rest],
    }
    for said, games in wrong.items():
        with pytest.raises(EvidenceError, match=f"^{GAMES}: .*{said}"):
            few_audited(games)
    text = write_pgn(first).replace("Date", "date")
    with pytest.raises(EvidenceError, match=f"^{GAMES}: game 1: its tags"):
        audit_games(GAMES, text, InlineExecutor(), lambda _: None)


def test_each_player_has_a_game_for_each_string_that_is_open() -> None:
    audited = few_audited()
    check_players(audited, SHOWN)
    for colour in COLOURS:
        more = SHOWN | {colour: (*SHOWN[colour], "a3")}
        with pytest.raises(
            EvidenceError, match=f"{colour} has neither a game nor a refutation for a3"
        ):
            check_players(audited, more)
        san, *less = SHOWN[colour]
        with pytest.raises(EvidenceError, match=f"{colour} has a game for {san}"):
            check_players(audited, SHOWN | {colour: less})
        (twice,) = (item for item in audited if item.game.san == san)
        with pytest.raises(EvidenceError, match=f"{colour} has two games for {san}"):
            check_players([*audited, twice], SHOWN)


def test_a_witness_that_is_not_the_game_s_is_found(finished: Path) -> None:
    path = finished / WITNESSES
    header, first, second, *rest = path.read_text().split("\n")
    fields = first.split(",")
    fields[4] = second.split(",")[4]
    path.write_text("\n".join([header, ",".join(fields), second, *rest]))
    reseal(finished)
    with pytest.raises(EvidenceError, match=rf"{WITNESSES}: line 2 is .* where .* belongs"):
        audit_here(finished)


def test_games_that_are_not_listed_are_missed(finished: Path) -> None:
    """A run cannot pass for one without games by hiding them: its tables show them."""
    manifest = read_manifest((finished / MANIFEST).read_bytes())
    files = {n: (finished / n).read_bytes() for n in manifest.files if n != GAMES}
    (finished / MANIFEST).write_bytes(make_manifest(files, json.loads(files[SUMMARY])))
    with pytest.raises(EvidenceError, match=f"{WITNESSES}: line 2: 5 fields where 4 belong"):
        audit_here(finished)


def test_movetext_is_numbered_from_white_s_moves() -> None:
    assert movetext(["f3", "e5", "g4", "Qh4#"]) == "1. f3 e5 2. g4 Qh4#"
    assert movetext([]) == ""
