"""Real networks, end to end, compute what PyTorch computes."""

import sys
from pathlib import Path

import pytest
import torch
import torch_refine
from torch.utils import _pytree as pytree

sys.path.insert(0, str(Path(__file__).parent.parent))
from networks.models import NETWORKS

# The others are compiled by `make networks`.
CHOSEN = ("resnet", "mobilenet_v2", "bert", "gpt2", "vit")


@pytest.mark.parametrize("name", CHOSEN)
def test_a_network(name):
    torch.manual_seed(0)
    model, arguments, keywords = NETWORKS[name].build()
    program = torch.export.export(model, arguments, keywords, strict=False)
    compiled = torch_refine.compile(program, opt_level=1)
    with torch.no_grad():
        expected = pytree.tree_leaves(program.module()(*arguments, **keywords))
    found = pytree.tree_leaves(compiled(*arguments, **keywords))
    torch.testing.assert_close(found, expected)
