"""The server that forks workers: used again, replaced when it must be, and never left."""

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from processes import is_gone, wait_until
from torch_refine.runtime.compiling import fork_server
from torch_refine.runtime.compiling.compiler import CompileError, Options, show_stage
from torch_refine.runtime.compiling.limits import SECONDS

pytestmark = pytest.mark.skipif(
    not fork_server.is_available(), reason="this system has no server that forks workers"
)

MODULE = b"""
func.func @main(%arg0: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %0 = torch.aten.relu %arg0 : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}
"""
COMPILE = f"""
from torch_refine.runtime.compiling import fork_server
from torch_refine.runtime.compiling.compiler import Options, show_stage
show_stage({MODULE}, Options(), "torch")
"""
# The arguments of a worker that runs alone are three.
IN_SERVER = "if sys.orig_argv[-3].endswith('start_worker.py')"
# Imported by the server: a pass notes what the process of each worker is like.
NOTING = """
import json, os
from torch_refine.passes.lowering.torch.make_value_semantic import MakeValueSemantic
before = MakeValueSemantic.run

def run(self, op, state):
    with open({note!r}, "a") as file:
        known = {{"worker": os.getpid(), "server": os.getppid(), "set": os.environ.get("SOME")}}
        file.write(json.dumps(known) + "\\n")
    {body}
    return before(self, op, state)

MakeValueSemantic.run = run
"""


def _compile():
    show_stage(MODULE, Options(), "torch")


@pytest.fixture
def noted(tmp_path, monkeypatch):
    """What workers noted, with a server of its own."""
    path = tmp_path / "note"
    folder = tmp_path / "custom"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(NOTING.format(note=str(path), body="pass"))
    monkeypatch.setenv("PYTHONPATH", str(folder))

    def read():
        return [json.loads(line) for line in path.read_text().splitlines()]

    return read


@pytest.fixture
def started(monkeypatch):
    """The servers that are started."""
    found = []
    start = fork_server._started

    def note(*given):
        found.append(start(*given))
        return found[-1]

    monkeypatch.setattr(fork_server, "_started", note)
    return found


def test_each_program_has_a_process_and_all_have_one_server(noted, monkeypatch):
    _compile()
    monkeypatch.setenv("SOME", "text")
    _compile()
    monkeypatch.delenv("SOME")
    _compile()
    found = noted()
    assert len({each["worker"] for each in found}) == 3
    assert len({each["server"] for each in found}) == 1
    assert [each["set"] for each in found] == [None, "text", None]
    assert all(is_gone(each["worker"]) for each in found)


def test_what_a_process_has_from_its_start_makes_another_server(noted, monkeypatch, tmp_path):
    _compile()
    monkeypatch.syspath_prepend(tmp_path)
    _compile()
    monkeypatch.setenv("PYTHONHASHSEED", "3")
    _compile()
    servers = [each["server"] for each in noted()]
    assert len(set(servers)) == 3
    for server in servers[:2]:
        wait_until(lambda server=server: is_gone(server))
    assert not is_gone(servers[2])


def test_a_server_that_was_killed_is_replaced(noted):
    _compile()
    (first,) = noted()
    os.kill(first["server"], signal.SIGKILL)
    wait_until(lambda: is_gone(first["server"]))
    _compile()
    _compile()
    second, third = noted()[1:]
    # The first one without a server runs alone.
    assert first["server"] != second["server"] == os.getpid()
    assert third["server"] not in (first["server"], os.getpid())


def test_a_server_that_cannot_start_is_not_tried_again(monkeypatch, tmp_path, started):
    text = f"import sys\n{IN_SERVER}: raise SystemExit(7)"
    (tmp_path / "sitecustomize.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    _compile()
    _compile()
    assert len(started) == 1


def test_programs_are_compiled_at_once(noted):
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: _compile(), range(8)))
    found = noted()
    assert len(found) == 8 == len({each["worker"] for each in found})
    assert len({each["server"] for each in found}) == 1


def test_one_that_is_stopped_does_not_stop_others(tmp_path, monkeypatch):
    note = tmp_path / "note"
    body = "import time; time.sleep(60 if os.environ['SOME'] == 'slow' else 0)"
    folder = tmp_path / "custom"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(NOTING.format(note=str(note), body=body))
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setenv("SOME", "slow")
    monkeypatch.setenv(SECONDS, "5")
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(_compile)
        wait_until(lambda: note.exists() and note.read_text())
        monkeypatch.setenv("SOME", "fast")
        _compile()
        with pytest.raises(CompileError, match="did not end within 5 s"):
            slow.result()
        _compile()
    found = [json.loads(line) for line in note.read_text().splitlines()]
    assert len(found) == 3
    assert len({each["server"] for each in found}) == 1
    assert all(is_gone(each["worker"]) for each in found)


def test_a_forked_process_has_a_server_of_its_own(noted):
    _compile()
    child = os.fork()
    if not child:
        code = 1
        try:
            _compile()
            fork_server._servers.end()
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    _compile()
    first, second, third = (each["server"] for each in noted())
    assert first == third != second
    assert is_gone(second)


@pytest.mark.parametrize("how", ["ends", "is killed"])
def test_the_server_ends_with_its_parent(how):
    wait = "" if how == "ends" else "import time; time.sleep(60)"
    program = f"{COMPILE}\nprint(fork_server._servers.current.process.pid, flush=True)\n{wait}"
    environment = {**os.environ, "TORCH_REFINE_CACHE": "0"}
    with subprocess.Popen(
        [sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, text=True
    ) as parent:
        server = int(parent.stdout.readline())
        if how == "is killed":
            assert not is_gone(server)
            parent.kill()
    wait_until(lambda: is_gone(server))


def test_an_idle_server_ends(monkeypatch, tmp_path, started):
    (tmp_path / "sitecustomize.py").write_text(
        f"import sys\n{IN_SERVER}:\n"
        "    from torch_refine.runtime.compiling import serving\n"
        "    serving._IDLE_SECONDS = 0.2\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    _compile()
    wait_until(lambda: is_gone(started[0].process.pid))
    _compile()


def test_one_that_ends_as_it_is_stopped(started, monkeypatch):
    _compile()
    for each in range(40):
        monkeypatch.setenv(SECONDS, str(0.002 * (each + 1)))
        try:
            _compile()
        except CompileError as error:
            assert "did not end within" in str(error)
    monkeypatch.delenv(SECONDS)
    _compile()
    assert len(started) <= 1
