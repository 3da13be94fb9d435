"""Lower contractions of 16-bit floats to the matrix instructions of warpgroups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    both,
    create_value,
    delinearize,
    divide,
    divide_up,
    equal,
    finish,
    for_loop,
    if_then,
    index_value,
    less_than,
    multiply,
    remainder,
    subtract,
)
from torch_refine.dialect.structured_ops import defining_op, operation_of
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.buffers.memory import sizes_of
from torch_refine.passes.lowering.gpu.host.launching import Launch, barrier
from torch_refine.passes.lowering.gpu.warpgroups import instructions as ptx
from torch_refine.passes.lowering.gpu.warpgroups.epilogue import store_results
from torch_refine.passes.lowering.gpu.warpgroups.plan import (
    DEPTH,
    GROUP_ROWS,
    MULTIPROCESSORS,
    PART_COLUMNS,
    PART_STRIDE,
    STAGING_BYTES,
    WARPGROUPS,
    WIDTH,
    Plan,
    plan_of,
)
from torch_refine.passes.lowering.gpu.warpgroups.staging import (
    ROW_BYTES,
    THREADS,
    Copies,
    advance,
    at_most,
    descriptor,
    plus,
    shared_memory,
    word_constant,
    word_of,
)

# Blocks that run at the same time share the operands of few rows of tiles through the L2 cache.
_TILE_ROWS = 16


@dataclass
class ContractionsToWarpgroups(Pass):
    """Lower contractions of 16-bit floats to the matrix instructions of warpgroups (sm_90a).

    The kernels that `schedule-gpu-kernels` left become one launch. The last warpgroup of a block
    copies parts of the operands to a ring of stages in shared memory, asynchronously; the others
    multiply each stage with `wgmma`, and keep the sums in registers. Barriers of shared memory say
    which stages are full, and which are empty. A block computes tile after tile, so it copies the
    next one while it computes the epilogue, which runs on vectors of results that each warpgroup
    stages in shared memory. Elements outside of an operand are copied as zeros.

    Operands are not transposed before: threads copy rows of 64 elements along the summed dimension
    or along the other one, 16 bytes at a time, permuted by the hardware's 128-byte swizzle, so that
    neither copies nor multiplications have bank conflicts. Upstream's `nvgpu.warpgroup.mma` needs
    TMA descriptors, which the host would have to encode for each call, and full tiles.

    Before:

    ```mlir
    #map = affine_map<(d0, d1, d2) -> (d0, d2)>
    #map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
    #map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
    func.func @f(%arg0: memref<64x64xf16>, %arg1: memref<64x64xf16>, %arg2: memref<64x64xf32>) {
      linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", \
"parallel", "reduction"]} ins(%arg0, %arg1 : memref<64x64xf16>, memref<64x64xf16>) outs(%arg2 : \
memref<64x64xf32>) attrs =  {torch_refine.warpgroups} {
      ^bb0(%in: f16, %in_0: f16, %out: f32):
        %0 = arith.extf %in : f16 to f32
        %1 = arith.extf %in_0 : f16 to f32
        %2 = arith.mulf %0, %1 : f32
        %3 = arith.addf %out, %2 : f32
        linalg.yield %3 : f32
      }
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<64x64xf16>, %arg1: memref<64x64xf16>, %arg2: memref<64x64xf32>) {
      // ...
      gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %c1_0, %arg10 = %c1, %arg11 = %c1) \
threads(%arg6, %arg7, %arg8) in (%arg12 = %c256, %arg13 = %c1, %arg14 = %c1) \
dynamic_shared_memory_size %c142464_i32 {
        // ...
        scf.if %7 {
          llvm.inline_asm has_side_effects asm_dialect = att "mbarrier.init.shared::cta.b64 [$0], \
128;", "r,~{memory}" %6 : (i32) -> ()
          // ...
        }
        gpu.barrier
        // ...
        scf.if %8 {
          // ...
          %10 = scf.for %arg15 = %arg3 to %c1_3 step %c1_4 iter_args(%arg16 = %c0_2) -> (index) {
            // ...
              llvm.inline_asm has_side_effects asm_dialect = att "{ .reg .pred done; again: \
mbarrier.try_wait.parity.shared::cta.b64 done, [$0], $1; @!done bra again; }", "r,r,~{memory}" \
%109, %106 : (i32, i32) -> ()
              // ...
              llvm.inline_asm has_side_effects asm_dialect = att "{ .reg .pred arrives; \
setp.ne.b32 arrives, $1, 0; @arrives mbarrier.arrive.shared::cta.b64 _, [$0]; }", "r,r,~{memory}" \
%169, %160 : (i32, i32) -> ()
              // ...
            }
            // ...
            llvm.inline_asm has_side_effects asm_dialect = att "bar.sync $0, 128;", "r,~{memory}" \
%75 : (i32) -> ()
            llvm.inline_asm has_side_effects asm_dialect = att "st.shared.v2.f32 [$0], {$1, \
$2};", "r,f,f,~{memory}" %86, %27, %28 : (i32, f32, f32) -> ()
                // ...
                %119 = llvm.inline_asm has_side_effects asm_dialect = att "ld.shared.v4.f32 {$0, \
$1, $2, $3}, [$4];", "=f,=f,=f,=f,r,~{memory}" %118 : (i32) -> !llvm.struct<(f32, f32, f32, f32)>
                // ...
                vector.store %130, %arg2[%111, %112] : memref<64x64xf32>, vector<8xf32>
              }
            }
            // ...
          }
        }
        // ...
        scf.if %9 {
          // ...
          %10 = scf.for %arg15 = %arg3 to %c1_3 step %c1_4 iter_args(%arg16 = %c0_2) -> (index) {
            // ...
            scf.for %arg17 = %c0_22 to %c1_23 step %c1_24 {
              // ...
              llvm.inline_asm has_side_effects asm_dialect = att "{ .reg .pred done; again: \
mbarrier.try_wait.parity.shared::cta.b64 done, [$0], $1; @!done bra again; }", "r,r,~{memory}" \
%46, %42 : (i32, i32) -> ()
              // ...
              llvm.inline_asm has_side_effects asm_dialect = att "cp.async.cg.shared.global [$0], \
[$1], 16, $2;", "r,l,r,~{memory}" %64, %65, %57 : (i32, i64, i32) -> ()
              // ...
              llvm.inline_asm has_side_effects asm_dialect = att \
"cp.async.mbarrier.arrive.noinc.shared::cta.b64 [$0];", "r,~{memory}" %169 : (i32) -> ()
            }
            // ...
          }
        }
        gpu.terminator
      }
      return
    }
    ```
    """

    name: ClassVar[str] = "contractions-to-warpgroups"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Lower the marked contractions of a module."""
        for product in [each for each in walk(op) if WARPGROUPS in each.attributes]:
            plan = plan_of(product)
            assert plan is not None, "the contraction was marked by its plan"
            with product.location:
                _Kernel(product, plan).lower()
            state.count(self.name, "contractions")


