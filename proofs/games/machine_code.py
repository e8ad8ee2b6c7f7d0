"""Compiled loops, kept as machine code and loaded without numba, which takes half a second to load.

What is kept is run. It is kept beside the module, where Python keeps its own compiled code, or
else in ``~/.cache/sanproof``, which is not used if another user can write to it.
"""

import ctypes
import hashlib
import os
import stat
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.metadata import version
from importlib.util import cache_from_source, find_spec
from itertools import chain
from multiprocessing import parent_process
from pathlib import Path
from typing import Final

import llvmlite.binding as llvm
import numpy as np

DIGEST_BYTES: Final = 32
_WORD: Final = ctypes.c_int64


class Loop:
    """A compiled function of a module. It takes arrays, whole numbers and named tuples of them.

    It allocates nothing, and returns a whole number or nothing. An array that it writes to is
    written even if NumPy would not allow that.
    """

    def __init__(self, module: str, name: str, others: Sequence[str] = ()) -> None:
        """Name a function, its module, and all others of whose code or constants it has some."""
        self._module, self._name = module, name
        self._modules = (module, *others)
        self.loaded: dict[str, Callable[..., int]] = {}
        # The loaded code lives as long as its engine.
        self._engines: list[llvm.ExecutionEngine] = []

    def __call__(self, *arguments: object) -> int:
        """Call it.

        Raises:
            TypeError: It does not take such an argument.
        """
        kinds = _kind_of(arguments)
        if kinds not in self.loaded:
            self.loaded[kinds] = self._load(kinds, arguments)
        result, error = _WORD(), ctypes.c_void_p()
        outs = ctypes.addressof(result), ctypes.addressof(error)
        if self.loaded[kinds](*outs, *_words_of(arguments)):
            raise RuntimeError(f"{self._name} failed.")
        return result.value

    def _load(self, kinds: str, arguments: Sequence[object]) -> Callable[..., int]:
        """Load the machine code for arguments of these kinds, which is made if it is not kept."""
        names = f"{self._name} {kinds}", *_machine(), *map(_source_of, self._modules)
        key = hashlib.sha256("\n".join(names).encode()).hexdigest()
        places = [folder / f"{self._name}.{key[:16]}.o" for folder in _folders(self._module)]
        symbol, code = next(filter(None, map(_kept, places)), None) or self._make(arguments, places)
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target())
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        engine.finalize_object()
        self._engines.append(engine)
        words = [_WORD] * len(_words_of(arguments))
        signature = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *words)
        return signature(engine.get_function_address(symbol))

    def _make(self, arguments: Sequence[object], places: Sequence[Path]) -> tuple[str, bytes]:
        """Have numba compile the function, and keep that in the first place that can be written."""
        from sanproof.proofs.games.compiled import machine_code  # noqa: PLC0415 - loads numba

        if sys.stderr.isatty() and parent_process() is None:  # no worker
            _say_why_it_takes_long()
        symbol, code = machine_code(getattr(import_module(self._module), self._name), arguments)
        content = b"%b\n%b" % (symbol.encode(), code)
        for place in places:
            with suppress(OSError):
                place.parent.mkdir(parents=True, exist_ok=True)
                _write(place, hashlib.sha256(content).digest() + content)
                break
        return symbol, code


@cache
def _say_why_it_takes_long() -> None:
    """Say that loops are compiled; once, for there are several."""
    sys.stderr.write("Loops are compiled for this machine, once: some seconds.\n")


def _kept(path: Path) -> tuple[str, bytes] | None:
    """Return the symbol and the machine code that a file holds; None if it is not whole."""
    with suppress(OSError):
        kept = path.read_bytes()
        content = kept[DIGEST_BYTES:]
        if hashlib.sha256(content).digest() == kept[:DIGEST_BYTES]:
            symbol, _, code = content.partition(b"\n")
            return symbol.decode(), code
    return None


def _write(path: Path, content: bytes) -> None:
    """Write a file that is whole when it has its name."""
    beside = path.with_suffix(f".{os.getpid()}.tmp")
    try:
        beside.write_bytes(content)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _source_of(module: str) -> str:
    """Return a module's path and the hash of its source."""
    path = _path_of(module)
    return f"{path} {hashlib.sha256(path.read_bytes()).hexdigest()}"


def _path_of(module: str) -> Path:
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(module)
    return Path(spec.origin)


def _folders(module: str) -> list[Path]:
    """Return the folders where machine code of a module may be kept, the best first."""
    folders = [Path(cache_from_source(str(_path_of(module)))).parent]
    with suppress(RuntimeError, OSError):  # there is no home
        own = Path.home() / ".cache" / "sanproof"
        if not others_can_write(own):
            folders.append(own)
    return folders


def others_can_write(folder: Path) -> bool:
    """Check whether another user, but for root, can write to a folder, or put another there.

    A folder that is not there yet is judged by the first above it that is.
    """
    folder = folder.resolve()
    for place in (folder, *folder.parents):
        with suppress(FileNotFoundError):
            found = place.stat()
            shared = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
            if place != folder and found.st_mode & stat.S_ISVTX:
                shared = 0  # as /tmp is: only its owner can move what is there
            if shared or found.st_uid not in {0, os.geteuid()}:
                return True
    return False


@cache
def _machine() -> tuple[str, ...]:
    """Return what machine code depends on besides its source."""
    tools = (f"{name} {version(name)}" for name in ("llvmlite", "numba"))
    processor = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    return llvm.get_process_triple(), *processor, *tools


def _target() -> llvm.TargetMachine:
    """Return what loads machine code of this machine; each engine takes one as its own."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(jit=True)


def _kind_of(value: object) -> str:
    """Return the kind of an argument: machine code for another would read other memory."""
    if isinstance(value, tuple):
        return f"({','.join(map(_kind_of, value))})"
    if isinstance(value, np.ndarray) and value.flags.c_contiguous and value.flags.aligned:
        return f"{value.dtype.str}{value.ndim}"
    if isinstance(value, int):
        return "i"
    raise TypeError(f"A loop takes no {type(value).__name__} of this kind.")


def _words_of(value: object) -> list[int]:
    """Return an argument as numba passes it: an array without its owner, by its address."""
    if isinstance(value, tuple):
        return list(chain.from_iterable(map(_words_of, value)))
    if isinstance(value, np.ndarray):
        return [0, 0, value.size, value.itemsize, value.ctypes.data, *value.shape, *value.strides]
    return [value] if isinstance(value, int) else []
