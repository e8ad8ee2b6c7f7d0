"""Tries the exports of the language in the programs that read them, each with its version.

    nox -s pages [NAME...]

Each line says how many texts a program was asked, and how long it took; the first text about which
it and the list differ ends the run. Engines are asked about the whole universe, about the legal
moves of positions, and about games; those that take a millisecond a text, about a sample.
"""

import gzip
import importlib
import itertools
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from importlib import metadata
from pathlib import Path
from typing import Any, Final, NamedTuple

import sanproof
from sanproof.proofs.rules.san import universe
from sanproof.reports.archive.door import published_directory
from sanproof.reports.exports.tokenizers import split_parts

HERE: Final = Path(__file__).parent
OUTSIDE: Final = (
    *("", " ", "e4 ", " e4", "e4\n", "\ne4", "e4e5", "Nf3x", "0-0", "e4+#", "\u00e94", "E4"),
)
FENS: Final = (
    *(sanproof.INITIAL, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "7k/8/8/8/8/8/6q1/7K w - - 0 1"),
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",  # 218 legal moves
)
SAMPLE: Final = 20_000
ROUND_TRIP_MOVES: Final = 1_000_000

Takes = Callable[[Sequence[str]], set[str]]
"""A function that returns those of some texts that a program accepts."""


class Different(Exception):
    """A program and the list differ about a text."""


class Language(NamedTuple):
    """An export, a test for the texts that are of it, and texts to ask about."""

    export: Callable[[str], str]
    holds: Callable[[str], bool]
    inside: list[str]
    outside: list[str]


@cache
def strings() -> frozenset[str]:
    """Return the list."""
    return frozenset(sanproof.strings())


@cache
def every_text() -> list[str]:
    """Return every text of the universe, and some that are not in it."""
    return [*map(str, universe()), *OUTSIDE]


def languages(kind: str) -> Iterator[Language]:
    """Yield what can be exported in a form: all strings, the moves of positions, and games."""
    outside = [text for text in every_text() if text not in strings()]
    listed = sorted(strings())
    yield Language(partial(sanproof.language), strings().__contains__, listed, outside)
    for fen in FENS:
        legal = frozenset(sanproof.legal_sans(fen))
        others = [text for text in [*listed, *OUTSIDE] if text not in legal]
        export = partial(sanproof.language, fen=fen)
        yield Language(export, legal.__contains__, sorted(legal), others)
    played = [*itertools.islice(games(), 10), "*", "1. e4 e5 2.Nf3 2... Nc6 *"]
    spoilt = [*OUTSIDE, "1. e4", "1. e4  *", "1. e4x *", *(text + "0" for text in played)]
    export = partial(sanproof.language, "movetext", FORMS[kind])
    yield Language(lambda _: export(), set(played).__contains__, played, spoilt)


FORMS: Final = {"regex": "txt", "gbnf": "gbnf", "lark": "lark"}


def ask(engine: Callable[[str], Takes], kind: str, most: int) -> int:
    """Ask a program about each language in a form; return how many texts there were."""
    number = 0
    for language in languages(kind):
        drawn = random.Random(1)
        asked = (language.inside, language.outside)
        texts = [t for few in asked for t in (few if len(few) <= most else drawn.sample(few, most))]
        taken = engine(language.export(kind))(texts)
        for text in texts:
            if (text in taken) != language.holds(text):
                raise Different(f"{kind}: {text!r}")
        number += len(texts)
    return number


def each(accepts: Callable[[str], bool]) -> Takes:
    """Ask about one text after the other."""
    return lambda texts: set(filter(accepts, texts))


def program(script: str, grammar: str) -> Takes:
    """Ask a script of Node.js, which says the numbers of the texts that it takes."""

    def takes(texts: Sequence[str]) -> set[str]:
        texts = [text for text in texts if "\n" not in text]
        lines = "".join(f"{text}\n" for text in texts)
        command = ["node", str(HERE / script), in_file("grammar", grammar)]
        done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
        return {texts[int(number)] for number in done.stdout.split()}

    return takes


def in_file(name: str, text: str) -> str:
    """Return the path of a file that holds a text."""
    path = Path(tempfile.mkdtemp()) / name
    path.write_text(text, encoding="ascii")
    return str(path)


# Expressions and grammars


def python(engine: str, expression: str) -> Takes:
    """Ask an engine of expressions that has Python's interface."""
    match = importlib.import_module(engine).compile(expression).fullmatch
    return each(lambda text: match(text) is not None)


def outlines(expression: str) -> Takes:
    """Ask the index of outlines, which wants the end of the text named."""
    import outlines_core  # noqa: PLC0415

    numbers = {chr(code): code for code in range(1, 128)}
    tokens = {character: [number] for character, number in numbers.items()}
    vocabulary = outlines_core.Vocabulary(128, tokens)
    index = outlines_core.Index(f"(?:{expression})$", vocabulary)

    def accepts(text: str) -> bool:
        state = index.get_initial_state()
        for character in text:
            state = index.get_next_state(state, numbers.get(character, 0))
            if state is None:
                return False
        return bool(index.is_final_state(state))

    return each(accepts)


def lark(grammar: str) -> Takes:
    """Ask Lark, with its parser LALR."""
    from lark import Lark  # noqa: PLC0415
    from lark.exceptions import LarkError  # noqa: PLC0415

    parser = Lark(grammar, parser="lalr")

    def accepts(text: str) -> bool:
        try:
            parser.parse(text)
        except LarkError:
            return False
        return True

    return each(accepts)


