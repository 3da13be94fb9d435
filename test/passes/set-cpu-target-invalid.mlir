// RUN: not torch-refine-opt %s --set-cpu-target=cpu=x86-64-v5 2>&1 | filecheck %s
// RUN: not torch-refine-opt %s --set-cpu-target="cpu=haswell features=+avx512g" 2>&1 | filecheck %s --check-prefix=FEATURE
// RUN: not torch-refine-opt %s --set-cpu-target="cpu=haswell features=avx512f" 2>&1 | filecheck %s --check-prefix=SIGN

// CHECK: set-cpu-target-invalid.mlir:{{.*}} error: there is no processor 'x86-64-v5', did you mean 'x86-64-v{{.}}'?; known are x86-64,
// FEATURE: set-cpu-target-invalid.mlir:{{.*}} error: x86-64 has no feature 'avx512g', did you mean 'avx512{{.*}}'?; known are
// SIGN: set-cpu-target-invalid.mlir:{{.*}} error: features are like '+fma,-avx512f', and 'avx512f' is not

func.func @f() {
  return
}
