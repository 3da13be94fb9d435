"""Programs that are saved, and loaded without PyTorch."""

import json
import subprocess
import sys
import zipfile
from collections import namedtuple
from dataclasses import dataclass

import numpy
import pytest
import torch
import torch_refine
from torch import nn
from torch_refine import LoadError
from torch_refine.runtime import saved

Pair = namedtuple("Pair", "first second")


@dataclass
class Named:
    """Two tensors."""

    left: torch.Tensor
    right: torch.Tensor


torch.export.register_dataclass(Named)


class _Model(nn.Module):
    """Weights that are packed, buffers that are written to, and results of all sorts."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(48, 32)
        self.register_buffer("count", torch.zeros(2, dtype=torch.int64))
        self.register_buffer("flags", torch.tensor([True, False, True]))
        self.register_buffer("narrow", torch.rand(3).bfloat16())
        self.register_buffer("nothing", torch.empty(0, 3))

    def forward(self, x, *, options, scale=2.0):
        self.count.add_(1)
        found = self.linear(x) * scale + options["shift"][0]
        half = self.narrow.float() + self.flags
        return {"found": found, "pair": Pair(half, None)}, Named(self.nothing + 1, x[0]), "text"


ROWS = torch.export.Dim("rows")


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(3)
    return _Model().eval()


@pytest.fixture
def compiled(model):
    return torch_refine.compile(
        model,
        torch.rand(4, 48),
        kwargs={"options": {"shift": [torch.rand(32)]}},
        dynamic_shapes={"x": {0: ROWS}, "options": {"shift": [{}]}},
    )


@pytest.fixture
def file(compiled, tmp_path):
    path = tmp_path / "model.compiled"
    compiled.save(path)
    return path


def _inputs(rows=5):
    generator = torch.Generator().manual_seed(rows)
    return torch.rand(rows, 48, generator=generator), torch.rand(32, generator=generator)


def _check(found, expected, as_tensor=lambda each: each):
    (mine, named, text), (theirs, other, _) = found, expected
    assert text == "text"
    torch.testing.assert_close(as_tensor(mine["found"]), theirs["found"])
    torch.testing.assert_close(as_tensor(mine["pair"][0]), theirs["pair"].first)
    assert type(mine["pair"]) is tuple and mine["pair"][1] is None
    assert as_tensor(named["left"]).shape == (0, 3)
    torch.testing.assert_close(as_tensor(named["right"]), other.right)


def test_a_program_is_called_with_arrays_and_with_tensors(model, file):
    loaded = torch_refine.load_compiled(file)
    with torch.no_grad():
        for rows in (5, 1):
            x, shift = _inputs(rows)
            expected = model(x, options={"shift": [shift]})
            _check(loaded(x, options={"shift": [shift]}), expected)
            arrays = {"options": {"shift": [shift.numpy()]}, "x": x.numpy()}
            _check(loaded(**arrays), expected, torch.from_numpy)


def test_the_weights_are_those_of_when_it_was_saved(model, compiled, tmp_path):
    x, shift = _inputs()
    before = model.linear.weight.detach().clone()
    with torch.no_grad():
        expected = model(x, options={"shift": [shift]})
        compiled.save(tmp_path / "saved")
        model.linear.weight.mul_(2)
        found = torch_refine.load_compiled(tmp_path / "saved")(x, options={"shift": [shift]})
        model.linear.weight.copy_(before)
    _check(found, expected)


def test_it_writes_to_buffers_of_its_own(compiled, model, file):
    count = model.count.clone()
    loaded = torch_refine.load_compiled(file)
    x, shift = _inputs()
    with torch.no_grad():
        for _ in range(3):
            loaded(x.numpy(), options={"shift": [shift.numpy()]})
    assert torch.equal(model.count, count)
    held = loaded.state.current()
    place = loaded.state.names.index("count")
    assert (held.tensors[place].view(numpy.int64) == count.numpy() + 3).all()


def test_pytorch_is_not_imported(file):
    code = f"""
import sys, numpy, torch_refine
program = torch_refine.load_compiled({str(file)!r})
found, named, text = program(
    numpy.ones((2, 48), numpy.float32), options={{"shift": [numpy.zeros(32, numpy.float32)]}}
)
print(found["found"].shape, named["left"].shape, text, "torch" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "(2, 32) (0, 3) text False\n", done.stderr


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda p, x, s: p(x), TypeError, "missing a required argument: 'options'"),
        (lambda p, x, s: p(x, options={"shift": (s,)}), TypeError, "must be a list, got a tuple"),
        (lambda p, x, s: p(x, options={"shift": []}), TypeError, "must have 1 elements, got 0"),
        (lambda p, x, s: p(x, options={"shove": [s]}), TypeError, "must have the keys 'shift'"),
        (lambda p, x, s: p(x, options={"shift": [s]}, scale=3.0), TypeError, "without 'scale'"),
        (lambda p, x, s: p(x[:, :3], options={"shift": [s]}), ValueError, r"float32\[\?,48\]"),
        (lambda p, x, s: p(x.double(), options={"shift": [s]}), TypeError, "got float64"),
        (
            lambda p, x, s: p(x.requires_grad_(), options={"shift": [s]}),
            torch_refine.GradientError,
            "input 0 requires a gradient",
        ),
    ],
)
def test_wrong_calls(file, call, error, message):
    with pytest.raises(error, match=message):
        call(torch_refine.load_compiled(file), *_inputs())


