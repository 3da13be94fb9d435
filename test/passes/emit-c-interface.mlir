// RUN: torch-refine-opt %s --emit-c-interface | filecheck %s

func.func @public(%arg0: memref<2xf32>) {
  return
}
func.func private @kernel(%arg0: memref<2xf32>) {
  return
}
func.func private @declared(memref<2xf32>)

// CHECK:     func.func @public(%{{.*}}) attributes {llvm.emit_c_interface}
// CHECK:     func.func private @kernel
// CHECK-NOT: llvm.emit_c_interface
