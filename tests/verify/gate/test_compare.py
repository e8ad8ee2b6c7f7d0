"""The gate: exact lists pass, and every difference is named with its evidence."""

import json
import lzma
import random
import shlex
import subprocess
from functools import cache
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from sanproof.reports.tables.names import IMPOSSIBLE as IMPOSSIBLE_ROWS
from sanproof.verify.explain.answers import look_up
from sanproof.verify.findings.formats import Display, written
from sanproof.verify.gate.compare import ALL, BARE, Gate, GateReport
from sanproof.verify.gate.formats import FORMATS
from sanproof.verify.gate.lists import StringList
from tests.examples import examples
from tests.verify.command import (
    command,
    completed,
    expect_sentence,
)
from tests.verify.gate.evidence import ARCHIVE, FULL, SHORT, made_up

IMPOSSIBLE = ["Ba1b2+", "e1", "Kae1", "Nd4=Q"]
STRANGE = ["", "e9", "# all of them", "e4 ", "\x1b[31me4", "0-0", "e4\r", "\u202ee4", "[bold]e4"]


def listed(entries: list[str]) -> StringList:
    return StringList("list", "line", entries)


gate = cache(Gate)
"""One for each kind: it reads the evidence once, and compares any number of lists."""


def gated(entries: list[str], bare: bool | None = None) -> GateReport:
    return gate(ARCHIVE, bare=bare).compare(listed(entries))


def text_of(form: str, *reports: GateReport, limit: int = 0) -> str:
    return "".join(written(form, FORMATS[form](reports, Display(limit))))


# The answer


@pytest.mark.parametrize("bare", [None, False])
def test_the_proven_list_is_exactly_right_in_any_order(bare: bool | None) -> None:
    shuffled = random.Random(1).sample(FULL, len(FULL))
    report = gated(shuffled, bare)
    assert report.exact
    assert report.kind == ALL
    assert "exactly right" in report.headline


def test_one_stray_suffix_does_not_make_a_bare_list_another() -> None:
    report = gated([*SHORT, "e4+"])
    assert report.kind == BARE
    assert [extra.san for extra in report.too_many] == ["e4+"]
    assert not report.missing


def test_every_difference_is_named_with_its_place() -> None:
    entries = [*FULL[:-1], *IMPOSSIBLE, *STRANGE, FULL[0]]
    report = gated(entries)
    assert not report.exact
    (missing,) = report.missing
    assert missing.san == FULL[-1]
    assert missing == look_up(ARCHIVE, FULL[-1])
    assert [(x.san, x.place) for x in report.too_many] == [
        (san, entries.index(san) + 1) for san in IMPOSSIBLE
    ]
    table = lzma.decompress(ARCHIVE.content(IMPOSSIBLE_ROWS)).decode()
    assert all(f"\n{x.san},{x.reason}\n" in table for x in report.too_many)
    assert [x.place for x in report.not_san] == [entries.index(text) + 1 for text in STRANGE]
    assert [(x.text, x.place, x.first) for x in report.repeated] == [(FULL[0], len(entries), 1)]


@settings(max_examples=examples(25), phases=[Phase.explicit, Phase.generate])
@given(
    st.sets(st.sampled_from(FULL), max_size=4),
    st.lists(st.sampled_from([*FULL, *IMPOSSIBLE, *STRANGE]), max_size=4),
    st.integers(0, 99),
)
def test_exact_if_and_only_if_nothing_differs(
    removed: set[str], added: list[str], seed: int
) -> None:
    """The lists differ little as they are: to make the difference smaller would take minutes."""
    entries = [san for san in FULL if san not in removed] + added
    random.Random(seed).shuffle(entries)
    with mock.patch("sanproof.verify.gate.compare.look_up_all", made_up):
        report = gated(entries)
    assert report.exact == (sorted(entries) == sorted(FULL))
    assert {x.san for x in report.missing} == set(FULL) - set(entries)
    assert {x.san for x in report.too_many} == set(entries) & set(IMPOSSIBLE)
    assert len(report.not_san) == len(set(entries) & set(STRANGE))
    assert len(report.repeated) == len(entries) - len(set(entries))


# The command


def test_standard_input() -> None:
    for arguments in (["gate"], ["gate", "-"]):
        run = completed(command(*arguments), input="\r\n".join(SHORT))
        assert run.returncode == 0
        assert "note: Its lines end with CRLF." in run.stdout


def in_bounds(line: str) -> subprocess.CompletedProcess[str]:
    """Run a shell line with ``GATE`` in it: each process has 400 MiB of memory; 20 seconds."""
    return completed(
        ["/bin/sh", "-c", f"ulimit -v 409600; {line.replace('GATE', shlex.join(command('gate')))}"],
        timeout=20,
    )


REFUSED = {
    "5 GB": ("truncate -s 5G 'PATH/huge' && GATE 'PATH/huge'", "is larger than 32 MiB"),
    "a line without end": ("cat /dev/zero | GATE", "Standard input is larger than 32 MiB"),
    "a device": ("GATE /dev/zero", "/dev/zero is larger than 32 MiB"),
    "a closed standard input": ("GATE <&-", "Standard input is closed"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_list_is_refused_with_a_sentence(tmp_path: Path, case: str) -> None:
    line, words = REFUSED[case]
    run = in_bounds(line.replace("PATH", str(tmp_path)))
    expect_sentence(run, 2, words)
    assert run.stdout == ""


def test_so_many_differences_are_described_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sanproof.verify.gate.compare.MAX_DESCRIBED", 3)
    entries = [*SHORT, "e9", *IMPOSSIBLE, *["a2"] * 5]
    report = gated(entries, bare=True)
    assert [len(x) for x in (report.not_san, report.too_many, report.repeated)] == [1, 2, 3]
    assert report.more == len(entries) - len(SHORT) - 6
    assert "2 extra, 3 repeated, 1 not SAN, 4 more that differ." in report.headline
    (one,) = json.loads(text_of("json", report))["lists"]
    assert one["more"] == report.more
    assert gated(SHORT).more == 0
