"""The zoo's column about generation: a language model that generates, compiled, and its graphs."""

from __future__ import annotations

import copy
import logging
from typing import Any

import torch
from torch_refine.build_tools.zoo.columns import Outcome, Said
from torch_refine.build_tools.zoo.networks import Network, Unfit, first_line

_BATCH, _LENGTH, _OTHER_LENGTH, _NEW = 2, 7, 5, 10
# The caches of keys and values: one that grows, and one of a fixed size.
_CACHES: dict[str, dict[str, Any]] = {"dynamic": {}, "static": {"cache_implementation": "static"}}


def generate(network: Network) -> Outcome:
    """Generate greedily with each kind of cache, for a prompt and then for a shorter one.

    The tokens are those of eager mode. The graphs that `torch.compile` captures are counted: of the
    first prompt, and the further ones of the second.
    """
    from torch._dynamo.utils import counters

    model = _language_model(network.model)
    prompts = [_prompt(model, length) for length in (_LENGTH, _OTHER_LENGTH)]
    forward = model.forward
    data: dict[str, Any] = {}
    said = Said()
    logging.getLogger("torch_refine").addHandler(said)
    for name, cache in _CACHES.items():
        model.forward = forward
        try:
            expected = [_generated(model, prompt, cache) for prompt in prompts]
        except Exception as error:
            data[f"{name}: unfit"] = first_line(error)
            continue
        torch._dynamo.reset()
        counters.clear()
        model.forward = torch.compile(forward, backend="torch_refine")
        graphs: list[int] = []
        for prompt, wanted in zip(prompts, expected, strict=True):
            found = _generated(model, prompt, cache)
            graphs.append(counters["stats"]["unique_graphs"] - sum(graphs))
            if not torch.equal(found, wanted):
                return Outcome("wrong", f"other tokens with a {name} cache", data=data)
        data[f"{name}: graphs"], data[f"{name}: recompilations"] = graphs
        data[f"{name}: breaks"] = sum(counters["graph_break"].values())
    if all(f"{name}: unfit" in data for name in _CACHES):
        raise Unfit(f"generation in eager mode: {data['dynamic: unfit']}")
    data["eager graphs"] = said.eager
    return Outcome("parts" if said.eager else "whole", data=data)


def _language_model(model: torch.nn.Module) -> Any:
    """A model of the same configuration that predicts tokens; raises Unfit if there is none."""
    from transformers import AutoModelForCausalLM

    known: Any = AutoModelForCausalLM
    config = copy.deepcopy(getattr(model, "config", None))
    if config is None or type(config) not in known._model_mapping:
        raise Unfit("it does not generate tokens")
    config.use_cache = True
    torch.manual_seed(0)
    try:
        found = known.from_config(config).eval()
    except Exception as error:
        raise Unfit(f"no language model: {first_line(error)}") from error
    # Generation ends with this token, which random weights may choose.
    found.generation_config.eos_token_id = None
    found.generation_config.pad_token_id = 0
    return found


def _prompt(model: Any, length: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(length)
    # Models of several kinds of data keep it with their text model.
    vocabulary = model.config.get_text_config(decoder=True).vocab_size
    return torch.randint(3, vocabulary, (_BATCH, length), generator=generator)


def _generated(model: Any, prompt: torch.Tensor, cache: dict[str, Any]) -> torch.Tensor:
    with torch.no_grad():
        found: torch.Tensor = model.generate(
            prompt,
            attention_mask=torch.ones_like(prompt),
            max_new_tokens=_NEW,
            do_sample=False,
            # The configurations of the other columns have no cache.
            use_cache=True,
            **cache,
        )
    return found
