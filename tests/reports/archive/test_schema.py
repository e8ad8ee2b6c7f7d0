"""Nothing passes the door but what a run, or counts beside it, can contain."""

import copy
import gzip
import json
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.generator.strings import suffixed_strings
from sanproof.proofs.rules.cubes import all_cubes
from sanproof.proofs.theory.reasons import Reason
from sanproof.reports.archive import schema
from sanproof.reports.archive.door import ArchiveError, open_archive
from sanproof.reports.archive.observed import Observed, Sighting, in_words, open_observed, unproven
from sanproof.reports.archive.schema import (
    LIST,
    MANIFEST_FORM,
    OBSERVED_FORM,
    SUMMARY_FORM,
    RowForm,
    SchemaError,
    read_json,
)
from sanproof.reports.exports.exports import TABLES, plan, write_export
from sanproof.reports.page.contents import read_contents
from sanproof.reports.page.index import index_page
from sanproof.reports.page.rarities import rarities_page
from sanproof.reports.page.shards import make_shards
from sanproof.reports.tables import names
from sanproof.reports.tables.names import (
    OBSERVED,
    OBSERVED_FILES,
    OBSERVED_LICENCE,
    OBSERVED_SOURCE,
)
from sanproof.reports.tables.pgn import PgnGame
from sanproof.reports.tables.summary import summary, to_json
from sanproof.reports.tables.survey import survey
from tests.campaigns.publish import make_observed
from tests.reports.archive.archives import (
    FENS,
    SOURCE,
    SUMMARY,
    TIMES,
    VERSIONS,
    files,
    manifest,
    write_observed,
    write_run,
)
from tests.reports.samples import findings
from tests.strings import all_texts
from tests.verify.command import ROOT

HOSTILE: tuple[Any, ...] = (
    *(None, True, -1, 10**30, 1e308, float("nan"), float("inf")),
    *("", "=1+1", "<script>alert(1)</script>", "\x1b[31m", "\ud800", "é", "x" * 10_000),
    *([], [[]], {}, {"": 0}, {"<b>": {}}, {"reachable": ["1"]}),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401
    """Yield the path of every value in a JSON text."""
    yield path
    if isinstance(value, (dict, list)):
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        for key, entry in entries:
            yield from places(entry, (*path, key))


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:  # noqa: ANN401
    if not path:
        return new
    changed = copy.deepcopy(value)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = new
    return changed


def test_the_published_files_pass() -> None:
    read_json((ROOT / "data" / "summary.json").read_bytes(), SUMMARY_FORM)
    hashes = read_json((ROOT / "data" / "manifest.json").read_bytes(), MANIFEST_FORM)["files"]
    assert {*names.FILES} < set(hashes) <= {*names.WITH_COVER}


def test_the_summary_of_a_survey_passes() -> None:
    """With games, a cover, differences and undecided strings, as a run writes them today."""
    found = survey(findings(all_cubes(), ["O-O"]).rulings())
    games = [PgnGame(i, san, i % 2, (san, san)) for i, san in enumerate(found.reachable, 1)]
    generator = {"strings": 1, "missing": {"e4": FENS[0]}, "too_many": {"O-O": "undecided"}}
    for some in (None, games):
        made = summary("O*", found, 2, some, generator, ["O-O (white)"], some)
        read_json(
            to_json(made | {"versions": VERSIONS, "times": {"working_seconds": 0.1}}), SUMMARY_FORM
        )


GENUINE = json.loads(make_observed(TIMES.items(), SOURCE, b"")[OBSERVED_SOURCE])


@pytest.mark.parametrize(
    ("check", "genuine"),
    [
        (SUMMARY_FORM, SUMMARY),
        (MANIFEST_FORM, manifest(files())),
        (OBSERVED_FORM, GENUINE),
    ],
)
def test_no_hostile_value_passes_anywhere(check: Any, genuine: Any) -> None:  # noqa: ANN401
    """But for those that a run may hold at this place: null, an empty array or object, a text."""
    read_json(json.dumps(genuine).encode(), check)
    passed, messages = set(), []
    for path in places(genuine):
        for value in HOSTILE:
            try:
                read_json(json.dumps(replaced(genuine, path, value)).encode(), check)
            except SchemaError as error:
                messages.append(str(error))
            else:
                passed.add((path[:1], json.dumps(value)))
    assert all(message.isprintable() and len(message) < 300 for message in messages)
    evil = [json.dumps(text) for text in ("=1+1", "<script>alert(1)</script>")]
    texts = {((name,), text) for name in ("only", "how", "copyright") for text in evil}
    sentences = {(("generator",), text) for text in evil}
    empty = {value for _, value in passed - texts - sentences}
    assert empty <= {"null", "[]", "{}"}


def test_a_missing_and_an_unknown_entry_are_named() -> None:
    for name in set(SUMMARY) - {"search", "times"}:
        less = {key: value for key, value in SUMMARY.items() if key != name}
        with pytest.raises(SchemaError, match=f"^has no {name}$"):
            read_json(json.dumps(less).encode(), SUMMARY_FORM)
    with pytest.raises(SchemaError, match="an entry 'more' that no run makes"):
        read_json(json.dumps(SUMMARY | {"more": 1}).encode(), SUMMARY_FORM)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"[" * 1200 + b"]" * 1200, "array|deeper"),
        (b'{"only":' * 1200 + b"1" + b"}" * 1200, "object|deeper"),
        (b"[" * 100_000, "deeper"),
        (b"[" + b"[]," * (1 << 22) + b"[]]", "larger"),
        (b'{"only": null, "only": "Q*"}', "twice"),
        (b'{"only": NaN}', "NaN"),
        (b'{"only": ' + b"9" * 5000 + b"}", "JSON"),
        (b"\xff\xfe", "JSON"),
    ],
)
def test_texts_that_no_run_makes(text: bytes, words: str) -> None:
    with pytest.raises(SchemaError, match=words):
        read_json(text, SUMMARY_FORM)


