// RUN: torch-refine-opt %s --split-input-file --update-in-place | filecheck %s

// The result is the argument with a slice of other elements, which are logged: 32 bytes of header,
// addresses, and values.
func.func @main(%arg0: memref<8xf32>, %arg1: memref<2xf32>) -> (memref<2xf32>, memref<8xf32>) attributes {torch_refine.updates = array<i64: 1, 0>} {
  %alloc = memref.alloc() : memref<8xf32>
  memref.copy %arg0, %alloc : memref<8xf32> to memref<8xf32>
  %part = memref.subview %alloc[3] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: 3>>
  memref.copy %arg1, %part : memref<2xf32> to memref<2xf32, strided<[1], offset: 3>>
  return %arg1, %alloc : memref<2xf32>, memref<8xf32>
}
// CHECK:       module attributes {torch_refine.updated = array<i64: 1>}
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %arg0: memref<8xf32>, %arg1: memref<2xf32>) -> memref<2xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         %[[PART:.*]] = memref.subview %arg0[3] [2] [1]
// CHECK:         %[[LOG:.*]] = llvm.call @torch_refine_log
// CHECK:         cf.assert %{{.*}}, "cannot allocate {bytes} bytes"
// CHECK:         scf.for
// CHECK:           %[[OLD:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK:           llvm.store %{{.*}}, %{{.*}} {alignment = 8 : i64} : i64, !llvm.ptr
// CHECK:           llvm.store %[[OLD]], %{{.*}} {alignment = 4 : i64} : i32, !llvm.ptr
// CHECK:         memref.copy %arg1, %[[PART]]
// CHECK:         llvm.call @torch_refine_commit()
// CHECK-NEXT:    return %arg1 : memref<2xf32>

// -----

// A kernel reads the new value; one that reads the old value comes before.
func.func private @sum(%arg0: memref<8x4xf32>, %arg1: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%arg0 : memref<8x4xf32>) outs(%arg1 : memref<f32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  }
  return
}
func.func @main(%arg0: memref<8x4xf32>, %new: memref<2x1x4xf32>, %places: memref<2x1xi64>, %sums: memref<f32>) -> memref<8x4xf32> attributes {torch_refine.updates = array<i64: 0, 0>} {
  call @sum(%arg0, %sums) : (memref<8x4xf32>, memref<f32>) -> ()
  %alloc = memref.alloc() : memref<8x4xf32>
  memref.copy %arg0, %alloc : memref<8x4xf32> to memref<8x4xf32>
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%new, %places : memref<2x1x4xf32>, memref<2x1xi64>) outs(%alloc : memref<8x4xf32>) {
  ^bb0(%arg4: f32, %arg5: f32):
    tm_tensor.yield %arg4 : f32
  }
  call @sum(%alloc, %sums) : (memref<8x4xf32>, memref<f32>) -> ()
  return %alloc : memref<8x4xf32>
}
// CHECK-LABEL: func.func @main(
// CHECK:         call @sum(%arg0, %arg3)
// CHECK:         llvm.call @torch_refine_log
// CHECK:         memref.load %arg2[
// CHECK:         tm_tensor.scatter {{.*}} outs(%arg0 : memref<8x4xf32>)
// CHECK:         call @sum(%arg0, %arg3)
// CHECK:         return{{$}}

// -----

// The old value is read later.
func.func private @read(%arg0: memref<8xf32>, %arg1: memref<8xf32>) {
  memref.copy %arg0, %arg1 : memref<8xf32> to memref<8xf32>
  return
}
func.func @main(%arg0: memref<8xf32>, %arg1: memref<2xf32>, %arg2: memref<8xf32>) -> memref<8xf32> attributes {torch_refine.updates = array<i64: 0, 0>} {
  %alloc = memref.alloc() : memref<8xf32>
  memref.copy %arg0, %alloc : memref<8xf32> to memref<8xf32>
  %part = memref.subview %alloc[3] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: 3>>
  memref.copy %arg1, %part : memref<2xf32> to memref<2xf32, strided<[1], offset: 3>>
  call @read(%arg0, %arg2) : (memref<8xf32>, memref<8xf32>) -> ()
  return %alloc : memref<8xf32>
}
// CHECK-LABEL: func.func @main(
// CHECK:         memref.alloc
// CHECK:         return %{{.*}} : memref<8xf32>

// -----

// A kernel writes to the new value, too.
func.func private @write(%arg0: memref<8xf32>, %arg1: f32) {
  linalg.fill ins(%arg1 : f32) outs(%arg0 : memref<8xf32>)
  return
}
func.func @main(%arg0: memref<8xf32>, %arg1: memref<2xf32>, %arg2: f32) -> memref<8xf32> attributes {torch_refine.updates = array<i64: 0, 0>} {
  %alloc = memref.alloc() : memref<8xf32>
  memref.copy %arg0, %alloc : memref<8xf32> to memref<8xf32>
  %part = memref.subview %alloc[3] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: 3>>
  memref.copy %arg1, %part : memref<2xf32> to memref<2xf32, strided<[1], offset: 3>>
  call @write(%alloc, %arg2) : (memref<8xf32>, f32) -> ()
  return %alloc : memref<8xf32>
}
// CHECK-LABEL: func.func @main(
// CHECK:         memref.alloc

// -----

// The elements come from the argument, or the result is returned as another one, too.
func.func @main(%arg0: memref<8xf32>, %arg1: memref<8xf32>, %arg2: memref<2xf32>) -> (memref<8xf32>, memref<8xf32>, memref<8xf32>) attributes {torch_refine.updates = array<i64: 0, 0, 1, 1>} {
  %alloc = memref.alloc() : memref<8xf32>
  memref.copy %arg0, %alloc : memref<8xf32> to memref<8xf32>
  %from = memref.subview %arg0[2] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: 2>>
  %part = memref.subview %alloc[3] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: 3>>
  memref.copy %from, %part : memref<2xf32, strided<[1], offset: 2>> to memref<2xf32, strided<[1], offset: 3>>
  %other = memref.alloc() : memref<8xf32>
  memref.copy %arg1, %other : memref<8xf32> to memref<8xf32>
  %row = memref.subview %other[3] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: 3>>
  memref.copy %arg2, %row : memref<2xf32> to memref<2xf32, strided<[1], offset: 3>>
  return %alloc, %other, %other : memref<8xf32>, memref<8xf32>, memref<8xf32>
}
// CHECK-LABEL: func.func @main(
// CHECK:         memref.alloc
// CHECK:         memref.alloc
