// RUN: torch-refine-opt %s --split-input-file --torch-lower-linear-algebra | filecheck %s

// A call is of the routine for the dtype, on matrices that are transposed before and after.

// CHECK:       func.func private @lapack.geqrf.s(tensor<?x?x?xf32>, tensor<?x?xf32>, tensor<?xi32>) -> (tensor<?x?x?xf32>, tensor<?x?xf32>, tensor<?xi32>) attributes {torch_refine.lapack = "geqrf "}
// CHECK-LABEL: func.func @qr
// CHECK:         linalg.transpose
// CHECK:         %[[CALL:.*]]:3 = call @lapack.geqrf.s
// CHECK:         linalg.transpose ins(%[[CALL]]#0
func.func @qr(%arg0: !torch.vtensor<[5,3],f32>) -> (!torch.vtensor<[5,3],f32>, !torch.vtensor<[3],f32>) {
  %0:2 = torch.operator "torch.aten.geqrf"(%arg0) : (!torch.vtensor<[5,3],f32>) -> (!torch.vtensor<[5,3],f32>, !torch.vtensor<[3],f32>)
  return %0#0, %0#1 : !torch.vtensor<[5,3],f32>, !torch.vtensor<[3],f32>
}

// -----

// What comes from elsewhere is checked before LAPACK relies on it.

// CHECK:       func.func private @lapack.getrs.C.z
// CHECK-LABEL: func.func @solve
// CHECK:         cf.assert %{{.*}}, "pivots must be those of a factorization"
// CHECK:         call @lapack.getrs.C.z
func.func @solve(%arg0: !torch.vtensor<[?,4,4],complex<f64>>, %arg1: !torch.vtensor<[?,4],si32>, %arg2: !torch.vtensor<[?,4,2],complex<f64>>) -> !torch.vtensor<[?,4,2],complex<f64>> {
  %true = torch.constant.bool true
  %0 = torch.operator "torch.aten.linalg_lu_solve"(%arg0, %arg1, %arg2, %true, %true) : (!torch.vtensor<[?,4,4],complex<f64>>, !torch.vtensor<[?,4],si32>, !torch.vtensor<[?,4,2],complex<f64>>, !torch.bool, !torch.bool) -> !torch.vtensor<[?,4,2],complex<f64>>
  return %0 : !torch.vtensor<[?,4,2],complex<f64>>
}

// -----

// Triangular systems need no transposition: row-major matrices are the transposed ones to BLAS.

// CHECK:       func.func private @lapack.trsm.R.L.N.N.s
// CHECK-LABEL: func.func @triangular
// CHECK-NOT:     linalg.transpose
// CHECK:         call @lapack.trsm.R.L.N.N.s
func.func @triangular(%arg0: !torch.vtensor<[4,4],f32>, %arg1: !torch.vtensor<[4,2],f32>) -> !torch.vtensor<[4,2],f32> {
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %0 = torch.operator "torch.aten.linalg_solve_triangular"(%arg0, %arg1, %true, %true, %false) : (!torch.vtensor<[4,4],f32>, !torch.vtensor<[4,2],f32>, !torch.bool, !torch.bool, !torch.bool) -> !torch.vtensor<[4,2],f32>
  return %0 : !torch.vtensor<[4,2],f32>
}

// -----

// Two operators of a kind call the same function.

// CHECK:       func.func private @lapack.potrf.L.d
// CHECK-NOT:   func.func private
// CHECK-LABEL: func.func @twice
// CHECK:         call @lapack.potrf.L.d
// CHECK:         call @lapack.potrf.L.d
func.func @twice(%arg0: !torch.vtensor<[4,4],f64>, %arg1: !torch.vtensor<[2,3,3],f64>) -> (!torch.vtensor<[4,4],f64>, !torch.vtensor<[2,3,3],f64>) {
  %false = torch.constant.bool false
  %0:2 = torch.operator "torch.aten.linalg_cholesky_ex"(%arg0, %false, %false) : (!torch.vtensor<[4,4],f64>, !torch.bool, !torch.bool) -> (!torch.vtensor<[4,4],f64>, !torch.vtensor<[],si32>)
  %1:2 = torch.operator "torch.aten.linalg_cholesky_ex"(%arg1, %false, %false) : (!torch.vtensor<[2,3,3],f64>, !torch.bool, !torch.bool) -> (!torch.vtensor<[2,3,3],f64>, !torch.vtensor<[2],si32>)
  return %0#0, %1#0 : !torch.vtensor<[4,4],f64>, !torch.vtensor<[2,3,3],f64>
}
