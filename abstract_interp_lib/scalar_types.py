"""PyTorch's scalar types by number: the representation of `dtype` in library functions.

In TorchScript a dtype is an int: `torch.float32` is 6. The numbers are those of c10's `ScalarType`
and part of PyTorch's serialization formats. Does not import PyTorch, because refinement reads it.
"""

from __future__ import annotations

# Index = number. The names are those of `torch.<name>`.
# fmt: off
NAMES = (
    "uint8", "int8", "int16", "int32", "int64",
    "float16", "float32", "float64", "complex32", "complex64", "complex128",
    "bool", "qint8", "quint8", "qint32", "bfloat16", "quint4x2", "quint2x4",
    "bits1x8", "bits2x4", "bits4x2", "bits8", "bits16",
    "float8_e5m2", "float8_e4m3fn", "float8_e5m2fnuz", "float8_e4m3fnuz",
    "uint16", "uint32", "uint64", "uint1", "uint2", "uint3", "uint4", "uint5", "uint6", "uint7",
    "int1", "int2", "int3", "int4", "int5", "int6", "int7", "float8_e8m0fnu", "float4_e2m1fn_x2",
)
# fmt: on

NUMBERS = {name: number for number, name in enumerate(NAMES)}

BOOL = NUMBERS["bool"]
INT64 = NUMBERS["int64"]
FLOAT32 = NUMBERS["float32"]
FLOAT64 = NUMBERS["float64"]
COMPLEX64 = NUMBERS["complex64"]
COMPLEX128 = NUMBERS["complex128"]
