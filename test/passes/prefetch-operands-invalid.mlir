// RUN: not torch-refine-opt %s --prefetch-operands 2>&1 | filecheck %s
// RUN: not torch-refine-opt %s --set-cpu-target 2>&1 | filecheck %s
// RUN: not torch-refine-opt %s --use-cpu-target 2>&1 | filecheck %s

// CHECK: prefetch-operands-invalid.mlir:{{.*}} error: load_ports in torch_refine.cpu must be from 1 to 64, got 0

module attributes {torch_refine.cpu = {load_ports = 0 : i64}} {
  func.func @f() {
    return
  }
}
