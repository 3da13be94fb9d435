// Random values as functions of a seed, of the operator's number (its stream), and of the element's
// index: Philox 4x32 with ten rounds, and distributions of its four 32-bit words.
//
// J. Salmon, M. Moraes, R. Dror, D. Shaw: Parallel Random Numbers: As Easy as 1, 2, 3 (SC 2011).
// Words are in the lower halves of i64. The upper halves are cleared only before a word is multiplied
// or returned.

func.func private @round(%c0: i64, %c1: i64, %c2: i64, %c3: i64, %k0: i64, %k1: i64)
    -> (i64, i64, i64, i64) {
  %m0 = arith.constant 0xD2511F53 : i64
  %m1 = arith.constant 0xCD9E8D57 : i64
  %half = arith.constant 32 : i64
  %word = arith.constant 0xFFFFFFFF : i64
  %p0 = arith.muli %c0, %m0 : i64
  %p1 = arith.muli %c2, %m1 : i64
  %high0 = arith.shrui %p0, %half : i64
  %high1 = arith.shrui %p1, %half : i64
  %x0 = arith.xori %high1, %c1 : i64
  %y0 = arith.xori %x0, %k0 : i64
  %d0 = arith.andi %y0, %word : i64
  %x2 = arith.xori %high0, %c3 : i64
  %y2 = arith.xori %x2, %k1 : i64
  %d2 = arith.andi %y2, %word : i64
  return %d0, %p1, %d2, %p0 : i64, i64, i64, i64
}

func.func private @next_key(%k0: i64, %k1: i64) -> (i64, i64) {
  %w0 = arith.constant 0x9E3779B9 : i64
  %w1 = arith.constant 0xBB67AE85 : i64
  %n0 = arith.addi %k0, %w0 : i64
  %n1 = arith.addi %k1, %w1 : i64
  return %n0, %n1 : i64, i64
}

func.func private @two_rounds(%c0: i64, %c1: i64, %c2: i64, %c3: i64, %k0: i64, %k1: i64)
    -> (i64, i64, i64, i64, i64, i64) {
  %a0, %a1, %a2, %a3 = func.call @round(%c0, %c1, %c2, %c3, %k0, %k1)
    : (i64, i64, i64, i64, i64, i64) -> (i64, i64, i64, i64)
  %l0, %l1 = func.call @next_key(%k0, %k1) : (i64, i64) -> (i64, i64)
  %b0, %b1, %b2, %b3 = func.call @round(%a0, %a1, %a2, %a3, %l0, %l1)
    : (i64, i64, i64, i64, i64, i64) -> (i64, i64, i64, i64)
  %m0, %m1 = func.call @next_key(%l0, %l1) : (i64, i64) -> (i64, i64)
  return %b0, %b1, %b2, %b3, %m0, %m1 : i64, i64, i64, i64, i64, i64
}

