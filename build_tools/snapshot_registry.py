"""Write `dialect/registry.txt` and `dialect/core_aten.txt`: the schemas of PyTorch's operator
registry, and the names of the operators of core ATen, one per line.

Run by `make registry` with the pinned PyTorch; only namespaces that programs in the torch dialect
use are kept.
"""

from __future__ import annotations

from pathlib import Path

from torch_refine.dialect.schemas import CORE_ATEN, REGISTRY, parse_schema

NAMESPACES = (
    "aten::",
    "prim::",
    "prims::",
    "quantized::",
    "quantized_decomposed::",
    "torchvision::",
    "_c10d_functional::",
    "_c10d_functional_autograd::",
)


def snapshot() -> str:
    """The text of the snapshot for the installed PyTorch."""
    import torch.ao.quantization.fx._decomposed
    import torch.distributed._functional_collectives

    schemas = {
        str(schema)
        for schema in torch._C._jit_get_all_schemas()
        if schema.name.startswith(NAMESPACES) and "..." not in str(schema)
    }
    for line in schemas:
        parse_schema(line)
    version = torch.__version__.partition("+")[0]
    header = f"# The operator schemas of PyTorch {version}, written by `make registry`."
    return "\n".join([header, *sorted(schemas)]) + "\n"


def core_aten() -> str:
    """The text of the list of core ATen: operators that PyTorch tags as such."""
    import torch

    found = []
    for schema in torch._C._jit_get_all_schemas():
        if not schema.name.startswith("aten::"):
            continue
        tags = torch._C._get_operation_overload(schema.name, schema.overload_name)
        if tags is not None and torch.Tag.core in tags[2]:
            found.append(parse_schema(str(schema)).name)
    version = torch.__version__.partition("+")[0]
    header = f"# The core ATen operators of PyTorch {version}, written by `make registry`."
    return "\n".join([header, *sorted(set(found))]) + "\n"


def _write(path: Path, text: str) -> None:
    changed = not path.exists() or path.read_text(encoding="utf-8") != text
    path.write_text(text, encoding="utf-8")
    outcome = "changed" if changed else "unchanged"
    print(f"{path.name}: {len(text.splitlines()) - 1} operators, {outcome}")


if __name__ == "__main__":
    _write(REGISTRY, snapshot())
    _write(CORE_ATEN, core_aten())