def llguidance(kind: str, grammar: str) -> Takes:
    """Ask llguidance with a grammar of Lark or llama.cpp, or an expression."""
    from llguidance import LLMatcher, LLTokenizer  # noqa: PLC0415
    from llguidance.gbnf_to_lark import gbnf_to_lark  # noqa: PLC0415

    of = {
        "lark": LLMatcher.grammar_from_lark,
        "gbnf": lambda text: LLMatcher.grammar_from_lark(gbnf_to_lark(text)),
        "regex": LLMatcher.grammar_from_regex,
    }
    matcher: Any = LLMatcher(LLTokenizer("byte"), of[kind](grammar))
    if matcher.get_error():
        raise Different(matcher.get_error())

    def accepts(text: str) -> bool:
        matcher.reset()
        tokens = list(text.encode())
        taken: int = matcher.try_consume_tokens(tokens)
        return taken == len(tokens) and bool(matcher.is_accepting())

    return each(accepts)


# Tokenizers


def games() -> Iterator[str]:
    """Yield the published games as text, with numbers and results, until a million moves."""
    moves = 0
    text = gzip.decompress((published_directory() / "games.pgn.gz").read_bytes()).decode("ascii")
    for movetext in text.split("\n\n")[1::2]:
        game = " ".join(movetext.split())
        moves += sum(not word.endswith(".") for word in game.split()) - 1
        yield game
        if moves >= ROUND_TRIP_MOVES:
            return


def tokenizers() -> int:
    """Ask both tokenizers, alone and in transformers: every token, and a million moves and back."""
    return sum(map(try_tokenizer, (False, True)))


def try_tokenizer(parts: bool) -> int:
    """Try strings, other texts, and games; return the number of words that came back."""
    from tokenizers import Tokenizer  # noqa: PLC0415
    from transformers import PreTrainedTokenizerFast  # noqa: PLC0415

    special = ("[PAD]", "[BOS]", "[EOS]")
    text = sanproof.language("tokenizer", parts=parts, results=True, numbers=300, special=special)
    path = in_file("tokenizer.json", text)
    tokenizer = Tokenizer.from_file(path)
    wrapped: Any = PreTrainedTokenizerFast(tokenizer_file=path, pad_token="[PAD]")
    for place, san in enumerate(sanproof.strings()):
        found = tokenizer.encode(san, add_special_tokens=False)
        if (found.tokens != split_parts(san)) if parts else (found.ids != [place]):
            raise Different(f"{san}: {found.tokens}")
    for unknown in ("z", "e4!") if parts else ("e9", "Ba1b2+"):
        try:
            tokenizer.encode(unknown)
        except Exception as error:  # noqa: BLE001 - the library raises nothing else
            if "UNK" in str(error):
                continue
        raise Different(unknown)
    for game in itertools.islice(games(), 1000):
        try_game(wrapped, game, parts)
    number = 0
    for game in games():
        number += len(game.split())
        if tokenizer.decode(tokenizer.encode(game).ids) != game:
            raise Different(game)
    return number


def try_game(wrapped: Any, game: str, parts: bool) -> None:  # noqa: ANN401 - has no types
    """Try a game, also with fewer blanks and more numbers; begin and end come by themselves."""
    more = re.sub(r"(\d+)\. (\S+) (?=[^\d*])", r"\1. \2 \1... ", game)
    dense = re.sub(r"\. ", ".", game)
    for text, back in ((game, game), (more, more), (dense, dense if parts else game)):
        ids = wrapped(text)["input_ids"]
        ends = wrapped.convert_ids_to_tokens([ids[0], ids[-1]])
        if (wrapped.decode(ids, skip_special_tokens=True), ends) != (back, ["[BOS]", "[EOS]"]):
            raise Different(text)


MANY: Final = 1_200_000
SOME: Final = 30_000
CHECKS: Final[dict[str, tuple[Callable[[], int], str]]] = {
    "python": (partial(ask, partial(python, "re"), "regex", MANY), ""),
    "javascript": (partial(ask, partial(program, "regex.mjs"), "regex", MANY), ""),
    "re2": (partial(ask, partial(python, "re2"), "regex", MANY), "google-re2"),
    "outlines": (partial(ask, outlines, "regex", MANY), "outlines-core"),
    "lark": (partial(ask, lark, "lark", SOME), "lark"),
    "llguidance": (
        lambda: sum(ask(partial(llguidance, kind), kind, SOME) for kind in FORMS),
        "llguidance",
    ),
    "llama.cpp": (partial(ask, partial(program, "llama.cjs"), "gbnf", 1000), ""),
    "tokenizers": (tokenizers, "tokenizers"),
}
"""Each check, and the package whose version it shows."""


def main(names: list[str]) -> int:
    """Run the checks; return the exit code."""
    if unknown := set(names) - set(CHECKS):
        sys.stderr.write(f"There is no check {min(unknown)}: take {', '.join(CHECKS)}.\n")
        return 2
    for name in names or CHECKS:
        check, package = CHECKS[name]
        shown = f"{name} {metadata.version(package)}" if package else name
        started = time.perf_counter()
        try:
            number = check()
        except Different as error:
            sys.stdout.write(f"{shown}: DIFFERS: {error}\n")
            return 1
        seconds = time.perf_counter() - started
        sys.stdout.write(f"{shown}: {number:,} texts, {seconds:.1f} s\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
