// RUN: torch-refine-opt %s --mark-noinline | filecheck %s
// RUN: torch-refine-opt %s --mark-noinline --inline | filecheck %s --check-prefix=INLINED

llvm.func internal @kernel() {
  llvm.return
}
llvm.func @main() {
  llvm.call @kernel() : () -> ()
  llvm.return
}
llvm.func @_mlir_ciface_main() attributes {llvm.emit_c_interface} {
  llvm.call @main() : () -> ()
  llvm.return
}

// CHECK: llvm.func internal @kernel() attributes {no_inline}
// CHECK: llvm.func internal @main() attributes {sym_visibility = "private"}

// INLINED:       llvm.func internal @kernel
// INLINED-NOT:   @main
// INLINED-LABEL: llvm.func @_mlir_ciface_main()
// INLINED-NEXT:    llvm.call @kernel()
