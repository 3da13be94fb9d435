"""Input that is meant to break the tool: one line says what is wrong, and nothing is lost."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
from torch_refine.build_tools.fuzz_tool import Fuzzer, Seed
from torch_refine.tool.parser_limits import beyond_limits

TOOL = Path(sys.executable).with_name("torch-refine-opt")
TESTS = Path(__file__).parent.parent
FUNCTION = "func.func @f() { return }\n"
PIPELINE = "--torch-refinement-pipeline"


def _aliases(count, mark, one, next):
    return f"{mark}0 = {one}\n" + "".join(f"{mark}{i + 1} = {next(i)}\n" for i in range(count))


DEEP = {
    "brackets": "module attributes {a = " + "[" * 100_000,
    "behind a carriage return": "// \r" + "(" * 100_000,
    "types behind a carriage return": "func.func private @f(" + "// x\r tuple<" * 30_000,
    "minuses": "#m = affine_map<(d0) -> (" + "-" * 200_000 + "d0)>\n",
    "minuses with comments": "#m = affine_map<(d0) -> (" + "- // x\n" * 50_000 + "d0)>\n",
    "chained aliases": _aliases(100_000, "!a", "i32", lambda i: f"tuple<!a{i}>")
    + "func.func private @f(!a100000)\n",
}
WIDE = {
    "types": _aliases(40, "!a", "i32", lambda i: f"tuple<!a{i}, !a{i}>")
    + "func.func private @f(!a40)\n",
    "attributes": _aliases(40, "#a", "1 : i32", lambda i: f"[\n#a{i},\n #a{i}]")
    + "module attributes {x.a = #a40} {}\n",
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_deep_nesting_is_refused_before_the_parser_sees_it(text):
    assert "levels deep" in beyond_limits(text)[1]


@pytest.mark.parametrize("text", WIDE.values(), ids=WIDE)
def test_aliases_that_double_are_refused(text):
    assert "expands to more than" in beyond_limits(text)[1]


def test_what_programs_have_is_within_the_limits():
    # Rulers in comments and strings, locations of a deep stack, many uses of one alias.
    assert beyond_limits("// " + "-" * 400 + '\n"' + "-" * 400 + '(((("\n') is None
    frames = _aliases(200, "#loc", 'loc("a":1:1)', lambda i: f"loc(callsite(#loc{i} at #loc0))")
    assert beyond_limits(frames + FUNCTION) is None
    uses = "!t = !torch.vtensor<[2],f32>\n" + "func.func private @f(!t) -> !t\n" * 1_000
    assert beyond_limits(uses) is None
    for path in TESTS.rglob("*.mlir"):
        assert beyond_limits(path.read_text()) is None, path


@pytest.mark.parametrize(
    "piece", ['\\"(', "// -----\n", "-1,", "[{", '"', "!a = !a\n", "#a =\n\n[", "// (\n"]
)
def test_the_scan_is_linear(piece):
    def seconds(count):
        text = '"' + piece * count
        start = time.process_time()
        beyond_limits(text)
        return time.process_time() - start

    # A quadratic scan would take 100 times as long.
    assert seconds(100_000) < 40 * max(seconds(10_000), 0.01)


def test_what_kills_the_parser_is_one_line(opt, tmp_path):
    """Recursion that the scan does not know of ends the child of the tool only."""
    path = tmp_path / "aliases.mlir"
    chain = _aliases(100_000, "!a", "i32", lambda i: f"tuple\n<!a{i}>")
    assert beyond_limits(chain) is None
    path.write_text(chain + "func.func private @f(!a100000)\n")
    target = tmp_path / "out.mlir"
    target.write_text("kept")
    done = opt(path, "-o", target)
    assert done.returncode == 1 and target.read_text() == "kept"
    assert len(done.stderr.splitlines()) == 1
    assert f"reading {path} ended with SIGSEGV; nothing was written" in done.stderr


def test_what_the_parser_does_not_finish_is_ended(opt, tmp_path):
    """MLIR takes quadratic time to simplify this map."""
    path = tmp_path / "map.mlir"
    path.write_text(
        "#m = affine_map<(d0) -> (d0" + " floordiv 3 mod 7" * 50_000 + ")>\n" + FUNCTION
    )
    done = opt(path)
    assert done.returncode == 1
    assert done.stderr == f"torch-refine-opt: error: reading {path} does not end in time\n"


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b'func.func @"\\FF\\FE"() { return }\n', 1),
        (b"\n" + b'func.func @f() {\n %0 = torch.constant.str "\\FF"\n return }\n', 3),
        (b'\n\nfunc.func @"\xff\xfe"() { return }\n', 3),
    ],
    ids=["symbol", "constant", "bytes"],
)
def test_what_is_not_utf8_is_named(opt, tmp_path, content, line):
    path = tmp_path / "bytes.mlir"
    path.write_bytes(content)
    done = opt(PIPELINE, path)
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1
    assert f"{path}:{line}: " in done.stderr and "is not UTF-8" in done.stderr


def test_locations_need_not_be_utf8(opt):
    text = 'func.func @f() { return loc("\\FF\\80":3:4) }\n'
    done = opt("--mlir-print-debuginfo", input=text)
    assert done.returncode == 0 and '"\\FF\\80":3:4' in done.stdout


def test_many_errors_take_linear_time(opt):
    one = (
        "func.func @f{}(%a: !torch.vtensor<[2],f32>) -> !torch.vtensor<[9],f32> {{\n"
        " %0 = torch.aten.tanh %a : !torch.vtensor<[2],f32> -> !torch.vtensor<[9],f32>\n"
        " return %0 : !torch.vtensor<[9],f32>\n}}\n"
    )
    start = time.monotonic()
    done = opt(PIPELINE, input="".join(map(one.format, range(5_000))))
    assert done.stderr.count("error:") == 5_000
    # 51 s before lines were kept and messages hashed.
    assert time.monotonic() - start < 25


def test_a_long_line_is_shown_around_the_column(opt):
    done = opt(input='module attributes {a = "' + 'x\\"' * 100_000)
    _, line, caret = done.stderr.splitlines()
    assert len(line) < 500 and len(caret) < 500 and caret.endswith("^")


def test_output_that_cannot_be_written_is_one_line(opt, tmp_path):
    good = tmp_path / "good.mlir"
    good.write_text(FUNCTION)
    cases = [
        (["-o", tmp_path / ("a" * 300)], "File name too long"),
        (["-o", tmp_path / "none" / "out"], "No such file or directory"),
        (["-o", tmp_path], "Is a directory"),
    ]
    for words, why in cases:
        done = opt(good, *words)
        assert done.returncode == 1 and done.stderr.count("\n") == 1 and why in done.stderr
    # A name as long as names can be.
    longest = tmp_path / ("a" * 250)
    assert opt(good, "-o", longest).returncode == 0 and "@f" in longest.read_text()


@pytest.mark.parametrize(
    ("redirection", "code", "said"),
    [
        (">/dev/full", 1, "cannot write to standard output: No space left on device"),
        (">&-", 1, "cannot write to standard output: it is closed"),
        ("2>/dev/full", 0, ""),
        ("--nosuch 2>/dev/full", 1, ""),
        ("--nosuch 2>&-", 1, ""),
        ("<&- -", 1, "cannot read standard input: it is closed"),
        ("--help >/dev/full", 1, "No space left on device"),
    ],
)
def test_streams_that_are_full_or_closed(tmp_path, redirection, code, said):
    good = tmp_path / "good.mlir"
    good.write_text(FUNCTION)
    name = "" if redirection.endswith(" -") else good
    done = subprocess.run(
        f"{TOOL} {name} {redirection}", shell=True, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == code
    assert said in done.stderr and done.stderr.count("\n") <= 1
    assert code == 0 or "@f" not in done.stdout


@pytest.mark.parametrize("everybody", [True, False], ids=["terminal", "kill"])
def test_ctrl_c_ends_with_130(everybody):
    process = subprocess.Popen(
        [TOOL], stdin=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    try:
        # It waits for its input once its only child runs.
        while not Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text():
            time.sleep(0.05)
        time.sleep(0.5)
        (os.killpg if everybody else os.kill)(process.pid, signal.SIGINT)
        assert process.wait(20) == 130 and process.stderr.read() == b""
    finally:
        process.kill()


def test_ctrl_c_after_the_child_has_ended():
    program = """
