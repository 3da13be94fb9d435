// RUN: torch-refine-opt %s --set-cpu-target="cpu=skylake-avx512 features=+avx512vnni,-avx512dq" --split-input-file | filecheck %s
// RUN: torch-refine-opt %s --pass-pipeline='builtin.module(set-cpu-target{cpu=neoverse-v1 features=-sve,+crc},cse)' --split-input-file | filecheck %s --check-prefix=ARM
// RUN: torch-refine-opt %s --set-cpu-target=cpu=host --split-input-file | filecheck %s --check-prefix=HOST

// What needs a feature that is taken away goes with it, and vectors are narrower.

func.func @f() {
  return
}

// CHECK-NOT:  "avx512dq"
// CHECK:      "avx512vnni"
// CHECK-SAME: fma_latency = 4 : i64, fma_ports = 2 : i64
// CHECK-SAME: name = "skylake-avx512", vector_bits = 256 : i64, vector_registers = 16 : i64

// ARM:      architecture = "aarch64"
// ARM-NOT:  "sve"
// ARM:      fma_ports = 4 : i64
// ARM-SAME: vector_bits = 128 : i64, vector_registers = 32 : i64

// HOST: torch_refine.cpu = {architecture = "{{.+}}", crossing_load = {{[0-9]+}} : i64, features = [{{.*}}], fma_latency

// -----

// A record that is there is kept.

module attributes {torch_refine.cpu = {name = "mine"}} {
}

// CHECK: module attributes {torch_refine.cpu = {name = "mine"}}
// ARM: module attributes {torch_refine.cpu = {name = "mine"}}
// HOST: module attributes {torch_refine.cpu = {name = "mine"}}
