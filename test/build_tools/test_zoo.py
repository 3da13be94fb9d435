"""The zoo: its list, its comparison and its documents; ten of its architectures."""

import os
from random import Random

import pytest
import torch
from torch_refine.build_tools.zoo import document, store
from torch_refine.build_tools.zoo.__main__ import chosen_architectures, judge
from torch_refine.build_tools.zoo.architectures import Architecture
from torch_refine.build_tools.zoo.columns import Outcome, moved_by_roundings
from torch_refine.build_tools.zoo.comparing import compare
from torch_refine.build_tools.zoo.networks import SMALL, Network
from torch_refine.build_tools.zoo.report import fallbacks, grouped

# Small and quick to compile. Each run of a seed takes ten of them.
QUICK = (
    "bart",
    "bert",
    "biogpt",
    "clipseg",
    "convbert",
    "dinov2",
    "gemma2",
    "gemma3",
    "git",
    "gpt-sw3",
    "granite_speech",
    "idefics2",
    "llama",
    "mistral",
    "mvp",
    "ovis2",
    "qwen2",
    "qwen3_vl",
    "resnet",
    "roberta-prelayernorm",
    "speech_to_text",
    "tipsv2",
    "video_llama_3",
    "vit",
    "vit_mae",
    "vit_msn",
    "xlm-roberta",
)
SEED = int(os.environ.get("TORCH_REFINE_ZOO_SEED", "0"))


@pytest.mark.parametrize("model_type", sorted(Random(SEED).sample(QUICK, 10)))
def test_an_architecture(model_type):
    found = judge((Architecture("transformers", model_type), "static"), "tiny")
    assert (found.kind, found.message, found.fallbacks) == ("whole", "", [])
    assert found.data["operators"] > 10


class _Cache:
    """An object that `pytree` does not know."""

    def __init__(self, tensor):
        self.layers = [{"keys": tensor}]


def test_only_errors_of_numbers_are_finite():
    """What roundings move is finite, so nothing else is excused by it."""
    for found in ([EAGER, EAGER], EAGER[:1], EAGER.double(), EAGER * torch.nan, EAGER / 0):
        assert compare(found, EAGER, EAGER.double()).error == float("inf")
    assert compare(EAGER + 1, EAGER, EAGER.double()).error < float("inf")


def test_objects_are_compared_by_what_they_have():
    cache = _Cache(EAGER)
    assert not compare(_Cache(EAGER * (1 + 1e-6)), cache, _Cache(EAGER.double())).problem
    assert compare(_Cache(EAGER + 1), cache, _Cache(EAGER.double())).problem


class _Routed(torch.nn.Module):
    """Multiplies by one of two numbers, that of the greater score."""

    def __init__(self, scores):
        super().__init__()
        self.scores = torch.nn.Parameter(torch.tensor(scores))

    def forward(self, x):
        return x * torch.tensor([1.0, 3.0])[self.scores.argmax()]


@pytest.mark.parametrize(("scores", "is_decided"), [([0.5, 0.501], False), ([0.5, 0.6], True)])
def test_what_roundings_decide(scores, is_decided):
    network = Network(_Routed(scores), lambda batch: {"x": torch.ones(batch, 3)})
    narrow = _Routed(scores).bfloat16()
    moved = moved_by_roundings(narrow, network, network.inputs(2))
    assert moved == (0 if is_decided else pytest.approx(2 / 3))


def test_generation():
    found = judge((Architecture("transformers", "llama"), "generate"), "tiny")
    assert (found.kind, found.message) == ("whole", "")
    for cache in ("dynamic", "static"):
        # The prompt, and one more for each way in which a token follows.
        assert found.data[f"{cache}: graphs"] <= 3
        assert found.data[f"{cache}: recompilations"] <= 1
        assert found.data[f"{cache}: breaks"] == 0


def test_what_does_not_generate_is_unfit():
    found = judge((Architecture("transformers", "vit"), "generate"), "tiny")
    assert (found.kind, found.message) == ("unfit", "it does not generate tokens")


def test_parts_are_disjoint_and_complete():
    every = chosen_architectures("", "1/1")
    assert len(every) >= 120
    parts = [chosen_architectures("", f"{number}/3") for number in (1, 2, 3)]
    assert sorted(each.name for part in parts for each in part) == sorted(
        each.name for each in every
    )
    assert len({each.package for each in parts[0]}) == 3, "packages are mixed"


def test_a_filter():
    assert [each.name for each in chosen_architectures("timm/vgg", "1/1")] == ["timm/vgg11"]


@pytest.mark.parametrize("part", ["0/2", "3/2", "one", "1/", "-1/2"])
def test_an_invalid_part(part):
    with pytest.raises(ValueError, match="--part is K/N"):
        chosen_architectures("", part)


@pytest.mark.parametrize("model_type", ["llama", "bart", "mamba2", "clip"])
def test_configurations_are_reduced(model_type):
    network = Architecture("transformers", model_type).build(SMALL)
    assert sum(each.numel() for each in network.model.parameters()) < 2_000_000
    assert all(each.shape[0] == 3 for each in network.inputs(3).values())


