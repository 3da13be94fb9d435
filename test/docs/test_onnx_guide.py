"""`docs/onnx.md`: its examples are true."""

import pytest
from guides import run_guide


def test_the_guide_shows_what_is_printed(tmp_path):
    for needed in ("onnx", "onnxscript"):
        pytest.importorskip(needed, reason="needs the extra [onnx] and onnxscript")
    assert run_guide("onnx.md", tmp_path) == 10
