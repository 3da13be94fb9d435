"""Half-precision conversions for processors without F16C, for all halves and many floats."""

import ctypes

import numpy as np
import pytest
from torch_refine.runtime.calls.object_files import _linker

_CODE = """
declare float @__extendhfsf2(half)
declare half @__truncsfhf2(float)
declare half @__truncdfhf2(double)
define i32 @extend(i16 %x) {
  %half = bitcast i16 %x to half
  %float = call float @__extendhfsf2(half %half)
  %bits = bitcast float %float to i32
  ret i32 %bits
}
define i16 @truncate(i32 %x) {
  %float = bitcast i32 %x to float
  %half = call half @__truncsfhf2(float %float)
  %bits = bitcast half %half to i16
  ret i16 %bits
}
define i16 @truncate_double(double %x) {
  %half = call half @__truncdfhf2(double %x)
  %bits = bitcast half %half to i16
  ret i16 %bits
}
"""


@pytest.fixture(scope="module")
def library():
    llvm, linker, _ = _linker()
    builder = llvm.JITLibraryBuilder().add_ir(_CODE).add_jit_library("torch_refine.support")
    for name in ("extend", "truncate", "truncate_double"):
        builder.export_symbol(name)
    return builder.link(linker, "test.halves")


def _function(library, name, result, argument):
    return ctypes.CFUNCTYPE(result, argument)(library[name])


def test_every_half_is_extended(library):
    extend = _function(library, "extend", ctypes.c_uint32, ctypes.c_uint16)
    halves = np.arange(1 << 16, dtype=np.uint16)
    found = np.array([extend(int(each)) for each in halves], dtype=np.uint32).view(np.float32)
    np.testing.assert_array_equal(found, halves.view(np.float16).astype(np.float32))


def test_floats_are_rounded_to_the_nearest(library):
    truncate = _function(library, "truncate", ctypes.c_uint16, ctypes.c_uint32)
    halves = np.arange(1 << 15, dtype=np.uint16).view(np.float16).astype(np.float32)
    finite = halves[np.isfinite(halves)]
    between = (finite[:-1] + finite[1:]) / 2
    special = np.array([0.0, np.inf, np.nan, 65519.0, 65520.0, 65536.0, 1e30, 1e-30, 3e-8])
    some = np.concatenate(
        [finite, between, np.nextafter(between, 0), np.nextafter(between, np.inf), special]
    ).astype(np.float32)
    some = np.concatenate([some, -some])
    bits = some.view(np.uint32)
    found = np.array([truncate(int(each)) for each in bits], dtype=np.uint16).view(np.float16)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(found, some.astype(np.float16))


def test_doubles_are_rounded_by_way_of_floats(library):
    truncate = _function(library, "truncate_double", ctypes.c_uint16, ctypes.c_double)
    for each in (1.0, -2.5, 1e-8, 7e4, 0.1):
        expected = np.float32(each).astype(np.float16)
        assert np.uint16(truncate(each)).view(np.float16) == expected
