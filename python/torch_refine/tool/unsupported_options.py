"""Unsupported options of mlir-opt: the reason, and alternatives.

Most of them are switches in MLIR's C++ libraries that the Python bindings do not expose. Loaded
only for the message.
"""

from __future__ import annotations

_ACTIONS = "the bindings do not trace actions; --mlir-print-ir-after-all shows what each pass did"
_COUNTERS = "the bindings have no debug counters; name the passes to be run one by one"
_PLUGINS = "the bindings load no plugins; --irdl-file registers dialects that IRDL defines"
_REMARKS = "the bindings have no remark engine; our passes' remarks are printed as diagnostics"
_KINDS = "our passes have no such remarks; --remarks-filter shows those that they have"
_CODE = "an option of LLVM's code generator; passes of LLVM are not run by this tool"

UNSUPPORTED: dict[str, str] = {
    "--color": "diagnostics are printed without colors",
    "--disable-i2p-p2i-opt": _CODE,
    "--elide-all-zero-branch-weights": _CODE,
    "--elide-resource-data-from-bytecode": (
        "the bindings write resources in full; --mlir-elide-resource-strings-if-larger=0 elides "
        "them from text"
    ),
    "--emit-bytecode-producer": "the bindings name MLIR's version as the producer",
    "--load-dialect-plugin": _PLUGINS,
    "--load-pass-plugin": _PLUGINS,
    "--log-actions-to": _ACTIONS,
    "--log-mlir-actions-filter": _ACTIONS,
    "--mlir-debug-counter": _COUNTERS,
    "--mlir-enable-debugger-hook": _ACTIONS,
    "--mlir-print-debug-counter": _COUNTERS,
    "--mlir-print-elementsattrs-with-hex-if-larger": (
        "the bindings print more than 100 elements in hex; --mlir-elide-elementsattrs-if-larger "
        "elides them"
    ),
    "--mlir-print-stacktrace-on-diagnostic": (
        "the bindings show no stack of MLIR's; TORCH_REFINE_TRACEBACK=1 shows that of an internal "
        "error"
    ),
    "--mlir-print-unique-ssa-ids": (
        "the bindings number values anew in each function; --mlir-print-debuginfo tells values of "
        "several apart"
    ),
    "--mlir-very-unsafe-disable-verifier-on-parsing": (
        "the bindings verify what they parse; --verify-each=false leaves out the verifier later"
    ),
    "--print-all-options": "--help lists the options with their defaults",
    "--print-options": "--help lists the options with their defaults",
    "--profile-actions-to": f"{_ACTIONS}, and --mlir-timing its time",
    "--remark-format": _REMARKS,
    "--remark-policy": _REMARKS,
    "--remarks-filter-analyse": _KINDS,
    "--remarks-filter-failed": _KINDS,
    "--remarks-output-file": _REMARKS,
}
"""By option, the reason that follows "not supported by this tool:"."""
