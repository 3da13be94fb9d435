"""Saved programs: a file with code, signature and weights, which runs without PyTorch.

The file is a ZIP archive of three uncompressed entries: `manifest.json`, `object.o` and `weights`.
Its native code is executed: only load files from trusted sources, or with a digest that `save`
returned.
"""

from __future__ import annotations

import ctypes
import hashlib
import inspect
import json
import math
import os
import platform
import sys
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any

from torch_refine.dialect.requirements import require
from torch_refine.runtime.calls.large_pages import LargePages
from torch_refine.runtime.calls.signature import Preparation, Signature, TensorParameter
from torch_refine.runtime.calls.tensors import ArrayKind, NumpyArrays, TorchTensors
from torch_refine.runtime.compiling.compiler import Compiled, CompileError, Options
from torch_refine.runtime.program import Program, listed, missing_features
from torch_refine.runtime.refusals import GradientError
from torch_refine.runtime.state.state import StateSnapshot
from torch_refine.runtime.state.stored_state import ALIGNMENT, StoredWeights
from torch_refine.runtime.torch_models import trees
from torch_refine.runtime.torch_models.interface import Interface
from torch_refine.runtime.torch_models.nesting import Nesting

_FORMAT = 2
_MANIFEST, _OBJECT, _WEIGHTS = "manifest.json", "object.o", "weights"
_MAX_MANIFEST = 1 << 28
_CHUNK = 1 << 24
_PLAIN = (type(None), bool, int, float, str)


class LoadError(Exception):
    """A file is not a saved program, is damaged, or is for another machine or version."""


@dataclass(frozen=True)
class Parts:
    """The parts of a compiled program that are saved, besides its code and weights."""

    options: Options
    orders: Mapping[int, Sequence[int]]
    state_names: Sequence[str]
    nesting: Mapping[str, Any] | None
    """The interface of a model as data (`interface_as_data`); None for a bare program."""

    def manifest(self, compiled: Compiled) -> dict[str, Any]:
        """The manifest as data."""
        return {
            "format": _FORMAT,
            "version": version("torch-refine"),
            "system": platform.system(),
            "machine": platform.machine(),
            "features": list(compiled.features),
            "options": asdict(self.options),
            "signature": compiled.signature.as_data(),
            "prepared": None if compiled.prepared is None else asdict(compiled.prepared),
            "workspaces": compiled.workspaces,
            "assertions": list(compiled.assertions),
            "updated": list(compiled.updated),
            "orders": [[place, list(order)] for place, order in self.orders.items()],
            "state": list(self.state_names),
            "nesting": self.nesting,
            "object": hashlib.sha256(compiled.content).hexdigest(),
        }


class LoadedModule(Program):
    """A program from a file. Call it with NumPy arrays, or torch tensors, as it was compiled.

    Results are of the kind of the inputs. Named tuples of the model become plain tuples, and
    instances of other classes dicts, since a file must not cause imports. Its weights are its own:
    only the program's writes to its buffers change them. It computes no gradients, and rejects an
    input that requires one.

    Raises the errors of a `CompiledModule`.
    """


class _NoGradients:
    """Rejects inputs that require a gradient; NumPy arrays never do."""

    def are_lost(
        self, inputs: Sequence[Any], held: StateSnapshot | None, names: Sequence[str]
    ) -> bool:
        """No results are marked; raises GradientError for an input that wants a gradient."""
        for place, value in enumerate(inputs):
            if getattr(value, "requires_grad", False) and _grad_mode():
                raise GradientError(
                    f"input {place} requires a gradient, and a saved program computes none; call "
                    "it under torch.no_grad()"
                )
        return False

    def marked(self, results: Sequence[Any]) -> list[Any]:
        """The results unchanged."""
        return list(results)


class _StoredInterface(Interface):
    """The interface of a saved model, whose buffers are plain memory."""

    def _note_written_state(self, tensor: Any, arrays: ArrayKind) -> None:
        """Nothing counts writes."""

    def _write_state(self, tensor: Any, new: Any, arrays: ArrayKind) -> None:
        described = arrays.describe(new)
        assert described is not None, "a result"
        ctypes.memmove(tensor.ctypes.data, described.address, tensor.nbytes)


