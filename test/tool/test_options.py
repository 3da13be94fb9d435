"""The general options: those of mlir-opt, held against the tool of that family in the wheel."""

import json
import re
import subprocess

import pytest
from torch_refine.dialect.bindings import ir, new_context, peer_tool
from torch_refine.passes.registry import PASSES, RENAMED
from torch_refine.tool import roundtrip
from torch_refine.tool.general_options import parser
from torch_refine.tool.main import main
from torch_refine.tool.unsupported_options import UNSUPPORTED

GOOD = """\
func.func @double(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.add %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = tosa.add %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
NAMED = "func.func @named(%arg0: !torch.vtensor<[?],f32>) {\n  return\n}\n"
BAD = "func.func @bad() {\n  return %0 : i32\n}\n"
EXPECTED = "// expected-error @+2 {{use of undeclared}}\n"
IRDL = "irdl.dialect @mine { irdl.operation @op { } }\n"
# A value for each option that needs one, on a file of one part.
VALUES = {
    "-o": "{folder}/out.mlir",
    "--diagnostics-format": "json",
    "--emit-bytecode-version": "3",
    "--irdl-file": "{folder}/mine.irdl.mlir",
    "--mlir-diagnostic-verbosity-level": "warnings",
    "--mlir-elide-elementsattrs-if-larger": "16",
    "--mlir-elide-resource-strings-if-larger": "16",
    "--mlir-generate-reproducer": "{folder}/reproducer.mlir",
    "--mlir-output-format": "json",
    "--mlir-pass-pipeline-crash-reproducer": "{folder}/crash.mlir",
    "--mlir-pass-statistics-display": "list",
    "--remarks-filter": ".*",
    "--remarks-filter-missed": "schedule-kernels|parallelize-kernels",
    "--remarks-filter-passed": "schedule-.*",
    "--report": "{folder}/report.html",
    "--mlir-print-ir-after": "cse",
    "--mlir-print-ir-before": "cse",
    "--mlir-print-ir-tree-dir": "{folder}/tree",
    "--mlir-timing-display": "list",
    "--output-split-marker": "// ===",
    "--pass-pipeline": "builtin.module(cse)",
    "--pass-seconds": "9",
    "--symbolic-inputs": "named:0=[n]",
}
OURS = {name: action for action in parser()._actions for name in action.option_strings}
LONG = [name for name in OURS if name.startswith("--") and not name.startswith("--help-")]


def _options_of_mlir_opt():
    """The options of `mlir-opt --help`, and those that it hides, without LLVM's own hidden ones."""
    found = []
    for flag in ("--help", "--help-hidden"):
        shown = subprocess.run([peer_tool(), flag], capture_output=True, text=True, check=True)
        names = re.findall(r"^  (-[\w-]+)", shown.stdout, re.MULTILINE)
        found += names if flag == "--help" else [n for n in names if n.startswith("--mlir-")]
    return sorted(set(found))


PEERS = _options_of_mlir_opt()


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "good.mlir"
    path.write_text(GOOD)
    (tmp_path / "mine.irdl.mlir").write_text(IRDL)
    return path


def _peer(*words):
    return subprocess.run(
        [peer_tool(), *map(str, words)], capture_output=True, text=True, timeout=60
    )


def _ours(capsys, *words):
    """Run the tool in this process: exit code, output and what it said."""
    code = main([str(word) for word in words])
    return (code, *capsys.readouterr())


def test_the_list_of_options_is_read():
    assert {"--verify-roundtrip", "--mlir-print-op-generic", "--remark-format"} <= set(PEERS)


@pytest.mark.parametrize("name", PEERS)
def test_each_option_of_mlir_opt_is_there_or_explained(name, good, capsys):
    if name in OURS:
        assert name not in UNSUPPORTED
        return
    code, out, err = _ours(capsys, f"{name}=1", good)
    assert (code, out) == (1, "")
    assert f"error: {name} is not supported by this tool: " in err


