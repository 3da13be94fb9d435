"""The one exception that an import raises for a model, and the advice it carries."""

from __future__ import annotations


class ImportModelError(Exception):
    """A model that cannot be exported, decomposed or imported.

    The message says which step failed, at which node and line of the model, and why. The exception
    that PyTorch or the importer raised is its `__cause__`.

    Attributes:
        step: `"export"`, `"decompose"`, `"import"` or `"verify"`.
        node: the node of the exported graph and its operator, such as
            `view_7 (aten.view.default)`; None when no node is to blame.
        source: the line of the model, such as `model.py:12`; None when it is not known.
    """

    def __init__(
        self, step: str, reason: str, *, node: str | None = None, source: str | None = None
    ) -> None:
        """Compose the message from the parts; `reason` is a sentence or the cause's message."""
        self.step = step
        self.node = node
        self.source = source
        where = f" {node}" if node else " the model"
        at = f" at {source}" if source else ""
        super().__init__(f"cannot {step}{where}{at}: {reason}")
