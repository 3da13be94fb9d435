// RUN: torch-refine-opt %s --pack-c-interface | filecheck %s
// RUN: torch-refine-opt %s --pack-c-interface --pack-c-interface | filecheck %s

llvm.func @_mlir_ciface_declared(!llvm.ptr)

llvm.func @_mlir_ciface_two(%arg0: !llvm.ptr, %arg1: f64) -> f64 {
  llvm.return %arg1 : f64
}

llvm.func @other(%arg0: f32) {
  llvm.return
}

// CHECK:      llvm.func @_mlir_ciface_declared(!llvm.ptr)
// CHECK-NEXT: llvm.func internal @_mlir_ciface_two(%arg0: !llvm.ptr, %arg1: f64) -> f64 {
// CHECK:      llvm.func @_mlir__mlir_ciface_two(%[[ALL:.*]]: !llvm.ptr) attributes {no_inline} {
// CHECK-NEXT:   %[[C0:.*]] = llvm.getelementptr %[[ALL]][0]
// CHECK-NEXT:   %[[P0:.*]] = llvm.load %[[C0]]
// CHECK-NEXT:   %[[V0:.*]] = llvm.load %[[P0]] : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:   %[[C1:.*]] = llvm.getelementptr %[[ALL]][1]
// CHECK-NEXT:   %[[P1:.*]] = llvm.load %[[C1]]
// CHECK-NEXT:   %[[V1:.*]] = llvm.load %[[P1]] : !llvm.ptr -> f64
// CHECK-NEXT:   %[[C2:.*]] = llvm.getelementptr %[[ALL]][2]
// CHECK-NEXT:   %[[P2:.*]] = llvm.load %[[C2]]
// CHECK-NEXT:   %[[R:.*]] = llvm.call @_mlir_ciface_two(%[[V0]], %[[V1]])
// CHECK-NEXT:   llvm.store %[[R]], %[[P2]] : f64, !llvm.ptr
// CHECK-NEXT:   llvm.return
// CHECK:      llvm.func @other
// CHECK-NOT:  @_mlir_