@dataclass
class _Tile:
    """A tile of results: its indices along the batch, and its first row and column."""

    batch: list[Number]
    row: Number
    column: Number


class _Kernel:
    """The launch that computes a contraction."""

    def __init__(self, product: ir.Operation, plan: Plan) -> None:
        self.product = product
        self.plan = plan
        self.left, self.right, self.sums = product.operands
        self.epilogue = _user_of(self.sums, product)
        self.element = str(ir.MemRefType(self.left.type).element_type)

    def lower(self) -> None:
        """Replace the contraction and its epilogue by a launch."""
        plan = self.plan
        last = self.epilogue or self.product
        with ir.InsertionPoint(last):
            # The memory of the sums is erased if there is an epilogue.
            *self.batch, self.rows, self.columns = sizes_of(last.operands[-1])
            self.depth = sizes_of(self.left)[
                plan.left.last if plan.left.is_along else plan.left.row
            ]
            self.down = divide_up(self.rows, plan.rows)
            self.across = divide_up(self.columns, plan.columns)
            tiles = multiply(self.down, self.across)
            for size in self.batch:
                tiles = multiply(tiles, size)
            self.tiles = tiles
            self.steps = divide_up(self.depth, DEPTH)
            blocks = at_most(tiles, MULTIPROCESSORS)
            launch = Launch(blocks, THREADS * (plan.groups + 1), plan.shared_bytes)
        with ir.InsertionPoint(launch.body):
            self._block(launch)
        launch.finish()
        self._erase()

    def _erase(self) -> None:
        """Erase what the launch replaces, the memory of the sums if only they used it."""
        memory = defining_op(self.sums)
        for op in (self.epilogue, self.product):
            if op is not None:
                op.erase()
        for user in [operation_of(use.owner) for use in self.sums.uses]:
            if user.name == "linalg.fill":
                user.erase()
        users = [operation_of(use.owner) for use in self.sums.uses]
        if memory is not None and all(user.name == "memref.dealloc" for user in users):
            for op in (*users, memory):
                op.erase()

    def _block(self, launch: Launch) -> None:
        plan = self.plan
        thread = launch.thread_id
        self.stages = shared_memory()
        end = plan.stages * plan.stage_bytes
        self.staging = plus(self.stages, end)
        self.barriers = plus(self.stages, end + plan.groups * STAGING_BYTES)
        is_first = if_then(equal(thread, 0))
        with ir.InsertionPoint(is_first.regions[0].blocks[0]):
            for stage in range(plan.stages):
                ptx.init_barrier(plus(self.barriers, 8 * stage), THREADS)
                # One thread of each warp arrives.
                empty = 8 * (plan.stages + stage)
                ptx.init_barrier(plus(self.barriers, empty), 4 * plan.groups)
        finish(is_first.regions[0].blocks[0])
        barrier()
        multiplies = if_then(less_than(thread, THREADS * plan.groups))
        self._each_tile(launch, multiplies.regions[0].blocks[0], self._multiply)
        copies = if_then(less_than(THREADS * plan.groups - 1, thread))
        self._each_tile(launch, copies.regions[0].blocks[0], self._copy)

    def _each_tile(
        self, launch: Launch, block: ir.Block, work: Callable[[ir.Value, _Tile, ir.Value], None]
    ) -> None:
        """A loop over the tiles of a block: `work` gets the number of stages before, too."""
        with ir.InsertionPoint(block):
            grid = at_most(self.tiles, MULTIPROCESSORS)
            _, body = for_loop(launch.block_id, self.tiles, grid, [index_value(0)])
            with ir.InsertionPoint(body):
                number, before = body.arguments
                work(launch.thread_id, self._tile(number), before)
                after = add(before, self.steps)
            finish(body, [index_value(after)])
        finish(block)

    def _tile(self, number: ir.Value) -> _Tile:
        """The tile of a number: tiles in groups of rows, column after column."""
        *batch, place = delinearize(number, [*self.batch, multiply(self.down, self.across)])
        of_group = multiply(self.across, _TILE_ROWS)
        first = multiply(divide(place, of_group), _TILE_ROWS)
        height = at_most(subtract(self.down, first), _TILE_ROWS)
        inside = remainder(place, of_group)
        row = add(first, remainder(inside, height))
        column = divide(inside, height)
        return _Tile(batch, multiply(row, self.plan.rows), multiply(column, self.plan.columns))

    def _ring(self, number: Number) -> tuple[Number, ir.Value]:
        """The stage of a step of a block, and the parity of its phase."""
        stage = remainder(number, self.plan.stages)
        parity = remainder(divide(number, self.plan.stages), 2)
        return stage, word_of(parity)

    def _full(self, stage: Number) -> ir.Value:
        return plus(self.barriers, multiply(stage, 8))

    def _empty(self, stage: Number) -> ir.Value:
        return plus(self.barriers, add(multiply(stage, 8), 8 * self.plan.stages))

    def _stage(self, stage: Number) -> ir.Value:
        return plus(self.stages, multiply(stage, self.plan.stage_bytes))

    def _copy(self, thread: ir.Value, tile: _Tile, before: ir.Value) -> None:
        """The copying warpgroup: fill the stages of a tile."""
        plan = self.plan
        own = remainder(thread, THREADS)
        copies = [
            Copies(self.left, plan.left, tile.batch, tile.row, plan.rows, own),
            Copies(self.right, plan.right, tile.batch, tile.column, plan.columns, own),
        ]
        _, body = for_loop(0, self.steps, 1)
        with ir.InsertionPoint(body):
            step = body.arguments[0]
            stage, parity = self._ring(add(before, step))
            # A fresh barrier counts as complete for the parity 1.
            opposite = create_value("arith.xori", ptx.word(), [parity, word_constant(1)])
            ptx.wait(self._empty(stage), opposite)
            target = self._stage(stage)
            for each, offset in zip(copies, (0, plan.rows * ROW_BYTES), strict=True):
                each.copy(multiply(step, DEPTH), plus(target, offset))
            ptx.arrive_after_copies(self._full(stage))
        finish(body)

    def _multiply(self, thread: ir.Value, tile: _Tile, before: ir.Value) -> None:
        """A multiplying warpgroup: the sums of its rows of a tile, then the epilogue."""
        plan = self.plan
        group = divide(thread, THREADS)
        lane = remainder(thread, 32)
        is_first = create_value("arith.extui", ptx.word(), [equal(lane, 0)])
        count = plan.columns // 2
        zero = create_value(
            "arith.constant",
            ir.F32Type.get(),
            [],
            {"value": ir.FloatAttr.get(ir.F32Type.get(), 0.0)},
        )
        loop, body = for_loop(0, self.steps, 1, [zero] * count)
        with ir.InsertionPoint(body):
            step, *sums = body.arguments
            number = add(before, step)
            stage, parity = self._ring(number)
            ptx.wait(self._full(stage), parity)
            start = self._stage(stage)
            left = plus(start, multiply(group, GROUP_ROWS * ROW_BYTES))
            right = plus(start, plan.rows * ROW_BYTES)
            new = ptx.multiply_step(
                sums,
                descriptor(left, plan.left),
                descriptor(right, plan.right),
                element=self.element,
                depth=DEPTH,
                advances=(advance(plan.left), advance(plan.right)),
                transposes=(not plan.left.is_along, not plan.right.is_along),
            )
            # The multiplications of the step before are complete.
            is_later = create_value("arith.extui", ptx.word(), [less_than(0, step)])
            arrives = create_value("arith.andi", ptx.word(), [is_first, is_later])
            previous, _ = self._ring(add(number, plan.stages - 1))
            ptx.arrive(self._empty(previous), arrives)
        finish(body, new)
        sums = ptx.finish(list(loop.results))
        last, _ = self._ring(add(add(before, self.steps), plan.stages - 1))
        ptx.arrive(self._empty(last), is_first)
        self._store(thread, group, tile, sums)

    def _store(
        self, thread: ir.Value, group: Number, tile: _Tile, sums: Sequence[ir.Value]
    ) -> None:
        """Stage the sums of a warpgroup, a part of its columns at a time, and store results."""
        own = remainder(thread, THREADS)
        lane = remainder(own, 32)
        staging = plus(self.staging, multiply(group, STAGING_BYTES))
        number = word_of(add(group, 1))
        # The fragment of a thread: see "Register Fragments for wgmma.mma_async.m64nNk16".
        row = add(multiply(divide(own, 32), 16), divide(lane, 4))
        place = add(multiply(row, PART_STRIDE), multiply(remainder(lane, 4), 2))
        fragment = plus(staging, multiply(place, 4))
        vectors = PART_COLUMNS // WIDTH
        for part in range(self.plan.columns // PART_COLUMNS):
            ptx.group_barrier(number)
            for block in range(PART_COLUMNS // 8):
                first = (part * (PART_COLUMNS // 8) + block) * 4
                for half in range(2):
                    offset = (half * 8 * PART_STRIDE + block * 8) * 4
                    pair = sums[first + 2 * half : first + 2 * half + 2]
                    ptx.store_pair(plus(fragment, offset), pair)
            ptx.group_barrier(number)
            _, body = for_loop(0, GROUP_ROWS * vectors // THREADS, 1)
            with ir.InsertionPoint(body):
                item = add(own, multiply(body.arguments[0], THREADS))
                below, along = divide(item, vectors), multiply(remainder(item, vectors), WIDTH)
                at = add(multiply(below, PART_STRIDE), along)
                row_index = add(add(tile.row, multiply(group, GROUP_ROWS)), below)
                column_index = add(add(tile.column, part * PART_COLUMNS), along)
                inside = if_then(
                    both(less_than(row_index, self.rows), less_than(column_index, self.columns))
                )
                with ir.InsertionPoint(inside.regions[0].blocks[0]):
                    found = plus(staging, multiply(at, 4))
                    values = [*ptx.load_four(found), *ptx.load_four(plus(found, 16))]
                    vector = create_value(
                        "vector.from_elements",
                        ir.VectorType.get([WIDTH], ir.F32Type.get()),
                        values,
                    )
                    indices = [*tile.batch, row_index, column_index]
                    store_results(vector, indices, self.epilogue, self.sums)
                finish(inside.regions[0].blocks[0])
            finish(body)


def _user_of(sums: ir.Value, product: ir.Operation) -> ir.Operation | None:
    """The epilogue of a contraction: the structured op that reads its sums."""
    users = [operation_of(use.owner) for use in sums.uses]
    found = [user for user in users if user.name == "linalg.generic" and user != product]
    return found[0] if found else None