def test_the_pattern_of_strings_is_the_grammar() -> None:
    pattern = RowForm(None, schema.SAN)
    for san in suffixed_strings():
        pattern.cells(san)
    some = all_texts()[::101]
    LIST.check("".join(f"{san}\n" for san in some))
    for rest in ("e4", "e", "Nf3\nQ", "Nf3\nx"):  # the last row has its line end
        with pytest.raises(SchemaError, match="end of a line"):
            LIST.check(f"e4\n{rest}")
    for text in ("", "e9", "e4!", "0-0", "O-O-O-O", "Nf3 ", "=e4", "e4\n", "e8=", "Pe4"):
        with pytest.raises(SchemaError):
            pattern.cells(text)


def test_no_cell_begins_a_formula() -> None:
    """A text that a spreadsheet takes for a formula begins with one of these characters."""
    for pattern in (schema.SAN, schema.FEN, schema.UCI, schema.NUMBER, schema.REASON):
        for start in "=+-@\t\r'\" ":
            for text in (start, f"{start}e4", f"{start}1", f"{start}no-twins"):
                with pytest.raises(SchemaError):
                    RowForm(None, pattern).cells(text)
    assert {why.value[0] for why in Reason} <= set("abcdefghijklmnopqrstuvwxyz")


# Behind the door


def mutated(name: str, content: bytes, randomly: random.Random) -> bytes:
    """Return a file of a run with a small change that is often a file of a run again."""
    if name.endswith(".gz"):
        return gzip.compress(mutated("", gzip.decompress(content), randomly), 1)
    tokens = content.decode("ascii").replace(",", " , ").split(" ")
    at = randomly.randrange(len(tokens))
    if randomly.random() < 0.5:
        tokens[at] = randomly.choice(tokens)
    else:
        tokens[at] = tokens[at][:-1] + randomly.choice("KQRBNPkqrbnp12345678abcdefgh-/wx+#=O")
    return " ".join(tokens).replace(" , ", ",").encode("ascii")


OF_NO_RUN = {"lan", "uci", "alphazero", "lc0"}
"""Tables that are the same for every run."""


def use_everything(directory: Path) -> None:
    """Do with a run what page and exports do."""
    archive = open_archive(directory)
    contents = read_contents(archive)
    index_page(contents)
    list(islice(make_shards(contents), 1))
    assert contents.observed is not None
    rarities_page(contents, contents.observed)
    for what in TABLES.keys() - OF_NO_RUN:
        for form in set(TABLES[what].forms) - {"parquet"}:
            with (directory / "out").open("wb") as out:
                write_export(plan(what, form, None, bare=False), archive, out)


