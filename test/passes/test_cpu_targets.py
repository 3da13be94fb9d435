"""CPU targets: the table, the host, and a module that carries one."""

import ctypes
from dataclasses import replace

import pytest
from torch_refine.dialect.bindings import ir
from torch_refine.passes.lowering.kernels.targets import host as host_module
from torch_refine.passes.lowering.kernels.targets.host import host, target
from torch_refine.passes.lowering.kernels.targets.named import (
    level_of,
    llvm_names,
    named,
    names,
    record,
)
from torch_refine.passes.lowering.kernels.targets.record import (
    DEFAULT,
    CpuTarget,
    set_target,
    target_of,
)


@pytest.mark.parametrize("name", names())
def test_a_record_is_whole_and_survives_a_module(name, context):
    found = named(name)
    assert CpuTarget.from_data(found.as_data()) == found
    assert list(found.features) == sorted(set(found.features))
    assert 0 < found.l1_bytes < found.l2_bytes <= max(found.l3_bytes, found.l2_bytes)
    # An empty change changes nothing: every feature implies its prerequisites.
    for feature in found.features:
        assert named(name, f"+{feature}") == found
    module = ir.Module.create(ir.Location.unknown(context))
    set_target(module.operation, found)
    assert target_of(module.operation) == found
    del module


def test_what_has_no_record_is_lowered_for_a_level():
    assert named("x86-64-v3") == DEFAULT


@pytest.mark.parametrize(
    ("name", "features", "bits", "registers", "ports", "loads"),
    [
        ("x86-64", "", 128, 16, 1, 2),
        ("x86-64-v3", "", 256, 16, 2, 2),
        ("x86-64-v4", "", 512, 32, 2, 2),
        ("x86-64-v4", "-avx512f", 256, 16, 2, 2),
        ("x86-64-v4", "-avx512vl", 256, 16, 2, 2),
        ("x86-64-v4", "-avx", 128, 16, 2, 2),
        ("x86-64-v3", "+avx512bw,+avx512dq,+avx512vl", 512, 32, 1, 1),
        # Two 128-bit units execute one 256-bit operation; two 256-bit units one 512-bit operation.
        ("znver1", "", 256, 16, 1, 1),
        ("znver4", "", 512, 32, 1, 1),
        ("znver4", "-avx512f", 256, 16, 2, 2),
        ("znver5", "", 512, 32, 2, 2),
        ("neoverse-v2", "-sve", 128, 32, 4, 3),
    ],
)
def test_vectors_follow_from_features(name, features, bits, registers, ports, loads):
    found = named(name, features)
    assert (found.vector_bits, found.vector_registers) == (bits, registers)
    assert (found.fma_ports, found.load_ports) == (ports, loads)
    assert found.name == name


def test_features_come_with_what_they_need_and_go_with_what_needs_them():
    assert {"avx", "avx2", "fma", "f16c", "avx512f"} <= {*named("x86-64", "+avx512f").features}
    without = named("icelake-server", "-avx512bw")
    assert without.has("avx512f") and without.has("avx512vnni")
    assert not {"avx512bw", "avx512vbmi", "avx512bitalg"} & set(without.features)
    assert named("haswell", "-fma,+fma") == named("haswell")
    assert level_of("x86-64", named("znver4").features) == "x86-64-v4"
    assert level_of("x86-64", named("znver4", "-avx512cd").features) == "x86-64-v3"


@pytest.mark.parametrize(
    ("name", "features", "message"),
    [
        ("hasewll", "", r"no processor 'hasewll', did you mean 'haswell'\?; known are x86-64, "),
        ("", "", r"no processor ''; known are"),
        ("haswell", "+avx512_bf16", r"x86-64 has no feature 'avx512_bf16', did you mean 'avx512bf"),
        ("haswell", "+neon", r"x86-64 has no feature 'neon'"),
        ("apple-m1", "-avx2", r"aarch64 has no feature 'avx2'"),
        ("haswell", "fma", r"features are like '\+fma,-avx512f', and 'fma' is not"),
        ("haswell", "+fma,", r"and '' is not"),
    ],
)
def test_what_is_not_known(name, features, message):
    with pytest.raises(ValueError, match=message):
        named(name, features)


