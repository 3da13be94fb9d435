"""Connectionist temporal classification: `ctc_loss`, its kernels, and its gradient."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.families.neural_networks.losses import reduced
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size


def check_batch(log_probs: List[int], targets: List[int]) -> None:
    """Raise unless inputs are batched: targets are padded rows or one concatenated vector."""
    assert len(log_probs) == 3, f"log_probs must have 3 dimensions, got shape {log_probs}"
    assert len(targets) == 1 or len(targets) == 2, (
        f"targets must have 1 or 2 dimensions, got shape {targets}"
    )
    if len(targets) == 2:
        assert targets[0] == log_probs[1], (
            f"targets must have {log_probs[1]} rows, got shape {targets}"
        )


def losses_and_states(log_probs: List[int], longest: int) -> Tuple[List[int], List[int]]:
    """One loss per sequence, and log_alpha: the alignment states with blanks between labels."""
    batch = log_probs[1]
    return [batch], [batch, log_probs[0], 2 * longest + 1]


def ctc_loss_and_states(
    log_probs: List[int], targets: List[int], input_lengths: List[int], target_lengths: List[int]
) -> Tuple[List[int], List[int]]:
    """One loss per sequence, and log_alpha for the longest target."""
    check_batch(log_probs, targets)
    batch = log_probs[1]
    assert len(input_lengths) == batch, f"expected {batch} input lengths, got {input_lengths}"
    assert len(target_lengths) == batch, f"expected {batch} target lengths, got {target_lengths}"
    longest = 0
    for length in target_lengths:
        longest = max(longest, length)
    return losses_and_states(log_probs, longest)


def ctc_loss_and_states_of_tensors(
    log_probs: List[int], targets: List[int]
) -> Tuple[List[int], List[int]]:
    """As with lists of lengths; the longest target is data-dependent if lengths are tensors."""
    check_batch(log_probs, targets)
    return losses_and_states(log_probs, unknown_size())


def ctc_loss(log_probs: List[int], reduction: int) -> List[int]:
    """One loss per sequence, or one for an unbatched input."""
    assert len(log_probs) == 2 or len(log_probs) == 3, (
        f"log_probs must have 2 or 3 dimensions, got {log_probs}"
    )
    return reduced(log_probs[1:-1], reduction)


def ctc_loss_backward(log_probs: List[int]) -> List[int]:
    """The shape of `log_probs`."""
    return log_probs


def dtype_of_probabilities(log_probs: Tuple[int, int]) -> int:
    """The dtype of `log_probs`."""
    return log_probs[1]


def dtype_of_loss_and_states(log_probs: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of `log_probs`, twice."""
    return log_probs[1], log_probs[1]


_INT = {"dtype": torch.int64}
_F64 = {"dtype": torch.float64}
_INPUTS = T(2, **_INT, values=[6, 6])
_TARGETS = T(2, **_INT, values=[3, 2])

shape_family(
    ctc_loss_and_states,
    "aten::_ctc_loss",
    ok=[
        Invocation(T(6, 2, 5), T(2, 3, **_INT), [6, 6], [3, 2]),
        Invocation(T(6, 2, 5), T(2, 4, **_INT), [6, 5], [2, 3], 1, True),
        Invocation(T(6, 2, 5), T(5, **_INT), [6, 6], [3, 2]),
        Invocation(T(6, 2, 5), T(2, 3, dtype=torch.int32), [6, 6], [0, 0]),
        Invocation(T(6, 2, 5, **_F64), T(2, 3, **_INT), [6, 6], [3, 3]),
    ],
    error=[
        Invocation(T(6, 5), T(1, 3, **_INT), [6], [3]),
        Invocation(T(6, 2, 5), T(2, 3, 1, **_INT), [6, 6], [3, 2]),
        Invocation(T(6, 2, 5), T(3, 3, **_INT), [6, 6], [3, 2]),
        Invocation(T(6, 2, 5), T(2, 3, **_INT), [6], [3, 2]),
        Invocation(T(6, 2, 5), T(2, 3, **_INT), [6, 6], [3]),
    ],
)
# There is no meta kernel for lengths given as tensors.
shape_family(
    ctc_loss_and_states_of_tensors,
    "aten::_ctc_loss.Tensor",
    ok=[
        Invocation(T(6, 2, 5), T(2, 3, **_INT), _INPUTS, _TARGETS, device="cpu"),
        Invocation(T(6, 2, 5), T(5, **_INT), _INPUTS, _TARGETS, device="cpu"),
        Invocation(T(6, 2, 5, **_F64), T(2, 3, **_INT), _INPUTS, _TARGETS, device="cpu"),
    ],
    error=[
        Invocation(T(6, 5), T(2, 3, **_INT), _INPUTS, _TARGETS, device="cpu"),
        Invocation(T(6, 2, 5), T(3, 3, **_INT), _INPUTS, _TARGETS, device="cpu"),
    ],
)
dtype_family(dtype_of_loss_and_states, "aten::_ctc_loss", "aten::_ctc_loss.Tensor")

