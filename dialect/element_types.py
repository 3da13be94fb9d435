"""The element types of the torch dialect, and their PyTorch dtypes."""

from __future__ import annotations

import re

from torch_refine.abstract_interp_lib import scalar_types

# The dialect's spelling by PyTorch dtype; other dtypes have none.
_BY_DTYPE = {
    "uint8": "ui8",
    "int8": "si8",
    "int16": "si16",
    "int32": "si32",
    "int64": "si64",
    "float16": "f16",
    "float32": "f32",
    "float64": "f64",
    "complex32": "complex<f16>",
    "complex64": "complex<f32>",
    "complex128": "complex<f64>",
    "bool": "i1",
    "qint8": "!torch.qint8",
    "quint8": "!torch.quint8",
    "qint32": "!torch.qint32",
    "bfloat16": "bf16",
    "float8_e5m2": "f8E5M2",
    "float8_e4m3fn": "f8E4M3FN",
    "float8_e5m2fnuz": "f8E5M2FNUZ",
    "float8_e4m3fnuz": "f8E4M3FNUZ",
    "uint16": "ui16",
    "uint32": "ui32",
    "uint64": "ui64",
    "float8_e8m0fnu": "f8E8M0FNU",
    "uint4": "ui4",
    "int4": "si4",
}

_ELEMENT_BY_NUMBER = {scalar_types.NUMBERS[name]: text for name, text in _BY_DTYPE.items()}
_NUMBER_BY_ELEMENT = {text: number for number, text in _ELEMENT_BY_NUMBER.items()}


def element_of_dtype(number: int) -> str | None:
    """The element type of the dtype with this number (`6` is `f32`), or None if it has none."""
    return _ELEMENT_BY_NUMBER.get(number)


def dtype_of_element(element: str) -> int | None:
    """The number of the PyTorch dtype of an element type, or None."""
    return _NUMBER_BY_ELEMENT.get(element)


FLOAT8 = tuple(text for name, text in _BY_DTYPE.items() if name.startswith("float8_"))
# Of element types whose names do not end in their width.
_BITS = {"i1": 8} | dict.fromkeys(FLOAT8, 8)
_WIDTH = re.compile(r"(\d+)>?$")


def bits_of_element(element: str) -> int:
    """The bits of memory that PyTorch uses for an element: 8 for a bool, 64 for complex64.

    Raises ValueError for a type that the dialect does not have.
    """
    found = _BITS.get(element)
    if found is not None:
        return found
    width = _WIDTH.search(element)
    if width is None:
        raise ValueError(f"{element} is no element type of the torch dialect")
    return int(width[1]) * (2 if element.startswith("complex") else 1)