@pytest.mark.parametrize("name", LONG)
def test_each_option_is_taken(name, good, capsys, tmp_path):
    action = OURS[name]
    value = VALUES[name].format(folder=tmp_path) if action.nargs is None else None
    word = name if value is None else f"{name}={value}"
    words = [] if name == "--pass-pipeline" else ["--cse"]
    if name == "--symbolic-inputs":
        good.write_text(NAMED)
    if name == "--emit-bytecode":
        words += ["-o", tmp_path / "out.mlirbc"]
    if name == "--mlir-pass-pipeline-local-reproducer":
        words.append(f"--mlir-pass-pipeline-crash-reproducer={tmp_path}/crash.mlir")
    code, _, err = _ours(capsys, word, *words, good)
    assert code == 0, err
    if value is not None:
        # LLVM's command lines take the next word, too.
        assert _ours(capsys, name, value, *words, good)[0] == 0


@pytest.mark.parametrize("name", [n for n in LONG if OURS[n].const is True])
def test_each_flag_can_be_turned_off(name, good, capsys):
    code, out, err = _ours(capsys, f"{name}=false", "--cse", good)
    assert code == 0 and err == "" and "tosa.add" in out
    assert _ours(capsys, f"{name}=perhaps", good)[0] == 1


@pytest.mark.parametrize("name", [n for n in LONG if len(n) > 10])
def test_the_nearest_option_is_named_not_a_pass(name, good, capsys):
    for wrong in (name[:-1], f"{name[:6]}x{name[6:]}"):
        code, out, err = _ours(capsys, wrong, good)
        assert (code, out) == (1, "")
        assert re.search(rf"no such option {wrong}; did you mean --[\w-]+\?", err), err
        assert f"did you mean {name}" in err or wrong == name[:-1]


def test_a_pass_that_is_near_is_named(good, capsys):
    assert "did you mean canonicalize" in _ours(capsys, "--canonicalise", good)[2]
    assert "--help lists passes and options" in _ours(capsys, "--xyzzy", good)[2]
    # No pass is named so, whatever is nearest.
    assert (
        "no such option --mlir-xyzzy; did you mean --mlir-"
        in _ours(capsys, "--mlir-xyzzy", good)[2]
    )


