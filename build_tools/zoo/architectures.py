"""The architectures of the zoo, by name, and how to build each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torch_refine.build_tools.zoo import image_models, transformers_models
from torch_refine.build_tools.zoo.networks import Network, Scale


@dataclass(frozen=True)
class Architecture:
    """An architecture: the package that defines it, and its name there."""

    package: str
    model: str

    @property
    def name(self) -> str:
        """A unique name such as `timm/resnet18`."""
        return f"{self.package}/{self.model}"

    def build(self, scale: Scale) -> Network:
        """Build it in eval mode, in f32, with seeded random weights; raises Unfit."""
        is_of_transformers = self.package == "transformers"
        build = transformers_models.build if is_of_transformers else image_models.build
        return build(self.package, self.model, scale)


def architectures() -> Iterator[Architecture]:
    """All of them."""
    for name in transformers_models.model_types():
        yield Architecture("transformers", name)
    for package, models in (
        ("timm", image_models.TIMM),
        ("torchvision", image_models.TORCHVISION),
    ):
        for name in models:
            yield Architecture(package, name)