def save(
    path: str | os.PathLike[str],
    compiled: Compiled,
    parts: Parts,
    tensors: Sequence[Any] | None,
) -> str:
    """Write a program to a file atomically; returns the SHA-256 of the file.

    `tensors` are its weights as torch tensors; None for a file without weights.
    """
    manifest = parts.manifest(compiled)
    parameters = compiled.signature.parameters[: len(parts.state_names)]
    table, size = _table(parts.state_names, parameters)
    manifest["weights"] = [[name, *entry] for name, entry in table.items()]
    target = Path(path)
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:80]}.")
    try:
        with open(descriptor, "wb") as file:
            _write(file, manifest, compiled.content, tensors, list(table.values()), size)
            os.fsync(file.fileno())
        # With the permissions of other files, not for its owner alone.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        found = _digest_of(Path(name))
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return found


def _write(
    file: IO[bytes],
    manifest: dict[str, Any],
    content: bytes,
    tensors: Sequence[Any] | None,
    table: Sequence[tuple[int, int, list[int]]],
    size: int,
) -> None:
    """Write the archive; the manifest is last, with the digest of the weights."""
    manifest["weights_digest"] = None
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        if tensors is not None:
            digest = hashlib.sha256()
            with archive.open(_WEIGHTS, "w", force_zip64=True) as entry:
                for piece in _pieces(tensors, table, size):
                    digest.update(piece)
                    entry.write(piece)
            manifest["weights_digest"] = digest.hexdigest()
        archive.writestr(_OBJECT, content)
        archive.writestr(_MANIFEST, json.dumps(manifest))


def load_compiled(
    path: str | os.PathLike[str],
    *,
    weights: Mapping[str, Any] | None = None,
    digest: str | None = None,
) -> LoadedModule:
    """Load a program that `CompiledModule.save` wrote. Needs NumPy and llvmlite, no PyTorch.

    `weights` are arrays or tensors by name, for a file without weights; they are copied. `digest`
    is what `save` returned. The native code of the file is executed when the program is called:
    without a digest from a source that you trust, trust the file itself.

    Raises:
        LoadError: the file cannot be read, is damaged, has another digest, or was made for another
            processor, system or version; or weights are missing or of another type.
        ImportError: NumPy or llvmlite is not installed.
    """
    require("numpy", "llvmlite")
    path = Path(path)
    try:
        if digest is not None and _digest_of(path) != digest:
            raise LoadError(f"{path} is not the file of digest {digest}")
        with zipfile.ZipFile(path) as archive:
            return _loaded(archive, path.stat().st_size, weights)
    except OSError as error:
        raise LoadError(f"cannot read {path}: {error.strerror or error}") from None
    except (LoadError, CompileError) as error:
        raise LoadError(f"{path}: {error}") from None
    except (zipfile.BadZipFile, ValueError, KeyError, TypeError, AttributeError) as error:
        # Some part is not as written.
        said = f"{type(error).__name__}: {error}"
        raise LoadError(f"{path} is not a saved program, or is damaged ({said})") from error


def _loaded(archive: zipfile.ZipFile, size: int, weights: Mapping[str, Any] | None) -> LoadedModule:
    entries = {entry.filename: entry for entry in archive.infolist()}
    for entry in entries.values():
        # A small file must not expand to a large amount of memory.
        if entry.compress_type != zipfile.ZIP_STORED or entry.file_size > size:
            raise LoadError("an entry is compressed")
    if entries[_MANIFEST].file_size > _MAX_MANIFEST:
        raise LoadError("its manifest is too large")
    manifest = json.loads(archive.read(_MANIFEST))
    _check_origin(manifest)
    content = archive.read(_OBJECT)
    if hashlib.sha256(content).hexdigest() != manifest["object"]:
        raise LoadError("its code does not match its digest")
    prepared = manifest["prepared"]
    compiled = Compiled(
        content,
        Signature.from_data(manifest["signature"]),
        None if prepared is None else Preparation.from_data(prepared),
        {str(name): int(count) for name, count in manifest["workspaces"].items()},
        tuple(map(str, manifest["assertions"])),
        features=tuple(map(str, manifest["features"])),
        updated=tuple(map(int, manifest["updated"])),
    )
    names = [str(name) for name in manifest["state"]]
    nesting = manifest["nesting"]
    return LoadedModule(
        compiled,
        int(manifest["options"]["threads"]),
        _stored(archive, manifest, compiled.signature, names, weights) if names else None,
        {int(place): [int(dim) for dim in order] for place, order in manifest["orders"]},
        None if nesting is None else _interface(nesting, names),
    )


