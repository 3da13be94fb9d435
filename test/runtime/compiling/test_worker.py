"""The process that compiles is bounded, imports nothing from where it runs, and never stays."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from multiprocessing import spawn
from pathlib import Path

import pytest
from processes import is_gone, wait_until
from torch_refine.runtime.compiling import fork_server, limits, worker_process
from torch_refine.runtime.compiling.compiler import (
    CompileError,
    Options,
    compile_module,
    show_stage,
)
from torch_refine.runtime.compiling.limits import MEMORY, SECONDS, current_limits

REPOSITORY = Path(__file__).parents[3]
MODULE = b"""
func.func @main(%arg0: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %0 = torch.aten.relu %arg0 : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  %1 = torch.aten.exp %0 : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  return %1 : !torch.vtensor<[4],f32>
}
"""
OPERATORS = "note: the program then had torch.aten.relu, torch.aten.exp"
COMPILE = f"""
from torch_refine.runtime.compiling.compiler import Options, show_stage
show_stage({MODULE}, Options(), "torch")
"""
# It is imported when the worker starts, and changes one of its passes.
CUSTOM = """
import os, sys, time
from torch_refine.passes.lowering.torch.make_value_semantic import MakeValueSemantic

def run(self, op, state):
    with open({note!r}, "w") as file:
        file.write(str(os.getpid()))
{body}

MakeValueSemantic.run = run
"""


@pytest.fixture
def does(tmp_path, monkeypatch):
    """Lets a pass of the worker do something; the file that then has the worker's number."""
    note = tmp_path / "note"

    def set(body):
        indented = "\n".join(f"    {line}" for line in body.splitlines())
        folder = tmp_path / "custom"
        folder.mkdir()
        text = CUSTOM.format(note=str(note), body=indented)
        (folder / "sitecustomize.py").write_text(text)
        monkeypatch.setenv("PYTHONPATH", str(folder))
        return note

    return set


@pytest.fixture(params=["forked", "alone"])
def way(request, monkeypatch):
    """How the worker is started."""
    if request.param == "alone":
        monkeypatch.setattr(fork_server, "is_available", lambda: False)
    elif not fork_server.is_available():
        pytest.skip("this system has no server that forks workers")
    return request.param


def _compile():
    show_stage(MODULE, Options(), "torch")