def test_weights_may_be_left_out_and_given(model, compiled, tmp_path):
    compiled.save(tmp_path / "bare", weights=False)
    assert (tmp_path / "bare").stat().st_size < 200_000
    with pytest.raises(LoadError, match=r"without weights; pass them as weights=.*'linear.weight'"):
        torch_refine.load_compiled(tmp_path / "bare")
    weights = {name: tensor.detach() for name, tensor in model.state_dict().items()}
    x, shift = _inputs()
    with torch.no_grad():
        found = torch_refine.load_compiled(tmp_path / "bare", weights=weights)
        _check(found(x, options={"shift": [shift]}), model(x, options={"shift": [shift]}))
    for change, message in [
        ({"linear.bias": weights["linear.bias"].double()}, r"float32\[32\], got float64\[32\]"),
        ({"linear.bias": numpy.zeros(31, numpy.float32)}, r"float32\[32\], got float32\[31\]"),
        ({"other": torch.zeros(1)}, "'other' is not one of the program"),
    ]:
        with pytest.raises(LoadError, match=message):
            torch_refine.load_compiled(tmp_path / "bare", weights={**weights, **change})
    del weights["linear.bias"]
    with pytest.raises(LoadError, match=r"'linear.bias' is missing"):
        torch_refine.load_compiled(tmp_path / "bare", weights=weights)


def test_the_digest_is_that_of_the_file(compiled, tmp_path):
    digest = compiled.save(tmp_path / "saved")
    torch_refine.load_compiled(tmp_path / "saved", digest=digest)
    with pytest.raises(LoadError, match="is not the file of digest"):
        torch_refine.load_compiled(tmp_path / "saved", digest="0" * 64)


def _rewritten(source, target, change):
    """A copy of a saved program whose entries were changed."""
    with zipfile.ZipFile(source) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(entries["manifest.json"])
    kind = change(manifest, entries) or zipfile.ZIP_STORED
    entries["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(target, "w", kind) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return target


def _flip(entries, name):
    entries[name] = entries[name][:-1] + bytes([entries[name][-1] ^ 1])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m, e: m.update(version="0.0.1"), "saved by torch-refine 0.0.1 .*save it again"),
        (lambda m, e: m.update(format=1), r"\(format 1\)"),
        (lambda m, e: m.update(machine="riscv64"), "compiled for Linux on riscv64, and this is"),
        (lambda m, e: m["features"].append("avx1024"), "a processor with avx1024, which this"),
        (lambda m, e: _flip(e, "object.o"), "its code does not match its digest"),
        (lambda m, e: _flip(e, "weights"), "its weights do not match their digest"),
        (lambda m, e: e.update(weights=b""), "its weights do not have the size in its table"),
        (lambda m, e: m.update(weights=m["weights"][1:]), "its table of weights"),
        (lambda m, e: m.update(signature={}), "is damaged .KeyError"),
        (lambda m, e: m["nesting"].update(result={"kind": "set"}), "is damaged"),
        (lambda m, e: m["nesting"].update(inputs=[5]), "is damaged"),
        (lambda m, e: zipfile.ZIP_DEFLATED, "an entry is compressed"),
    ],
)
def test_files_that_are_refused(file, tmp_path, change, message):
    with pytest.raises(LoadError, match=message):
        torch_refine.load_compiled(_rewritten(file, tmp_path / "changed", change))


def test_damaged_files(file, tmp_path):
    content = file.read_bytes()
    for damaged in (b"", b"PK", content[: len(content) // 2], b"x" * 1000):
        (tmp_path / "damaged").write_bytes(damaged)
        with pytest.raises(LoadError, match="damaged"):
            torch_refine.load_compiled(tmp_path / "damaged")
    for path in (tmp_path / "missing", tmp_path):
        with pytest.raises(LoadError, match="cannot read"):
            torch_refine.load_compiled(path)


def test_a_file_that_cannot_be_written_is_left_as_it_was(compiled, tmp_path, monkeypatch):
    (tmp_path / "saved").write_text("as it was")
    with pytest.raises(FileNotFoundError):
        compiled.save(tmp_path / "no" / "saved")
    monkeypatch.setattr(saved, "_write", lambda *_: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        compiled.save(tmp_path / "saved")
    assert [path.name for path in tmp_path.iterdir()] == ["saved"]
    assert (tmp_path / "saved").read_text() == "as it was"


class _Nameless:
    def __init__(self, value):
        self.value = value


torch.utils._pytree.register_pytree_node(
    _Nameless, lambda each: ([each.value], None), lambda values, _: _Nameless(*values)
)


def test_what_a_file_cannot_hold():
    class Strange(nn.Module):
        def forward(self, x):
            return _Nameless(x + 1)

    compiled = torch_refine.compile(Strange(), torch.rand(3), opt_level=0)
    with pytest.raises(torch_refine.CompileError, match="hold a _Nameless, which is not made of"):
        compiled.save("/nowhere")


def test_random_numbers_guards_and_no_state(tmp_path):
    class Noisy(nn.Module):
        def forward(self, x, y):
            return torch.rand_like(x) + x + y.reshape(-1, 2).sum(1)

    dims = ({0: torch.export.Dim.AUTO}, {0: torch.export.Dim.AUTO})
    examples = torch.zeros(3), torch.zeros(6)
    torch_refine.compile(Noisy(), examples, dynamic_shapes=dims).save(tmp_path / "saved")
    loaded = torch_refine.load_compiled(tmp_path / "saved")
    numpy.random.seed(0)
    found = [loaded(numpy.zeros(4, "float32"), numpy.ones(8, "float32")) for _ in range(2)]
    assert (found[0] != found[1]).any() and (found[0] >= 2).all() and (found[0] < 3).all()
    with pytest.raises(torch_refine.GuardError):
        loaded(numpy.zeros(4, "float32"), numpy.ones(6, "float32"))
