"""`--diagnostics-format=json`: each line of real runs satisfies the schema that is shipped."""

import json
from dataclasses import replace

import jsonschema
import pytest
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.dialect.diagnostics import Remark, diagnostic
from torch_refine.dialect.json_diagnostics import SCHEMA, json_line

VALIDATOR = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
JSON = "--diagnostics-format=json"
WRONG = """\
func.func @f(%x: !torch.vtensor<[2,3],f32>, %y: !torch.vtensor<[4,5],f32>) -> !torch.vtensor {
  %0 = torch.aten.mm %x, %y : !torch.vtensor<[2,3],f32>, !torch.vtensor<[4,5],f32> -> !torch.vtensor LOCATION
  return %0 : !torch.vtensor
}
"""
NAMED = 'loc(callsite("layer"("a.py":3:4) at callsite("b.py":5:6 at "c.py":7:8)))'


def lines(done):
    """What a run printed, one object a line."""
    found = [json.loads(line) for line in done.stderr.splitlines()]
    for each in found:
        VALIDATOR.validate(each)
    return found


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(VALIDATOR.schema)
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate({"severity": "fatal", "message": "", "location": None, "notes": []})


def test_an_error_with_its_place(opt, tmp_path):
    path = tmp_path / "wrong.mlir"
    path.write_text(WRONG.replace("LOCATION", ""))
    done = opt("--torch-refine-types", JSON, path)
    assert done.returncode == 1
    error, note = lines(done)
    assert error["severity"] == "error" and "inner dimensions must match" in error["message"]
    assert error["location"] == {
        "file": str(path),
        "line": 2,
        "column": 8,
        "names": [],
        "callsites": [],
    }
    assert "remark" not in error
    assert note["severity"] == "note" and "to reproduce: torch-refine-opt" in note["message"]


def test_names_and_callers_of_a_location(opt):
    done = opt("--torch-refine-types", JSON, input=WRONG.replace("LOCATION", NAMED))
    error, _ = lines(done)
    assert error["location"] == {
        "file": "a.py",
        "line": 3,
        "column": 4,
        "names": ["layer"],
        "callsites": [
            {"file": "b.py", "line": 5, "column": 6},
            {"file": "c.py", "line": 7, "column": 8},
        ],
    }


def test_notes(opt):
    done = opt(JSON, input='func.func @f() { "no_such.op"() : () -> () return }')
    assert done.returncode == 1
    (error,) = lines(done)
    assert error["location"]["file"] == "<stdin>"
    assert {note["severity"] for note in error["notes"]} == {"note"}


def test_remarks(opt):
    text = """
func.func @f(%x: !torch.vtensor<[?,?],f32>, %i: !torch.vtensor<[?],si64>) {
  %int0 = torch.constant.int 0
  %0 = torch.aten.index_select %x, %int0, %i : !torch.vtensor<[?,?],f32>, !torch.int, !torch.vtensor<[?],si64> -> !torch.vtensor
  return
}
"""
    done = opt("--torch-insert-error-guards", "--remarks-filter=.*", JSON, input=text)
    assert done.returncode == 0
    (remark,) = lines(done)
    assert remark["severity"] == "remark"
    assert remark["remark"] == {
        "kind": "missed",
        "pass": "torch-insert-error-guards",
        "what": "aten::index_select",
        "function": "f",
        "reason": "the condition on the elements of index is checked by lowered code",
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.mlir"], "cannot open input file 'missing.mlir': No such file or directory"),
        (["--no-such-pass"], "there is no pass 'no-such-pass'"),
        (["-o", "missing/out.mlir"], "cannot open output file 'missing/out.mlir'"),
    ],
)
def test_errors_of_the_tool_itself(opt, tmp_path, arguments, message):
    done = opt(JSON, *arguments, cwd=tmp_path, input="module {}")
    assert done.returncode == 1
    (error,) = lines(done)
    assert error["severity"] == "error" and message in error["message"]
    assert error["location"] is None


def test_the_verbosity_applies(opt):
    text = WRONG.replace("LOCATION", "")
    warn = "--torch-refinement-pipeline=invalid-program=warn"
    (warning,) = lines(opt(warn, JSON, input=text))
    assert warning["severity"] == "warning"
    assert lines(opt(warn, JSON, "--mlir-diagnostic-verbosity-level=errors", input=text)) == []


@pytest.mark.parametrize(
    ("text", "names", "position"),
    [
        ("unknown", (), None),
        ('"only a name"', ("only a name",), None),
        ('fused["x"("a.py":1:2), "b.py":3:4]', ("x",), ("a.py", 1, 2)),
        (r'"a\22\\b\C3\A9.py":1:2', (), ('a"\\bé.py', 1, 2)),
        ('"a.py":1:2 to 3:4', (), ("a.py", 1, 2)),
    ],
)
def test_locations(text, names, position):
    module = ir.Operation.parse(f"module {{}} loc({text})", context=new_context())
    found = diagnostic("warning", module.location, "message")
    assert found.names == names
    assert (None if found.file is None else (found.file, found.line, found.column)) == position
    VALIDATOR.validate(json.loads(json_line(found)))


def test_a_passed_remark_has_no_reason():
    remark = Remark("passed", "some-pass", "what")
    found = replace(diagnostic("remark", None, str(remark)), fields=remark)
    line = json.loads(json_line(found))
    VALIDATOR.validate(line)
    assert line["message"] == "[Passed] what | Category:some-pass"
    assert line["remark"]["reason"] is None and line["remark"]["function"] is None
