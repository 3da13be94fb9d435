// RUN: torch-refine-opt %s --parallelize-kernels=threads=4 | filecheck %s

// What a part is made of is computed with it.

func.func private @rows(%arg0: tensor<100x1023xf32>, %arg1: tensor<100x1023xf32>) -> tensor<100x1023xf32> attributes {torch_refine.kernel = "rows", torch_refine.rows = 1 : i64} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<100xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<100xf32>) -> tensor<100xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<100x1023xf32>) outs(%f : tensor<100xf32>) {
  ^bb0(%x: f32, %o: f32):
    %a = arith.addf %x, %o : f32
    linalg.yield %a : f32
  } -> tensor<100xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0, %s : tensor<100x1023xf32>, tensor<100xf32>) outs(%arg1 : tensor<100x1023xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %d = arith.divf %x, %y : f32
    linalg.yield %d : f32
  } -> tensor<100x1023xf32>
  return %r : tensor<100x1023xf32>
}

// CHECK-LABEL: func.func private @rows
// CHECK:         scf.forall (%[[I:.*]]) = (0) to (100) step (25) shared_outs(%[[OUT:.*]] = %arg1)
// CHECK:           linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{.*}} : tensor<25x1023xf32>)
// CHECK:           linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]}
// CHECK:           tensor.parallel_insert_slice %{{.*}} into %[[OUT]][%[[I]], 0] [25, 1023] [1, 1]

// A sum has no loop to cut; what is small is not worth it.

func.func private @sum(%arg0: tensor<100000xf32>, %arg1: tensor<f32>) -> tensor<f32> attributes {torch_refine.kernel = "loops"} {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%arg0 : tensor<100000xf32>) outs(%arg1 : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %a = arith.addf %x, %o : f32
    linalg.yield %a : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

func.func private @small(%arg0: tensor<64xf32>, %arg1: tensor<64xf32>) -> tensor<64xf32> attributes {torch_refine.kernel = "loops"} {
  %0 = linalg.exp ins(%arg0 : tensor<64xf32>) outs(%arg1 : tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: func.func private @sum
// CHECK-NOT:     scf.forall

// A kernel that only asserts has no loop over a result.
func.func private @asserts(%arg0: tensor<40000xi64>) attributes {torch_refine.kernel = "loops"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40000 = arith.constant 40000 : index
  %zero = arith.constant 0 : i64
  %0 = scf.for %i = %c0 to %c40000 step %c1 iter_args(%seen = %zero) -> (i64) {
    %each = tensor.extract %arg0[%i] : tensor<40000xi64>
    %1 = arith.ori %seen, %each : i64
    scf.yield %1 : i64
  }
  %ok = arith.cmpi eq, %0, %zero : i64
  cf.assert %ok, "no"
  return
}
// CHECK-LABEL: func.func private @asserts
// CHECK-NOT:     scf.forall
// CHECK:         return
