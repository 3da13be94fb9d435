// RUN: torch-refine-opt %s --track-allocations | filecheck %s

// Memory that one function allocates, another one frees; that needs no status.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @makes(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64) -> !llvm.ptr attributes {torch_refine.status} {
  %0 = llvm.mlir.constant(64 : i64) : i64
  %1 = llvm.call @malloc(%0) : (i64) -> !llvm.ptr
  llvm.return %1 : !llvm.ptr
}
llvm.func @frees(%arg0: !llvm.ptr) {
  llvm.call @free(%arg0) : (!llvm.ptr) -> ()
  llvm.return
}

// CHECK:       llvm.func @torch_refine_allocate_tracked(!llvm.ptr, i64) -> (!llvm.ptr {llvm.noalias})
// CHECK-LABEL: llvm.func @makes(
// CHECK-SAME:    %{{.*}}: !llvm.ptr, %[[STATUS:.*]]: !llvm.ptr, %{{.*}}: i64)
// CHECK:         llvm.call @torch_refine_allocate_tracked(%[[STATUS]], %{{.*}})
// CHECK-LABEL: llvm.func @frees(
// CHECK:         llvm.call @torch_refine_free_tracked