def test_an_architecture_that_does_not_exist_is_unfit():
    found = judge((Architecture("transformers", "no such model"), "static"))
    assert found.kind == "unfit"


EAGER = torch.tensor([1.0, -2.0, 3.0])
WRONG = {
    "value": EAGER + torch.tensor([0.0, 0.01, 0.0]),
    "NaN": torch.tensor([1.0, float("nan"), 3.0]),
    "infinity": torch.tensor([1.0, float("inf"), 3.0]),
    "shape": EAGER[:2],
    "dtype": EAGER.double(),
    "number": (EAGER, EAGER),
    "nothing": None,
}


@pytest.mark.parametrize("kind", WRONG)
def test_wrong_results(kind):
    assert compare(WRONG[kind], EAGER, EAGER.double()).problem


def test_wrong_integers():
    assert compare(torch.tensor([1, 2]), torch.tensor([1, 3]), torch.tensor([1, 3])).problem
    # Where eager mode differs from the reference, rounding decides.
    assert not compare(torch.tensor([1, 2]), torch.tensor([1, 3]), torch.tensor([1, 2])).problem


def test_rounding_is_not_wrong():
    found = compare(EAGER * (1 + 1e-6), EAGER, EAGER.double())
    assert not found.problem
    assert found.error == pytest.approx(1e-6, rel=0.2)
    # An error of eager mode's size is not wrong, either.
    assert not compare(EAGER + 0.02, EAGER - 0.01, EAGER.double()).problem


DATA = {"operators": 8, "in pytorch": 2, "compiled share": 0.75, "error": 0.0}
OUTCOMES = (
    ("static", Outcome("hung", "no end in sight")),
    ("static", Outcome("parts", "", [("aten::foo", 2, "no 1 lowering", 0.25)], DATA)),
    ("dynamic", Outcome("refused", "tensor<3xf32> | of %4")),
)
RESULTS = [
    store.Result("timm/a", column, "small", "code", "torch 2", outcome)
    for column, outcome in OUTCOMES
]


def test_newer_results_replace_older_ones(tmp_path):
    path = tmp_path / "results.jsonl"
    for each in RESULTS:
        store.keep(each, path)
    assert list(store.results(path).values()) == RESULTS[1:]


def test_problems_are_grouped():
    assert fallbacks(RESULTS) == {("aten::foo", "no # lowering"): ["timm/a"]}
    others = [
        store.Result("b", "dynamic", "small", "", "", Outcome("refused", "tensor<3xf32> | of %5"))
    ]
    assert list(grouped([RESULTS[2], *others]).values()) == [["timm/a (dynamic)", "b (dynamic)"]]


def test_the_document(tmp_path, monkeypatch):
    times = {"ours": 10.0, "eager": 30.0, "inductor": 20.0}
    seconds = {f"{who} {how}": 1.0 for who in ("our", "inductor") for how in ("cold", "warm")}
    timed = store.Result(
        "timm/a", "time", "medium", "code", "torch 2", Outcome("whole", data={"1": times | seconds})
    )
    monkeypatch.setattr(document, "DOCUMENT", tmp_path / "zoo.md")
    monkeypatch.setattr(document, "PLOT", tmp_path / "zoo.png")
    drawn = []
    monkeypatch.setattr(document, "plot", lambda *given: drawn.append(given))
    document.write([*RESULTS[1:], timed])
    text = (tmp_path / "zoo.md").read_text()
    assert "| static | 0 | 1 |" in text
    assert "| aten::foo | no # lowering | timm/a |" in text
    assert "our time is 0.50 of inductor's" in text
    assert "| timm/a | parts | refused |  |  | 10 | 2 | 75% | 0e+00 |" in text
    assert drawn[0] == ({"timm/a": {"1": times | seconds}}, tmp_path / "zoo.png")
    kept = store.results(tmp_path / "zoo.jsonl")
    assert sorted(kept) == [("timm/a", column) for column in ("dynamic", "static", "time")]
    message = "/a/b-c/lib/python3/site-packages/timm/x.py:3 fails"
    failed = store.Result("timm/b", "static", "small", "", "torch 2", Outcome("raised", message))
    document.write([failed])
    assert "timm/x.py:3 fails" in (tmp_path / "zoo.jsonl").read_text()
    assert "site-packages" not in (tmp_path / "zoo.jsonl").read_text()
    document.write([*RESULTS[1:], timed])
    newer = store.Result("timm/a", "dynamic", "small", "code", "torch 2", Outcome("whole"))
    store.keep(newer, tmp_path / "results.jsonl")
    assert store.results(tmp_path / "zoo.jsonl", tmp_path / "results.jsonl") == kept | {
        newer.key: newer
    }


def test_the_plot(tmp_path):
    pytest.importorskip("matplotlib", reason="the extra `benchmark` is not installed")
    document.plot({"timm/a": {"1": {"ours": 1.0, "inductor": 2.0}}}, tmp_path / "zoo.png")
    assert (tmp_path / "zoo.png").stat().st_size > 0