def _check_origin(manifest: Mapping[str, Any]) -> None:
    """Raise LoadError if the file needs another version, system or processor."""
    if manifest["format"] != _FORMAT or manifest["version"] != version("torch-refine"):
        raise LoadError(
            f"it was saved by torch-refine {manifest['version']} (format {manifest['format']}); "
            f"this is {version('torch-refine')} (format {_FORMAT}): compile and save it again"
        )
    made, here = (
        f"{manifest['system']} on {manifest['machine']}",
        f"{platform.system()} on {platform.machine()}",
    )
    if made != here:
        raise LoadError(f"it was compiled for {made}, and this is {here}")
    missing = missing_features(manifest["features"])
    if missing:
        raise LoadError(
            f"it was compiled for a processor with {listed(missing)}, which this one lacks: "
            "compile it with cpu= for one that both are, such as x86-64-v3"
        )


def _digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# Weights.


def _table(
    names: Sequence[str], parameters: Sequence[Any]
) -> tuple[dict[str, tuple[int, int, list[int]]], int]:
    """The offset, item size and sizes of each weight; and the total size in bytes."""
    found: dict[str, tuple[int, int, list[int]]] = {}
    at = 0
    for name, parameter in zip(names, parameters, strict=True):
        assert isinstance(parameter, TensorParameter)
        sizes = [int(size or 0) for size in parameter.sizes]
        itemsize = _itemsize(parameter.dtype)
        found[name] = at, itemsize, sizes
        count = math.prod(sizes) * itemsize
        at += count + -count % ALIGNMENT
    return found, at


