"""Write `dialect/registry.txt`: the schemas of PyTorch's operator registry, one per line.

Run by `make registry` with the pinned PyTorch; only namespaces that programs in the torch dialect
use are kept.
"""

from __future__ import annotations

from torch_refine.dialect.schemas import REGISTRY, parse_schema

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


if __name__ == "__main__":
    text = snapshot()
    changed = not REGISTRY.exists() or REGISTRY.read_text(encoding="utf-8") != text
    REGISTRY.write_text(text, encoding="utf-8")
    outcome = "changed" if changed else "unchanged"
    print(f"{REGISTRY.name}: {len(text.splitlines()) - 1} schemas, {outcome}")
