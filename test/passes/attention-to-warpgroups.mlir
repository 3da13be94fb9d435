// RUN: torch-refine-opt %s --attention-to-warpgroups | filecheck %s

// Six heads of one tile of queries, two tiles of keys. Two warpgroups multiply, and one copies.
func.func @f(%query: memref<6x70x64xf16>, %key: memref<6x150x64xf16>, %value: memref<6x150x64xf16>, %out: memref<6x70x64xf16>) attributes {torch_refine.attention = {arguments = array<i64: 0, 1, 2, 3>, is_safe = false, loops = [array<i64: 0, -1, -3>, array<i64: 0, -2, -3>, array<i64: 0, -2, -3>, array<i64: 0, -1, -3>], scale = 1.250000e-01 : f64, value_scale = 1.000000e+00 : f64}} {
  return
}
// CHECK-LABEL: func.func @f(
// CHECK-SAME:      %{{.*}}: memref<6x70x64xf16>, %[[KEY:.*]]: memref<6x150x64xf16>, %[[VALUE:.*]]: memref<6x150x64xf16>, %[[OUT:.*]]: memref<6x70x64xf16>) {
// CHECK-DAG:     %[[BLOCKS:.*]] = arith.constant 6 : index
// CHECK-DAG:     %[[THREADS:.*]] = arith.constant 384 : index
// CHECK:         gpu.launch blocks({{.*}}) in (%{{.*}} = %[[BLOCKS]], {{.*}}) threads({{.*}}) in (%{{.*}} = %[[THREADS]], {{.*}}) dynamic_shared_memory_size
// CHECK-COUNT-9:     mbarrier.init.shared::cta.b64
// CHECK:           gpu.barrier
// CHECK:           scf.for
// CHECK:             wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16
// CHECK:             ex2.approx.ftz.f32
// CHECK:             cvt.rn.f16x2.f32
// CHECK:             wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16
// CHECK:           vector.store %{{.*}}, %[[OUT]]
// CHECK:           scf.for
// CHECK-DAG:         memref.extract_aligned_pointer_as_index %[[KEY]]
// CHECK-DAG:         memref.extract_aligned_pointer_as_index %[[VALUE]]
// CHECK:             cp.async.cg.shared.global
// CHECK:           gpu.terminator
