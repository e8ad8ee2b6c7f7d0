"""Tries the exports of the language in the programs that read them, each with its version.

    nox -s harden -- languages [NAME...]

By default all but ``xgrammar``, whose package asks for PyTorch with its gigabytes. Each line says
how many texts a program was asked, and how long it took; the first text about which it and the
list differ ends the run. Engines are asked about the whole universe; those that take a millisecond
a text, about every string and a sample of the others.
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
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import sanproof
from sanproof.proofs.rules.san import universe
from sanproof.reports.archive.door import published_directory
from sanproof.reports.exports.tokenizers import split_parts

HERE: Final = Path(__file__).parent
OUTSIDE: Final = (
    *("", " ", "e4 ", " e4", "e4\n", "\ne4", "e4e5", "Nf3x", "0-0", "e4+#", "\u00e94", "E4"),
)
SAMPLE: Final = 20_000
ROUND_TRIP_MOVES: Final = 1_000_000

Accepts = Callable[[str], bool]


class Different(Exception):
    """A program and the list differ about a text."""


@cache
def strings() -> frozenset[str]:
    """Return the list."""
    return frozenset(sanproof.strings())


@cache
def every_text() -> list[str]:
    """Return every text of the universe, and some that are not in it."""
    return [*map(str, universe()), *OUTSIDE]


@cache
def some_texts() -> list[str]:
    """Return every string of the list, and a sample of the other texts."""
    others = [text for text in every_text() if text not in strings()]
    return [*sorted(strings()), *random.Random(1).sample(others, SAMPLE), *OUTSIDE]


def compare(accepts: Accepts, texts: Iterable[str]) -> int:
    """Ask about each text; return how many there were."""
    number = 0
    for text in texts:
        number += 1
        if accepts(text) != (text in strings()):
            raise Different(repr(text))
    return number


def without_lines(texts: Sequence[str]) -> list[str]:
    """Return the texts of one line."""
    return [text for text in texts if "\n" not in text]


def answers(command: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Return the lines that a program writes, which reads texts, one a line."""
    lines = "".join(f"{text}\n" for text in texts)
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def in_file(name: str, text: str) -> str:
    """Return the path of a file that holds a text."""
    path = Path(tempfile.mkdtemp()) / name
    path.write_text(text, encoding="ascii")
    return str(path)


# Regular expressions


def regex(engine: str) -> int:
    """Ask an engine that has Python's interface."""
    match = importlib.import_module(engine).compile(sanproof.language("regex")).fullmatch
    return compare(lambda text: match(text) is not None, every_text())


def javascript() -> int:
    """Ask Node.js, which says the numbers of the texts that it takes."""
    path = in_file("san.txt", sanproof.language("regex"))
    texts = without_lines(every_text())
    lines = answers(["node", str(HERE / "regex.mjs"), path], texts)
    taken = {texts[int(number)] for line in lines for number in line.split()}
    return compare(taken.__contains__, texts)


def outlines() -> int:
    """Ask the index of outlines, which wants the end of the text named."""
    import outlines_core  # noqa: PLC0415

    characters = sorted(set("".join(strings())))
    numbers = {character: number for number, character in enumerate(characters, 1)}
    tokens = {character: [number] for character, number in numbers.items()}
    vocabulary = outlines_core.Vocabulary(len(tokens) + 1, tokens)
    index = outlines_core.Index(f"(?:{sanproof.language('regex')})$", vocabulary)

    def accepts(text: str) -> bool:
        state = index.get_initial_state()
        for character in text:
            state = index.get_next_state(state, numbers.get(character, 0))
            if state is None:
                return False
        return bool(index.is_final_state(state))

    return compare(accepts, every_text())


# Grammars


def lark() -> int:
    """Ask Lark, with its parser LALR."""
    from lark import Lark  # noqa: PLC0415
    from lark.exceptions import LarkError  # noqa: PLC0415

    parser = Lark(sanproof.language("lark"), parser="lalr")

    def accepts(text: str) -> bool:
        try:
            return str(parser.parse(text).children[0]) == text
        except LarkError:
            return False

    return compare(accepts, some_texts())


def llguidance() -> int:
    """Ask llguidance with the grammars of Lark and llama.cpp, and with the expression."""
    from llguidance import LLMatcher, LLTokenizer  # noqa: PLC0415
    from llguidance.gbnf_to_lark import gbnf_to_lark  # noqa: PLC0415

    tokenizer = LLTokenizer("byte")
    number = 0
    for grammar in (
        LLMatcher.grammar_from_lark(sanproof.language("lark")),
        LLMatcher.grammar_from_lark(gbnf_to_lark(sanproof.language("gbnf"))),
        LLMatcher.grammar_from_regex(sanproof.language("regex")),
    ):
        matcher: Any = LLMatcher(tokenizer, grammar)
        if matcher.get_error():
            raise Different(matcher.get_error())

        def accepts(text: str, matcher: Any = matcher) -> bool:  # noqa: ANN401 - has no types
            matcher.reset()
            tokens = list(text.encode())
            taken: int = matcher.try_consume_tokens(tokens)
            return taken == len(tokens) and bool(matcher.is_accepting())

        number += compare(accepts, some_texts())
    return number


