"""The benchmark's pieces on a tiny program, and its figures on measurements that are made up."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from measure import (
    DIRECT,
    FAKE,
    OPT,
    PARSE,
    PEER,
    PEER_OPT,
    WAYS,
    Figure,
    Limits,
    Measured,
    Result,
    load,
    measure_program,
    save,
)
from programs import Program, load_program, split_name
from report import document, spread, summary
from tables import errors, growth, significant, tables
from worker import Sample

LIMITS = Limits(repeats=1)


@pytest.fixture(scope="module")
def chain(tmp_path_factory):
    """Three convolutions, built as the benchmark builds its programs."""
    return load_program("convolutions-3", tmp_path_factory.mktemp("programs"))


@pytest.fixture(scope="module")
def measured(chain):
    """The chain, measured once in each way."""
    return measure_program(chain, LIMITS)


def made_up(name, operations, **seconds):
    """A result in which each way took as long as the keyword of its name says."""
    program = Program(name, operations, 10, 4, Path("erased.mlir"), Path("exported.pt2"))
    samples = {
        way.name: Measured([Sample(each, 2**20 * operations, 10, 9)] * 3)
        for way in WAYS
        if (each := seconds.get(way.name.replace("-", "_"), 1.0))
    }
    return Result(program, samples)


def rows(results, title):
    """The rows of the table with this title, as dictionaries by column."""
    table = next(table for table in tables(results) if table.title == title)
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def test_a_program_is_built_erased_and_kept(chain):
    assert chain.name == "convolutions-3"
    text = chain.file.read_text()
    # Every operation stands on a line of its own; the function is one, too.
    lines = [line for line in text.splitlines() if re.match(r"\s+(%|return|func\.func)", line)]
    assert chain.operations == len(lines)
    assert text.count("torch.aten.convolution") == 3
    assert 0 < chain.complete < chain.tensors
    before = chain.file.stat().st_mtime_ns
    assert load_program("convolutions-3", chain.file.parent.parent) == chain
    assert chain.file.stat().st_mtime_ns == before


def test_every_way_is_measured(measured):
    assert errors([measured]) == []
    for way in WAYS:
        assert measured.measured[way.name].repetitions == 1, way
        assert measured.seconds(way).value > 0, way
    for way in (PARSE, DIRECT, PEER, FAKE):
        assert measured.peak_memory(way).value > 2**20, way
    assert measured.measured["parse"].complete == (
        measured.program.complete,
        measured.program.tensors,
    )
    complete, tensors = measured.measured["direct"].complete
    assert complete == tensors == measured.program.tensors
    assert all(measured.measured[way.name].complete is None for way in (OPT, PEER_OPT))


def test_copies_are_functions_of_one_module(chain):
    copied = load_program("convolutions-3x4", chain.file.parent.parent)
    text = copied.file.read_text()
    assert text.count("func.func @main") == text.count("return ") == copied.copies == 4
    assert copied.operations == 4 * chain.operations
    measured = measure_program(copied, LIMITS)
    assert errors([measured]) == []
    for way in WAYS:
        assert measured.measured[way.name].repetitions == (0 if way.is_peer else 1), way
    assert measured.measured["direct"].complete == (copied.tensors, copied.tensors)


def test_what_was_measured_can_be_kept(measured, tmp_path):
    save([measured], LIMITS, tmp_path / "measured.json")
    assert load(tmp_path / "measured.json") == ([measured], LIMITS)


def test_the_document_has_a_row_for_each_program(measured):
    text = document([measured], LIMITS)
    found = tables([measured])
    for table in found:
        assert f"## {table.title}\n" in text
        assert [row[0] for row in table.rows] == ["convolutions-3"]
    assert text.count("\n| convolutions-3 |") == len(found)
    assert all(f"- {line}\n" in text for line in summary([measured]))


def test_nothing_takes_longer_than_the_timeout(chain):
    limits = Limits(repeats=3, timeout=0.002)
    result = measure_program(chain, limits, ways=(PEER, PEER_OPT))
    for way in (PEER, PEER_OPT):
        assert result.seconds(way) == Figure(0.002, ">")
        assert result.measured[way.name].repetitions == 1
        assert result.measured[way.name].complete is None


def test_what_fails_is_told(chain, tmp_path):
    file = tmp_path / "wrong.mlir"
    file.write_text("torch.nonsense")
    result = measure_program(replace(chain, file=file), LIMITS, ways=(PARSE, PEER_OPT))
    assert result.seconds(PARSE) is None
    assert [line.partition(" failed: ")[0] for line in errors([result])] == [
        "parse only on convolutions-3",
        "torch-mlir-opt on convolutions-3",
    ]
    assert rows([result], "Time")[0]["parse only"] == "failed"
    assert "parse only on convolutions-3 failed: " in document([result], LIMITS)


def test_a_way_that_used_its_budget_rests(chain):
    repetitions = []
    limits = Limits(repeats=3, budget=0)
    result = measure_program(
        chain, limits, ways=(PARSE,), report=lambda way, repetition: repetitions.append(repetition)
    )
    assert result.measured["parse"].repetitions == 1
    assert repetitions == [0, 1, 2]


def test_figures_follow_from_what_was_measured():
    small = made_up("encoder-1", 1000, parse=0.1, direct=0.5, peer=2.0, opt=1.0, peer_opt=3.0)
    large = made_up("encoder-4", 4000, parse=0.4, direct=3.0, peer=40.0, opt=4.0, peer_opt=50.0)
    results = [small, large]
    ratios = rows(results, "Ratios of times")
    assert [row["torch-mlir / direct"] for row in ratios] == ["4.00x", "13.3x"]
    assert [row["direct / parse only"] for row in ratios] == ["5.00x", "7.50x"]
    processes = rows(results, "Whole processes")
    assert [row["torch-mlir-opt / torch-refine-opt"] for row in processes] == ["3.00x", "12.5x"]
    operations = rows(results, "Time per operation")
    assert [row["direct"] for row in operations] == ["500,000", "750,000"]
    assert growth(results, DIRECT) == Figure(1.5)
    assert [row["direct"] for row in rows(results, "Peak memory")] == ["1,000", "4,000"]
    assert rows(results, "Complete values")[0]["direct"] == "9 of 10"
    assert rows(results, "Repetitions")[0]["torch-mlir"] == "3"
    text = " ".join(summary(results))
    assert "5.00x to 7.50x the time to parse" in text
    assert "take 4.00x to 13.3x the time of the direct pass" in text
    assert "largest encoder is 1.50x that" in text


def test_what_was_given_up_is_a_bound():
    result = made_up("encoder-1", 1000, direct=0.5)
    result.measured["peer"] = Measured([], timeout=300)
    assert rows([result], "Time")[0]["torch-mlir"] == "> 300 s"
    assert rows([result], "Ratios of times")[0]["torch-mlir / direct"] == "> 600x"
    assert spread([Figure(2), Figure(600), Figure(300, ">")], "x") == "2.00x to at least 600x"
    assert Figure(1).over(Figure(4, ">")) == Figure(0.25, "<")
    assert Figure(1, ">").over(Figure(4, ">")) is None


def test_the_median_counts():
    measured = Measured([Sample(each) for each in (5.0, 1.0, 2.0)])
    assert measured.seconds == Figure(2.0)
    assert measured.peak_memory is None


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.012345, "0.0123"), (1.5, "1.50"), (99.96, "100"), (12345.6, "12,300"), (0, "0")],
)
def test_three_digits_count(value, text):
    assert significant(value).removesuffix(".0") == text


@pytest.mark.parametrize("name", ["encoder", "decoder-12", "encoder-twelve"])
def test_unknown_programs_are_refused(name):
    with pytest.raises(ValueError, match="no such program"):
        split_name(name)


def test_the_plot_is_a_picture(tmp_path):
    pytest.importorskip("matplotlib", reason="the extra `benchmark` is not installed")
    from plot import plot

    results = [made_up("encoder-1", 1000), made_up("encoder-4", 4000), made_up("resnet-50", 900)]
    results[1].measured["peer"] = Measured([], timeout=300)
    plot(results, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
