// RUN: torch-refine-opt %s --attach-noalias | filecheck %s

// Other attributes of arguments stay.
// CHECK: llvm.func @f(%{{.*}}: !llvm.ptr {llvm.noalias, llvm.nonnull}, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr {llvm.noalias})
// CHECK-NOT: torch_refine.noalias
llvm.func @f(%arg0: !llvm.ptr {llvm.nonnull}, %arg1: !llvm.ptr, %arg2: !llvm.ptr) attributes {torch_refine.noalias = array<i64: 0, 2>} {
  llvm.return
}

// CHECK: llvm.func @g(%{{.*}}: !llvm.ptr) {
llvm.func @g(%arg0: !llvm.ptr) {
  llvm.return
}
