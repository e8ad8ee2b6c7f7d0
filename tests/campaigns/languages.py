"""Tries the exports of the language in the programs that read them: ``nox -s pages``.

Engines are asked about the whole universe and about the legal moves of positions; those that take a
millisecond a text, about a sample. Tokenizers read every string, and games and back. Each line says
how many texts a program was asked; the first about which it and the list differ ends the run.
"""

import importlib
import lzma
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

import chess

import sanproof
from sanproof.proofs.rules.san import universe
from sanproof.reports.archive.door import published_directory
from sanproof.reports.exports.languages import split_parts

TESTS: Final = Path(__file__).parents[1]
"""Where llama.cpp is installed, for Node.js."""
OUTSIDE: Final = (
    *("", " ", "e4 ", " e4", "e4\n", "\ne4", "e4e5", "Nf3x", "0-0", "e4+#", "\u00e94", "E4"),
)
FENS: Final = (
    *(chess.STARTING_FEN, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "7k/8/8/8/8/8/6q1/7K w - - 0 1"),
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",  # 218 legal moves
)
MANY: Final = 1_200_000
SOME: Final = 30_000
MOST_GAMES: Final = 10_000
REGEX: Final = r"""
const { readFileSync } = require("node:fs");
const expression = new RegExp(`^(?:${readFileSync(process.argv[1], "ascii")})$`, "u");
const takes = (text) => expression.test(text);
"""
LLAMA: Final = """
const { readFileSync } = require("node:fs");
const folder = "./node_modules/@node-llama-cpp/linux-x64/bins/linux-x64"; // it is not exported
const llama = require(`${folder}/llama-addon.node`);
const options = { addonExports: llama, rootRuleName: "root" };
const grammar = new llama.AddonGrammar(readFileSync(process.argv[1], "ascii"), options);
const takes = (text) => grammar.isTextCompatible(text);
"""
TAKEN: Final = """
const lines = readFileSync(0, "utf8").split("\\n");
process.stdout.write(lines.flatMap((line, n) => (takes(line) ? [n] : [])).join("\\n"));
"""
"""Writes the numbers of the lines of standard input that are taken."""

Takes = Callable[[Sequence[str]], set[str]]
"""A function that returns those of some texts that a program accepts."""


@cache
def every_text() -> list[str]:
    """Return every text of the universe, and some that are not in it."""
    return [*map(str, universe()), *OUTSIDE]


def ask(engine: Callable[[str], Takes], kind: str, most: int) -> int:
    """Ask a program about exports in a form: of all strings, and of the moves of positions.

    Returns:
        How many texts it was asked about.
    """
    number = 0
    languages = [(sanproof.language(kind), frozenset(sanproof.strings()))]
    languages += [(sanproof.language(kind, fen=f), frozenset(sanproof.legal_sans(f))) for f in FENS]
    for export, inside in languages:
        drawn = random.Random(1)
        outside = [text for text in every_text() if text not in inside]
        parts = (sorted(inside), outside)
        texts = [text for few in parts for text in drawn.sample(few, min(len(few), most))]
        taken = engine(export)(texts)
        if wrong := [text for text in texts if (text in taken) != (text in inside)]:
            sys.exit(f"It differs from the list ({kind}): {wrong[0]!r}")
        number += len(texts)
    return number


def each(accepts: Callable[[str], bool]) -> Takes:
    """Ask about one text after the other."""
    return lambda texts: set(filter(accepts, texts))


def in_file(text: str) -> str:
    """Return the path of a file that holds a text."""
    path = Path(tempfile.mkdtemp(), "export")
    path.write_text(text, encoding="ascii")
    return str(path)


