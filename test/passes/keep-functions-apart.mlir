// RUN: torch-refine-opt %s --keep-functions-apart | filecheck %s

llvm.func @declared()
llvm.func internal @kernel() {
  llvm.return
}
llvm.func @interface() attributes {llvm.emit_c_interface} {
  llvm.return
}

// CHECK:     llvm.func @declared(){{$}}
// CHECK:     llvm.func internal @kernel() attributes {passthrough = ["noinline"]}
// CHECK:     llvm.func @interface() attributes {llvm.emit_c_interface, passthrough = ["noinline", "optnone"]}
