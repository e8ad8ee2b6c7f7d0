"""Damage: a few bytes or lines of a file changed, or something else in the place of a file."""

import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

from sanproof.reports.tables.names import (
    BARE_LIST,
    COVER_INDEX,
    COVER_PGN,
    FILES,
    FULL_LIST,
    GAMES_PGN,
    IMPOSSIBLE,
    MANIFEST,
    SUMMARY_TEXT,
)
from tests.forgeries.model import Forgery, Kind, Maker, Scene, pack, unpack, with_text

Change = Callable[[bytes, Random], bytes]


def flip_bit(content: bytes, random: Random) -> bytes:
    at = random.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << random.randrange(8)]) + content[at + 1 :]


def change_byte(content: bytes, random: Random) -> bytes:
    at = random.randrange(len(content))
    return content[:at] + random.randbytes(1) + content[at + 1 :]


def delete_bytes(content: bytes, random: Random) -> bytes:
    at = random.randrange(len(content))
    return content[:at] + content[at + random.choice((1, 1, 2, 100)) :]


def insert_byte(content: bytes, random: Random) -> bytes:
    at = random.randrange(len(content) + 1)
    return content[:at] + random.randbytes(1) + content[at:]


def insert_nul(content: bytes, random: Random) -> bytes:
    at = random.randrange(len(content) + 1)
    return content[:at] + b"\0" + content[at:]


def insert_non_ascii(content: bytes, random: Random) -> bytes:
    at = random.randrange(len(content) + 1)
    return content[:at] + random.choice("\xe9\u2656\u0663\u2028\U0001f642").encode() + content[at:]


def insert_space(content: bytes, random: Random) -> bytes:
    at = random.randrange(len(content) + 1)
    return content[:at] + random.choice((b" ", b"\n", b"\r", b"\t")) + content[at:]


def swap_bytes(content: bytes, random: Random) -> bytes:
    a, b = sorted(random.sample(range(len(content)), 2))
    swapped = bytearray(content)
    swapped[a], swapped[b] = swapped[b], swapped[a]
    return bytes(swapped)


def zero_range(content: bytes, random: Random) -> bytes:
    at = random.randrange(len(content))
    zeros = bytes(min(random.randrange(1, 500), len(content) - at))
    return content[:at] + zeros + content[at + len(zeros) :]


def truncate(content: bytes, random: Random) -> bytes:
    return content[: random.randrange(1, len(content))]


def cut_last_byte(content: bytes, _: Random) -> bytes:
    return content[:-1]


def append(content: bytes, random: Random) -> bytes:
    return content + random.choice((b"\n", b"\0", b"garbage", b"\0" * 4, content))


def prepend(content: bytes, random: Random) -> bytes:
    return random.choice((b"\n", b"\0", b"garbage", b"\xef\xbb\xbf")) + content


def empty(_content: bytes, _random: Random) -> bytes:
    return b""


def carriage_returns(content: bytes, random: Random) -> bytes:
    if b"\n" not in content:
        return flip_bit(content, random)
    return content.replace(b"\n", b"\r\n")


def by_line(change: Callable[[list[bytes], Random], object]) -> Change:
    """A change of lines."""

    def changed(content: bytes, random: Random) -> bytes:
        lines = content.split(b"\n")
        if len(lines) < 3:
            return flip_bit(content, random)  # a packed file may have few lines
        change(lines, random)
        return b"\n".join(lines)

    return changed


def _delete_line(lines: list[bytes], random: Random) -> None:
    del lines[random.randrange(len(lines))]


def _duplicate_line(lines: list[bytes], random: Random) -> None:
    at = random.randrange(len(lines))
    lines.insert(at, lines[at])


def _move_line(lines: list[bytes], random: Random) -> None:
    line = lines.pop(random.randrange(len(lines)))
    lines.insert(random.randrange(len(lines) + 1), line)


def _swap_lines(lines: list[bytes], random: Random) -> None:
    a, b = random.sample(range(len(lines)), 2)
    lines[a], lines[b] = lines[b], lines[a]


def _copy_line(lines: list[bytes], random: Random) -> None:
    a, b = random.sample(range(len(lines)), 2)
    lines[a] = lines[b]


def _split_line(lines: list[bytes], random: Random) -> None:
    at = random.randrange(len(lines))
    middle = len(lines[at]) // 2
    lines[at : at + 1] = [lines[at][:middle], lines[at][middle:]]