import os, signal
from torch_refine.tool.supervisor import supervise
wait = os.waitpid
def wait_and_interrupt(child, options):
    ended = wait(child, options)
    signal.raise_signal(signal.SIGINT)
    return ended
os.waitpid = wait_and_interrupt
raise SystemExit(supervise(lambda: 0))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (130, b"")


def test_numbers_without_end_are_options_errors(opt):
    for number in ("9" * 5_000, "²", "-1"):
        done = opt(f"--torch-onnx-to-torch-pipeline=max-iterations={number}", input=FUNCTION)
        assert done.returncode == 1 and "takes an integer" in done.stderr
        assert len(done.stderr) < 300


def test_sizes_past_64_bits_are_refused_when_lowered(opt):
    text = (
        "func.func @main(%a: !torch.vtensor<[4611686018427387904,4],f32>) -> !torch.vtensor {\n"
        "  %0 = torch.aten.tanh %a : !torch.vtensor<[4611686018427387904,4],f32> -> "
        "!torch.vtensor\n  return %0 : !torch.vtensor\n}\n"
    )
    done = opt("--torch-to-cpu-pipeline", input=text)
    assert done.returncode == 1 and "internal error" not in done.stderr
    assert "<stdin>:2:8: error: torch.aten.tanh is not lowered" in done.stderr


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("// " + "expected-error @+99999999999 {{" * 20_000, 0),
        ("// expected-error @below {{x}}\n" * 20_000, 1),
        ("// expected-error 99999999 {{x}}", 1),
    ],
    ids=["without an end", "in a row", "of a number"],
)
def test_expectations_take_linear_time(opt, text, code):
    start = time.monotonic()
    assert opt("--verify-diagnostics", input=text).returncode == code
    # The first took 57 s.
    assert time.monotonic() - start < 20


def test_mutated_programs_end_with_a_message(tmp_path):
    """A seeded part of `make fuzz-tool`."""
    files = sorted([*TESTS.glob("passes/*.mlir"), *TESTS.glob("pipelines/*.mlir")])
    fuzzer = Fuzzer([Seed.of(path) for path in Random(7).sample(files, 15)], tmp_path)
    assert fuzzer.round(7, 70) == ""
    assert fuzzer.counts["accepted"] and fuzzer.counts["rejected"]
