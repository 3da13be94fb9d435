"""The wheel: all of it, and README's examples where nothing else of ours is installed."""

import re

import pytest
from installed_wheel import ROOT, Environment, build, contents

README = (ROOT / "README.md").read_text()
# In a checkout only.
NOT_INSTALLED = {"torch_refine/build_tools/typecheck.sh"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build(tmp_path_factory.mktemp("wheel"))


def _sources():
    """What the wheel is to hold: every file of the folders that the package is made of."""
    rooms = {"torch_refine": ROOT / "python" / "torch_refine"}
    for path in ROOT.iterdir():
        if (path / "__init__.py").exists():
            rooms[f"torch_refine/{path.name}"] = path
    return {
        f"{name}/{file.relative_to(room)}"
        for name, room in rooms.items()
        for file in room.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }


def test_every_source_file_is_in_the_wheel(wheel):
    found, wanted = contents(wheel), _sources() - NOT_INSTALLED
    assert sorted(wanted - found) == [], "add them to [tool.setuptools] in pyproject.toml"
    assert sorted(found - wanted) == []
    assert len(found) > 400
    names = {file.rpartition("/")[2] for file in found}
    assert {"library.programs", "registry.txt", "support.ll", "py.typed"} <= names


def _block(language, containing=""):
    blocks = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    return next(block for block in blocks if containing in block)


def test_the_readme_without_pytorch(wheel, tmp_path):
    """Refining, inferring and coverage; a model is refused with a message."""
    environment = Environment(tmp_path, wheel)
    assert "torch" not in environment.linked
    where = environment.run("python", "-c", "import torch_refine; print(torch_refine.__file__)")
    assert where.startswith(str(environment.packages))

    (tmp_path / "mlp.mlir").write_text(_block("mlir"))
    command, _, shown = _block("console").partition("\n")
    assert environment.run(*command.removeprefix("$ ").split()) == shown

    (tmp_path / "tour.py").write_text(
        _block("python", "import TensorSpec, infer").rpartition("\ninfer(")[0]
        + "\nimport torch_refine\n"
        + _block("python", "torch_refine.coverage")
        + "\ntry:\n    torch_refine.import_model(None)\nexcept ImportError as error:\n"
        + "    print(error)\n"
    )
    inferred, *coverage, refusal = environment.run("python", "tour.py").splitlines()
    assert f"# {inferred}\n" in README
    assert coverage and all(line.startswith("aten::") for line in coverage)
    assert refusal.startswith("torch is not installed: pip install ")


def test_the_readme_with_models(wheel, tmp_path):
    environment = Environment(tmp_path, wheel, "compile")
    assert {"torch", "llvmlite"} <= environment.linked
    (tmp_path / "tour.py").write_text(
        _block("python", "torch_refine.import_model")
        + _block("python", "torch_refine.compile(")
        + "\nprint(torch_refine.__file__)\n"
    )
    printed = environment.run("python", "tour.py")
    assert "5 of 5 tensor values are known; 3 depend on batch" in printed
    assert "!torch.vtensor<[?,10],f32>" in (tmp_path / "model.mlir").read_text()
    *_, shape, where = printed.splitlines()
    assert f"# {shape}\n" in _block("python", "torch_refine.compile(")
    assert where.startswith(str(environment.packages))
