"""Exporting the functions of in-place and `out=` variants: a call of the base's, and a rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch_refine.abstract_interp_lib.rules import variants as rules
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.names import Kind, library_symbol
from torch_refine.dialect.schemas import schema
from torch_refine.importer.functions.torchscript import LibraryBuilder
from torch_refine.importer.functions.variants import Variant


def export_variant(builder: LibraryBuilder, kind: Kind, variant: Variant) -> None:
    """Add the function of a variant to a library that has the one of its base."""
    _VariantExporter(builder, kind, variant).run()


class _VariantExporter:
    """Builds one function."""

    def __init__(self, builder: LibraryBuilder, kind: Kind, variant: Variant) -> None:
        self.builder = builder
        self.kind: Kind = kind
        self.variant = variant
        self.base_symbol = library_symbol(kind, variant.base)
        base_types, self.results = builder.signatures[self.base_symbol]
        self.base_arguments = schema(variant.base).arguments
        self.base_types = dict(
            zip((each.name for each in self.base_arguments), base_types, strict=True)
        )
        self.entry: ir.Block
        self.by_name: dict[str, ir.Value] = {}

    def run(self) -> None:
        """Call the base's function, and apply the rule of the variant to each result."""
        variant = self.variant
        arguments = schema(variant.operator).arguments
        given = {name: self.base_types[parameter] for parameter, name in variant.arguments.items()}
        types = [given.get(each.name) or self.written_type() for each in arguments]
        symbol = library_symbol(self.kind, variant.operator)
        self.entry = self.builder.new_function(symbol, types, self.results)
        self.by_name = dict(
            zip((each.name for each in arguments), self.entry.arguments, strict=True)
        )
        operands = [self.operand(each.name) for each in self.base_arguments]
        found = self.builder.call(self.entry, self.base_symbol, operands)
        ruled = [
            self.apply_rule(self.by_name[name], result)
            for name, result in zip(variant.written, found, strict=True)
        ]
        if len(ruled) > 1:
            ruled = [self.create("torch.prim.TupleConstruct", ruled, self.results[0])]
        self.builder.create(self.entry, "func.return", ruled, [])

    def create(self, name: str, operands: list[ir.Value], result: str) -> ir.Value:
        """Append an op with one result."""
        return self.builder.create(self.entry, name, operands, [result]).result

    def written_type(self) -> str:
        """The type of a tensor that is only written to."""
        if self.kind == "dtype":
            return "tuple<int, int>"
        # A factory makes what it makes of the dtype of this tensor.
        return "tuple<list<int>, int>" if self.takes_dtype_of_written() else "list<int>"

    def takes_dtype_of_written(self) -> bool:
        """Whether the base takes a dtype that the variant does not."""
        return "dtype" in self.base_types and "dtype" not in self.variant.arguments

    def operand(self, parameter: str) -> ir.Value:
        """What the base's function is given for a parameter."""
        if parameter in self.variant.arguments:
            return self.by_name[self.variant.arguments[parameter]]
        if parameter == "dtype":
            value = self.part(self.by_name[self.variant.written[0]], 1)
        else:
            value = self.create("torch.constant.none", [], "none")
        return self.builder.derefine(self.entry, value, self.base_types[parameter])

    def part(self, pair: ir.Value, index: int) -> ir.Value:
        """One of the two things that are known of a tensor."""
        other = str(pair.type).removeprefix("!torch.tuple<").rpartition(", ")[0]
        kinds = [other, "int"]
        parts = self.builder.create(self.entry, "torch.prim.TupleUnpack", [pair], kinds).results
        return parts[index]

    def apply_rule(self, written: ir.Value, result: ir.Value) -> ir.Value:
        """The fact of one result, from what it is written to and what the base's function says."""
        rule: Callable[..., Any]
        form = self.variant.form
        if self.kind == "shape":
            if form != "in-place":
                return result
            if str(written.type) != "!torch.list<int>":
                written = self.part(written, 0)
            rule = rules.shape_in_place
        elif self.variant.casts_anything:
            rule = rules.dtype_of_written
        else:
            rule = rules.dtype_written
        callee = self.builder.add_function(torch.jit.script(rule))
        return self.builder.call(self.entry, callee, [written, result])[0]
