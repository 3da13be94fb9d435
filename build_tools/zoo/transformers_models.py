"""Models of transformers with reduced configurations.

Configurations are reduced by the names of their fields, not by architecture: widths, depths, sizes
of vocabularies and images. A configuration that does not allow one reduction is built with a
weaker one.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch_refine.build_tools.zoo.model_inputs import candidates
from torch_refine.build_tools.zoo.networks import Network, Scale, Unfit, first_line

# Parts of another architecture of the list.
_PARTS = ("text", "vision", "audio", "encoder", "decoder", "model", "vqmodel", "qformer")
# The heads to build, in this order; else the model without a head.
_HEADS = (
    "MODEL_FOR_MASKED_LM_MAPPING_NAMES",
    "MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES",
    "MODEL_FOR_SPEECH_SEQ_2_SEQ_MAPPING_NAMES",
    "MODEL_FOR_CAUSAL_LM_MAPPING_NAMES",
    "MODEL_FOR_IMAGE_CLASSIFICATION_MAPPING_NAMES",
    "MODEL_FOR_CTC_MAPPING_NAMES",
    "MODEL_MAPPING_NAMES",
)
_WIDTHS = (
    "hidden_size",
    "d_model",
    "n_embd",
    "embed_dim",
    "dim",
    "model_dim",
    "hidden_dim",
    "embedding_size",
    "projection_dim",
    "decoder_hidden_size",
    "encoder_hidden_size",
    "attention_hidden_size",
    "emb_dim",
    "word_embed_proj_dim",
    "projection_size",
    "out_hidden_size",
    "proj_dim",
    "qkv_hidden_size",
    "kv_size",
)
_INNER = (
    "intermediate_size",
    "encoder_ffn_dim",
    "decoder_ffn_dim",
    "ffn_dim",
    "d_ff",
    "n_inner",
    "mlp_dim",
    "ffn_hidden_size",
    "moe_intermediate_size",
    "shared_expert_intermediate_size",
    "dim_feedforward",
    "feed_forward_size",
    "expert_dim",
    "decoder_intermediate_size",
    "encoder_intermediate_size",
    "shared_intermediate_size",
    "intermediate_size_mlp",
    "expert_ffn_hidden_size",
)
_DEPTHS = (
    "num_hidden_layers",
    "num_layers",
    "n_layer",
    "n_layers",
    "encoder_layers",
    "decoder_layers",
    "depth",
    "num_encoder_layers",
    "num_decoder_layers",
    "num_hidden_groups",
    "num_blocks",
    "num_decoder_blocks",
    "decoder_num_hidden_layers",
    "encoder_num_hidden_layers",
)
_HEAD_COUNTS = (
    "num_attention_heads",
    "n_head",
    "n_heads",
    "encoder_attention_heads",
    "decoder_attention_heads",
    "num_heads",
    "decoder_num_attention_heads",
    "encoder_num_attention_heads",
)
_FIXED = {
    "num_key_value_heads": 2,
    "decoder_num_key_value_heads": 2,
    "encoder_num_key_value_heads": 2,
    "multi_query_group_num": 2,
    "vocab_size": 512,
    "max_position_embeddings": 256,
    "n_positions": 256,
    "n_ctx": 256,
    "num_experts": 4,
    "num_local_experts": 4,
    "n_routed_experts": 4,
    "moe_num_experts": 4,
    "num_experts_per_tok": 2,
    "moe_k": 2,
    "moe_topk": 2,
    "n_group": 1,
    "topk_group": 1,
    "sliding_window": 8,
    "q_lora_rank": 32,
    "kv_lora_rank": 16,
    "qk_nope_head_dim": 16,
    "qk_rope_head_dim": 16,
    "v_head_dim": 16,
    "num_queries": 16,
    "num_feature_levels": 3,
    "max_source_positions": 64,
    "max_target_positions": 256,
    "num_codebooks": 2,
    "first_k_dense_replace": 1,
}
# Of state-space models, whose heads share `expand` times the width.
_STATE_SPACE = ("expand", "num_heads", "head_dim", "hidden_size")
_HEAD_WIDTHS = ("head_dim", "d_kv", "attention_head_dim", "kv_channels")
_STAGES = ("depths", "layer_depths", "num_blocks_per_stage", "stage_num_blocks", "layers_per_block")
_PER_LAYER = ("layer_types", "mlp_layer_types", "layers_block_type", "block_types")
_OUTPUTS = ("out_features", "out_indices", "stage_names")
_HEADS_OF_SMALL = 4
# Larger models take too long to build, or too much memory.
_MOST_PARAMETERS = 80_000_000
# Of weights that a model initializes with zeros.
_DEVIATION = 0.02
_VARIANTS: tuple[frozenset[str], ...] = (
    frozenset({"widths", "depths", "fixed", "stages", "images"}),
    frozenset({"widths", "depths", "fixed", "images", "head widths"}),
    frozenset({"depths", "fixed", "stages", "images"}),
    frozenset({"depths", "vocabulary"}),
    frozenset(),
)


def model_types() -> list[str]:
    """The architectures, without those that are a part of another one."""
    from transformers.models.auto.modeling_auto import MODEL_MAPPING_NAMES

    names: list[str] = list(MODEL_MAPPING_NAMES)
    return [name for name in names if not _is_part(name, names)]


def _is_part(name: str, names: list[str]) -> bool:
    parts = name.split("_")
    wholes = {"_".join(parts[:end]) for end in range(1, len(parts)) if parts[end] in _PARTS}
    return any(whole in names for whole in wholes)


def build(package: str, name: str, scale: Scale) -> Network:
    """The network of a model type; raises Unfit."""
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING

    logging.getLogger("transformers").setLevel(logging.ERROR)
    warnings.filterwarnings("ignore")
    problems = []
    for variant in _VARIANTS:
        try:
            config = reduced(CONFIG_MAPPING[name], scale, variant)
            model = _model(name, config)
        except Exception as error:
            problems.append(f"{type(error).__name__}: {first_line(error)}")
            continue
        for inputs in candidates(model, scale):
            problem = _problem(model, inputs)
            if problem is None:
                return Network(model, inputs)
            problems.append(problem)
    raise Unfit("; ".join(dict.fromkeys(problems[:2] + problems[-1:])) or "no inputs are known")


def _problem(model: torch.nn.Module, inputs: Callable[[int], dict[str, Any]]) -> str | None:
    try:
        with torch.no_grad():
            model(**inputs(2))
    except Exception as error:
        return f"{type(error).__name__}: {first_line(error)}"
    return None


def _model(model_type: str, config: Any) -> torch.nn.Module:
    """The first model with a head of the list."""
    import transformers
    from transformers.models.auto import modeling_auto

    problem: Exception = ValueError("transformers has no model")
    for head in _HEADS:
        name = getattr(modeling_auto, head).get(model_type)
        name = name if isinstance(name, str) or not name else name[0]
        if name:
            try:
                return _seeded(getattr(transformers, name), config)
            except Exception as error:
                # Some heads need more than the default configuration says.
                problem = error
    raise problem


def _seeded(kind: Any, config: Any) -> torch.nn.Module:
    with torch.device("meta"):
        number = sum(each.numel() for each in kind(config).parameters())
    if number > _MOST_PARAMETERS:
        raise ValueError(f"{number // 1_000_000} million parameters")
    torch.manual_seed(0)
    model: torch.nn.Module = kind(config).float().eval()
    with torch.no_grad():
        for each in model.parameters():
            # Scores of experts would be equal, and any of them the largest.
            if each.dim() > 1 and not each.any():
                each.normal_(0, _DEVIATION)
    return model


def reduced(kind: Any, scale: Scale, variant: frozenset[str], default: Any = None) -> Any:
    """A configuration, with reduced fields; those of nested configurations, too."""
    from transformers import PreTrainedConfig

    default = kind() if default is None else default
    fields = {name: value for name, value in vars(default).items() if not name.startswith("_")}
    has_stages = any(
        isinstance(value, list | tuple)
        for name, value in fields.items()
        if name in (*_STAGES, *_HEAD_COUNTS, *_WIDTHS, "hidden_sizes", "embed_dims")
    )
    changed: dict[str, Any] = {}
    for name, value in fields.items():
        if isinstance(value, PreTrainedConfig):
            changed[name] = reduced(type(value), scale, variant, value)
        else:
            new = _reduced_field(name, value, scale, variant, has_stages)
            if new is not value:
                changed[name] = new
    depth = next((changed[name] for name in _DEPTHS if name in changed), None)
    for name in _PER_LAYER:
        values = fields.get(name)
        if isinstance(values, list | tuple) and depth is not None and values:
            kinds = list(dict.fromkeys(values))
            depth = max(depth, len(kinds))
            changed[name] = (kinds * depth)[:depth]
            changed |= {each: depth for each in ("num_hidden_layers", "n_layer") if each in changed}
    if all(name in fields for name in _STATE_SPACE) and "head_dim" in changed:
        width = fields["expand"] * changed["hidden_size"]
        changed["num_heads"] = int(width) // int(changed["head_dim"])
    if variant:
        changed |= _special_tokens(fields, changed.get("vocab_size", fields.get("vocab_size")))
    given = _own_fields(default)
    if any(name in changed for name in _DEPTHS):
        # Stages of a backbone are counted by its layers.
        given = {name: value for name, value in given.items() if name not in _OUTPUTS}
    made = kind(**{**given, **changed})
    if hasattr(made, "use_cache"):
        made.use_cache = False
    return made


def _own_fields(default: Any) -> dict[str, Any]:
    """What a nested configuration was constructed with, where that is not the default."""
    try:
        data: dict[str, Any] = default.to_diff_dict()
    except Exception:
        return {}
    hidden = ("transformers_version", "model_type", "dtype", *_PER_LAYER)
    return {
        name: value
        for name, value in data.items()
        if name not in hidden and not isinstance(value, dict)
    }


def _reduced_field(
    name: str, value: Any, scale: Scale, variant: frozenset[str], has_stages: bool
) -> Any:
    if name in _STAGES and isinstance(value, list | tuple) and "stages" in variant:
        return type(value)(min(each, 1) if isinstance(each, int) else each for each in value)
    if type(value) is not int:
        return value
    if name == "vocab_size" and "vocabulary" in variant:
        return min(value, _FIXED["vocab_size"])
    if name in _DEPTHS and "depths" in variant and not has_stages:
        return min(value, scale.layers)
    if name == "image_size" and "images" in variant:
        return min(value, scale.image)
    if name in _FIXED and "fixed" in variant:
        return min(value, _FIXED[name])
    if scale.width is None or has_stages or "widths" not in variant:
        return value
    if name in _WIDTHS:
        return min(value, scale.width)
    if name in _INNER:
        return min(value, 2 * scale.width)
    if name in _HEAD_COUNTS:
        return min(value, _HEADS_OF_SMALL)
    if name in _HEAD_WIDTHS:
        return min(value, scale.width // _HEADS_OF_SMALL)
    return value


def _special_tokens(fields: dict[str, Any], vocabulary: Any) -> dict[str, int]:
    """Ids of special tokens that are no ids of a reduced vocabulary."""
    if not isinstance(vocabulary, int):
        return {}
    found: dict[str, int] = {}
    for name, value in fields.items():
        is_id = name.endswith(("_token_id", "_token_index", "_token"))
        if is_id and type(value) is int and value >= vocabulary:
            found[name] = vocabulary - 1 - len(found)
    return found