func.func private @philox(%seed: i64, %stream: i64, %index: i64) -> (i64, i64, i64, i64) {
  %half = arith.constant 32 : i64
  %word = arith.constant 0xFFFFFFFF : i64
  %zero = arith.constant 0 : i64
  %key1 = arith.shrui %seed, %half : i64
  %low = arith.andi %index, %word : i64
  %high = arith.shrui %index, %half : i64
  %a:6 = func.call @two_rounds(%low, %high, %stream, %zero, %seed, %key1)
    : (i64, i64, i64, i64, i64, i64) -> (i64, i64, i64, i64, i64, i64)
  %b:6 = func.call @two_rounds(%a#0, %a#1, %a#2, %a#3, %a#4, %a#5)
    : (i64, i64, i64, i64, i64, i64) -> (i64, i64, i64, i64, i64, i64)
  %c:6 = func.call @two_rounds(%b#0, %b#1, %b#2, %b#3, %b#4, %b#5)
    : (i64, i64, i64, i64, i64, i64) -> (i64, i64, i64, i64, i64, i64)
  %d:6 = func.call @two_rounds(%c#0, %c#1, %c#2, %c#3, %c#4, %c#5)
    : (i64, i64, i64, i64, i64, i64) -> (i64, i64, i64, i64, i64, i64)
  %e:6 = func.call @two_rounds(%d#0, %d#1, %d#2, %d#3, %d#4, %d#5)
    : (i64, i64, i64, i64, i64, i64) -> (i64, i64, i64, i64, i64, i64)
  %r1 = arith.andi %e#1, %word : i64
  %r3 = arith.andi %e#3, %word : i64
  return %e#0, %r1, %e#2, %r3 : i64, i64, i64, i64
}

// Uniform in [0, 1): as many bits of a word as the mantissa has.

func.func private @unit.f32(%word: i64) -> f32 {
  %dropped = arith.constant 8 : i64
  %step = arith.constant 5.9604644775390625e-08 : f32
  %digits = arith.shrui %word, %dropped : i64
  %narrow = arith.trunci %digits : i64 to i32
  %whole = arith.sitofp %narrow : i32 to f32
  %unit = arith.mulf %whole, %step : f32
  return %unit : f32
}

func.func private @unit.f64(%one: i64, %other: i64) -> f64 {
  %half = arith.constant 32 : i64
  %dropped = arith.constant 11 : i64
  %step = arith.constant 1.1102230246251565e-16 : f64
  %high = arith.shli %one, %half : i64
  %both = arith.ori %high, %other : i64
  %digits = arith.shrui %both, %dropped : i64
  %whole = arith.sitofp %digits : i64 to f64
  %unit = arith.mulf %whole, %step : f64
  return %unit : f64
}

// Uniform between two bounds.

func.func private @uniform.f16(%seed: i64, %stream: i64, %index: i64, %from: f64, %to: f64) -> f16 {
  %dropped = arith.constant 21 : i64
  %step = arith.constant 4.8828125e-4 : f32
  %w:4 = func.call @philox(%seed, %stream, %index) : (i64, i64, i64) -> (i64, i64, i64, i64)
  %digits = arith.shrui %w#0, %dropped : i64
  %narrow = arith.trunci %digits : i64 to i32
  %whole = arith.sitofp %narrow : i32 to f32
  %unit = arith.mulf %whole, %step : f32
  %wide = func.call @between.f32(%unit, %from, %to) : (f32, f64, f64) -> f32
  %number = arith.truncf %wide : f32 to f16
  return %number : f16
}

func.func private @uniform.bf16(%seed: i64, %stream: i64, %index: i64, %from: f64, %to: f64)
    -> bf16 {
  %dropped = arith.constant 24 : i64
  %step = arith.constant 3.90625e-3 : f32
  %w:4 = func.call @philox(%seed, %stream, %index) : (i64, i64, i64) -> (i64, i64, i64, i64)
  %digits = arith.shrui %w#0, %dropped : i64
  %narrow = arith.trunci %digits : i64 to i32
  %whole = arith.sitofp %narrow : i32 to f32
  %unit = arith.mulf %whole, %step : f32
  %wide = func.call @between.f32(%unit, %from, %to) : (f32, f64, f64) -> f32
  %number = arith.truncf %wide : f32 to bf16
  return %number : bf16
}

func.func private @uniform.f32(%seed: i64, %stream: i64, %index: i64, %from: f64, %to: f64) -> f32 {
  %w:4 = func.call @philox(%seed, %stream, %index) : (i64, i64, i64) -> (i64, i64, i64, i64)
  %unit = func.call @unit.f32(%w#0) : (i64) -> f32
  %number = func.call @between.f32(%unit, %from, %to) : (f32, f64, f64) -> f32
  return %number : f32
}

func.func private @uniform.f64(%seed: i64, %stream: i64, %index: i64, %from: f64, %to: f64) -> f64 {
  %w:4 = func.call @philox(%seed, %stream, %index) : (i64, i64, i64) -> (i64, i64, i64, i64)
  %unit = func.call @unit.f64(%w#0, %w#1) : (i64, i64) -> f64
  %width = arith.subf %to, %from : f64
  %scaled = arith.mulf %unit, %width : f64
  %number = arith.addf %scaled, %from : f64
  return %number : f64
}

func.func private @between.f32(%unit: f32, %from: f64, %to: f64) -> f32 {
  %least = arith.truncf %from : f64 to f32
  %most = arith.truncf %to : f64 to f32
  %width = arith.subf %most, %least : f32
  %scaled = arith.mulf %unit, %width : f32
  %number = arith.addf %scaled, %least : f32
  return %number : f32
}

// cos(2 pi x) for x in [0, 1], which has no vector function: reduced exactly to a sine on
// [-1/4, 1/4] turns, by its series up to x^13.

func.func private @cosine_of_turn.f32(%turn: f32) -> f32 {
  %half = arith.constant 0.5 : f32
  %quarter = arith.constant 0.25 : f32
  %circle = arith.constant 6.28318530717958648 : f32
  %s1 = arith.constant -1.66666666666666667e-1 : f32
  %s2 = arith.constant 8.33333333333333333e-3 : f32
  %s3 = arith.constant -1.98412698412698413e-4 : f32
  %s4 = arith.constant 2.75573192239858907e-6 : f32
  %s5 = arith.constant -2.50521083854417188e-8 : f32
  %s6 = arith.constant 1.60590438368216146e-10 : f32
  %around = arith.subf %turn, %half : f32
  %distance = math.absf %around : f32
  %part = arith.subf %distance, %quarter : f32
  %x = arith.mulf %part, %circle : f32
  %square = arith.mulf %x, %x : f32
  %a5 = math.fma %square, %s6, %s5 : f32
  %a4 = math.fma %square, %a5, %s4 : f32
  %a3 = math.fma %square, %a4, %s3 : f32
  %a2 = math.fma %square, %a3, %s2 : f32
  %a1 = math.fma %square, %a2, %s1 : f32
  %cube = arith.mulf %square, %x : f32
  %sine = math.fma %cube, %a1, %x : f32
  return %sine : f32
}

// Normal distribution, by the Box-Muller transform. 1 less a value below 1 is positive, so its
// logarithm is finite.

func.func private @normal.f32(%seed: i64, %stream: i64, %index: i64, %mean: f64, %std: f64) -> f32 {
  %one = arith.constant 1.0 : f32
  %factor = arith.constant -2.0 : f32
  %w:4 = func.call @philox(%seed, %stream, %index) : (i64, i64, i64) -> (i64, i64, i64, i64)
  %u = func.call @unit.f32(%w#0) : (i64) -> f32
  %v = func.call @unit.f32(%w#1) : (i64) -> f32
  %positive = arith.subf %one, %u : f32
  %log = math.log %positive : f32
  %square = arith.mulf %log, %factor : f32
  %radius = math.sqrt %square : f32
  %cosine = func.call @cosine_of_turn.f32(%v) : (f32) -> f32
  %standard = arith.mulf %radius, %cosine : f32
  %narrow_std = arith.truncf %std : f64 to f32
  %narrow_mean = arith.truncf %mean : f64 to f32
  %scaled = arith.mulf %standard, %narrow_std : f32
  %number = arith.addf %scaled, %narrow_mean : f32
  return %number : f32
}

func.func private @normal.f64(%seed: i64, %stream: i64, %index: i64, %mean: f64, %std: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %factor = arith.constant -2.0 : f64
  %turn = arith.constant 6.28318530717958648 : f64
  %w:4 = func.call @philox(%seed, %stream, %index) : (i64, i64, i64) -> (i64, i64, i64, i64)
  %u = func.call @unit.f64(%w#0, %w#1) : (i64, i64) -> f64
  %v = func.call @unit.f64(%w#2, %w#3) : (i64, i64) -> f64
  %positive = arith.subf %one, %u : f64
  %log = math.log %positive : f64
  %square = arith.mulf %log, %factor : f64
  %radius = math.sqrt %square : f64
  %angle = arith.mulf %v, %turn : f64
  %cosine = math.cos %angle : f64
  %standard = arith.mulf %radius, %cosine : f64
  %scaled = arith.mulf %standard, %std : f64
  %number = arith.addf %scaled, %mean : f64
  return %number : f64
}

func.func private @normal.f16(%seed: i64, %stream: i64, %index: i64, %mean: f64, %std: f64) -> f16 {
  %wide = func.call @normal.f32(%seed, %stream, %index, %mean, %std)
    : (i64, i64, i64, f64, f64) -> f32
  %number = arith.truncf %wide : f32 to f16
  return %number : f16
}

func.func private @normal.bf16(%seed: i64, %stream: i64, %index: i64, %mean: f64, %std: f64)
    -> bf16 {
  %wide = func.call @normal.f32(%seed, %stream, %index, %mean, %std)
    : (i64, i64, i64, f64, f64) -> f32
  %number = arith.truncf %wide : f32 to bf16
  return %number : bf16
}

// An integer in [low, high): the upper half of a 64 x 64 bit product, from multiplications that
// vectors support; the remaining bias is 2^-64.

func.func private @integer.i64(%seed: i64, %stream: i64, %index: i64, %low: i64, %high: i64) -> i64 {
  %half = arith.constant 32 : i64
  %word = arith.constant 0xFFFFFFFF : i64
  %w:4 = func.call @philox(%seed, %stream, %index) : (i64, i64, i64) -> (i64, i64, i64, i64)
  %count = arith.subi %high, %low : i64
  %count0 = arith.andi %count, %word : i64
  %count1 = arith.shrui %count, %half : i64
  %p00 = arith.muli %w#1, %count0 : i64
  %p10 = arith.muli %w#0, %count0 : i64
  %p01 = arith.muli %w#1, %count1 : i64
  %p11 = arith.muli %w#0, %count1 : i64
  %carried0 = arith.shrui %p00, %half : i64
  %middle0 = arith.addi %p10, %carried0 : i64
  %part = arith.andi %middle0, %word : i64
  %middle1 = arith.addi %p01, %part : i64
  %carried1 = arith.shrui %middle0, %half : i64
  %carried2 = arith.shrui %middle1, %half : i64
  %sum = arith.addi %p11, %carried1 : i64
  %offset = arith.addi %sum, %carried2 : i64
  %number = arith.addi %low, %offset : i64
  return %number : i64
}
