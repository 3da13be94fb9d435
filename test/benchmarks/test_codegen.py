"""The benchmark of compiled code: one small case measured, and what is said of figures."""

import argparse
import json

import checks
import codegen
import codegen_levels
import codegen_measure
import codegen_plot
import codegen_report
import pytest
import torch
from codegen_cases import BFLOAT16_CASES, CASES, CPU_CASES, QUICK, Case
from codegen_cuda_cases import GPU_CASES
from codegen_levels import AVX2, AVX512, NATIVE, host_levels
from codegen_measure import Times
from codegen_report import Measured
from peak import loop, peak
from torch import nn

ALL_AVX512 = dict.fromkeys((*codegen_levels._AVX2, *codegen_levels._AVX512), True)
ALL_AVX2 = dict.fromkeys(codegen_levels._AVX2, True)
TINY = Case("tiny", lambda: (nn.ReLU(), (torch.rand(4, 4),)), 1.0)


@pytest.fixture(autouse=True)
def restored():
    threads = torch.get_num_threads()
    yield
    torch.set_num_threads(threads)
    torch._dynamo.reset()


@pytest.fixture
def eager_peer(monkeypatch):
    """Inductor needs a C++ compiler, which not every machine has."""
    monkeypatch.setattr(torch, "compile", lambda model, **options: model)


def times_of(case, ours=3.0, eager=4.0, inductor=6.0, **others):
    compiling = {
        "our_compile": 1.5,
        "our_warm_compile": 0.12,
        "inductor_compile": 9.0,
        "inductor_warm_compile": 0.4,
    }
    return Times(case, ours, eager, inductor, **{"tuned": 12.0, **compiling, **others})


def test_a_case_is_measured(eager_peer):
    with torch.no_grad():
        times = codegen_measure.measure(TINY, 1, peers="all")
    assert times.problem == ""
    for value in (times.ours, times.eager, times.inductor, times.tuned):
        assert 0 < value < 1000
    assert times.our_compile > 0 and times.our_warm_compile > 0
    assert times.inductor_warm_compile > 0


def test_the_level_is_asked_for(eager_peer, monkeypatch):
    asked = []

    def compile(model, inputs, target, shapes, **options):
        asked.append(options)
        return model

    monkeypatch.setattr(codegen_measure.torch_refine, "compile", compile)
    with torch.no_grad():
        codegen_measure.measure(TINY, 1, level=AVX2)
        codegen_measure.measure(TINY, 1)
    assert asked == [{"threads": 1, "cpu": "x86-64-v3"}] * 2 + [{"threads": 1}] * 2


def test_a_case_that_does_not_compile_is_refused(eager_peer, monkeypatch, capsys):
    def refuse(*arguments, **options):
        raise ValueError("no lowering\nof this")

    monkeypatch.setattr(codegen_measure.torch_refine, "compile", refuse)
    with torch.no_grad():
        times = codegen_measure.measure(TINY, 1)
    assert (times.problem, times.ours, times.is_reached) == ("refused", None, False)
    assert times.eager > 0
    assert capsys.readouterr().err == "tiny: ValueError: no lowering\n"
    assert "| tiny | refused | " in codegen_report.document([Measured("AVX2", [times])])


def test_a_wrong_result_is_said(eager_peer, monkeypatch, capsys):
    monkeypatch.setattr(
        codegen_measure.torch_refine, "compile", lambda *arguments, **options: torch.exp
    )
    with torch.no_grad():
        times = codegen_measure.measure(TINY, 1)
    assert (times.problem, times.ours) == ("wrong", None)
    assert "AssertionError" in capsys.readouterr().err


def test_a_peer_that_fails_is_left_out(monkeypatch, capsys):
    def fail(model, **options):
        raise RuntimeError(f"no {options.get('mode', 'compiler')}")

    monkeypatch.setattr(torch, "compile", fail)
    with torch.no_grad():
        times = codegen_measure.measure(TINY, 1, peers="all")
    assert (times.problem, times.inductor, times.tuned) == ("", None, None)
    assert times.ours > 0 and times.is_reached
    said = capsys.readouterr().err
    assert "tiny, inductor: RuntimeError: no compiler" in said
    assert "tiny, max-autotune: RuntimeError: no max-autotune" in said
    (row,) = codegen_report.table_of([times]).rows[:1]
    assert row[3] == row[4] == row[6] == row[7] == "—"


@pytest.mark.parametrize(("ours", "mark"), [(1.9, False), (2.1, True)])
def test_what_is_not_reached_is_marked(ours, mark):
    times = Times(Case("x", lambda: None, 1.0), ours, 4.0, 2.0)
    text = codegen_report.document([Measured("native", [times])])
    assert ("(not reached)" in text) == mark
    assert f"| {ours / 2:.2f} |" in text


