"""Compare the decomposition of calls one by one with PyTorch's decomposition of a whole program.

    python -m torch_refine.build_tools.expansion [--calls N] [--seed S] [--minutes M] [--dynamic]

Programs are the calls of PyTorch's samples, in a random order. Each is decomposed by
`importer/expansion/` and by `ExportedProgram.run_decompositions`; both must give the same nodes,
of the same types. Strides are not compared: the former takes those of eager mode, the latter those
of the decompositions, from which reshapes of attention follow. What a size is read from is not,
either. The exit code is 0 if all agree.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.fx import Node
from torch.utils import _pytree as pytree
from torch_refine.build_tools.conformance.samples import entries
from torch_refine.build_tools.numerics.calls import ValueCall, record
from torch_refine.build_tools.numerics.choosing import choose
from torch_refine.build_tools.numerics.judging import CallModule, any_sizes
from torch_refine.importer.errors import ImportModelError
from torch_refine.importer.expansion.expand import expand
from torch_refine.importer.export import export_program
from torch_refine.importer.lowering import lowering_table, unguarded

# Calls of an entry, so that all entries have their turn.
_OF_AN_ENTRY = 6


def main(words: list[str]) -> int:
    """Compare and print; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--calls", type=int, default=1 << 30, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="of the order")
    parser.add_argument("--minutes", type=float, default=1e9, help="compare none after this time")
    parser.add_argument("--dynamic", action="store_true", help="export with dynamic sizes")
    options = parser.parse_args(words)
    counts: Counter[str] = Counter()
    end = time.monotonic() + 60 * options.minutes
    for call in drawn(options.calls, options.seed):
        if time.monotonic() > end:
            break
        found = compared(call, options.dynamic)
        counts[found.partition(":")[0]] += 1
        if found.startswith("differs"):
            print(f"{call}: {found}", flush=True)
    print(", ".join(f"{count} {kind}" for kind, count in counts.most_common()))
    return int(counts["differs"] > 0)


def drawn(count: int, seed: int) -> Iterator[ValueCall]:
    """Calls of samples, some of each entry, entries in a random order."""
    rng = Random(seed)
    names = sorted(entries())
    rng.shuffle(names)
    left = count
    for name in names:
        calls = choose(record(name))
        chosen = rng.sample(calls, min(_OF_AN_ENTRY, len(calls), left))
        yield from chosen
        left -= len(chosen)
        if not left:
            return


def compared(call: ValueCall, dynamic: bool = False) -> str:
    """What became of a call: `equal`, `left to PyTorch`, `not exported`, or `differs: ...`."""
    inputs = list(call.tensors)
    shapes = (any_sizes(inputs),) if dynamic else None
    table = lowering_table()
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        try:
            program = unguarded(export_program(CallModule(call), inputs, {}, shapes))
        except ImportModelError:
            return "not exported"
        found = expand(program, table)
        if found is None:
            return "left to PyTorch"
        try:
            whole = program.run_decompositions(dict(table))
        except Exception as error:
            return f"differs: PyTorch fails: {error}"
    mine, theirs = described(found), described(whole)
    if mine == theirs:
        return "equal"
    extra = [f"+ {each}" for each in mine if each not in theirs]
    missing = [f"- {each}" for each in theirs if each not in mine]
    return "\n".join(["differs:", *missing[:5], *extra[:5]])


def described(program: ExportedProgram) -> list[str]:
    """The nodes of a program: operators, arguments, types without strides.

    Sizes are their expressions, whatever they are read from; an alias is its operand.
    """
    names: dict[Node, str] = {}
    lines: list[str] = []
    for node in program.graph.nodes:
        value = node.meta.get("val")
        if node.op == "call_function" and isinstance(value, torch.SymInt):
            names[node] = f"<{value}>"
            continue
        if node.target == torch.ops.aten.alias.default:
            names[node] = names[node.args[0]]
            continue
        given = pytree.tree_map_only(Node, names.__getitem__, (node.args, node.kwargs))
        lines.append(f"{node.op} {node.target} {given} {pytree.tree_map(_type, value)}")
        names[node] = f"%{len(lines)}"
    return lines


def _type(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return f"{value.dtype} {list(map(str, value.shape))}"
    return str(value)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
