"""`docs/passes.md` shows pipelines that a person can read and pass to the tool."""

import re

import pytest
from torch_refine.build_tools.write_docs import DOCUMENT, wrapped
from torch_refine.pipelines.elements import pipeline_text
from torch_refine.pipelines.parsing import parse_pipeline
from torch_refine.pipelines.registry import PIPELINES

_ALONE = re.compile(r"  (func\.func\()?[\w-]+\{[^{}]*\}\)?,?")


@pytest.mark.parametrize("name", PIPELINES)
def test_a_pipeline_is_wrapped_and_can_be_given_to_the_tool(name, context):
    text = pipeline_text(PIPELINES[name]().elements())
    lines = wrapped(text).splitlines()
    assert "\n".join(lines) in DOCUMENT.read_text(encoding="utf-8"), "run `make docs`"
    assert pipeline_text(parse_pipeline("\n".join(lines), context)) == text
    long = [line for line in lines if len(line) > 100]
    # A pass whose options take more stands alone.
    assert [line for line in long if not _ALONE.fullmatch(line)] == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("builtin.module(cse)", "builtin.module(\n  cse\n)"),
        ("a.b(c{x=1,2 y=3},f.g(h,i{j=k,l}),m)", "a.b(\n  c{x=1,2 y=3},f.g(h,i{j=k,l}),m\n)"),
        (
            f"a.b({'c' * 60},f.g({'d' * 20},{'e' * 20}),{'f' * 99},h)",
            f"a.b(\n  {'c' * 60},\n  f.g({'d' * 20},{'e' * 20}),\n  {'f' * 99},\n  h\n)",
        ),
    ],
)
def test_lines_break_between_passes_only(text, shown):
    assert wrapped(text) == shown
