// RUN: torch-refine-opt %s --move-halves-as-integers | filecheck %s

// Vectors, too.
// CHECK-LABEL: llvm.func @vectors
// CHECK:         %[[ROW:.*]] = llvm.load %arg0 : !llvm.ptr -> vector<64xi16>
// CHECK:         llvm.store %[[ROW]], %arg1 : vector<64xi16>, !llvm.ptr
// CHECK:         llvm.store %[[ROW]], %arg2 : vector<64xi16>, !llvm.ptr
llvm.func @vectors(%from: !llvm.ptr, %to: !llvm.ptr, %other: !llvm.ptr) {
  %0 = llvm.load %from : !llvm.ptr -> vector<64xbf16>
  llvm.store %0, %to : vector<64xbf16>, !llvm.ptr
  llvm.store %0, %other : vector<64xbf16>, !llvm.ptr
  llvm.return
}

// What is computed with keeps its type, and so do floats of other sizes.
// CHECK-LABEL: llvm.func @others
// CHECK:         llvm.load %arg0 : !llvm.ptr -> f16
// CHECK:         llvm.load %arg0 : !llvm.ptr -> f32
llvm.func @others(%from: !llvm.ptr, %to: !llvm.ptr) {
  %0 = llvm.load %from : !llvm.ptr -> f16
  %1 = llvm.fneg %0 : f16
  llvm.store %0, %to : f16, !llvm.ptr
  llvm.store %1, %to : f16, !llvm.ptr
  %2 = llvm.load %from : !llvm.ptr -> f32
  llvm.store %2, %to : f32, !llvm.ptr
  llvm.return
}

// A constant is stored as an integer.
// CHECK-LABEL: llvm.func @constant
// CHECK:         %[[BITS:.*]] = llvm.bitcast %{{.*}} : bf16 to i16
// CHECK:         llvm.store %[[BITS]], %arg0 : i16, !llvm.ptr
llvm.func @constant(%to: !llvm.ptr) {
  %0 = llvm.mlir.constant(1.0 : bf16) : bf16
  llvm.store %0, %to : bf16, !llvm.ptr
  llvm.return
}
