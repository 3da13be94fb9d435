"""Models of timm and torchvision, which are installed in a folder of their own.

transformers imports torchvision where it is installed, so only processes that build one of these
models have the folder on their path.
"""

from __future__ import annotations

import sys
import warnings
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

import torch
from torch_refine.build_tools.zoo.networks import Inputs, Network, Scale, Unfit, first_line

PACKAGES = Path(__file__).parents[2] / "build" / "zoo" / "packages"
# A small model of each of timm's modules, except those that have large ones only.
TIMM = (
    "cait_xxs24_224",
    "coat_tiny",
    "convit_tiny",
    "convmixer_768_32",
    "convnext_atto",
    "cpubone_nano",
    "crossvit_tiny_240",
    "cs3darknet_focus_s",
    "csatv2",
    "cspnext_tiny",
    "davit_tiny",
    "deit_tiny_patch16_224",
    "densenet121",
    "dla46x_c",
    "dpn48b",
    "edgenext_xx_small",
    "efficientformer_l1",
    "efficientformerv2_s0",
    "efficientnet_b0",
    "efficientvim_m1",
    "efficientvit_b0",
    "efficientvit_m0",
    "ese_vovnet19b_slim_dw",
    "eva02_tiny_patch14_224",
    "fasternet_t0",
    "fastvit_t8",
    "focalnet_tiny_srf",
    "gcvit_xxtiny",
    "ghostnet_050",
    "gmlp_ti16_224",
    "halonet_h1",
    "hardcorenas_b",
    "hgnetv2_b0",
    "hiera_tiny_224",
    "hrnet_w18_small",
    "iformer_t",
    "inception_next_atto",
    "inception_v3",
    "lcnetv2_small",
    "legacy_seresnet18",
    "legacy_xception",
    "levit_128s",
    "lowformer_b0",
    "mambaout_femto",
    "maxvit_pico_rw_256",
    "mobilenetv3_small_050",
    "mobileone_s1",
    "mobilevit_xxs",
    "mvitv2_tiny",
    "nest_tiny",
    "nextvit_small",
    "nf_regnet_b0",
    "pit_ti_224",
    "poolformerv2_s12",
    "pvt_v2_b0",
    "rdnet_tiny",
    "regnetx_002",
    "repghostnet_050",
    "repvit_m1",
    "res2next50",
    "resnest14d",
    "resnet10t",
    "resnetv2_18",
    "rexnet_100",
    "sam2_hiera_tiny",
    "selecsls42",
    "sequencer2d_s",
    "shvit_s1",
    "skresnet18",
    "starnet_s050",
    "swiftformer_xs",
    "swin_tiny_patch4_window7_224",
    "swinv2_cr_tiny_224",
    "swinv2_tiny_window8_256",
    "tiny_vit_5m_224",
    "tnt_s_legacy_patch16_224",
    "tresnet_m",
    "twins_svt_small",
    "vgg11",
    "visformer_tiny",
    "vit_srelpos_small_patch16_224",
    "vit_tiny_patch16_224",
    "vit_tiny_r_s16_p8_224",
    "vitamin_small_224",
    "volo_d1_224",
    "xception41p",
    "xcit_nano_12_p8_224",
)
TORCHVISION = (
    "alexnet",
    "convnext_tiny",
    "densenet121",
    "efficientnet_b0",
    "googlenet",
    "inception_v3",
    "maxvit_t",
    "mnasnet0_5",
    "mobilenet_v2",
    "mobilenet_v3_small",
    "regnet_x_400mf",
    "regnet_y_400mf",
    "resnet18",
    "shufflenet_v2_x0_5",
    "squeezenet1_1",
    "swin_t",
    "swin_v2_t",
    "vgg11",
    "vit_b_16",
    "wide_resnet50_2",
    "deeplabv3_mobilenet_v3_large",
    "fcn_resnet50",
    "lraspp_mobilenet_v3_large",
)
# torchvision registers fake kernels for these, which its C++ part defines: that is built for one
# build of PyTorch, and does not load beside another.
_OPERATORS = (
    "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
)


@cache
def make_importable() -> None:
    """Make timm and torchvision importable; raises Unfit if they are not installed."""
    if not (PACKAGES / "timm").is_dir():
        raise Unfit("timm and torchvision are not installed: make zoo installs them")
    library: Any = torch.library
    library = library.Library("torchvision", "DEF")
    for schema in _OPERATORS:
        library.define(schema)
    _LIBRARIES.append(library)
    sys.path.insert(0, str(PACKAGES))


# A library's definitions end with it.
_LIBRARIES: list[Any] = []


def build(package: str, name: str, scale: Scale) -> Network:
    """The network of a model; raises Unfit."""
    make_importable()
    warnings.filterwarnings("ignore")
    try:
        return _timm(name, scale) if package == "timm" else _torchvision(name, scale)
    except Exception as error:
        raise Unfit(f"{type(error).__name__}: {first_line(error)}") from error


def _timm(name: str, scale: Scale) -> Network:
    timm = import_module("timm")

    torch.manual_seed(0)
    model = timm.create_model(name, pretrained=False).eval()
    channels, *native = model.default_cfg["input_size"]
    # Sizes that suit patches of 14 or 16, and windows of 7.
    is_fixed = model.default_cfg.get("fixed_input_size", False)
    for size in [] if is_fixed else [(scale.image, scale.image), (128, 128)]:
        network = Network(model, partial(_images, channels, size))
        if size[0] < native[0] and _runs(network):
            return network
    return Network(model, partial(_images, channels, tuple(native), name="x"))


def _torchvision(name: str, scale: Scale) -> Network:
    torchvision = import_module("torchvision")

    torch.manual_seed(0)
    known: dict[str, Any] = {"weights": None}
    if name in torchvision.models.list_models(torchvision.models.segmentation):
        known["weights_backbone"] = None
    model = torchvision.models.get_model(name, **known).eval()
    for size in (scale.image, 96, 224, 299):
        network = Network(model, partial(_images, 3, (size, size)))
        if _runs(network):
            return network
    raise Unfit("it runs at no size that was tried")


def _runs(network: Network) -> bool:
    try:
        with torch.no_grad():
            network.model(**network.inputs(2))
    except Exception:
        return False
    return True


def _images(channels: int, size: tuple[int, int], batch: int, name: str = "x") -> Inputs:
    torch.manual_seed(batch)
    return {name: torch.randn(batch, channels, *size)}