@pytest.mark.parametrize("count", [40, pytest.param(600, marks=pytest.mark.slow)])
def test_what_passes_the_door_can_be_used(tmp_path: Path, count: int) -> None:
    """A forged run ends with a sentence, or is used like any other: never with another error."""
    randomly = random.Random(0)
    used, messages = 0, []
    for _ in range(count):
        content = files()
        name = randomly.choice([*content, OBSERVED_SOURCE])
        if name in content:
            content[name] = mutated(name, content[name], randomly)
        source = write_observed(write_run(tmp_path, content)) / OBSERVED_SOURCE
        if name not in content:
            source.write_bytes(mutated(name, source.read_bytes(), randomly))
        try:
            use_everything(tmp_path)
            used += 1
        except ArchiveError as error:
            messages.append(str(error))
    assert all(message.isprintable() for message in messages)
    assert 0.03 < used / count < 0.97


REACHABLE = open_archive().strings()


def published() -> Observed:
    observed = open_observed(open_archive().directory)
    assert observed is not None
    return observed


def test_the_published_counts_are_of_proven_strings_and_add_up() -> None:
    observed = published()
    assert unproven(observed.times, REACHABLE) == []
    assert 0 < len(observed.times) < len(REACHABLE)
    for san in random.Random(3).sample(REACHABLE, 300):
        assert observed.sighting(san).times == observed.times.get(san, 0)


@given(st.dictionaries(st.sampled_from(REACHABLE), st.integers(1, 10**13), max_size=40))
def test_what_was_counted_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, times: dict[str, int]
) -> None:
    observed = open_observed(write_observed(tmp_path_factory.mktemp("counts"), times))
    assert observed is not None
    assert observed.times == times
    assert list(observed.times) == sorted(times, key=lambda san: (len(san), san))
    assert observed.sighting("e4") == (times.get("e4", 0), sum(times.values()), SOURCE["games_of"])


def test_a_folder_without_counts(tmp_path: Path) -> None:
    assert open_observed(tmp_path) is None


@pytest.mark.parametrize("name", OBSERVED_FILES)
def test_a_file_that_is_missing_or_changed(name: str, tmp_path: Path) -> None:
    path = write_observed(tmp_path) / name
    content = path.read_bytes()
    path.unlink()
    with pytest.raises(ArchiveError, match=f"is damaged: {name}: cannot be read"):
        open_observed(tmp_path)
    path.write_bytes(content[:-2] + b"!!")
    with pytest.raises(ArchiveError, match=f"is damaged: {name} is not"):
        open_observed(tmp_path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("san,times\nf3,12\ne5,1\nQh4#,5000000000\n", "e5 after f3"),
        ("san,times\nf3,=1+1\n", "holds the row"),
        ("san,times\nf3,12", "does not end with the end of a line"),
        ("san,count\nf3,12\n", "no header"),
        ("", "no header"),
        ("san,times\nf3,12\n", "has 1 strings, not as many as observed.json says"),
        ("san,times\ne5,1\nf3,13\nQh4#,5000000000\n", "has 5000000014 moves"),
    ],
)
def test_a_table_that_no_publisher_writes(text: str, words: str, tmp_path: Path) -> None:
    source = json.loads((write_observed(tmp_path) / OBSERVED_SOURCE).read_bytes())
    files = {OBSERVED: gzip.compress(text.encode()), OBSERVED_LICENCE: b"", OBSERVED_SOURCE: b""}
    observed = Observed(tmp_path, source, files)
    with pytest.raises(ArchiveError, match=words):
        _ = observed.times
    if "=1+1" in text:
        with pytest.raises(ArchiveError, match=words):
            observed.sighting("f3")
    with pytest.raises(ArchiveError, match="cannot be unpacked"):
        Observed(tmp_path, source, files | {OBSERVED: b"no gzip"}).sighting("f3")


LARGE = {0: "0", 12: "12", 999_999: "999,999", 1_234_567: "1.23 million"}
LARGE |= {397_801_292_866: "398 billion", 6 * 10**9: "6 billion", 2 * 10**14: "200 trillion"}


def test_numbers_in_words() -> None:
    assert {number: in_words(number) for number in LARGE} == LARGE
    for times, words in {0: "Never seen", 1: "Played once", 1200: "Played 1,200 times"}.items():
        said = Sighting(times, 5_000_000, "club games").sentence()
        assert said == f"{words} in 5 million moves of club games."
