"""What a run verifies, whatever its options say."""

import pytest
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.passes.base import RunState
from torch_refine.pipelines.parsing import parse_pipeline
from torch_refine.pipelines.runner import RunFailure, Runner

CONVERSION = "convert-torch-to-linalg"
# The wheel extends floats of 8 bits as if they were integers.
INVALID = """
  func.func @main(%x: !torch.vtensor<[2],f8E5M2>) -> !torch.vtensor<[2],f32> {
    %half = torch.constant.float 5.000000e-01
    %int3 = torch.constant.int 3
    %int0 = torch.constant.int 0
    %int7 = torch.constant.int 7
    %int23 = torch.constant.int 23
    %none = torch.constant.none
    %0 = torch.quantized_decomposed.dequantize_per_tensor %x, %half, %int3, %int0, %int7,
        %int23, %none : !torch.vtensor<[2],f8E5M2>, !torch.float, !torch.int, !torch.int,
        !torch.int, !torch.int, !torch.none -> !torch.vtensor<[2],f32>
    return %0 : !torch.vtensor<[2],f32>
  }"""


def test_what_a_conversion_makes_is_verified():
    context = new_context()
    module = ir.Module.parse(INVALID, context).operation
    elements = parse_pipeline(f"builtin.module(func.func({CONVERSION}))", context, "builtin.module")
    state = RunState()
    with pytest.raises(RunFailure, match=CONVERSION):
        Runner(state, verify_each=False).run(elements, module)
    (error,) = state.diagnostics.reported
    assert "arith.extsi" in str(error)