def test_nothing_is_imported_from_the_current_folder(tmp_path, monkeypatch):
    # This process has then loaded what it needs.
    _compile()
    for name in ("json", "hashlib", "torch_refine", "torch_mlir", "llvmlite", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nraise OSError")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    monkeypatch.setenv("PYTHONPATH", f":{os.environ.get('PYTHONPATH', '')}")
    _compile()
    assert not (tmp_path / "ran").exists()


def test_what_is_named_like_python_s_own_modules_is_not_imported(tmp_path, monkeypatch):
    (tmp_path / "json.py").write_text("raise OSError")
    (tmp_path / "ctypes").mkdir()
    (tmp_path / "ctypes" / "__init__.py").write_text("raise OSError")
    monkeypatch.syspath_prepend(tmp_path)
    _compile()


def test_what_the_parent_added_to_its_path_is_passed_on(tmp_path):
    """The parent finds the package, and all others, only because it says where they are."""
    package = tmp_path / "here" / "torch_refine"
    package.mkdir(parents=True)
    rooms = ("abstract_interp_lib", "abstract_interpreter", "dialect", "importer", "passes")
    rooms += ("pipelines", "runtime")
    own = (REPOSITORY / "python" / "torch_refine").iterdir()
    for path in [*own, *map(REPOSITORY.joinpath, rooms)]:
        (package / path.name).symlink_to(path)
    packages = [each for each in sys.path if each.endswith("site-packages")]
    program = f"import sys; sys.path += {['here', *packages]}\n{COMPILE}"
    done = subprocess.run(
        [sys.executable, "-S", "-P", "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_the_path_that_is_passed_on(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "inner").mkdir()
    monkeypatch.setattr(sys, "path", ["", "inner", "/usr", "of.a.hook", tmp_path, "in.zip/a"])
    assert worker_process.import_path() == [
        str(tmp_path / "inner"),
        "/usr",
        "of.a.hook",
        "in.zip/a",
    ]


def test_the_worker_is_bounded_and_apart(does, tmp_path, monkeypatch, way):
    body = f"""
import json, resource
kinds = ("RLIMIT_DATA", "RLIMIT_AS", "RLIMIT_FSIZE", "RLIMIT_CORE")
about = {{kind: resource.getrlimit(getattr(resource, kind)) for kind in kinds}}
about["mode"] = os.stat(".").st_mode & 0o7777
about["files"] = sorted(os.listdir("."))
about["group"] = os.getpgid(0) == os.getpid()
about["adjusted"] = open("/proc/self/oom_score_adj").read().strip()
about["folder"] = os.getcwd()
about["safe"] = sys.flags.safe_path
with open({str(tmp_path / "about")!r}, "w") as file:
    json.dump(about, file)
"""
    does(body)
    monkeypatch.setenv(MEMORY, "3")
    old = os.umask(0)
    try:
        _compile()
    finally:
        os.umask(old)
    about = json.loads((tmp_path / "about").read_text())
    assert about["RLIMIT_DATA"] == [3 << 30, 3 << 30]
    assert about["RLIMIT_FSIZE"] == [3 << 30, 3 << 30]
    assert 3 << 30 < about["RLIMIT_AS"][0] < 1 << 40
    assert about["RLIMIT_CORE"] == [0, 0]
    assert about["mode"] == 0o700
    files = ["errors", "module.mlirbc", "progress", "request.json"]
    assert about["files"] == sorted([*files, "path"] if way == "alone" else files)
    assert about["group"]
    assert about["adjusted"] == "1000"
    assert about["safe"]
    assert not Path(about["folder"]).exists()
    assert Path(about["folder"]).parent == Path(tempfile.gettempdir())


# What a pass does, and what is said of it.
ENDS = {
    "too much memory": (
        "held = [bytearray(1 << 28) for _ in range(100)]",
        "exceeded 1 GiB of memory, which TORCH_REFINE_COMPILE_GIB sets",
    ),
    "too much memory for LLVM": (
        "from torch_refine.dialect.bindings import ir\n"
        "held = [ir.StringAttr.get(str(i).ljust(1 << 26), op.context) for i in range(100)]",
        "exceeded 1 GiB of memory",
    ),
    "killed": ("os.kill(os.getpid(), 9)", "was killed; the system may have had no memory left"),
    "aborts": ("os.abort()", "ended with SIGABRT"),
    "ends": ("sys.stderr.write('line\\n' * 10**6); os._exit(3)", "ended with exit code 3"),
    "raises": ("raise KeyError('some key')", "ended with exit code 1"),
}


@pytest.mark.parametrize("how", ENDS)
def test_an_end_names_the_pass_and_the_operators(does, monkeypatch, how, way):
    body, said = ENDS[how]
    note = does(body)
    monkeypatch.setenv(MEMORY, "1")
    with pytest.raises(CompileError) as caught:
        _compile()
    lines = str(caught.value).splitlines()
    assert lines[0].startswith(f"torch-make-value-semantic {said}")
    assert lines[-1] == OPERATORS
    assert len(lines) <= 5
    assert is_gone(note.read_text())


def test_what_takes_too_long_is_ended_with_all_that_it_started(does, tmp_path, monkeypatch, way):
    started = tmp_path / "started"
    note = does(
        "import subprocess\n"
        "process = subprocess.Popen(['sleep', '60'])\n"
        f"open({str(started)!r}, 'w').write(str(process.pid))\n"
        "time.sleep(60)"
    )
    monkeypatch.setenv(SECONDS, "6")
    with pytest.raises(CompileError) as caught:
        _compile()
    assert str(caught.value).splitlines() == [
        f"torch-make-value-semantic did not end within 6 s, which {SECONDS} sets",
        OPERATORS,
    ]
    assert is_gone(note.read_text())
    wait_until(lambda: is_gone(started.read_text()))


def test_an_interrupt_ends_the_worker(does, way):
    note = does("time.sleep(60)")

    def interrupt(*_):
        if note.exists():
            raise KeyboardInterrupt
        signal.setitimer(signal.ITIMER_REAL, 0.1)

    old = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(KeyboardInterrupt):
            _compile()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert is_gone(note.read_text())


def test_a_worker_whose_parent_is_killed_ends(does):
    note = does("time.sleep(60)")
    environment = {**os.environ, "TORCH_REFINE_CACHE": "0"}
    parent = subprocess.Popen([sys.executable, "-c", COMPILE], env=environment)
    wait_until(lambda: note.exists() and note.read_text())
    worker = note.read_text()
    assert not is_gone(worker)
    parent.kill()
    parent.wait()
    wait_until(lambda: is_gone(worker))


@pytest.mark.parametrize(
    ("executable", "said"),
    [("", "sys.executable is empty"), ("/usr/bin/uwsgi", "sys.executable is /usr/bin/uwsgi")],
)
def test_without_an_interpreter_it_says_so(monkeypatch, executable, said):
    monkeypatch.setattr(sys, "executable", executable)
    monkeypatch.setattr(spawn, "_python_exe", os.fsencode(executable))
    with pytest.raises(CompileError, match=re.escape(said)):
        _compile()


def test_an_application_is_not_started_again(monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    with pytest.raises(CompileError, match="a frozen application is not"):
        _compile()


def test_another_interpreter_can_be_named(monkeypatch):
    real = sys.executable
    monkeypatch.setattr(sys, "executable", "/usr/bin/uwsgi")
    monkeypatch.setattr(spawn, "_python_exe", os.fsencode(real))
    assert worker_process.interpreter()[:2] == [real, "-P"]


@pytest.mark.parametrize("name", [SECONDS, MEMORY])
@pytest.mark.parametrize("text", ["much", "0", "-1", "nan", "inf"])
def test_limits_are_numbers_above_zero(monkeypatch, name, text):
    monkeypatch.setenv(name, text)
    with pytest.raises(ValueError, match=f"{name} is a number above 0, not '{text}'"):
        current_limits()


def test_limits_by_default(tmp_path, monkeypatch):
    monkeypatch.delenv(SECONDS, raising=False)
    monkeypatch.delenv(MEMORY, raising=False)
    everything = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    monkeypatch.setattr(limits, "_group_files", lambda: [tmp_path / "none"])
    assert current_limits() == limits.Limits(1800, int(everything * 0.75))
    file = tmp_path / "memory.max"
    monkeypatch.setattr(limits, "_group_files", lambda: [file])
    file.write_text("max\n")
    assert current_limits().bytes == int(everything * 0.75)
    file.write_text(f"{1 << 29}\n")
    assert current_limits().gib == "0.375 GiB"


def test_compiling_raises_what_is_wrong_with_a_limit(monkeypatch):
    monkeypatch.setenv(SECONDS, "soon")
    with pytest.raises(ValueError, match="TORCH_REFINE_COMPILE_SECONDS"):
        compile_module(MODULE, Options())


def test_what_is_folded_is_verified():
    """The wheel folds this to an operand under another type, which it prints as the same."""
    text = b"""
      func.func @main(%x: !torch.vtensor<[2,?],f32>) -> !torch.vtensor<[2,?],f32> {
        %int0 = torch.constant.int 0
        %int1 = torch.constant.int 1
        %int6 = torch.constant.int 6
        %int11 = torch.constant.int 11
        %none = torch.constant.none
        %ones = torch.prim.ListConstruct %int1, %int1
            : (!torch.int, !torch.int) -> !torch.list<int>
        %no = torch.aten.full %ones, %int0, %int11, %none, %none, %none
            : !torch.list<int>, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none
            -> !torch.vtensor<[1,1],i1>
        %zero = torch.aten.scalar_tensor %int0, %int6, %none, %none, %none
            : !torch.int, !torch.int, !torch.none, !torch.none, !torch.none
            -> !torch.vtensor<[],f32>
        %0 = torch.aten.where.self %no, %x, %zero : !torch.vtensor<[1,1],i1>,
            !torch.vtensor<[2,?],f32>, !torch.vtensor<[],f32> -> !torch.vtensor<[2,?],f32>
        return %0 : !torch.vtensor<[2,?],f32>
      }"""
    with pytest.raises(CompileError, match="canonicalize failed"):
        compile_module(text, Options())
