"""Fast detection of changes to tensors and their names, by comparing words of memory.

Querying version, address, strides and dtype of a hundred weights through PyTorch takes 30 to 50
microseconds in Python, longer than a small program runs. Instead, a function of `watching.ll`
compares the words of memory that hold them: the `TensorImpl` of each tensor, with its storage and
version counter, and the version tags of dictionaries, which CPython changes with each change of a
dictionary, and the items of lists. A hundred weights take less than a microsecond.

These layouts are private to PyTorch and CPython. `is_possible` compares them with what the APIs
return, and tests a watch: it must detect every kind of change, and nothing else. If it does not, on
another version of either, watches are disabled, and callers query PyTorch at each call. A watch may
report false changes, but never misses one.
"""

from __future__ import annotations

import ctypes
import sysconfig
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from torch_refine.runtime.calls.object_files import support_function

# Offsets, in words, in a THPVariable, a TensorImpl, a StorageImpl, a VersionCounter, an
# AutogradMeta and a PyDictObject. The twenty words of a TensorImpl are all but its own reference
# count: storage, autograd metadata, versions, sizes, strides, offset, dtype, device, dispatch keys.
_IMPL = 2
_STORAGE, _AUTOGRAD, _VERSION, _SIZES, _STRIDES, _OFFSET = 2, 3, 5, 8, 13, 18
_FIRST, _BLOCK = 2, 20
_DATA, _BYTES = 2, 6
_COUNT = 2
_FLAGS = 16
_TAG = 3
# Those of a PyListObject.
_LENGTH, _ITEMS = 2, 3
# The offset from an object to the address of its dictionary.
_DICT = -3
_MANAGED_DICT = 1 << 4
_WORD = 8
# Sizes and strides of more dimensions are allocated separately.
MAX_DIMS = 5


@cache
def _changed() -> Callable[[Any], int]:
    # The GIL is held while it reads, so the words do not change.
    return ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(
        support_function("torch_refine_changed")
    )


def _word(address: int) -> int:
    return ctypes.c_int64.from_address(address).value


def _words(address: int, count: int) -> list[int]:
    return list((ctypes.c_int64 * count).from_address(address))


class Watch:
    """Detects changes of tensors and dictionaries since its creation.

    Of tensors: storage, sizes, strides, dtype and `requires_grad`; of those that are `counted`,
    also versioned writes. Of dictionaries: every change. Of owners: changes of their attributes. Of
    lists: other items.
    """

    def __init__(
        self,
        tensors: Sequence[Any],
        counted: Sequence[Any],
        dicts: Sequence[dict[str, Any]],
        owners: Sequence[Any],
        lists: Sequence[list[Any]] = (),
    ) -> None:
        # The objects must stay alive. A detached tensor keeps storage and version counter.
        detached = [each.detach() for each in tensors]
        self._alive = [tensors, counted, dicts, owners, lists, *map(tuple, lists), detached]
        first, blocks, last = [], [], []
        for owner in owners:
            first.append(id(owner) + _DICT * _WORD)
        for each in [*dicts, *(owner.__dict__ for owner in owners)]:
            first.append(id(each) + _TAG * _WORD)
        for items in lists:
            # The items are where the second word says, as long as the list has as many.
            first += [id(items) + word * _WORD for word in (_LENGTH, _ITEMS)]
            at = _word(id(items) + _ITEMS * _WORD)
            last += [at + place * _WORD for place in range(len(items))]
        for tensor in tensors:
            impl = tensor._cdata
            first.append(id(tensor) + _IMPL * _WORD)
            blocks.append(impl + _FIRST * _WORD)
            storage = _word(impl + _STORAGE * _WORD)
            last += [storage + _DATA * _WORD, storage + _BYTES * _WORD]
            autograd = _word(impl + _AUTOGRAD * _WORD)
            if autograd:
                last.append(autograd + _FLAGS * _WORD)
        for tensor in counted:
            last.append(_word(tensor._cdata + _VERSION * _WORD) + _COUNT * _WORD)
        # The rows of pairs follow the header.
        self._rows = {address: 3 + 2 * row + 1 for row, address in enumerate(first)}
        records = [len(first), len(blocks), len(last)]
        for address in first:
            records += [address, _word(address)]
        for address in blocks:
            records += [address, *_words(address, _BLOCK)]
        for address in last:
            records += [address, _word(address)]
        self._table = (ctypes.c_int64 * len(records))(*records)
        self._address = ctypes.addressof(self._table)
        self._changed = _changed()

    def renew(self, dicts: Sequence[dict[str, Any]]) -> None:
        """Take changes of dictionaries for known ones."""
        for each in dicts:
            address = id(each) + _TAG * _WORD
            row = self._rows.get(address)
            if row is not None:
                self._table[row] = _word(address)

    def changed(self) -> bool:
        """Whether anything may have changed."""
        return bool(self._changed(self._address))


def can_watch(tensors: Sequence[Any], counted: Sequence[Any], owners: Sequence[Any]) -> bool:
    """Whether all properties that may change are in the compared words."""
    return (
        all(tensor.dim() <= MAX_DIMS for tensor in tensors)
        and all(_has_dict(owner) for owner in owners)
        # Inference tensors have no versions.
        and not any(tensor.is_inference() for tensor in counted)
        and is_possible()
    )