@pytest.mark.parametrize(
    "words",
    [
        ["--verify-diagnostics"],
        ["--verify-diagnostics=all"],
        ["--verify-diagnostics=only-expected"],
        ["--verify-diagnostics", "--split-input-file"],
        ["--verify-diagnostics=only-expected", "--split-input-file"],
        ["--split-input-file"],
        ["--split-input-file", "--output-split-marker=// ==="],
        ["--split-input-file=// -----"],
        ["--no-implicit-module"],
        ["--mlir-print-skip-regions"],
        ["--mlir-print-op-generic"],
        ["--mlir-print-local-scope", "--mlir-print-debuginfo"],
        ["--verify-roundtrip"],
        ["--cse"],
        ["-cse", "--show-dialects=false"],
        ["--run-reproducer"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("failing", [False, True], ids=["good", "failing"])
def test_the_output_is_that_of_mlir_opt(words, failing, tmp_path, capsys):
    path = tmp_path / "input.mlir"
    if "--split-input-file" in " ".join(words):
        bad = EXPECTED.replace("undeclared", "another") + BAD if failing else EXPECTED + BAD
        path.write_text(f"{GOOD}// -----\n{bad}// -----\n{GOOD}")
    else:
        path.write_text(f"{BAD if failing else ''}{GOOD}")
    code, out, _ = _ours(capsys, *words, path)
    peer = _peer(*words, path)
    # mlir-opt ends each part with an empty line.
    assert (code, out) == (peer.returncode, re.sub(r"\n\n(?=//|\Z)", "\n", peer.stdout))


def test_verifying_diagnostics_writes_the_file_unless_something_differs(tmp_path, capsys):
    path, target = tmp_path / "input.mlir", tmp_path / "out.mlir"
    path.write_text(f"{EXPECTED}{BAD}// -----\n{GOOD}")
    words = ["--split-input-file", "--verify-diagnostics", path, "-o", target]
    assert _ours(capsys, *words) == (0, "", "")
    assert target.read_text().count("@double") == 1
    path.write_text(f"{BAD}// -----\n{GOOD.replace('double', 'triple')}")
    code, out, err = _ours(capsys, *words)
    assert (code, out) == (1, "") and "unexpected error" in err
    assert "@triple" not in target.read_text()


def test_only_expected_diagnostics_are_checked(tmp_path, capsys):
    path = tmp_path / "input.mlir"
    path.write_text(BAD)
    assert _ours(capsys, "--verify-diagnostics=only-expected", path)[0] == 0
    path.write_text(f"{EXPECTED.replace('undeclared', 'another')}{BAD}")
    code, _, err = _ours(capsys, "--verify-diagnostics=only-expected", path)
    assert code == 1 and "was not produced" in err and "unexpected" not in err
    assert "invalid choice: 'some'" in _ours(capsys, "--verify-diagnostics=some", path)[2]


def test_dialects_are_listed(capsys):
    code, out, _ = _ours(capsys, "--show-dialects")
    names = out.removeprefix("Available Dialects: ").rstrip("\n").split(",")
    peers = _peer("--show-dialects").stdout.removeprefix("Available Dialects: ").strip().split(",")
    assert code == 0 and set(peers) <= set(names) and {"arith", "gpu", "torch"} <= set(names)
    assert names == sorted(names)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nosuch", "there is no pass 'nosuch'"),
        ("canonicalise", "did you mean canonicalize"),
        ("cse,nosuch", "there is no pass 'nosuch'"),
        ("torch-refinement-pipeline", "is a pipeline; name passes of it"),
    ],
)
def test_ir_is_printed_around_passes_only(when, name, message, good, capsys):
    code, out, err = _ours(capsys, f"--mlir-print-ir-{when}={name}", "--cse", good)
    assert (code, out) == (1, "") and f"--mlir-print-ir-{when}=" in err and message in err


def test_ir_is_printed_around_each_kind_of_pass(good, capsys):
    names = "cse,torch-refine-types,torch-decompose-complex-ops,convert-torch-to-linalg"
    assert _ours(capsys, f"--mlir-print-ir-after={names}", good)[0] == 0


def test_ir_in_files_is_named_as_by_mlir_opt(good, tmp_path, capsys):
    words = ["--pass-pipeline=builtin.module(cse,symbol-dce)", good, "-o", "/dev/null"]
    words += ["--mlir-print-ir-before-all", "--mlir-print-ir-after-all"]
    trees = [tmp_path / "ours", tmp_path / "peers"]
    assert _ours(capsys, *words, f"--mlir-print-ir-tree-dir={trees[0]}") == (0, "", "")
    assert _peer(*words, f"--mlir-print-ir-tree-dir={trees[1]}").returncode == 0
    files = [{path.relative_to(tree) for path in tree.rglob("*.mlir")} for tree in trees]
    assert files[0] == files[1] and len(files[0]) == 4
    for name in files[0]:
        # The peer's headline names the pass's class, too.
        ours, peers = (re.sub(r"^.*?\n", "", (tree / name).read_text()) for tree in trees)
        assert ours.strip() == peers.strip()


def test_a_module_cannot_choose_where_files_go(tmp_path, capsys):
    path = tmp_path / "named.mlir"
    path.write_text('module @"../../up" {}\n')
    words = [f"--mlir-print-ir-tree-dir={tmp_path}/a/b", "--mlir-print-ir-after-all", "--cse"]
    assert _ours(capsys, *words, path)[0] == 0
    assert [p.parent.name for p in (tmp_path / "a" / "b").rglob("*.mlir")] == [
        "builtin_module_______up"
    ]
    words[0] = f"--mlir-print-ir-tree-dir={path}"
    assert "cannot write to folder" in _ours(capsys, *words, path)[2]


def test_reproducers_run_in_both_tools(good, tmp_path, capsys):
    mine, theirs = tmp_path / "mine.mlir", tmp_path / "theirs.mlir"
    words = ["--pass-pipeline=builtin.module(func.func(cse))", good, "-o", "/dev/null"]
    assert _ours(capsys, *words, f"--mlir-generate-reproducer={mine}")[0] == 0
    assert _peer(*words, f"--mlir-generate-reproducer={theirs}").returncode == 0
    expected = _ours(capsys, "--cse", good)[1]
    assert expected.count("tosa.add") == 1 and mine.read_text().count("tosa.add") == 2
    for path in (mine, theirs):
        assert _ours(capsys, "--run-reproducer", path) == (0, expected, "")
        assert _peer("--run-reproducer", path).stdout.rstrip() == expected.rstrip()


def test_a_reproducer_names_what_the_command_line_names(tmp_path, capsys):
    """Pipelines of ours repeat passes, which a list of passes could not say."""
    source, path = tmp_path / "in.mlir", tmp_path / "reproducer.mlir"
    source.write_text(
        "func.func @f(%a: !torch.vtensor<[2],f32>) -> !torch.vtensor {\n"
        "  %0 = torch.aten.tanh %a : !torch.vtensor<[2],f32> -> !torch.vtensor\n"
        "  return %0 : !torch.vtensor\n}\n"
    )
    words = ['--torch-onnx-to-torch-pipeline="max-iterations=3"', "--cse", source]
    code, expected, _ = _ours(capsys, *words, f"--mlir-generate-reproducer={path}")
    assert code == 0 and "<[2],f32>\n" in expected
    pipeline = "builtin.module(torch-onnx-to-torch-pipeline{max-iterations=3},cse)"
    assert f'pipeline: "{pipeline}"' in path.read_text()
    assert _ours(capsys, "--run-reproducer", path) == (0, expected, "")


def test_what_fails_leaves_a_reproducer(tmp_path, capsys):
    source, path = tmp_path / "in.mlir", tmp_path / "crash.mlir"
    source.write_text(
        "func.func @f(%a: !torch.vtensor<[2],f32>) -> !torch.vtensor<[9],f32> {\n"
        "  %0 = torch.aten.tanh %a : !torch.vtensor<[2],f32> -> !torch.vtensor<[9],f32>\n"
        "  return %0 : !torch.vtensor<[9],f32>\n}\n"
    )
    keep = f"--mlir-pass-pipeline-crash-reproducer={path}"
    words = ["--cse", "--torch-refinement-pipeline", source, keep]
    code, _, err = _ours(capsys, *words)
    assert code == 1 and f"--run-reproducer {path}" in err
    assert '"builtin.module(cse,torch-refinement-pipeline)"' in path.read_text()
    assert "is declared" in _ours(capsys, "--run-reproducer", path)[2]
    assert _ours(capsys, *words, "--mlir-pass-pipeline-local-reproducer")[0] == 1
    assert '"builtin.module(torch-refine-types)"' in path.read_text()
    assert "is declared" in _ours(capsys, "--run-reproducer", path)[2]
    assert _ours(capsys, "--cse", source, keep)[0] == 0 and not path.exists()
    code, _, err = _ours(capsys, "--mlir-pass-pipeline-local-reproducer", source)
    assert code == 1 and "needs --mlir-pass-pipeline-crash-reproducer=FILE" in err


def test_what_crashes_leaves_a_reproducer(opt, tmp_path):
    """The wheel's conversion aborts the process on a type of four bits."""
    source, path = tmp_path / "in.mlir", tmp_path / "crash.mlir"
    source.write_text(
        "func.func @f(%a: !torch.vtensor<[2],f32>, %b: !torch.vtensor<[2],si4>)\n"
        "    -> !torch.vtensor<[2],si4> attributes {torch.onnx_meta.opset_version = 20 : si64} {\n"
        '  %0 = torch.operator "onnx.CastLike"(%a, %b) : (!torch.vtensor<[2],f32>, '
        "!torch.vtensor<[2],si4>) -> !torch.vtensor<[2],si4>\n"
        "  return %0 : !torch.vtensor<[2],si4>\n}\n"
    )
    keep = f"--mlir-pass-pipeline-crash-reproducer={path}"
    done = opt("--cse", "--convert-torch-onnx-to-torch", source, keep)
    assert done.returncode == 1 and "the pass convert-torch-onnx-to-torch ended with" in done.stderr
    again = opt("--run-reproducer", path)
    assert again.returncode == 1 and "the pass convert-torch-onnx-to-torch ended" in again.stderr


def test_a_text_without_a_reproducer_says_so(good, capsys):
    code, out, err = _ours(capsys, "--run-reproducer", "--cse", good)
    assert (code, err) == (0, f"warning: {good} carries no reproducer\n")
    assert out.count("tosa.add") == 1


@pytest.mark.parametrize("form", ["text", "bytecode"])
def test_what_a_module_loses_on_its_way_is_an_error(form, good, capsys, monkeypatch):
    reprinted = roundtrip._reprinted

    def lossy(written, like):
        text = reprinted(written, like)
        is_lossy = isinstance(written, bytes) is (form == "bytecode")
        return text.replace("double", "triple") if is_lossy else text

    monkeypatch.setattr(roundtrip, "_reprinted", lossy)
    code, out, err = _ours(capsys, "--verify-roundtrip", good)
    assert (code, out) == (1, "") and f"roundtrip through {form}: it is not the same" in err
    assert "+  func.func @triple" in err


def test_a_single_operation_stays_alone(good, capsys):
    code, out, _ = _ours(capsys, "--no-implicit-module", "--verify-roundtrip", good)
    assert code == 0 and out.startswith("func.func @double")
    for words in (["--cse"], ["--pass-pipeline=func.func(cse)"]):
        code, out, _ = _ours(capsys, "--no-implicit-module", *words, good)
        assert code == 0 and out.count("tosa.add") == 1
        assert out.rstrip() == _peer("--no-implicit-module", *words, good).stdout.rstrip()
    for word in ("--torch-refinement-pipeline", "--pass-pipeline=builtin.module(cse)"):
        code, out, err = _ours(capsys, "--no-implicit-module", word, good)
        assert (code, out) == (1, "") and "func.func" in err and "internal" not in err


def test_users_of_values_are_printed(tmp_path, capsys):
    path = tmp_path / "users.mlir"
    path.write_text("""\
func.func @f(%a: i32, %b: i32, %c: i1) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1:2 = arith.addui_extended %0, %a : i32, i1
  %2 = arith.muli %0, %1#0 : i32
  %3 = scf.if %c -> i32 {
    scf.yield %0 : i32
  } else {
    scf.yield %2 : i32
  }
  return %2 : i32
}
""")
    code, out, err = _ours(capsys, "--mlir-print-value-users", path)
    assert (code, err) == (0, "")
    assert (
        out
        == """\
module {
  func.func @f(%arg0: i32, %arg1: i32, %arg2: i1) -> i32 {
    // %arg0 is used by %sum, %overflow, %0
    // %arg1 is unused
    // %arg2 is used by %2
    %0 = arith.addi %arg0, %arg0 : i32 // users: #0, %1, %sum, %overflow
    %sum, %overflow = arith.addui_extended %0, %arg0 : i32, i1 // user: (%1), (unused)
    %1 = arith.muli %0, %sum : i32 // users: #2, #1
    %2 = scf.if %arg2 -> (i32) {
      scf.yield %0 : i32 // id: #0
    } else {
      scf.yield %1 : i32 // id: #1
    } // unused
    return %1 : i32 // id: #2
  }
}
"""
    )
    assert ir.Module.parse(out, new_context()) is not None
    code, _, err = _ours(capsys, "--mlir-print-value-users", "--mlir-print-debuginfo", path)
    assert code == 1 and "cannot be combined" in err


def test_diagnostics_are_filtered(tmp_path, capsys):
    path = tmp_path / "bad.mlir"
    path.write_text('func.func @f(%a: i32) {\n  %0 = "arith.addi"(%a) : (i32) -> i32\n  return\n}')
    note = "note: see current operation"
    assert note in _ours(capsys, path)[2]
    for word in ("--mlir-print-op-on-diagnostic=false", "--mlir-disable-diagnostic-notes"):
        code, _, err = _ours(capsys, path, word)
        assert code == 1 and "expected 2 operands" in err and note not in err
    assert "error" in _ours(capsys, path, "--mlir-diagnostic-verbosity-level=errors")[2]


def test_warnings_are_left_out_on_request(tmp_path, capsys):
    path = tmp_path / "warn.mlir"
    path.write_text(
        "func.func @f(%a: !torch.vtensor<[2],f32>) -> !torch.vtensor<[9],f32> {\n"
        "  %0 = torch.aten.tanh %a : !torch.vtensor<[2],f32> -> !torch.vtensor<[9],f32>\n"
        "  return %0 : !torch.vtensor<[9],f32>\n}\n"
    )
    words = ["--torch-refinement-pipeline=invalid-program=warn", path]
    assert "warning:" in _ours(capsys, *words)[2]
    assert _ours(capsys, *words, "--mlir-diagnostic-verbosity-level=errors")[2] == ""


def test_a_dialect_from_irdl_is_registered(good, tmp_path, capsys):
    path = tmp_path / "mine.mlir"
    path.write_text('"mine.op"() : () -> ()\n')
    assert _ours(capsys, path)[0] == 1
    code, out, _ = _ours(capsys, f"--irdl-file={tmp_path}/mine.irdl.mlir", path)
    assert code == 0 and '"mine.op"()' in out
    assert "cannot register the dialects" in _ours(capsys, f"--irdl-file={path}", good)[2]


def test_bytecode_versions(good, tmp_path, capsys):
    target = tmp_path / "out.mlirbc"
    words = ["--emit-bytecode", good, "-o", target]
    assert _ours(capsys, *words, "--emit-bytecode-version=3")[0] == 0
    assert target.read_bytes()[4] == 3 * 2 + 1
    code, _, err = _ours(capsys, *words, "--emit-bytecode-version=999")
    assert code == 1 and "bytecode version 999" in err


def test_times_are_sorted_and_json(good, capsys):
    words = ["--cse", "--symbol-dce", "--mlir-timing", good]
    found = json.loads(_ours(capsys, *words, "--mlir-output-format=json")[2])
    assert [step["name"] for step in found] == ["Parser", "cse", "symbol-dce", "Output", "Total"]
    shown = _ours(capsys, *words, "--mlir-timing-display=list")[2]
    times = [float(time) for time in re.findall(r"^ +([\d.]+) \(", shown, re.MULTILINE)[:-1]]
    assert len(times) == 4 and times == sorted(times, reverse=True)


@pytest.mark.parametrize("old", RENAMED)
def test_an_old_name_of_a_pass_is_understood(old, capsys, tmp_path):
    program = tmp_path / "good.mlir"
    program.write_text(GOOD)
    assert old not in PASSES
    assert main([f"--{old}", f"--mlir-print-ir-after={old}", str(program)]) == 0
    errors = capsys.readouterr().err
    assert f"warning: {old} was renamed to {RENAMED[old]}; the next release drops" in errors
    assert f"IR Dump After {RENAMED[old]} " in errors
