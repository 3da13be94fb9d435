"""Programs for a processor by name: their instructions, what they need, and where they run."""

import io
import re

import pytest
import torch
import torch_refine
from function_module import Function
from torch import nn
from torch_refine import CompileError, LoadError
from torch_refine.passes.lowering.kernels.targets.host import host
from torch_refine.passes.lowering.kernels.targets.named import named, with_features
from torch_refine.runtime import program
from torch_refine.runtime.calls.object_files import separate
from torch_refine.runtime.compiling.compiler import Options, compile_module, key_of
from torch_refine.runtime.disassembly import _machine
from torch_refine.runtime.options import options_of

pytestmark = pytest.mark.skipif(host().architecture != "x86-64", reason="names of x86-64")

_WIDE = re.compile(r"\b([yz])mm\d+")
_EVEX, _VEX = b"\x62", (b"\xc4", b"\xc5")


class _Classifier(nn.Module):
    """A matmul with packed weights, and a softmax."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(48, 40)

    def forward(self, x):
        return torch.softmax(self.linear(x), -1)


def _scaled(x, y):
    return (x * y).exp() + x.item()


PROGRAMS = {
    "elementwise": (Function(lambda x: torch.tanh(x) * 2 + x), (torch.rand(33, 70),)),
    "matmul": (Function(torch.mm), (torch.rand(37, 48), torch.rand(48, 50))),
    "softmax": (_Classifier().eval(), (torch.rand(9, 48),)),
}
# Numbers are passed in vector registers.
MODULE = b"""
func.func @main(%arg0: !torch.vtensor<[64],f32>, %arg1: !torch.float) -> !torch.float {
  %0 = torch.aten.mul.float %arg1, %arg1 : !torch.float, !torch.float -> !torch.float
  return %0 : !torch.float
}
"""


def _instructions(content):
    """The bytes and the text of each instruction of an object file."""
    from elftools.elf.elffile import ELFFile

    machine = _machine("x64")
    # A byte that is data would hide what follows.
    machine.skipdata = False
    files = [ELFFile(io.BytesIO(each)) for each in separate(content)]
    for section in (each for file in files for each in file.iter_sections()):
        if section["sh_flags"] & 4 and section["sh_size"]:
            found = list(machine.disasm(section.data(), 0))
            assert sum(each.size for each in found) == section["sh_size"]
            yield from ((bytes(each.bytes), f"{each.mnemonic} {each.op_str}") for each in found)


def _check_instructions(content, level):
    found = list(_instructions(content))
    widths = {width for _, text in found for width in _WIDE.findall(text)}
    assert any("xmm" in text or "ymm" in text for _, text in found)
    assert widths <= ({"y"} if level == "x86-64-v3" else set())
    assert not [text for code, text in found if code.startswith(_EVEX)]
    if level != "x86-64-v3":
        assert not [text for code, text in found if code.startswith(_VEX)]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("level", ["x86-64-v2", "x86-64-v3"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_no_instruction_is_of_a_higher_level(name, level, threads):
    model, inputs = PROGRAMS[name]
    with torch.no_grad():
        compiled = torch_refine.compile(model, inputs, cpu=level, threads=threads)
        _check_instructions(compiled._compiled.content, level)
        if not compiled.missing_features:
            torch.testing.assert_close(compiled(*inputs), model(*inputs))


@pytest.mark.parametrize("level", ["x86-64-v2", "x86-64-v3"])
def test_calls_with_numbers_are_not_of_a_higher_level_either(level):
    _check_instructions(compile_module(MODULE, Options(cpu=level)).content, level)


def test_code_for_the_host_is_what_it_was():
    model, inputs = PROGRAMS["matmul"]
    compiled = torch_refine.compile(model, inputs)
    assert compiled._compiled.features == host().features
    text = compiled.ir("asm")
    assert not host().has("avx512vl") or "zmm" in text
    assert not host().has("fma") or "vfmadd" in text


def test_features_of_the_host_are_taken_away():
    """What else the host has, and needs them, must not bring them back."""
    model, inputs = PROGRAMS["matmul"]
    found = {
        feature: list(_instructions(_compiled_with(model, inputs, f"-{feature}")))
        for feature in ("avx512f", "fma", "avx")
    }
    assert not [text for code, text in found["avx512f"] if code.startswith(_EVEX)]
    assert not [text for _, text in found["fma"] if text.startswith("vfm")]
    assert not [text for code, text in found["avx"] if code.startswith((_EVEX, *_VEX))]


def _compiled_with(model, inputs, features):
    return torch_refine.compile(model, inputs, features=features)._compiled.content


def test_a_record_that_a_person_wrote_wins():
    record = b'{features = ["sse2"], vector_bits = 128 : i64, vector_registers = 16 : i64}'
    text = b"module attributes {torch_refine.cpu = %s} {%s}" % (record, MODULE)
    made = compile_module(text, Options())
    assert made.features == ("sse2",)
    _check_instructions(made.content, "x86-64")


def test_programs_for_other_processors_are_cached_apart():
    keys = [
        key_of(MODULE, options_of(cpu=cpu, features=features).request([]))
        for cpu, features in [
            ("host", ""),
            ("x86-64-v3", ""),
            ("x86-64-v3", "-fma"),
            ("x86-64", ""),
        ]
    ]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"cpu": "nonsense"}, ValueError, "no processor 'nonsense'"),
        ({"cpu": "x86-64-v3", "features": "+nonsense"}, ValueError, "no feature 'nonsense'"),
        ({"features": "avx"}, ValueError, "'avx' is not"),
        ({"cpu": None}, TypeError, "cpu must be of type str"),
        (
            {"cpu": "haswell", "target": "cuda"},
            ValueError,
            "cpu, features and mode are for target='cpu'",
        ),
        ({"cpu": "neoverse-n1"}, CompileError, "neoverse-n1 is aarch64, .* only, x86-64"),
    ],
)
def test_what_is_refused(options, error, message):
    with pytest.raises(error, match=message):
        torch_refine.compile(nn.Linear(2, 2), (torch.rand(1, 2),), **options)


def _lacks(monkeypatch, *features):
    less = with_features(host(), ",".join(f"-{each}" for each in features))
    monkeypatch.setattr(program, "host", lambda: less)


def test_what_this_processor_lacks_is_not_executed(monkeypatch, tmp_path):
    model, inputs = PROGRAMS["softmax"]
    _lacks(monkeypatch, "avx")
    with torch.no_grad():
        compiled = torch_refine.compile(model, inputs, cpu="x86-64-v3")
        with pytest.raises(
            RuntimeError, match=r"a processor with avx, avx2, .* which this one lack"
        ):
            compiled(*inputs)
        assert "ymm" in compiled.ir("asm")
        compiled.save(tmp_path / "saved")
        with pytest.raises(LoadError, match=r"a processor with avx, avx2, .*compile it with cpu="):
            torch_refine.load_compiled(tmp_path / "saved")
        monkeypatch.undo()
        loaded = torch_refine.load_compiled(tmp_path / "saved")
        torch.testing.assert_close(loaded(*inputs), model(*inputs))


def test_a_saved_program_needs_what_it_was_compiled_for(monkeypatch, tmp_path):
    model, inputs = PROGRAMS["softmax"]
    with torch.no_grad():
        compiled = torch_refine.compile(model, inputs, cpu="x86-64-v2")
        compiled.save(tmp_path / "saved")
        _lacks(monkeypatch, "avx")
        loaded = torch_refine.load_compiled(tmp_path / "saved")
        torch.testing.assert_close(loaded(*inputs), model(*inputs))
    assert compiled._compiled.features == named("x86-64-v2").features


def test_torch_compile_takes_a_processor():
    model, inputs = PROGRAMS["elementwise"]
    options = {"cpu": "x86-64-v2"}
    compiled = torch.compile(model, backend="torch_refine", options=options)
    with torch.no_grad():
        torch.testing.assert_close(compiled(*inputs), model(*inputs))
