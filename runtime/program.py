"""A loaded program: its code, its state, and calls of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from torch_refine.passes.lowering.abi import ENTRY, PREPARE_ENTRY
from torch_refine.passes.lowering.kernels.targets.host import host
from torch_refine.runtime.calls.arguments import Arguments
from torch_refine.runtime.calls.calling import Caller, Result
from torch_refine.runtime.calls.guards import BrokenGuardError
from torch_refine.runtime.calls.object_files import load_object
from torch_refine.runtime.calls.openmp import load_openmp
from torch_refine.runtime.calls.signature import Parameter, Signature, TensorParameter
from torch_refine.runtime.calls.tensors import ArrayKind, NumpyArrays, TorchTensors
from torch_refine.runtime.compiling.compiler import Compiled, CompileError
from torch_refine.runtime.cuda.gpu import Gpu, StateTensors
from torch_refine.runtime.cuda.interface import Driver
from torch_refine.runtime.refusals import WeightError
from torch_refine.runtime.state.state import State
from torch_refine.runtime.state.stored_state import StoredState, StoredWeights
from torch_refine.runtime.state.weights import Weights
from torch_refine.runtime.torch_models.interface import UPDATED, Interface

_SHOWN_FEATURES = 8


class Program:
    """Loads compiled code and calls it.

    `weights` are the first arguments of its function, `orders` the dimension orders of inputs that
    it takes permuted, `interface` converts a model's arguments and results, `driver` is that of a
    GPU.
    """

    def __init__(
        self,
        compiled: Compiled,
        threads: int = 1,
        weights: Weights | None = None,
        orders: Mapping[int, Sequence[int]] | None = None,
        interface: Interface | None = None,
        driver: Driver | None = None,
    ) -> None:
        self._interface = interface
        self.signature = compiled.signature
        prepared = compiled.prepared
        entries = [ENTRY] if prepared is None else [ENTRY, PREPARE_ENTRY]
        if threads > 1:
            load_openmp()
        self.missing_features = missing_features(compiled.features)
        functions: list[Callable[..., None]]
        if self.missing_features:
            functions = [self._refuse] * len(entries)
        else:
            try:
                self._loaded, functions = load_object(compiled.content, entries)
            except RuntimeError as error:
                raise CompileError(f"the code cannot be loaded: {error}") from error
        self._torch: TorchTensors | None = None
        full = compiled.signature
        self._state: State | None = None
        held: StateTensors | None = None
        try:
            if prepared is not None:
                assert weights is not None, "something is prepared of them"
                full = replace(full, parameters=(*full.parameters, *prepared.results))
                taken = tuple(compiled.signature.parameters[place] for place in prepared.places)
                given = Signature("prepare_main", taken, prepared.results)
                workspace = compiled.workspaces.get("prepare_main")
                preparing = Caller(functions[1], given, compiled.assertions, workspace)
                first = len(compiled.signature.parameters)
                self._state = _state_of(weights, prepared.places, preparing, first)
            elif weights is not None and (weights.names() or weights.has_conditions()):
                held = None if driver is None else StateTensors(driver)
                self._state = _state_of(weights, kind=held)
        except WeightError as error:
            raise CompileError(str(error)) from error
        self._updated = compiled.updated
        full = replace(
            full,
            results=tuple(
                each for place, each in enumerate(full.results) if place not in self._updated
            ),
        )
        self._gpu: Gpu | None = None
        if driver is not None:
            self._gpu = Gpu(driver, compiled, len(full.parameters), held)
            full = replace(full, parameters=(*full.parameters, *self._gpu.parameters))
        self._caller = Caller(
            functions[0],
            full,
            compiled.assertions,
            compiled.workspaces.get("main") if driver is None else None,
        )
        parameters = compiled.signature.parameters
        self._seed: int | None = None
        if compiled.signature.takes_seed:
            self._seed = len(parameters) - 1
            parameters = parameters[: self._seed]
        self._arguments = Arguments(self._caller, parameters, len(self._state or ()), orders or {})

    def __call__(self, *inputs: Any, **keywords: Any) -> Any:
        """Run the program."""
        return self.call_with(self._state, inputs, keywords)

    def call_with(
        self, state: State | None, inputs: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        """Run the program with its own state, or one with other weights."""
        interface = self._interface
        if interface is not None:
            values = interface.flatten(inputs, keywords)
        elif keywords:
            raise TypeError(f"there is no parameter {next(iter(keywords))!r}")
        else:
            values = list(inputs)
        arrays = self._arrays(values)
        arrays.refuse_traces()
        held = None if state is None else state.current()
        frame = self._caller.take_frame()
        try:
            if held is not None:
                held.fill(self._caller, frame)
            # They must stay alive until the call ends.
            passed = self._arguments.fill(frame, values, arrays)
            loses_gradients = False
            if interface is not None:
                interface.check(values, held)
                names = () if state is None else state.names
                loses_gradients = interface.gradients.are_lost(values, held, names)
            if self._seed is not None:
                self._caller.set_number(frame, self._seed, arrays.new_seed())
            if self._gpu is None:
                found = self._caller.call(frame)
            else:
                found = self._gpu.call(self._caller, frame)
        except BrokenGuardError as broken:
            raise broken.explain(values, self._arguments.first) from None
        finally:
            self._caller.give_back(frame)
        for place in self._updated:
            found.insert(place, UPDATED)
        for place in () if interface is None or self._gpu is not None else interface.copied:
            if isinstance(found[place], Result):
                # The next call finds memory of this size, without faulting it in again.
                found[place] = found[place]._replace(frame=frame)
        results = [
            arrays.make(each, parameter.dtype)
            if isinstance(each, Result) and isinstance(parameter, TensorParameter)
            else each
            for each, parameter in zip(found, self.signature.results, strict=True)
        ]
        if interface is not None:
            if loses_gradients:
                results = interface.gradients.marked(results)
            assign = _none_to_assign if state is None else state.assign
            return interface.finish(results, values, passed, arrays, held, assign)
        return results[0] if len(results) == 1 else tuple(results)

    @property
    def state(self) -> State | None:
        """The state of the weights; None if there is none."""
        return self._state

    @property
    def input_parameters(self) -> list[Parameter]:
        """The parameters of the inputs, in order."""
        return self._arguments.parameters

    def _refuse(self, _: int) -> None:
        """A stub for code that this processor cannot run."""
        raise RuntimeError(
            f"the program is for a processor with {listed(self.missing_features)}, which this one "
            "lacks: it can be saved, but not called"
        )

    def _arrays(self, values: Sequence[Any]) -> ArrayKind:
        """The kind of the inputs' arrays, which is that of the results."""
        if self._gpu is not None:
            return self._gpu.tensors()
        is_model = bool(self._state) and not isinstance(self._state, StoredState)
        if is_model or not any(type(each).__module__ == "numpy" for each in values):
            if self._torch is None:
                self._torch = TorchTensors()
            return self._torch
        return NumpyArrays()

    def refresh(self) -> None:
        """Prepare the weights again at the next call.

        Only needed after writes to a weight that do not change its version: through `Tensor.data`
        (`weight.data.mul_(2)`, `weight.data[0] = 1`), a NumPy array, or another library that shares
        its memory. Versioned writes, such as an optimizer's step or `load_state_dict`, and replaced
        weights or storage (`model.weight = new`, `weight.data = new`), are detected.
        """
        if self._state is not None:
            self._state.forget()


def _none_to_assign(place: int, _: Any) -> None:
    raise AssertionError(f"there is no state to assign at {place}")


def missing_features(features: Sequence[str]) -> list[str]:
    """The features that this machine's processor lacks."""
    return sorted(set(features) - set(host().features)) if features else []


def listed(features: Sequence[str]) -> str:
    """Features as listed in a message; long lists are abbreviated."""
    more = ", …" if len(features) > _SHOWN_FEATURES else ""
    return f"{', '.join(features[:_SHOWN_FEATURES])}{more}"


def _state_of(
    weights: Weights,
    places: Sequence[int] = (),
    preparing: Caller | None = None,
    first: int = 0,
    kind: TorchTensors | None = None,
) -> State:
    if isinstance(weights, StoredWeights):
        return StoredState(weights, places, preparing, first)
    return State(weights, places, preparing, first, kind)