@cache
def is_possible() -> bool:
    """Whether memory has the expected layout, as far as can be checked."""
    if sysconfig.get_config_var("Py_GIL_DISABLED") or ctypes.sizeof(ctypes.c_void_p) != _WORD:
        return False
    try:
        return _is_known_layout() and all(_proofs())
    except Exception:
        # Something is missing in another version of PyTorch: watches are disabled.
        return False


def _has_dict(owner: Any) -> bool:
    """Whether an object's dictionary is at the expected offset."""
    # The dictionary is created lazily, on access.
    found = id(owner.__dict__)
    is_object = type(owner).__flags__ & _MANAGED_DICT
    return bool(is_object) and _word(id(owner) + _DICT * _WORD) == found


def _is_known_layout() -> bool:
    """Whether the words of various tensors match the values that PyTorch returns."""
    import torch

    base = torch.arange(4000.0)
    one = base.as_strided((3, 5, 7, 11, 2), (1000, 170, 23, 2, 1), 19)
    other = torch.zeros(2, 3, dtype=torch.bfloat16).t()
    for tensor in (one, other, torch.nn.Parameter(torch.ones(4))):
        impl, storage = tensor._cdata, tensor.untyped_storage()
        rank = tensor.dim()
        if (
            type(tensor).__basicsize__ < (_IMPL + 1) * _WORD
            or _word(id(tensor) + _IMPL * _WORD) != impl
            or _word(impl + _STORAGE * _WORD) != storage._cdata
            or _words(impl + _SIZES * _WORD, rank) != list(tensor.shape)
            or _words(impl + _STRIDES * _WORD, rank) != list(tensor.stride())
            or _word(impl + _OFFSET * _WORD) != tensor.storage_offset()
            or _word(storage._cdata + _DATA * _WORD) != storage.data_ptr()
            or _word(storage._cdata + _BYTES * _WORD) != storage.nbytes()
        ):
            return False
        versions = _word(impl + _VERSION * _WORD) + _COUNT * _WORD
        before = ctypes.c_uint32.from_address(versions).value
        with torch.no_grad():
            tensor.mul_(1)
        now = ctypes.c_uint32.from_address(versions).value
        if (before, now) != (tensor._version - 1, tensor._version):
            return False
    return True


def _proofs() -> Iterator[bool]:
    """For each kind of change, whether a watch detects it, and nothing before it."""
    import torch

    class Owner:
        pass

    weight = torch.nn.Parameter(torch.ones(4, 4))
    buffer = torch.ones(4, 4)
    owner = Owner()
    names: dict[str, Any] = {"weight": weight, "other": None}
    swap: Any = torch.utils.swap_tensors
    owner.tensor = buffer  # type: ignore[attr-defined]
    items: list[Any] = [weight, 2, "x"]
    changes: list[Callable[[], Any]] = [
        lambda: setattr(weight, "data", torch.zeros(4, 4)),
        lambda: setattr(weight, "data", weight.data.t()),
        lambda: setattr(weight, "data", weight.data.t().view(2, 8)),
        lambda: setattr(weight, "data", weight.data.reshape(-1)[:8]),
        lambda: setattr(weight, "data", weight.data[1:]),
        lambda: setattr(buffer, "data", buffer.data.view(torch.int32)),
        lambda: setattr(buffer, "data", buffer.data.view(torch.float32)),
        lambda: setattr(weight, "data", torch.ones(4, 4)),
        lambda: weight.detach().mul_(2),
        lambda: buffer.add_(1),
        lambda: buffer.set_(torch.ones(4, 4).untyped_storage(), 0, (4, 4), (4, 1)),
        lambda: buffer.resize_(2, 2),
        lambda: buffer.untyped_storage().resize_(0),
        lambda: buffer.set_(torch.ones(4, 4).untyped_storage(), 0, (4, 4), (4, 1)),
        lambda: weight.requires_grad_(False),
        lambda: weight.requires_grad_(True),
        lambda: swap(weight, torch.nn.Parameter(torch.ones(4, 4))),
        lambda: names.__setitem__("weight", torch.ones(1)),
        lambda: names.__setitem__("other", weight),
        lambda: names.update(other=None),
        lambda: names.pop("other"),
        lambda: names.__delitem__("weight"),
        lambda: names.setdefault("weight", weight),
        lambda: names.clear(),
        lambda: setattr(owner, "__dict__", {"tensor": weight}),
        lambda: owner.__dict__.update(tensor=buffer),
        lambda: items.__setitem__(1, 3),
        lambda: items.append(4),
        lambda: items.pop(),
        lambda: items.reverse(),
        lambda: items.extend(range(100)),
        lambda: items.clear(),
    ]
    # Enough iterations for the interpreter to specialize the store to the dictionary.
    for _ in range(20):
        changes += [
            lambda: _set_tensor(owner, weight),
            lambda: _set_tensor(owner, buffer),
        ]
    with torch.no_grad():
        for change in changes:
            yield _has_dict(owner)
            watch = Watch([weight, buffer], [weight, buffer], [names], [owner], [items])
            # Reads, and writes to other tensors.
            (weight + 1).mul_(2)
            names.get("weight"), owner.tensor.shape  # type: ignore[attr-defined]
            yield not watch.changed()
            change()
            yield watch.changed()


def _set_tensor(owner: Any, value: Any) -> None:
    owner.tensor = value
