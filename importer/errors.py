"""The exception raised for a model that cannot be imported."""

from __future__ import annotations


class ImportModelError(Exception):
    """A model cannot be exported, decomposed or imported.

    The message names the failing step, the node and line of the model, and the reason. The
    exception of PyTorch or the importer is its `__cause__`.

    Attributes:
        step: `"export"`, `"decompose"`, `"import"` or `"verify"`.
        node: the node of the exported graph and its operator, such as
            `view_7 (aten.view.default)`; None if no node is to blame.
        source: the line of the model, such as `model.py:12`; None if unknown.
    """

    def __init__(
        self, step: str, reason: str, *, node: str | None = None, source: str | None = None
    ) -> None:
        """Compose the message from its parts; `reason` is a sentence or the cause's message."""
        self.step = step
        self.node = node
        self.source = source
        where = f" {node}" if node else " the model"
        at = f" at {source}" if source else ""
        super().__init__(f"cannot {step}{where}{at}: {reason}")