def program(script: str, grammar: str) -> Takes:
    """Ask a program for Node.js."""

    def takes(texts: Sequence[str]) -> set[str]:
        texts = [text for text in texts if "\n" not in text]
        lines = "".join(f"{text}\n" for text in texts)
        command = ["node", "--eval", script + TAKEN, in_file(grammar)]
        done = subprocess.run(
            command, input=lines, cwd=TESTS, stdout=subprocess.PIPE, text=True, check=True
        )
        return {texts[int(number)] for number in done.stdout.split()}

    return takes


def python(engine: str, expression: str) -> Takes:
    """Ask an engine of expressions that has Python's interface."""
    match = importlib.import_module(engine).compile(expression).fullmatch
    return each(lambda text: match(text) is not None)


def outlines(expression: str) -> Takes:
    """Ask the index of outlines, which wants the end of the text named."""
    import outlines_core  # noqa: PLC0415

    numbers = {chr(code): code for code in range(1, 128)}
    tokens = {character: [number] for character, number in numbers.items()}
    index = outlines_core.Index(f"(?:{expression})$", outlines_core.Vocabulary(128, tokens))

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
        sys.exit(matcher.get_error())

    def accepts(text: str) -> bool:
        matcher.reset()
        tokens = list(text.encode())
        taken: int = matcher.try_consume_tokens(tokens)
        return taken == len(tokens) and bool(matcher.is_accepting())

    return each(accepts)


def tokenizer(*, parts: bool) -> int:
    """Try strings, texts that are none, and games; return how many words came back."""
    from tokenizers import Tokenizer  # noqa: PLC0415
    from transformers import PreTrainedTokenizerFast  # noqa: PLC0415

    special = ("[PAD]", "[BOS]", "[EOS]")
    text = sanproof.language("tokenizer", parts=parts, results=True, numbers=300, special=special)
    path = in_file(text)
    alone = Tokenizer.from_file(path)
    wrapped: Any = PreTrainedTokenizerFast(tokenizer_file=path, pad_token="[PAD]")
    for place, san in enumerate(sanproof.strings()):
        found = alone.encode(san, add_special_tokens=False)
        if (found.tokens != split_parts(san)) if parts else (found.ids != [place]):
            sys.exit(f"It differs from the list: {san} is {found.tokens}")
    for unknown in ("z", "e4!") if parts else ("e9", "Ba1b2+"):
        try:
            alone.encode(unknown)
        except Exception as error:  # noqa: BLE001 - the library raises nothing else
            if "UNK" in str(error):
                continue
        sys.exit(f"It reads {unknown}")
    number = 0
    packed = lzma.decompress((published_directory() / "games.pgn.xz").read_bytes())
    for movetext in packed.decode("ascii").split("\n\n")[1 : 2 * MOST_GAMES : 2]:
        game = " ".join(movetext.split())
        ids = wrapped(game)["input_ids"]
        if wrapped.decode(ids, skip_special_tokens=True) != game:
            sys.exit(f"It does not give back {game}")
        number += len(game.split())
    return number


CHECKS: Final[dict[str, Callable[[], int]]] = {
    "Python": partial(ask, partial(python, "re"), "regex", MANY),
    "JavaScript": partial(ask, partial(program, REGEX), "regex", MANY),
    "RE2": partial(ask, partial(python, "re2"), "regex", MANY),
    "outlines": partial(ask, outlines, "regex", MANY),
    "Lark": partial(ask, lark, "lark", SOME),
    **{f"llguidance, {k}": partial(ask, partial(llguidance, k), k, SOME) for k in ("lark", "gbnf")},
    "llguidance, regex": partial(ask, partial(llguidance, "regex"), "regex", SOME),
    "llama.cpp": partial(ask, partial(program, LLAMA), "gbnf", 1000),
    "tokenizers": partial(tokenizer, parts=False),
    "tokenizers, parts": partial(tokenizer, parts=True),
}


def main() -> None:
    """Run the checks; the first difference ends it with exit code 1."""
    for name, check in CHECKS.items():
        sys.stdout.write(f"{name}: ")
        sys.stdout.write(f"{check():,} texts\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