BYTE_CHANGES: Final[dict[str, Change]] = {
    "a bit flipped": flip_bit,
    "a byte changed": change_byte,
    "bytes deleted": delete_bytes,
    "a byte inserted": insert_byte,
    "a NUL byte inserted": insert_nul,
    "a character that is not ASCII inserted": insert_non_ascii,
    "white space inserted": insert_space,
    "two bytes exchanged": swap_bytes,
    "a stretch of zeros": zero_range,
    "cut short": truncate,
    "the last byte cut off": cut_last_byte,
    "something appended": append,
    "something put in front": prepend,
    "emptied": empty,
    "lines ended as on Windows": carriage_returns,
    "a line deleted": by_line(_delete_line),
    "a line repeated": by_line(_duplicate_line),
    "a line moved": by_line(_move_line),
    "two lines exchanged": by_line(_swap_lines),
    "a line copied over another": by_line(_copy_line),
    "a line split": by_line(_split_line),
}


def raw(change: Change) -> Kind:
    """The change in a file as it stands, or in the text of one that is packed."""

    def forge(scene: Scene) -> Forgery:
        run, random = scene.any_run(), scene.random
        name = random.choice(sorted(run))
        in_text = name.endswith((".xz", ".gz")) and random.random() < 0.5
        old = new = run[name]
        while new == old:
            new = change(unpack(name, old) if in_text else old, random)
            new = pack(name, new) if in_text else new
        return Forgery(run | {name: new}, (name,))

    return forge


COMPARED: Final = (
    *(BARE_LIST, FULL_LIST, IMPOSSIBLE, SUMMARY_TEXT),
    *(GAMES_PGN, COVER_PGN, COVER_INDEX),
)
"""The files that leave no freedom at all: they are compared, to the byte."""


def forged_text(change: Change) -> Kind:
    """The change in a file that is compared, with a manifest that is right about it."""

    def forge(scene: Scene) -> Forgery:
        run = scene.any_run()
        name = scene.random.choice([name for name in COMPARED if name in run])
        old = new = unpack(name, run[name])
        while new == old:
            new = change(old, scene.random)
        return Forgery(with_text(run, name, new), (name,))

    return forge


def instead_of_a_file(make: Maker) -> Kind:
    """Something else in the place of a file."""

    def forge(scene: Scene) -> Forgery:
        run = scene.any_run()
        name = scene.random.choice(sorted(run))
        return Forgery(run, (name,), instead={name: make})

    return forge


def link_to_itself(path: Path) -> None:
    path.symlink_to(path)


def link_to_zeros(path: Path) -> None:
    """A link to a device that never ends."""
    path.symlink_to("/dev/zero")


def link_to_terminal(path: Path) -> None:
    """A link to a device that waits for somebody to type."""
    path.symlink_to("/dev/tty")


def junk(path: Path) -> None:
    """A file of 300 MiB that takes no room."""
    with path.open("wb") as file:
        file.truncate(300 << 20)


def link_to_the_same_content(scene: Scene) -> Forgery:
    """What it leads to could be exchanged after it was looked at."""
    run = scene.any_run()
    name = scene.random.choice(sorted(run))

    def link(path: Path) -> None:
        elsewhere = path.parent.with_name("elsewhere")
        elsewhere.write_bytes(run[name])
        path.symlink_to(elsewhere)

    return Forgery(run, (name,), ("symbolic link",), instead={name: link})


def file_of_this_run(scene: Scene) -> Forgery:
    run = scene.any_run()
    a, b = scene.random.sample(sorted(run), 2)
    return Forgery(run | {a: run[b]}, (a,))


def file_of_the_other_run(scene: Scene) -> Forgery:
    run = scene.any_run()
    name = scene.random.choice((*FILES, MANIFEST))
    named = tuple(run) if name == MANIFEST else (name,)  # all other files are wrong then
    return Forgery(run | {name: scene.other[name]}, named)


def files_of_the_other_run(scene: Scene) -> Forgery:
    names = scene.random.sample(FILES, scene.random.randrange(2, len(FILES)))
    return Forgery(scene.run | {name: scene.other[name] for name in names}, tuple(names))


KINDS: Final[dict[str, Kind]] = {
    **{f"raw: {name}": raw(change) for name, change in BYTE_CHANGES.items()},
    "raw: removed": instead_of_a_file(lambda _: None),
    "raw: a directory": instead_of_a_file(Path.mkdir),
    "raw: a pipe": instead_of_a_file(os.mkfifo),
    "raw: a link to itself": instead_of_a_file(link_to_itself),
    "raw: a link to zeros": instead_of_a_file(link_to_zeros),
    "raw: a link to a terminal": instead_of_a_file(link_to_terminal),
    "raw: a link to the same content": link_to_the_same_content,
    "raw: 300 MiB of junk": instead_of_a_file(junk),
    "raw: another file of the run": file_of_this_run,
    "raw: a file of another run": file_of_the_other_run,
    "raw: some files of another run": files_of_the_other_run,
    **{f"text: {name}": forged_text(change) for name, change in BYTE_CHANGES.items()},
}
