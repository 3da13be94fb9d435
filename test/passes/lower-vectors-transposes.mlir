// RUN: torch-refine-opt %s --lower-vectors | filecheck %s

// Blocks of 8 x 8 are transposed by shuffles of pairs of rows, without assembly.

// CHECK-NOT: llvm.inline_asm
// CHECK:     vector.shuffle %{{.*}}, %{{.*}} [0, 1, 10, 11, 4, 5, 14, 15] : vector<8xf32>, vector<8xf32>
// CHECK-NOT: llvm.inline_asm

func.func @f(%a: vector<8x8xf32>) -> vector<8x8xf32> {
  %0 = vector.transpose %a, [1, 0] : vector<8x8xf32> to vector<8x8xf32>
  return %0 : vector<8x8xf32>
}