def test_names_of_llvm_give_no_features_that_were_taken_away():
    assert llvm_names(named("haswell", "-fma")) == ("x86-64", "haswell")
    assert llvm_names(named("neoverse-n1")) == ("generic", "neoverse-n1")
    assert llvm_names(named("armv8-a")) == ("generic", "generic")


def test_the_host_is_what_llvm_says():
    import llvmlite.binding as llvm

    found = host()
    assert found.name == llvm.get_host_cpu_name()
    there = {name for name, has in llvm.get_host_cpu_features().items() if has}
    assert there <= set(found.features)
    assert found.architecture != "x86-64" or there == set(found.features)
    assert target("host", "") is found is target("")
    feature = next(each for each in found.features if each in named(names()[0]).features)
    assert not target("host", f"-{feature}").has(feature)
    assert target("host", f"-{feature}").l2_bytes == found.l2_bytes


def test_an_unknown_processor_is_like_one_of_its_level():
    features = {*named("x86-64-v4").features, "avx512vnni", "sse4a"}
    found = record("znver9", level_of("x86-64", features), features)
    level = named("x86-64-v4")
    assert found == replace(level, name="znver9", features=tuple(sorted(features)))


def _hosted(monkeypatch, name, features, machine):
    import llvmlite.binding as llvm

    monkeypatch.setattr(llvm, "get_host_cpu_name", lambda: name)
    monkeypatch.setattr(llvm, "get_host_cpu_features", features)
    monkeypatch.setattr(host_module.platform, "machine", lambda: machine)
    monkeypatch.setattr(host_module, "_cache_sizes", dict)
    return host.__wrapped__()


def test_hosts_that_llvm_says_less_of(monkeypatch):
    def fails():
        raise RuntimeError("not here")

    found = _hosted(monkeypatch, "neoverse-v1", lambda: {"neon": True, "sve": False}, "arm64")
    assert found == named("neoverse-v1")
    found = _hosted(monkeypatch, "cortex-a99", fails, "aarch64")
    assert found == replace(named("armv8-a"), name="cortex-a99")
    found = _hosted(monkeypatch, "x", lambda: {"sse2": True, "avx": False}, "AMD64")
    assert (found.vector_bits, found.features) == (128, ("sse2",))


def _cache(folder, index, kind, level, size, line="64"):
    path = folder / f"index{index}"
    path.mkdir()
    for name, text in {"type": kind, "level": level, "size": size}.items():
        (path / name).write_text(f"{text}\n")
    (path / "coherency_line_size").write_text(f"{line}\n")


def test_caches_are_those_that_linux_tells(tmp_path):
    assert host_module._linux_caches(tmp_path) == {}
    _cache(tmp_path, 0, "Data", "1", "48K")
    _cache(tmp_path, 1, "Instruction", "1", "32K")
    _cache(tmp_path, 2, "Unified", "2", "2M")
    found = {"l1_bytes": 48 << 10, "l2_bytes": 2 << 20, "line_bytes": 64, "l3_bytes": 0}
    assert host_module._linux_caches(tmp_path) == found
    _cache(tmp_path, 3, "Unified", "3", "")
    assert host_module._linux_caches(tmp_path) == found
    _cache(tmp_path, 4, "Unified", "3", "32768K", "128")
    expected = {**found, "l3_bytes": 32 << 20, "line_bytes": 128}
    assert host_module._linux_caches(tmp_path) == expected


def test_caches_are_those_that_darwin_tells(monkeypatch):
    class System:
        def sysctlbyname(self, name, place, length, *_):
            sizes = {
                b"hw.cachelinesize": 128,
                b"hw.l1dcachesize": 65536,
                b"hw.l2cachesize": 4 << 20,
            }
            sizes[b"hw.perflevel0.l1dcachesize"] = 131072
            if name not in sizes:
                return -1
            ctypes.cast(place, ctypes.POINTER(ctypes.c_int64))[0] = sizes[name]
            return 0

    monkeypatch.setattr(host_module.ctypes, "CDLL", lambda _: System())
    assert host_module._darwin_caches() == {
        "line_bytes": 128,
        "l1_bytes": 131072,
        "l2_bytes": 4 << 20,
    }