def xgrammar() -> int:
    """Ask XGrammar with the grammar of llama.cpp."""
    import xgrammar as engine  # noqa: PLC0415

    characters = [chr(number) for number in range(128)]
    info = engine.TokenizerInfo([*characters, "</s>"], stop_token_ids=[128])
    grammar = engine.Grammar.from_ebnf(sanproof.language("gbnf"))
    matcher = engine.GrammarMatcher(engine.GrammarCompiler(info).compile_grammar(grammar))

    def accepts(text: str) -> bool:
        matcher.reset()
        tokens = [*map(ord, text), 128]
        return max(tokens) <= 128 and all(matcher.accept_token(token) for token in tokens)

    return compare(accepts, every_text())


def llama_cpp() -> int:
    """Ask llama.cpp itself, as node-llama-cpp is built on it: eight milliseconds a text."""
    path = in_file("san.gbnf", sanproof.language("gbnf"))
    drawn = random.Random(2)
    texts = [*drawn.sample(sorted(strings()), 1000), *drawn.sample(every_text(), 1000)]
    texts = without_lines(texts)
    lines = answers(["node", str(HERE / "llama.cjs"), path], texts)
    taken = {texts[int(number)] for line in lines for number in line.split()}
    return compare(taken.__contains__, texts)


# Numbers


def numbers(command: Sequence[str]) -> int:
    """Ask a program that says for each text its number, or -1, and the string of that number."""
    texts = without_lines(every_text())
    of = {text: number for number, text in enumerate(sanproof.strings())}
    for text, line in zip(texts, answers(command, texts), strict=True):
        number = of.get(text, -1)
        if line != f"{number} {text if number >= 0 else ''}":
            raise Different(f"{text!r}: {line}")
    return len(texts)


def c() -> int:
    """Ask the header, compiled by cc without a warning."""
    folder = Path(in_file("san_number.h", sanproof.language("lookup", "h"))).parent
    program = str(folder / "numbers")
    flags = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", f"-I{folder}")
    subprocess.run(["cc", *flags, str(HERE / "numbers.c"), "-o", program], check=True)
    return numbers([program])


def javascript_numbers() -> int:
    """Ask the module, in Node.js."""
    path = in_file("san_number.mjs", sanproof.language("lookup", "mjs"))
    return numbers(["node", str(HERE / "numbers.mjs"), path])


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
    """Try strings, what is none, and games; return the number of words that came back."""
    from tokenizers import Tokenizer  # noqa: PLC0415
    from transformers import PreTrainedTokenizerFast  # noqa: PLC0415

    special = ("[PAD]", "[BOS]", "[EOS]")
    text = sanproof.language("tokenizer", parts=parts, results=True, numbers=300, special=special)
    path = in_file("tokenizer.json", text)
    tokenizer = Tokenizer.from_file(path)
    wrapped: Any = PreTrainedTokenizerFast(tokenizer_file=path, pad_token="[PAD]")
    for place, san in enumerate(sanproof.strings()):
        found = tokenizer.encode(san)
        if (found.tokens != split_parts(san)) if parts else (found.ids != [place]):
            raise Different(f"{san}: {found.tokens}")
    for unknown in ("z", "e4!") if parts else ("e9", "Ba1b2+"):
        if "UNK" not in refusal(tokenizer, unknown):
            raise Different(unknown)
    for game in itertools.islice(games(), 1000):
        if wrapped.decode(wrapped(game)["input_ids"]) != game:
            raise Different(game)
    number = 0
    for game in games():
        number += len(game.split())
        if tokenizer.decode(tokenizer.encode(game).ids) != game:
            raise Different(game)
    return number


def refusal(tokenizer: Any, text: str) -> str:  # noqa: ANN401 - has no types
    """Return what a tokenizer says that does not take a text."""
    try:
        tokenizer.encode(text)
    except Exception as error:  # noqa: BLE001 - the library raises nothing else
        return str(error)
    return ""


CHECKS: Final[dict[str, tuple[Callable[[], int], str]]] = {
    "python": (partial(regex, re.__name__), ""),
    "javascript": (javascript, ""),
    "re2": (partial(regex, "re2"), "google-re2"),
    "pcre": (partial(regex, "pcre2"), "pcre2"),
    "outlines": (outlines, "outlines-core"),
    "lark": (lark, "lark"),
    "llguidance": (llguidance, "llguidance"),
    "llama.cpp": (llama_cpp, ""),
    "c": (c, ""),
    "javascript-numbers": (javascript_numbers, ""),
    "tokenizers": (tokenizers, "tokenizers"),
    "xgrammar": (xgrammar, "xgrammar"),
}
"""Each check, and the package whose version it shows."""
BY_NAME_ONLY: Final = ("xgrammar",)


def main(names: list[str]) -> int:
    """Run the checks; return the exit code."""
    if unknown := set(names) - set(CHECKS):
        sys.stderr.write(f"There is no check {min(unknown)}: take {', '.join(CHECKS)}.\n")
        return 2
    for name in names or [name for name in CHECKS if name not in BY_NAME_ONLY]:
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
