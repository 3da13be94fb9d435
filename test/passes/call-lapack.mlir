// RUN: torch-refine-opt %s --call-lapack --split-input-file | filecheck %s

// The routine is called for each matrix; what it changes is read afterwards.

func.func private @lapack.potrf.L.s(tensor<?x?x?xf32>, tensor<?xi32>) -> (tensor<?x?x?xf32>, tensor<?xi32>) attributes {torch_refine.lapack = "potrf L"}
func.func @factor(%arg0: tensor<?x?x?xf32>, %arg1: tensor<?xi32>) -> tensor<?x?x?xf32> {
  %0:2 = call @lapack.potrf.L.s(%arg0, %arg1) : (tensor<?x?x?xf32>, tensor<?xi32>) -> (tensor<?x?x?xf32>, tensor<?xi32>)
  return %0#0 : tensor<?x?x?xf32>
}

// CHECK-LABEL: func.func @factor
// CHECK:         %[[MEMORY:.*]] = memref.alloc(%{{.*}}, %{{.*}}, %{{.*}}) : memref<?x?x?xf32>
// CHECK:         bufferization.materialize_in_destination %arg0 in restrict writable %[[MEMORY]]
// CHECK:         call @lapack.potrf.L.s(%[[MEMORY]], %{{.*}}) : (memref<?x?x?xf32>, memref<?xi32>) -> ()
// CHECK:         %[[FOUND:.*]] = bufferization.to_tensor %[[MEMORY]] restrict
// CHECK:         return %[[FOUND]]
// CHECK:       llvm.func @spotrf_(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr)
// CHECK:       func.func private @lapack.potrf.L.s(%{{.*}}: memref<?x?x?xf32>, %{{.*}}: memref<?xi32>) attributes {no_inline}
// CHECK:         arith.constant 76 : i8
// CHECK:         scf.for
// CHECK:           llvm.call @spotrf_

// -----

// A first call asks for the size of the workspace.

func.func private @lapack.geqrf.z(tensor<?x?x?xcomplex<f64>>, tensor<?x?xcomplex<f64>>, tensor<?xi32>) -> (tensor<?x?x?xcomplex<f64>>, tensor<?x?xcomplex<f64>>, tensor<?xi32>) attributes {torch_refine.lapack = "geqrf "}
func.func @reflectors(%arg0: tensor<?x?x?xcomplex<f64>>, %arg1: tensor<?x?xcomplex<f64>>, %arg2: tensor<?xi32>) -> tensor<?x?x?xcomplex<f64>> {
  %0:3 = call @lapack.geqrf.z(%arg0, %arg1, %arg2) : (tensor<?x?x?xcomplex<f64>>, tensor<?x?xcomplex<f64>>, tensor<?xi32>) -> (tensor<?x?x?xcomplex<f64>>, tensor<?x?xcomplex<f64>>, tensor<?xi32>)
  return %0#0 : tensor<?x?x?xcomplex<f64>>
}

// CHECK-LABEL: func.func private @lapack.geqrf.z
// CHECK:         arith.constant -1 : i32
// CHECK:         llvm.call @zgeqrf_
// CHECK:         memref.alloc(%{{.*}}) : memref<?xcomplex<f64>>
// CHECK:         scf.for
// CHECK:           llvm.call @zgeqrf_
