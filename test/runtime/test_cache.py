"""What was compiled before is found again; the cache is never why something fails."""

import json
import logging
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from torch_refine.runtime.compiling import cache, cache_key, compiler
from torch_refine.runtime.compiling.compiler import Options, compile_module
from torch_refine.runtime.compiling.private_folders import UnsafeFolderError, open_private_folder

KEY = "0123456789abcdef" * 4
OTHER = "f" * 64
MODULE = b"""
func.func @main(%arg0: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %0 = torch.aten.relu %arg0 : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}
"""
PROGRAM = f"""
from torch_refine.runtime.compiling.compiler import Options, compile_module
assert compile_module({MODULE}, Options()).content
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.SWITCH, str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_evictions", cache._Evictions())
    cache._warn_once.cache_clear()
    return tmp_path / "cache"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The name and the bytes of the entry of MODULE, and what it was compiled to."""
    folder = tmp_path_factory.mktemp("made") / "cache"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(cache.SWITCH, str(folder))
        compiled = compile_module(MODULE, Options())
    (path,) = folder.iterdir()
    return path.name, path.read_bytes(), compiled


@pytest.fixture
def entry(folder, made):
    """The path of the entry of MODULE, in a cache of its own."""
    folder.mkdir(mode=0o700)
    path = folder / made[0]
    path.touch(mode=0o600)
    path.write_bytes(made[1])
    return path


@pytest.fixture
def runs(monkeypatch, made):
    """Compiling leaves what it left before, without the time; the list of times that it ran."""
    _, content, _ = made
    result, _, code = content[cache._HEADER :].partition(b"\n")
    found = []

    def run(bytecode, request, folder):
        found.append(bytecode)
        (folder / "result.json").write_bytes(result)
        (folder / "object.o").write_bytes(code)

    monkeypatch.setattr(compiler, "_run", run)
    return found


def test_the_second_time_is_found(entry, runs, made):
    assert compile_module(MODULE, Options()) == made[2]
    assert not runs


def test_it_can_be_turned_off(folder, runs, made, monkeypatch):
    monkeypatch.setenv(cache.SWITCH, "0")
    assert compile_module(MODULE, Options()) == made[2]
    assert runs
    assert not folder.exists()


def test_turned_on_is_no_folder_of_that_name(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv(cache.SWITCH, "1")
    assert cache.cache_folder() == tmp_path / "torch-refine"


def test_processes_may_write_at_once(folder):
    command = [sys.executable, "-c", PROGRAM]
    started = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(2)]
    for process in started:
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said.decode()
    assert len(list(folder.iterdir())) == 1


