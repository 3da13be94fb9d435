// RUN: torch-refine-opt %s --set-cpu-target="cpu=x86-64-v3" --lower-vectors | filecheck %s
// RUN: torch-refine-opt %s --lower-vectors | filecheck %s --check-prefix=ANY
// RUN: torch-refine-opt %s --set-cpu-target="cpu=armv8-a" --lower-vectors | filecheck %s --check-prefix=ANY

// Blocks of 8 x 8 are transposed by AVX2's instructions, only where the target has them.

// CHECK:   llvm.inline_asm
// ANY-NOT: llvm.inline_asm

func.func @f(%a: vector<8x8xf32>) -> vector<8x8xf32> {
  %0 = vector.transpose %a, [1, 0] : vector<8x8xf32> to vector<8x8xf32>
  return %0 : vector<8x8xf32>
}
