// RUN: torch-refine-opt %s --contractions-to-warpgroups | filecheck %s

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d1, d2)>
#across = affine_map<(d0, d1, d2) -> (d2, d1)>
#sums = affine_map<(d0, d1, d2) -> (d0, d1)>
#all = affine_map<(d0, d1) -> (d0, d1)>
#bias = affine_map<(d0, d1) -> (d1)>

// 16 x 16 tiles of 128 x 256 are more than there are multiprocessors. Two warpgroups multiply, and
// one copies 128 + 256 rows of 64 elements for each step, 16 rows at a time.
func.func @large(%left: memref<2048x512xbf16>, %right: memref<4096x512xbf16>, %sums: memref<2048x4096xf32>) {
  linalg.generic {indexing_maps = [#rows, #columns, #sums], iterator_types = ["parallel", "parallel", "reduction"]} ins(%left, %right : memref<2048x512xbf16>, memref<4096x512xbf16>) outs(%sums : memref<2048x4096xf32>) attrs = {torch_refine.warpgroups} {
  ^bb0(%a: bf16, %b: bf16, %sum: f32):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.extf %b : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  }
  return
}
// CHECK-LABEL: func.func @large(
// CHECK-SAME:      %[[LEFT:.*]]: memref<2048x512xbf16>, %[[RIGHT:.*]]: memref<4096x512xbf16>, %[[SUMS:.*]]: memref<2048x4096xf32>
// CHECK-NOT:     linalg
// CHECK-DAG:     %[[BLOCKS:.*]] = arith.constant 132 : index
// CHECK-DAG:     %[[THREADS:.*]] = arith.constant 384 : index
// CHECK:         gpu.launch blocks({{.*}}) in (%{{.*}} = %[[BLOCKS]], {{.*}}) threads({{.*}}) in (%{{.*}} = %[[THREADS]], {{.*}}) dynamic_shared_memory_size
// CHECK:           gpu.dynamic_shared_memory
// CHECK:           scf.if
// CHECK-COUNT-4:     mbarrier.init.shared::cta.b64 [$0], 128;{{.*$}}
// CHECK-NOT:         mbarrier.init.shared::cta.b64 [$0], 128;
// CHECK:           gpu.barrier
// The warpgroups that multiply: one loop over tiles, another over the summed dimension.
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:               mbarrier.try_wait
// CHECK:               wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16
// CHECK-SAME:          wgmma.wait_group.sync.aligned 1;
// CHECK:               mbarrier.arrive
// CHECK:             wgmma.wait_group.sync.aligned 0;
// CHECK:             mbarrier.arrive
// CHECK:             bar.sync
// CHECK:             vector.store %{{.*}}, %[[SUMS]]
// The one that copies.
// CHECK:           scf.for
// CHECK-DAG:         memref.extract_aligned_pointer_as_index %[[LEFT]]
// CHECK-DAG:         memref.extract_aligned_pointer_as_index %[[RIGHT]]
// CHECK:             scf.for
// CHECK:               mbarrier.try_wait
// CHECK-COUNT-24:      cp.async.cg.shared.global
// CHECK-NOT:           cp.async.cg.shared.global
// CHECK:               cp.async.mbarrier.arrive.noinc
// CHECK:           gpu.terminator

// An epilogue of the sums, whose memory is not needed: results are stored once. The number of rows is dynamic.
func.func @bias(%left: memref<?x64xf16>, %right: memref<64x72xf16>, %b: memref<72xf16>, %out: memref<?x72xf16>, %count: index) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc(%count) : memref<?x72xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<?x72xf32>)
  linalg.generic {indexing_maps = [#rows, #across, #sums], iterator_types = ["parallel", "parallel", "reduction"]} ins(%left, %right : memref<?x64xf16>, memref<64x72xf16>) outs(%sums : memref<?x72xf32>) attrs = {torch_refine.warpgroups} {
  ^bb0(%x: f16, %y: f16, %sum: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.extf %y : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  }
  linalg.generic {indexing_maps = [#all, #bias, #all], iterator_types = ["parallel", "parallel"]} ins(%sums, %b : memref<?x72xf32>, memref<72xf16>) outs(%out : memref<?x72xf16>) {
  ^bb0(%sum: f32, %x: f16, %o: f16):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.addf %sum, %0 : f32
    %2 = arith.truncf %1 : f32 to f16
    linalg.yield %2 : f16
  }
  memref.dealloc %sums : memref<?x72xf32>
  return
}
// CHECK-LABEL: func.func @bias(
// CHECK-SAME:      %{{.*}}: memref<?x64xf16>, %{{.*}}: memref<64x72xf16>, %[[BIAS:.*]]: memref<72xf16>, %[[OUT:.*]]: memref<?x72xf16>
// CHECK-NOT:     memref.alloc
// CHECK:         memref.dim %[[OUT]]
// CHECK:         arith.minui
// CHECK:         gpu.launch
// The right operand is contiguous along the columns: the instruction transposes it.
// CHECK:           wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {{.*}}, 1, 1, 0, 1;
// CHECK:           vector.load %[[BIAS]]{{.*}} : memref<72xf16>, vector<8xf16>
// CHECK:           arith.extf {{.*}} : vector<8xf16> to vector<8xf32>
// CHECK:           arith.truncf {{.*}} : vector<8xf32> to vector<8xf16>
// CHECK:           vector.store {{.*}}, %[[OUT]]
// CHECK-NOT:     memref.dealloc

// A contraction that is not marked is left alone.
// CHECK-LABEL: func.func @other(
// CHECK:         linalg.generic
func.func @other(%left: memref<64x64xf16>, %right: memref<64x64xf16>, %sums: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [#rows, #columns, #sums], iterator_types = ["parallel", "parallel", "reduction"]} ins(%left, %right : memref<64x64xf16>, memref<64x64xf16>) outs(%sums : memref<64x64xf32>) {
  ^bb0(%a: f16, %b: f16, %sum: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  }
  return
}
