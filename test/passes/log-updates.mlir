// RUN: torch-refine-opt %s --split-input-file --log-updates | filecheck %s

// An assertion may fail after the argument was overwritten.
func.func @main(%arg0: memref<8xf32>, %arg1: i1, %arg2: f32) attributes {torch_refine.written = array<i64: 0>} {
  linalg.fill ins(%arg2 : f32) outs(%arg0 : memref<8xf32>)
  cf.assert %arg1, "it is false"
  return
}
// CHECK:         llvm.func @torch_refine_log(i64, i64) -> i64
// CHECK:         llvm.func @torch_refine_commit()
// CHECK-LABEL: func.func @main(
// CHECK-NOT:     torch_refine.written
// CHECK:         %[[SIZE:.*]] = arith.index_cast %c32{{.*}} : index to i64
// CHECK:         llvm.call @torch_refine_log(%{{.*}}, %[[SIZE]])
// CHECK:         cf.assert %{{.*}}, "cannot allocate {bytes} bytes"
// CHECK:         llvm.store
// CHECK:         "llvm.intr.memcpy"
// CHECK:         linalg.fill
// CHECK:         cf.assert %arg1, "it is false"
// CHECK:         llvm.call @torch_refine_commit()
// CHECK-NEXT:    return

// -----

// Nothing fails later: the allocation is moved.
func.func private @write(%arg0: memref<8xf32>, %arg1: f32) {
  linalg.fill ins(%arg1 : f32) outs(%arg0 : memref<8xf32>)
  return
}
func.func @main(%arg0: memref<8xf32>, %arg1: i1, %arg2: f32) -> memref<2xf32> attributes {torch_refine.written = array<i64: 0>} {
  cf.assert %arg1, "it is false"
  call @write(%arg0, %arg2) : (memref<8xf32>, f32) -> ()
  %alloc = memref.alloc() : memref<2xf32>
  linalg.fill ins(%arg2 : f32) outs(%alloc : memref<2xf32>)
  return %alloc : memref<2xf32>
}
// CHECK-LABEL: func.func @main(
// CHECK:         cf.assert
// CHECK-NEXT:    %[[NEW:.*]] = memref.alloc()
// CHECK-NEXT:    call @write(%arg0
// CHECK-NOT:     torch_refine_log
// CHECK:         return %[[NEW]]

// -----

// A kernel that is called later has an assertion.
func.func private @check(%arg0: i1) {
  cf.assert %arg0, "it is false"
  return
}
func.func @main(%arg0: memref<?xcomplex<f32>>, %arg1: i1, %arg2: complex<f32>) attributes {torch_refine.written = array<i64: 0>} {
  linalg.fill ins(%arg2 : complex<f32>) outs(%arg0 : memref<?xcomplex<f32>>)
  call @check(%arg1) : (i1) -> ()
  return
}
// CHECK-LABEL: func.func @main(
// CHECK:         memref.dim %arg0
// CHECK:         llvm.call @torch_refine_log
// CHECK:         linalg.fill