@pytest.mark.parametrize(("threaded", "mark"), [(1.7, False), (1.8, True)])
def test_threads_that_bring_too_little_are_marked(threaded, mark):
    single, double = times_of(CASES[0]), times_of(CASES[0], threaded)
    text = codegen_report.document([Measured("AVX2", [single], [double])])
    assert ("(not reached)" in text) == mark
    assert f"| {3.0 / threaded:.2f} | 1.7" in text


@pytest.mark.parametrize(("checked", "mark"), [(2.05, False), (2.07, True)])
def test_checks_that_cost_too_much_are_marked(checked, mark):
    cost = checks.Cost("x", checked, 2.0)
    text = codegen_report.document([Measured("native", [], [], [cost])])
    assert ("(not reached)" in text) == mark


def test_means_are_geometric_and_of_what_is_known():
    found = [times_of(CASES[0], 6.0), times_of(CASES[1], 1.5), times_of(CASES[2], None)]
    row = codegen_report.table_of(found).rows[-1]
    # 6/4 and 1.5/4, 6/6 and 1.5/6, 6/12 and 1.5/12.
    assert row[:8] == ("geometric mean", "", "", "", "", "0.75", "0.50", "0.25")
    assert row[8:] == ("", "", "1.5 s", "0.12 s", "9.0 s", "0.4 s")
    assert codegen_report.geometric_mean([None]) is None


def test_operations_of_fused_kernels_are_counted():
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval()
    with torch.no_grad():
        counted = codegen_measure.operations(layer, (torch.rand(1, 4, 8),))
        cells = codegen_measure.operations(nn.LSTM(8, 8), (torch.rand(3, 2, 8),))
    projections, scores, feed_forward = 4 * 4 * 8 * 8, 2 * 4 * 4 * 8, 2 * 4 * 8 * 16
    assert counted == 2 * (projections + scores + feed_forward)
    assert cells == 2 * 2 * 3 * 2 * 8 * 32
    assert codegen_measure.operations(nn.ReLU(), (torch.rand(3),)) == 0


def test_the_ratio_at_the_peak():
    matmul = next(case for case in CASES if case.name == codegen_report.MATMUL)
    times = times_of(matmul, 20.0, 25.0, 25.0, operations=2.0 * 1024**3)
    (row, _) = codegen_report.table_of([times], 125.0).rows
    assert row[8] == "0.69"
    assert times.ratio_at_peak(None) is None
    assert times_of(matmul).ratio_at_peak(125.0) is None


def test_shares_of_the_peak():
    matmul = next(case for case in CASES if case.name == codegen_report.MATMUL)
    measured = Measured("AVX2", [times_of(matmul, 20.0, 25.0)], peak=125.0, numpy=None)
    (row,) = codegen_report.peak_table([measured]).rows
    assert row == ("AVX2", "125 GFLOP/s", "107 GFLOP/s, 86%", "86 GFLOP/s, 69%", "—")
    assert codegen_report.peak_table([Measured("AVX2", [], peak=125.0)]).rows == []


def test_results_of_a_process_are_read_as_they_were():
    measured = Measured(
        "AVX2",
        [times_of(CASES[0]), Times(CPU_CASES[-1], problem="refused")],
        [times_of(CASES[0], 1.7)],
        [checks.Cost("x", 2.0, 2.0)],
        125.0,
        20.0,
        "AVX2",
    )
    assert Measured.from_data(json.loads(json.dumps(measured.as_data()))) == measured


def test_the_plot_can_be_drawn_from_the_document():
    first, second, third = CASES[0], CASES[3], CPU_CASES[-1]
    found = [
        times_of(first),
        times_of(second, 2.0, 1.0, 1.0, tuned=None),
        Times(third, None, 5.0, 2.0, problem="refused"),
    ]
    wide = Measured("AVX-512", found, [found[0]], [checks.Cost("x", 2.0, 2.0)], 200.0, 11.0)
    text = codegen_report.document([wide, Measured("AVX2", found[:1])])
    assert codegen_report.recorded(text) == [
        Measured("AVX-512", found),
        Measured("AVX2", found[:1]),
    ]
    text = codegen_report.document([Measured("native", found)])
    assert codegen_report.recorded(text) == [Measured("", found)]


def test_the_shipped_document_is_one_of_these_cases():
    results = codegen_report.recorded(codegen_report.DOCUMENTS["cpu"].read_text(encoding="utf-8"))
    assert results
    for measured in results:
        assert len(measured.found) >= len(CASES)
        assert all(times.ratio is None or 0.01 < times.ratio < 100 for times in measured.found)


