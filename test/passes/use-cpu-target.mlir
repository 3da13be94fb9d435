// RUN: torch-refine-opt %s --use-cpu-target --split-input-file | filecheck %s

module attributes {torch_refine.cpu = {features = ["avx2", "fma"], name = "znver3"}} {
  llvm.func @declared()

  llvm.func @defined() {
    llvm.return
  }

  llvm.func @marked() attributes {passthrough = [["prefer-vector-width", "128"]]} {
    llvm.return
  }
}

// CHECK:      llvm.func @declared()
// CHECK-NEXT: llvm.func @defined() attributes {passthrough = {{.*}}"prefer-vector-width", "256"{{.*}} target_cpu = "x86-64", target_features = #llvm.target_features<["+avx2", "+fma", "+prefer-no-gather", "+prefer-no-scatter"]>, tune_cpu = "znver3"}
// CHECK:      llvm.func @marked() attributes {passthrough = {{.*}}"prefer-vector-width", "128"{{.*}} target_cpu = "x86-64"

// -----

// LLVM has no processor of the name of the level.

module attributes {torch_refine.cpu = {architecture = "aarch64", features = ["neon"], name = "armv8-a"}} {
  llvm.func @arm() {
    llvm.return
  }
}

// CHECK: llvm.func @arm() attributes {target_cpu = "generic", target_features = #llvm.target_features<["+neon"]>, tune_cpu = "generic"}

// -----

// Without a record functions are compiled for the host.

llvm.func @host() {
  llvm.return
}

// CHECK: llvm.func @host() {