shape_family(
    ctc_loss,
    "aten::ctc_loss.IntList",
    ok=[
        Invocation(T(6, 2, 5), T(2, 3, **_INT), [6, 6], [3, 2]),
        Invocation(T(6, 2, 5), T(5, **_INT), [6, 6], [3, 2], 0, 0),
        Invocation(T(6, 5), T(3, **_INT), [6], [3], 0, 0),
        Invocation(T(6, 5), T(1, 3, **_INT), [6], [3], 0, 2, True),
        Invocation(T(6, 2, 5), T(2, 3), [6, 6], [3, 2]),
        Invocation(T(6, 2, 5, **_F64), T(2, 3, **_INT), [6, 6], [3, 2], reduction=0),
    ],
    error=[
        Invocation(T(2, 6, 2, 5), T(2, 3, **_INT), [6, 6], [3, 2]),
        Invocation(T(5), T(3, **_INT), [6], [3]),
    ],
)
shape_family(
    ctc_loss,
    "aten::ctc_loss.Tensor",
    ok=[
        Invocation(T(6, 2, 5), T(2, 3, **_INT), _INPUTS, _TARGETS, device="cpu"),
        Invocation(T(6, 2, 5), T(5, **_INT), _INPUTS, _TARGETS, 0, 0, device="cpu"),
        Invocation(
            *(T(6, 5), T(3, **_INT), T(1, **_INT, values=[6]), T(1, **_INT, values=[3]), 0, 0),
            device="cpu",
        ),
        Invocation(T(6, 2, 5, **_F64), T(2, 3, **_INT), _INPUTS, _TARGETS, 0, 2, device="cpu"),
    ],
    error=[Invocation(T(2, 6, 2, 5), T(2, 3, **_INT), _INPUTS, _TARGETS, device="cpu")],
)
dtype_family(dtype_of_probabilities, "aten::ctc_loss.IntList", "aten::ctc_loss.Tensor")

# There are no meta kernels.
_PROBABILITIES = (T(2), T(6, 2, 5), T(2, 3, **_INT))
_STATES = (T(2), T(2, 6, 7), 0)
_PROBABILITIES_64 = (T(2, **_F64), T(6, 2, 5, **_F64), T(2, 3, **_INT))
_STATES_64 = (T(2, **_F64), T(2, 6, 7, **_F64), 0, True)

shape_family(
    ctc_loss_backward,
    "aten::_ctc_loss_backward",
    ok=[
        Invocation(*_PROBABILITIES, [6, 6], [3, 2], *_STATES, device="cpu"),
        Invocation(*_PROBABILITIES_64, [6, 6], [3, 2], *_STATES_64, device="cpu"),
    ],
)
shape_family(
    ctc_loss_backward,
    "aten::_ctc_loss_backward.Tensor",
    ok=[
        Invocation(*_PROBABILITIES, _INPUTS, _TARGETS, *_STATES, device="cpu"),
        Invocation(*_PROBABILITIES_64, _INPUTS, _TARGETS, *_STATES_64, device="cpu"),
    ],
)
dtype_family(dtype_of_probabilities, "aten::_ctc_loss_backward", "aten::_ctc_loss_backward.Tensor")