# What a file may be instead of the entry that it was, and what is then said.
BROKEN = {
    "empty": (lambda path: path.write_bytes(b""), "damaged"),
    "half of it": (lambda path: os.truncate(path, path.stat().st_size // 2), "damaged"),
    "longer": (lambda path: path.write_bytes(path.read_bytes() + b"\0"), "damaged"),
    "text": (lambda path: path.write_text("{}"), "damaged"),
    "a folder": (lambda path: (path.unlink(), path.mkdir()), "no file"),
    "a folder of an older version": (
        lambda path: (path.unlink(), path.mkdir(), (path / "result.json").write_text('{"a": 1}')),
        "no file",
    ),
    "a pipe": (lambda path: (path.unlink(), os.mkfifo(path, 0o600)), "no file"),
    "a link": (
        lambda path: (path.rename(path.parent / "x"), path.symlink_to(path.parent / "x")),
        "symbolic",
    ),
    "a link to nothing": (lambda path: (path.unlink(), path.symlink_to("nothing")), "symbolic"),
    "writable by a group": (lambda path: path.chmod(0o660), "others may write to it"),
    "writable by all": (lambda path: path.chmod(0o602), "others may write to it"),
    "not readable as what it should be": (
        lambda path: _replace(path, b'{"compiler": 1}\n'),
        "cannot be read (KeyError: 'signature')",
    ),
    "of other kinds": (
        lambda path: _replace(path, b'{"signature": 7, "prepared": []}\n'),
        "cannot be read (TypeError",
    ),
    "no JSON": (lambda path: _replace(path, b"\xff\n"), "cannot be read (UnicodeDecodeError"),
    "no lines": (lambda path: _replace(path, b"{"), "cannot be read (JSONDecodeError"),
}


def _replace(path, content):
    """Give an entry another content, and the digest of it."""
    path.write_bytes(cache._MAGIC + cache._digest(path.stem, content) + content)


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_entry_is_made_again(entry, runs, made, caplog, how):
    spoil, said = BROKEN[how]
    spoil(entry)
    assert compile_module(MODULE, Options()) == made[2]
    assert runs
    record = caplog.records[0]
    assert (record.name, record.levelno) == ("torch_refine", logging.WARNING)
    assert f"ignoring the cache entry {entry.name}" in record.getMessage()
    assert said in record.getMessage()
    if entry.is_file():
        runs.clear()
        assert compile_module(MODULE, Options()) == made[2]
        assert not runs, "it was replaced by what was made"
    else:
        assert "folder" in how


def test_every_byte_is_covered_by_the_digest(folder):
    cache.store(KEY, bytes(range(64)))
    (path,) = folder.iterdir()
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert cache.find(KEY) is None
        path.write_bytes(whole[:place])
        assert cache.find(KEY) is None
    path.write_bytes(whole)
    assert cache.find(KEY) == bytes(range(64))


def test_an_entry_is_not_taken_for_another(folder):
    cache.store(KEY, b"content")
    (path,) = folder.iterdir()
    path.rename(folder / f"{OTHER}.entry")
    assert cache.find(OTHER) is None
    assert cache.find(KEY) is None


def test_what_another_version_of_the_sources_made_is_not_kept(folder, runs, made, monkeypatch):
    monkeypatch.setattr(compiler, "compiler", lambda: "other sources")
    assert compile_module(MODULE, Options()) == made[2]
    assert not folder.exists()


def test_only_the_user_may_look_at_it(folder, tmp_path, monkeypatch):
    old = os.umask(0)
    try:
        monkeypatch.setenv(cache.SWITCH, str(tmp_path / "a" / "b" / "cache"))
        cache.store(KEY, b"content")
    finally:
        os.umask(old)
    path = tmp_path / "a"
    for part in ("b", "cache", f"{KEY}.entry"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
        path /= part
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def _spoil_folder(folder, how):
    folder.mkdir(mode=0o700, exist_ok=True)
    folder.chmod(how)
    return folder


# What the folder may be, and why it is then not used.
UNUSABLE = {
    "in a file": lambda folder: (folder.parent.joinpath("file").touch(), "file/cache"),
    "a file": lambda folder: (folder.touch(), "cache"),
    "not to be made": lambda folder: (None, "/proc/nothing/cache"),
    "writable by all": lambda folder: (_spoil_folder(folder, 0o777), "cache"),
    "sticky and writable by all": lambda folder: (_spoil_folder(folder, 0o1777), "cache"),
    "writable by a group": lambda folder: (_spoil_folder(folder, 0o770), "cache"),
    "in a folder that is writable by all": lambda folder: (
        _spoil_folder(folder, 0o777),
        "cache/inner",
    ),
    "links in a circle": lambda folder: (folder.symlink_to(folder), "cache/inner"),
    "with a null byte": lambda folder: (None, None),
}


@pytest.mark.parametrize("how", UNUSABLE)
def test_a_folder_that_cannot_be_used_is_done_without(
    folder, runs, made, tmp_path, monkeypatch, caplog, how
):
    _, name = UNUSABLE[how](folder)
    if name is None:
        monkeypatch.setattr(cache, "cache_folder", lambda: Path("a\0b"))
    else:
        monkeypatch.setenv(cache.SWITCH, str(tmp_path / name))
    before = sorted(tmp_path.rglob("*"))
    for _ in range(2):
        assert compile_module(MODULE, Options()) == made[2]
    assert len(runs) == 2
    assert sorted(tmp_path.rglob("*")) == before
    (record,) = caplog.records
    assert record.name == "torch_refine"
    assert record.getMessage().startswith("there is no cache in ")
    assert name is None or str(tmp_path / name) in record.getMessage()


def test_without_a_home_it_is_done_without(runs, made, monkeypatch, caplog):
    def no_home():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv(cache.SWITCH)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    cache._warn_once.cache_clear()
    assert compile_module(MODULE, Options()) == made[2]
    assert "Could not determine home directory" in caplog.text


def test_a_full_disk_is_done_without(folder, runs, made, monkeypatch, caplog):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert compile_module(MODULE, Options()) == made[2]
    assert list(folder.iterdir()) == []
    assert "cannot write to the cache: [Errno 28] No space left" in caplog.text


def test_what_belongs_to_someone_else_is_not_used(entry, tmp_path, monkeypatch):
    user = os.geteuid()
    assert cache.find(entry.stem) is not None
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    assert cache.find(entry.stem) is None
    with pytest.raises(UnsafeFolderError, match=f"belongs to the user with id {user}"):
        open_private_folder(entry.parent)


@pytest.mark.parametrize("name", ["link", "cache", "entry"])
def test_each_part_of_the_way_is_checked(entry, tmp_path, monkeypatch, name):
    link = tmp_path / "link"
    link.symlink_to(entry.parent)
    monkeypatch.setenv(cache.SWITCH, str(link))
    assert cache.find(entry.stem) is not None, "a link of the user's own is followed"
    numbers = {"link": os.lstat(link), "cache": entry.parent.stat(), "entry": entry.stat()}
    number = numbers[name].st_ino
    for function in ("stat", "fstat"):
        monkeypatch.setattr(os, function, _owned_by_another(getattr(os, function), number))
    assert cache.find(entry.stem) is None


def _owned_by_another(function, number):
    """A function of `os` that says of one file that it belongs to someone else."""

    def look(*arguments, **keywords):
        found = function(*arguments, **keywords)
        if found.st_ino != number:
            return found
        return os.stat_result([*found[:4], found.st_uid + 1, *found[5:10]])

    return look


def test_a_folder_in_a_sticky_one_is_used(folder, tmp_path, monkeypatch):
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    monkeypatch.setenv(cache.SWITCH, str(shared / "mine"))
    cache.store(KEY, b"content")
    assert cache.find(KEY) == b"content"


def test_a_relative_folder_is_one_of_the_current_folder(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(cache.SWITCH, "inner/../cache")
    (tmp_path / "inner").mkdir()
    cache.store(KEY, b"content")
    assert (folder / f"{KEY}.entry").exists()


def _in_gib(count):
    return str(count / 2**30)


def test_what_was_used_last_the_longest_ago_goes_first(folder, monkeypatch):
    keys = [f"{number:064x}" for number in range(8)]
    for age, key in enumerate(keys):
        cache.store(key, bytes(1000))
        then = time.time() - 1000 + age
        os.utime(folder / f"{key}.entry", (then, then))
    assert cache.find(keys[0]) is not None
    size = (folder / f"{keys[0]}.entry").stat().st_size
    (folder / "notes.txt").write_bytes(bytes(10000))
    old, new = (folder / f".{KEY}.{digit * 16}" for digit in "ab")
    for path in (old, new):
        path.touch()
    os.utime(old, (1, 1))
    monkeypatch.setenv(cache.SIZE, _in_gib(4 * size))
    cache.store(KEY, bytes(1000))
    left = {path.name for path in folder.iterdir()}
    wanted = {f"{key}.entry" for key in (keys[0], keys[6], keys[7], KEY)}
    assert left == {*wanted, "notes.txt", new.name}


def test_the_folder_is_not_looked_through_for_every_entry(folder, monkeypatch):
    times = []
    evict = cache.evict
    monkeypatch.setattr(cache, "evict", lambda *given: (times.append(given), evict(*given)))
    limit = 100_000
    monkeypatch.setenv(cache.SIZE, _in_gib(limit))
    for number in range(200):
        cache.store(f"{number:064x}", bytes(1000))
        total = sum(path.stat().st_size for path in folder.iterdir())
        assert total <= limit * (1 + cache._SHARE)
    assert 30 < len(times) < 45
    assert cache.find(f"{0:064x}") is None
    assert cache.find(f"{199:064x}") is not None


def test_an_entry_that_is_too_large_is_not_kept(folder, monkeypatch, caplog):
    monkeypatch.setenv(cache.SIZE, "0")
    cache.store(KEY, b"content")
    assert not folder.exists()
    monkeypatch.setenv(cache.SIZE, "much")
    assert cache.most_bytes() == 2 * 2**30
    assert "TORCH_REFINE_CACHE_GIB is a number of GiB, not 'much'" in caplog.text


def test_what_is_used_while_others_are_deleted_stays(folder, monkeypatch):
    keys = [f"{number:064x}" for number in range(4)]
    for key in keys:
        cache.store(key, bytes(1000))
    stat = os.stat

    def used_by_another(path, **keywords):
        if path == f"{keys[0]}.entry":
            os.utime(folder / path)
        return stat(path, **keywords)

    monkeypatch.setattr(os, "stat", used_by_another)
    opened = open_private_folder(folder)
    cache.evict(opened, 0)
    os.close(opened)
    assert [path.name for path in folder.iterdir()] == [f"{keys[0]}.entry"]


# Each writes and reads an entry that all write, and some of its own.
TOGETHER = """
import sys, time
from torch_refine.runtime.compiling import cache
key, number, bounded = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "bounded"
contents = [bytes([each]) * 40_000 for each in range(4)]
turns = 0
end = time.monotonic() + 1
while time.monotonic() < end:
    cache._evictions = cache._Evictions()
    own = f"{100 * number + turns % 20:064x}"
    for name, wanted in ((key, contents), (own, contents[number : number + 1])):
        cache.store(name, contents[number])
        found = cache.find(name)
        assert found in wanted or (bounded and found is None), found
    turns += 1
print(turns)
"""


@pytest.mark.parametrize(("how", "size"), [("unbounded", 2**30), ("bounded", 130_000)])
def test_no_process_takes_an_entry_from_another(folder, monkeypatch, how, size):
    """Four write and read the same entry; with a bound, each deletes others."""
    monkeypatch.setenv(cache.SIZE, _in_gib(size))
    started = [
        subprocess.Popen(
            [sys.executable, "-c", TOGETHER, KEY, str(number), how],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(4)
    ]
    for process in started:
        turns, said = process.communicate(timeout=60)
        assert process.returncode == 0, said
        assert said == "", "nothing was refused"
        assert int(turns) > 2
    names = [path.name for path in folder.iterdir()]
    assert not [name for name in names if name.startswith(".")]
    assert how == "unbounded" or len(names) <= 8


def test_the_key_covers_all_that_makes_code(monkeypatch):
    def key():
        cache_key.compiler.cache_clear()
        return cache_key.key_of(b"module", {"a": 1})

    first = key()
    assert len(first) == 64
    assert cache_key.key_of(b"modul", {"a": 1}) != first
    assert cache_key.key_of(b"module", {"a": 2}) != first
    changes = {
        "_package": lambda name: "",
        "_processor": lambda: "",
        "_sources": lambda: [],
    }
    for name, change in changes.items():
        with monkeypatch.context() as patch:
            patch.setattr(cache_key, name, change)
            assert key() != first, name
    assert key() == first
    assert Options(threads=2).request([]) != Options().request([])
    sources = {line.rpartition(" ")[0] for line in cache_key._sources()}
    for name in (
        "abstract_interp_lib exported/library.mlir",
        "abstract_interp_lib exported/library.programs",
        "dialect registry.txt",
        "passes lowering/torch/random_numbers.mlir",
        "pipelines runner.py",
        "runtime cuda/launching.ll",
    ):
        assert f"torch_refine.{name}" in sources
    assert not any("__pycache__" in name for name in sources)
    hashes = json.loads(json.dumps(cache_key._package("torch-mlir")))
    assert "sha256=" in hashes, "what was installed counts, not the version alone"
