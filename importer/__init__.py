"""Import PyTorch models: from an `nn.Module` to a module of the `torch` dialect.

Importing this package loads neither PyTorch nor torch-mlir; the first `import_model` does.
"""

from torch_refine.importer.errors import ImportModelError
from torch_refine.importer.model import import_model
from torch_refine.importer.text import module_text

__all__ = ["ImportModelError", "import_model", "module_text"]
