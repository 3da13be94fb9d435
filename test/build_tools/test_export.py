"""The exporter: the committed library is fresh, and what cannot be exported says where."""

import sys
import textwrap
from pathlib import Path

import pytest
import torch
from torch_refine.abstract_interp_lib.declaration import (
    Declaration,
    decompositions,
    is_shipped,
)
from torch_refine.abstract_interp_lib.rules.pooling import pooled
from torch_refine.abstract_interpreter.running.library import PROGRAMS
from torch_refine.build_tools import prepare_library, write_docs
from torch_refine.build_tools.check_functions import load_families
from torch_refine.build_tools.export_library import difference
from torch_refine.dialect.bindings import new_context
from torch_refine.dialect.library import LIBRARY, Library, functions_in
from torch_refine.importer.functions.exporting import export
from torch_refine.importer.functions.signatures import SignatureError
from torch_refine.importer.functions.torchscript import ExportError, LibraryBuilder


def test_the_committed_library_is_fresh():
    declared = [*load_families().values(), *decompositions().values()]
    # Other tests of this process may have declared functions of users.
    exported = export([each for each in declared if is_shipped(each.source)])
    assert difference(LIBRARY.read_text(), exported) == [], "run `make library`"
    assert LIBRARY.read_text() == exported


def test_the_prepared_library_is_fresh():
    assert PROGRAMS.read_text() == prepare_library.prepared(LIBRARY.read_text()), (
        "run `make library`"
    )


def test_the_committed_documents_are_fresh():
    is_fresh = write_docs.DOCUMENT.read_text() == write_docs.document()
    assert is_fresh, "run `make docs`"


def _exported(function):
    builder = LibraryBuilder(new_context())
    builder.add_function(torch.jit.script(function), "f")
    builder.module.operation.verify()
    return str(builder.module)


def _callee(x: int) -> int:
    return x + 1


def _everything(x: list[int], y: int | None, s: str) -> list[int]:
    out: list[int] = []
    for i in range(len(x)):
        if y is not None and x[i] > 2:
            out.append(_callee(y))
        else:
            out.append(_callee(x[i]) * 2)
    pair = (out, s)
    assert len(pair[0]) > 0, f"nothing in {x} for {s}"
    while out[-1] > 100:
        out[-1] = out[-1] // 2
    return pair[0]


def test_all_constructs_are_exported():
    text = _exported(_everything)
    for op in ("prim.If", "prim.Loop", "call @", "ListConstruct", "_set_item.t"):
        assert op in text
    assert "unchecked_cast" in text and "torch.aten.format" in text
    assert 'constant.str "nothing in {} for {}"' in text and "RaiseException" in text
    assert text.count("func.func private") == 2


def _dictionary(x: int) -> int:
    table = {1: 2}
    return table[x]


def test_what_cannot_be_exported_names_file_and_line():
    with pytest.raises(ExportError) as raised:
        _exported(_dictionary)
    # TorchScript gives a dict display no place of its own: the line that uses it is named.
    line = _dictionary.__code__.co_firstlineno + 2
    assert "Dict" in str(raised.value)
    assert f"{Path(__file__).name}:{line}" in str(raised.value)


def _mm(self: list[int], mat: list[int]) -> list[int]:
    return self


def test_a_wrong_signature_shows_both():
    wrong = Declaration("shape", "aten::mm", _mm, False, (), (), "test")
    with pytest.raises(SignatureError, match=r"\(self, mat\).*Tensor self, Tensor mat2"):
        export([wrong])


def _of_two_dimensions(rule, **constants):
    return Declaration("shape", "aten::max_pool2d", rule, True, (), (), "", None, constants)


def test_a_rule_of_a_family_takes_constants():
    text = export([_of_two_dimensions(pooled, rank=2)])
    (entry,) = (f for name, f in functions_in(text).items() if name.endswith("aten.max_pool2d"))
    assert "torch.constant.int 2" in entry


@pytest.mark.parametrize(
    ("constants", "message"),
    [
        ({}, r"the rule takes \['rank'\], which aten::max_pool2d"),
        ({"rank": 2, "ranks": 2}, "ranks= is no parameter of the rule that can be constant"),
        ({"rank": 2, "ceil_mode": 1}, "ceil_mode= is no parameter of the rule"),
    ],
)
def test_constants_that_a_rule_does_not_take(constants, message):
    with pytest.raises(SignatureError, match=message):
        export([_of_two_dimensions(pooled, **constants)])


def test_the_difference_of_libraries():
    old = "func.func private @a() {\n}\nfunc.func private @b() {\n}\n"
    new = "func.func private @b() {\n return\n}\nfunc.func private @c() {\n}\n"
    assert difference(old, new) == ["added   c", "changed b", "removed a"]


def test_only_what_is_called_is_read():
    library = Library()
    closed = library.closure(["__torch_mlir_shape_fn.aten.mm"])
    assert 1 < len(closed) < 10
    assert len(functions_in(LIBRARY.read_text())) > 1000


def test_a_family_is_one_file(tmp_path):
    """A new function takes one file: it is found, checked and exported."""
    source = textwrap.dedent('''
        from typing import List, Tuple
        from torch_refine.abstract_interp_lib.declaration import (
            Invocation, T, dtype_function, shape_function
        )

        @shape_function("aten::ormqr", ok=[Invocation(T(3, 2), T(2), T(3, 4))])
        def ormqr(self: List[int], input2: List[int], input3: List[int], left: bool = True,
                  transpose: bool = False) -> List[int]:
            """The shape of the matrix that is multiplied."""
            return input3

        @dtype_function("aten::ormqr")
        def ormqr_dtype(self: Tuple[int, int], input2: Tuple[int, int], input3: Tuple[int, int],
                        left: bool = True, transpose: bool = False) -> int:
            """The common dtype."""
            return input3[1]
    ''')
    (tmp_path / "my_family.py").write_text(source)
    program = textwrap.dedent("""
        import sys
        import my_family
        from torch_refine.abstract_interp_lib.declaration import declarations
        from torch_refine.build_tools.check_functions import check
        from torch_refine.importer.functions.exporting import export
        mine = list(declarations().values())
        assert len(mine) == 2
        for declaration in mine:
            for problem in check(declaration):
                print(problem)
        print(export(mine))
    """)
    import subprocess

    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    assert "@__torch_mlir_shape_fn.aten.ormqr" in done.stdout
    assert "my_family.py" not in done.stdout