def _itemsize(dtype: str) -> int:
    """The size of an element in bytes: 4 for `float32`, 8 for `complex64`, 1 for `bool`."""
    digits = "".join(each for each in dtype.partition("_")[0] if each.isdigit())
    return max(1, int(digits or 8) // 8)


def _pieces(tensors: Sequence[Any], table: Sequence[tuple[int, int, list[int]]], size: int) -> Any:
    """The bytes of all weights, each contiguous and at its offset."""
    import torch

    at = 0
    for tensor, (offset, _, _) in zip(tensors, table, strict=True):
        yield bytes(offset - at)
        whole = tensor.detach().resolve_conj().resolve_neg().cpu().contiguous()
        if whole.dtype == torch.bool:
            # Memory created as bytes may hold values other than 0 and 1.
            whole = whole.view(torch.uint8).ne(0)
        flat = whole.reshape(-1).view(torch.uint8).numpy()
        for start in range(0, len(flat), _CHUNK):
            yield flat[start : start + _CHUNK].tobytes()
        at = offset + len(flat)
    yield bytes(size - at)


def _stored(
    archive: zipfile.ZipFile,
    manifest: Mapping[str, Any],
    signature: Signature,
    names: Sequence[str],
    given: Mapping[str, Any] | None,
) -> StoredWeights:
    """The weights of the file, or those that the caller passes instead."""
    parameters = signature.parameters[: len(names)]
    table, size = _table(names, parameters)
    if [[name, *entry] for name, entry in table.items()] != [
        [name, offset, itemsize, list(sizes)]
        for name, offset, itemsize, sizes in manifest["weights"]
    ]:
        raise LoadError("its table of weights does not match its signature")
    if given is not None:
        return _given(table, size, parameters, given)
    if manifest["weights_digest"] is None:
        raise LoadError(
            "it was saved without weights; pass them as weights={name: array}, with the names "
            f"{', '.join(map(repr, names))}"
        )
    if archive.getinfo(_WEIGHTS).file_size != size:
        raise LoadError("its weights do not have the size in its table")
    memory = LargePages(size)
    digest = hashlib.sha256()
    with archive.open(_WEIGHTS) as entry:
        at = 0
        while piece := entry.read(_CHUNK):
            ctypes.memmove(memory.address + at, piece, len(piece))
            digest.update(piece)
            at += len(piece)
    if digest.hexdigest() != manifest["weights_digest"]:
        raise LoadError("its weights do not match their digest")
    return StoredWeights(memory, table)


def _given(
    table: Mapping[str, tuple[int, int, Sequence[int]]],
    size: int,
    parameters: Sequence[Any],
    given: Mapping[str, Any],
) -> StoredWeights:
    """Copies of the weights that a caller passes."""
    wrong = set(table) ^ set(given)
    if wrong:
        which = "missing" if min(wrong) in table else "not one of the program"
        raise LoadError(f"the weight {min(wrong)!r} is {which}")
    memory = LargePages(size)
    for (name, (offset, itemsize, sizes)), parameter in zip(table.items(), parameters, strict=True):
        value = given[name]
        is_array = type(value).__module__ == "numpy"
        kind: ArrayKind = NumpyArrays() if is_array else TorchTensors()
        described = kind.describe(value)
        if described is None or (described.dtype, list(described.sizes)) != (
            parameter.dtype,
            list(sizes),
        ):
            shown = kind.problem_of(value) if described is None else described.dtype
            shape = "" if described is None else list(described.sizes)
            raise LoadError(f"the weight {name!r} must be {parameter}, got {shown}{shape}")
        if described.dtype == "bool":
            value = kind.with_bools(value, described)
        whole = kind.describe(kind.contiguous(value, None))
        assert whole is not None
        ctypes.memmove(memory.address + offset, whole.address, math.prod(sizes) * itemsize)
    return StoredWeights(memory, table)


# Interfaces.


def interface_as_data(interface: Interface, inputs: Sequence[Any], result: Any) -> dict[str, Any]:
    """The interface of a model as data; `inputs` and `result` are its trees (`trees.py`).

    Raises:
        ValueError: a constant among the inputs or results is not a number, string, bool or None.
    """
    nesting = interface.nesting
    constants = {**nesting.constants, **interface.constant_results}
    for value in constants.values():
        if type(value) not in _PLAIN:
            raise ValueError(f"{value!r} is passed or returned, which a file cannot hold")
    signature = nesting.signature
    return {
        "inputs": list(inputs),
        "count": nesting.count,
        "names": nesting.names,
        "parameters": None if signature is None else [*map(_parameter, _parameters(signature))],
        "constants": [*map(_constant, nesting.constants.items())],
        "result": result,
        "constant_results": [*map(_constant, interface.constant_results.items())],
        "changed": interface.changed,
        "whole": [[place, from_start] for place, from_start in interface.whole.items()],
    }


def _parameters(signature: inspect.Signature) -> list[inspect.Parameter]:
    return list(signature.parameters.values())


def _parameter(parameter: inspect.Parameter) -> dict[str, Any]:
    """A parameter as data; a default that is not a plain value can never be passed."""
    has_default = parameter.default is not inspect.Parameter.empty
    is_plain = type(parameter.default) in _PLAIN
    default = [parameter.default if is_plain else "…"] if has_default else []
    return {"name": parameter.name, "kind": int(parameter.kind), "default": default}


def _constant(item: tuple[int, Any]) -> list[Any]:
    # JSON has no infinity, and readers may not distinguish 2 and 2.0.
    place, value = item
    return [place, value.hex() if type(value) is float else value, type(value) is float]


def _from_constants(data: Sequence[Any]) -> dict[int, Any]:
    return {
        int(place): float.fromhex(value) if is_float else value for place, value, is_float in data
    }


def _interface(data: Mapping[str, Any], state_names: Sequence[str]) -> Interface:
    """The inverse of `interface_as_data`."""
    for each in [*data["inputs"], data["result"]]:
        trees.check(each)
    signature = None
    if data["parameters"] is not None:
        signature = inspect.Signature(
            [
                inspect.Parameter(
                    each["name"],
                    inspect._ParameterKind(each["kind"]),
                    default=each["default"][0] if each["default"] else inspect.Parameter.empty,
                )
                for each in data["parameters"]
            ]
        )
    constants = _from_constants(data["constants"])
    return _StoredInterface(
        Nesting(
            data["inputs"], data["count"], data["names"], trees.flattened, signature, constants
        ),
        partial(trees.built, data["result"]),
        _NoGradients(),
        constant_results=_from_constants(data["constant_results"]),
        changed=data["changed"],
        whole={int(place): bool(from_start) for place, from_start in data["whole"]},
        state_names=state_names,
    )


def _grad_mode() -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and bool(torch.is_grad_enabled())