def test_the_document_says_what_ran_where():
    found = [times_of(CASES[0])]
    both = codegen_report.document([Measured("AVX-512", found), Measured("AVX2", found)])
    assert "Instructions: AVX-512 and AVX2, both on this CPU." in both
    assert "with vectors limited to 256 bits" in both
    alone = codegen_report.document([Measured("AVX2", found, capability="AVX2")])
    assert "Instructions: AVX2 only" in alone
    assert "limited to" not in alone
    assert "PyTorch's own kernels use AVX2." in alone


@pytest.mark.parametrize("ratios", [[0.9], [0.53, 1.3], [0.1, 0.2], [7.0], [0.03, 9.0]])
def test_bars_are_shown_whole_with_several_ticks(ratios):
    low, high = codegen_plot.limits(ratios)
    assert low < min(1.0, *ratios) and max(1.0, *ratios) < high
    ticks = [tick for tick in codegen_plot.TICKS if low <= tick <= high]
    assert len(ticks) >= 3 and 1.0 in ticks


@pytest.mark.parametrize("levels", [("native",), ("AVX-512", "AVX2")])
def test_the_plot_is_drawn(tmp_path, levels):
    pyplot = pytest.importorskip(
        "matplotlib.pyplot", reason="the extra `benchmark` is not installed"
    )
    found = [times_of(CASES[0]), Times(CASES[1], problem="refused")]
    codegen_plot.plot([Measured(level, found) for level in levels], tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    assert pyplot.get_fignums() == []


class _Gather(nn.Module):
    def forward(self, x, i):
        return x[i]


def test_checks_are_left_out_of_what_they_are_compared_with(monkeypatch):
    case = Case("tiny", lambda: (_Gather(), (torch.rand(4, 4), torch.tensor([1, 2]))), 1.0)
    called = []

    def turn(way, inputs):
        called.append(way)
        return 1.0

    assert checks.measure_checks(case, 1, turn).ratio == 1.0
    asserted = [way._caller.assertions for way in called]
    assert "index is out of bounds" in str(asserted[0])
    assert "index is out of bounds" not in str(asserted[1])


def test_quick_cases_are_cases():
    assert set(QUICK) <= {case.name for case in CASES}
    every = [case.name for case in GPU_CASES]
    assert len(set(every)) == len(every)


@pytest.mark.parametrize(
    ("machine", "features", "names"),
    [
        ("x86_64", ALL_AVX512, ["AVX-512", "AVX2"]),
        ("x86_64", ALL_AVX2, ["AVX2"]),
        ("x86_64", {**ALL_AVX512, "avx512vl": False}, ["AVX2"]),
        ("x86_64", {}, ["native"]),
        ("aarch64", {"neon": True}, ["native"]),
    ],
)
def test_levels_are_those_of_the_host(machine, features, names):
    assert [level.name for level in host_levels(machine, features)] == names


def test_a_level_is_kept_from_what_restricts_another(monkeypatch):
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    monkeypatch.setenv("ATEN_CPU_CAPABILITY", "default")
    wide, narrow = (codegen.worker_environment(level, "caches") for level in (AVX512, AVX2))
    assert "OPENBLAS_CORETYPE" not in wide and "ATEN_CPU_CAPABILITY" not in wide
    assert narrow["ATEN_CPU_CAPABILITY"] == "avx2"
    assert wide["TORCHINDUCTOR_CACHE_DIR"] == "caches"


@pytest.mark.parametrize(
    ("options", "count"),
    [
        ({}, len(CASES) + len(CPU_CASES) + len(BFLOAT16_CASES)),
        ({"quick": True}, len(QUICK)),
        ({"only": "attention 8x"}, 3),
        ({"target": "cuda"}, len(GPU_CASES)),
    ],
)
def test_cases_are_chosen(options, count):
    given = {"target": "cpu", "quick": False, "only": None, **options}
    assert len(codegen.chosen_cases(argparse.Namespace(**given))) == count


def test_what_is_in_no_case_is_an_error(capsys):
    with pytest.raises(SystemExit):
        codegen.main(["--only", "no such case"])
    assert "no case has this name" in capsys.readouterr().err


def test_a_process_that_fails_fails_the_run(monkeypatch, capsys):
    monkeypatch.setattr(codegen, "levels_of_host", lambda: (AVX2,))
    monkeypatch.setattr(codegen, "__file__", "no_such_script.py")
    assert codegen.main(["--quick"]) == 1
    assert "AVX2: the process ended with 2" in capsys.readouterr().err


def test_the_peak_is_of_fused_operations():
    assert loop(8, 12).count("call <8 x float> @llvm.fma.v8f32") == 12
    assert peak(NATIVE) is None
