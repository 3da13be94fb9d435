// Functions of f32 and f64 as arithmetic that can be vectorized.
//
// The methods and constants of exp and log are those of S. Moshier's Cephes library, single precision.
// NaN propagates; infinities and denormals are handled correctly. test/passes/test_approximate_math.py
// measures the errors: at most 1.5 units in the last place, and twice those of PyTorch's kernels.

// exp(x) = 2^n exp(r) with |r| <= ln(2)/2. Adding 1.5 * 2^23 rounds to an integer, whose bits are
// then n. 2^n is multiplied in two steps, as n may be beyond what one exponent can hold.
func.func private @exp(%x: f32) -> f32 {
  %least = arith.constant -104.0 : f32
  %most = arith.constant 89.0 : f32
  %log2e = arith.constant 1.44269504088896341 : f32
  %magic = arith.constant 12582912.0 : f32
  %magic_bits = arith.constant 0x4B400000 : i32
  %ln2_high = arith.constant 0.693359375 : f32
  %ln2_low = arith.constant -2.12194440e-4 : f32
  %one = arith.constant 1.0 : f32
  %p0 = arith.constant 1.9875691500E-4 : f32
  %p1 = arith.constant 1.3981999507E-3 : f32
  %p2 = arith.constant 8.3334519073E-3 : f32
  %p3 = arith.constant 4.1665795894E-2 : f32
  %p4 = arith.constant 1.6666665459E-1 : f32
  %p5 = arith.constant 5.0000001201E-1 : f32
  %i1 = arith.constant 1 : i32
  %i23 = arith.constant 23 : i32
  %bias = arith.constant 127 : i32
  %above = arith.maximumf %x, %least : f32
  %clamped = arith.minimumf %above, %most : f32
  %scaled = arith.mulf %clamped, %log2e : f32
  %rounded = arith.addf %scaled, %magic : f32
  %whole = arith.subf %rounded, %magic : f32
  %bits = arith.bitcast %rounded : f32 to i32
  %n = arith.subi %bits, %magic_bits : i32
  %high = arith.mulf %whole, %ln2_high : f32
  %r0 = arith.subf %clamped, %high : f32
  %low = arith.mulf %whole, %ln2_low : f32
  %r = arith.subf %r0, %low : f32
  %a0 = math.fma %p0, %r, %p1 : f32
  %a1 = math.fma %a0, %r, %p2 : f32
  %a2 = math.fma %a1, %r, %p3 : f32
  %a3 = math.fma %a2, %r, %p4 : f32
  %a4 = math.fma %a3, %r, %p5 : f32
  %square = arith.mulf %r, %r : f32
  %a5 = math.fma %a4, %square, %r : f32
  %value = arith.addf %a5, %one : f32
  %n1 = arith.shrsi %n, %i1 : i32
  %n2 = arith.subi %n, %n1 : i32
  %b1 = arith.addi %n1, %bias : i32
  %s1 = arith.shli %b1, %i23 : i32
  %f1 = arith.bitcast %s1 : i32 to f32
  %b2 = arith.addi %n2, %bias : i32
  %s2 = arith.shli %b2, %i23 : i32
  %f2 = arith.bitcast %s2 : i32 to f32
  %v1 = arith.mulf %value, %f1 : f32
  %v2 = arith.mulf %v1, %f2 : f32
  return %v2 : f32
}

// The same of numbers that are not positive, which need one step: at -88 the exponent is 0, and so is
// the result, as of minus infinity. Results below 2^-126 have fewer digits, or are 0. The magic number
// has the bias of the exponent in its last bits.
func.func private @exp.not_positive(%x: f32) -> f32 {
  %least = arith.constant -88.0 : f32
  %log2e = arith.constant 1.44269504088896341 : f32
  %magic = arith.constant 12583039.0 : f32
  %ln2_high = arith.constant 0.693359375 : f32
  %ln2_low = arith.constant -2.12194440e-4 : f32
  %one = arith.constant 1.0 : f32
  %p0 = arith.constant 1.9875691500E-4 : f32
  %p1 = arith.constant 1.3981999507E-3 : f32
  %p2 = arith.constant 8.3334519073E-3 : f32
  %p3 = arith.constant 4.1665795894E-2 : f32
  %p4 = arith.constant 1.6666665459E-1 : f32
  %p5 = arith.constant 5.0000001201E-1 : f32
  %i23 = arith.constant 23 : i32
  %clamped = arith.maximumf %x, %least : f32
  %scaled = arith.mulf %clamped, %log2e : f32
  %rounded = arith.addf %scaled, %magic : f32
  %whole = arith.subf %rounded, %magic : f32
  %high = arith.mulf %whole, %ln2_high : f32
  %r0 = arith.subf %clamped, %high : f32
  %low = arith.mulf %whole, %ln2_low : f32
  %r = arith.subf %r0, %low : f32
  %a0 = math.fma %p0, %r, %p1 : f32
  %a1 = math.fma %a0, %r, %p2 : f32
  %a2 = math.fma %a1, %r, %p3 : f32
  %a3 = math.fma %a2, %r, %p4 : f32
  %a4 = math.fma %a3, %r, %p5 : f32
  %square = arith.mulf %r, %r : f32
  %a5 = math.fma %a4, %square, %r : f32
  %value = arith.addf %a5, %one : f32
  %bits = arith.bitcast %rounded : f32 to i32
  %exponent = arith.shli %bits, %i23 : i32
  %power = arith.bitcast %exponent : i32 to f32
  %v = arith.mulf %value, %power : f32
  return %v : f32
}

// log(m 2^e) = log(m) + e ln(2) with m between sqrt(1/2) and sqrt(2).
func.func private @log(%x: f32) -> f32 {
  %least = arith.constant 1.17549435e-38 : f32
  %two23 = arith.constant 8388608.0 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %none = arith.constant 0.0 : f32
  %shifted = arith.constant 23.0 : f32
  %infinity = arith.constant 0x7F800000 : f32
  %negative = arith.constant 0xFF800000 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %root = arith.constant 0.707106781186547524 : f32
  %i23 = arith.constant 23 : i32
  %bias = arith.constant 126 : i32
  %mantissa = arith.constant 0x007FFFFF : i32
  %half_bits = arith.constant 0x3F000000 : i32
  %p0 = arith.constant 7.0376836292E-2 : f32
  %p1 = arith.constant -1.1514610310E-1 : f32
  %p2 = arith.constant 1.1676998740E-1 : f32
  %p3 = arith.constant -1.2420140846E-1 : f32
  %p4 = arith.constant 1.4249322787E-1 : f32
  %p5 = arith.constant -1.6668057665E-1 : f32
  %p6 = arith.constant 2.0000714765E-1 : f32
  %p7 = arith.constant -2.4999993993E-1 : f32
  %p8 = arith.constant 3.3333331174E-1 : f32
  %ln2_high = arith.constant 0.693359375 : f32
  %ln2_low = arith.constant -2.12194440e-4 : f32
  %is_small = arith.cmpf olt, %x, %least : f32
  %larger = arith.mulf %x, %two23 : f32
  %normal = arith.select %is_small, %larger, %x : f32
  %moved = arith.select %is_small, %shifted, %none : f32
  %bits = arith.bitcast %normal : f32 to i32
  %exponent = arith.shrui %bits, %i23 : i32
  %e0 = arith.subi %exponent, %bias : i32
  %e1 = arith.sitofp %e0 : i32 to f32
  %e2 = arith.subf %e1, %moved : f32
  %m0 = arith.andi %bits, %mantissa : i32
  %m1 = arith.ori %m0, %half_bits : i32
  %m = arith.bitcast %m1 : i32 to f32
  %is_low = arith.cmpf olt, %m, %root : f32
  %twice = arith.addf %m, %m : f32
  %m2 = arith.select %is_low, %twice, %m : f32
  %less = arith.select %is_low, %one, %zero : f32
  %e = arith.subf %e2, %less : f32
  %r = arith.subf %m2, %one : f32
  %z = arith.mulf %r, %r : f32
  %a0 = math.fma %p0, %r, %p1 : f32
  %a1 = math.fma %a0, %r, %p2 : f32
  %a2 = math.fma %a1, %r, %p3 : f32
  %a3 = math.fma %a2, %r, %p4 : f32
  %a4 = math.fma %a3, %r, %p5 : f32
  %a5 = math.fma %a4, %r, %p6 : f32
  %a6 = math.fma %a5, %r, %p7 : f32
  %a7 = math.fma %a6, %r, %p8 : f32
  %b0 = arith.mulf %a7, %r : f32
  %b1 = arith.mulf %b0, %z : f32
  %b2 = math.fma %e, %ln2_low, %b1 : f32
  %h = arith.mulf %z, %half : f32
  %b3 = arith.subf %b2, %h : f32
  %b4 = arith.addf %r, %b3 : f32
  %value = math.fma %e, %ln2_high, %b4 : f32
  %is_infinite = arith.cmpf oeq, %x, %infinity : f32
  %v0 = arith.select %is_infinite, %infinity, %value : f32
  %is_zero = arith.cmpf oeq, %x, %zero : f32
  %v1 = arith.select %is_zero, %negative, %v0 : f32
  %is_none = arith.cmpf ult, %x, %zero : f32
  %v2 = arith.select %is_none, %nan, %v1 : f32
  return %v2 : f32
}

// The same, whose last sum is in double precision.
func.func private @wide_log(%x: f32) -> f64 {
  %least = arith.constant 1.17549435e-38 : f32
  %two23 = arith.constant 8388608.0 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %none = arith.constant 0.0 : f32
  %shifted = arith.constant 23.0 : f32
  %infinity = arith.constant 0x7F800000 : f32
  %wide_infinity = arith.constant 0x7FF0000000000000 : f64
  %negative = arith.constant 0xFFF0000000000000 : f64
  %nan = arith.constant 0x7FF8000000000000 : f64
  %root = arith.constant 0.707106781186547524 : f32
  %i23 = arith.constant 23 : i32
  %bias = arith.constant 126 : i32
  %mantissa = arith.constant 0x007FFFFF : i32
  %half_bits = arith.constant 0x3F000000 : i32
  %p0 = arith.constant 7.0376836292E-2 : f32
  %p1 = arith.constant -1.1514610310E-1 : f32
  %p2 = arith.constant 1.1676998740E-1 : f32
  %p3 = arith.constant -1.2420140846E-1 : f32
  %p4 = arith.constant 1.4249322787E-1 : f32
  %p5 = arith.constant -1.6668057665E-1 : f32
  %p6 = arith.constant 2.0000714765E-1 : f32
  %p7 = arith.constant -2.4999993993E-1 : f32
  %p8 = arith.constant 3.3333331174E-1 : f32
  %ln2 = arith.constant 0.6931471805599453 : f64
  %is_small = arith.cmpf olt, %x, %least : f32
  %larger = arith.mulf %x, %two23 : f32
  %normal = arith.select %is_small, %larger, %x : f32
  %moved = arith.select %is_small, %shifted, %none : f32
  %bits = arith.bitcast %normal : f32 to i32
  %exponent = arith.shrui %bits, %i23 : i32
  %e0 = arith.subi %exponent, %bias : i32
  %e1 = arith.sitofp %e0 : i32 to f32
  %e2 = arith.subf %e1, %moved : f32
  %m0 = arith.andi %bits, %mantissa : i32
  %m1 = arith.ori %m0, %half_bits : i32
  %m = arith.bitcast %m1 : i32 to f32
  %is_low = arith.cmpf olt, %m, %root : f32
  %twice = arith.addf %m, %m : f32
  %m2 = arith.select %is_low, %twice, %m : f32
  %less = arith.select %is_low, %one, %zero : f32
  %e = arith.subf %e2, %less : f32
  %r = arith.subf %m2, %one : f32
  %z = arith.mulf %r, %r : f32
  %a0 = math.fma %p0, %r, %p1 : f32
  %a1 = math.fma %a0, %r, %p2 : f32
  %a2 = math.fma %a1, %r, %p3 : f32
  %a3 = math.fma %a2, %r, %p4 : f32
  %a4 = math.fma %a3, %r, %p5 : f32
  %a5 = math.fma %a4, %r, %p6 : f32
  %a6 = math.fma %a5, %r, %p7 : f32
  %a7 = math.fma %a6, %r, %p8 : f32
  %b0 = arith.mulf %a7, %r : f32
  %b1 = arith.mulf %b0, %z : f32
  %h = arith.mulf %z, %half : f32
  %b2 = arith.subf %b1, %h : f32
  %wide_e = arith.extf %e : f32 to f64
  %wide_r = arith.extf %r : f32 to f64
  %wide_b = arith.extf %b2 : f32 to f64
  %fraction = arith.addf %wide_r, %wide_b : f64
  %value = math.fma %wide_e, %ln2, %fraction : f64
  %is_infinite = arith.cmpf oeq, %x, %infinity : f32
  %v0 = arith.select %is_infinite, %wide_infinity, %value : f64
  %is_zero = arith.cmpf oeq, %x, %zero : f32
  %v1 = arith.select %is_zero, %negative, %v0 : f64
  %is_none = arith.cmpf ult, %x, %zero : f32
  %v2 = arith.select %is_none, %nan, %v1 : f64
  return %v2 : f64
}

// Below 1 an odd polynomial, fitted as those of erf are; 1 - 2 / (exp(2 |x|) + 1) above, where the fraction
// is small.
func.func private @tanh(%x: f32) -> f32 {
  %border = arith.constant 1.0 : f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %p0 = arith.constant -0.0003583928046282381 : f32
  %p1 = arith.constant 0.002301219617947936 : f32
  %p2 = arith.constant -0.007946008816361427 : f32
  %p3 = arith.constant 0.0214866753667593 : f32
  %p4 = arith.constant -0.05387984588742256 : f32
  %p5 = arith.constant 0.13332346081733704 : f32
  %p6 = arith.constant -0.33333295583724976 : f32
  %size = math.absf %x : f32
  %z = arith.mulf %x, %x : f32
  %a0 = math.fma %p0, %z, %p1 : f32
  %a1 = math.fma %a0, %z, %p2 : f32
  %a2 = math.fma %a1, %z, %p3 : f32
  %a3 = math.fma %a2, %z, %p4 : f32
  %a4 = math.fma %a3, %z, %p5 : f32
  %a5 = math.fma %a4, %z, %p6 : f32
  %a6 = arith.mulf %a5, %z : f32
  %near = math.fma %a6, %size, %size : f32
  %twice = arith.addf %size, %size : f32
  %e = math.exp %twice : f32
  %e1 = arith.addf %e, %one : f32
  %q = arith.divf %two, %e1 : f32
  %far = arith.subf %one, %q : f32
  %is_near = arith.cmpf olt, %size, %border : f32
  %unsigned = arith.select %is_near, %near, %far : f32
  %value = math.copysign %unsigned, %x : f32
  return %value : f32
}

// Below 0.625 an odd polynomial, fitted at Chebyshev's nodes in 50 digits; 1 - 2 / (exp(2 |x|) + 1) above, where the
// fraction is smaller than the result.
func.func private @tanh.f64(%x: f64) -> f64 {
  %border = arith.constant 0.625 : f64
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %p0 = arith.constant 6.485163482793113e-06 : f64
  %p1 = arith.constant -3.12011014257974e-05 : f64
  %p2 = arith.constant 9.257116129556769e-05 : f64
  %p3 = arith.constant -0.0002375906496055562 : f64
  %p4 = arith.constant 0.0005896606577757043 : f64
  %p5 = arith.constant -0.0014557754120478055 : f64
  %p6 = arith.constant 0.0035921217511549622 : f64
  %p7 = arith.constant -0.008863235103240878 : f64
  %p8 = arith.constant 0.021869488519008305 : f64
  %p9 = arith.constant -0.05396825396789699 : f64
  %p10 = arith.constant 0.13333333333333042 : f64
  %p11 = arith.constant -0.3333333333333333 : f64
  %size = math.absf %x : f64
  %z = arith.mulf %x, %x : f64
  %a1 = math.fma %p0, %z, %p1 : f64
  %a2 = math.fma %a1, %z, %p2 : f64
  %a3 = math.fma %a2, %z, %p3 : f64
  %a4 = math.fma %a3, %z, %p4 : f64
  %a5 = math.fma %a4, %z, %p5 : f64
  %a6 = math.fma %a5, %z, %p6 : f64
  %a7 = math.fma %a6, %z, %p7 : f64
  %a8 = math.fma %a7, %z, %p8 : f64
  %a9 = math.fma %a8, %z, %p9 : f64
  %a10 = math.fma %a9, %z, %p10 : f64
  %a11 = math.fma %a10, %z, %p11 : f64
  %a = arith.mulf %a11, %z : f64
  %near = math.fma %a, %size, %size : f64
  %twice = arith.addf %size, %size : f64
  %e = math.exp %twice : f64
  %e1 = arith.addf %e, %one : f64
  %q = arith.divf %two, %e1 : f64
  %far = arith.subf %one, %q : f64
  %is_near = arith.cmpf olt, %size, %border : f64
  %unsigned = arith.select %is_near, %near, %far : f64
  %value = math.copysign %unsigned, %x : f64
  return %value : f64
}

// Below 0.9375 a polynomial of x^2 times x, beyond it 1 - exp(p(|x|)), as exp(p) is small: both fitted at
// Chebyshev's nodes to minimize the greatest relative error. From 4 on it is 1 in single precision.
func.func private @erf(%x: f32) -> f32 {
  %border = arith.constant 0.9375 : f32
  %most = arith.constant 4.0 : f32
  %one = arith.constant 1.0 : f32
  %p0 = arith.constant 8.000279194675386e-05 : f32
  %p1 = arith.constant -0.0008050384349189699 : f32
  %p2 = arith.constant 0.005192438140511513 : f32
  %p3 = arith.constant -0.02685573697090149 : f32
  %p4 = arith.constant 0.11283625662326813 : f32
  %p5 = arith.constant -0.3761262893676758 : f32
  %p6 = arith.constant 0.12837916612625122 : f32
  %q0 = arith.constant 0.0001939057110575959 : f32
  %q1 = arith.constant -0.003023205790668726 : f32
  %q2 = arith.constant 0.022146783769130707 : f32
  %q3 = arith.constant -0.10376452654600143 : f32
  %q4 = arith.constant -0.6373736262321472 : f32
  %q5 = arith.constant -1.127561330795288 : f32
  %q6 = arith.constant -0.00022350366634782404 : f32
  %size = math.absf %x : f32
  %z = arith.mulf %x, %x : f32
  %a0 = math.fma %p0, %z, %p1 : f32
  %a1 = math.fma %a0, %z, %p2 : f32
  %a2 = math.fma %a1, %z, %p3 : f32
  %a3 = math.fma %a2, %z, %p4 : f32
  %a4 = math.fma %a3, %z, %p5 : f32
  %a5 = math.fma %a4, %z, %p6 : f32
  %near = math.fma %a5, %x, %x : f32
  %c = arith.minimumf %size, %most : f32
  %b0 = math.fma %q0, %c, %q1 : f32
  %b1 = math.fma %b0, %c, %q2 : f32
  %b2 = math.fma %b1, %c, %q3 : f32
  %b3 = math.fma %b2, %c, %q4 : f32
  %b4 = math.fma %b3, %c, %q5 : f32
  %b5 = math.fma %b4, %c, %q6 : f32
  %e = math.exp %b5 {torch_refine.not_positive} : f32
  %t = arith.subf %one, %e : f32
  %far = math.copysign %t, %x : f32
  %is_near = arith.cmpf olt, %size, %border : f32
  %value = arith.select %is_near, %near, %far : f32
  return %value : f32
}

// The same where only its sum with 1 is used, as in GELU: 5 units in the last place of erf are 2.5 of the sum.
// A rational function of x^2 times x; beyond 3.8325 it is 1.
func.func private @erf.plus_one(%x: f32) -> f32 {
  %border = arith.constant 3.832506856900711 : f32
  %least = arith.constant -3.832506856900711 : f32
  %p0 = arith.constant 0.00022905065861350646 : f32
  %p1 = arith.constant 0.0034082910107109506 : f32
  %p2 = arith.constant 0.050955695062380861 : f32
  %p3 = arith.constant 0.18520832239976145 : f32
  %p4 = arith.constant 1.128379143519084 : f32
  %q0 = arith.constant -1.1791602954361697e-7 : f32
  %q1 = arith.constant 0.000023547966471313185 : f32
  %q2 = arith.constant 0.0010179625278914885 : f32
  %q3 = arith.constant 0.014070470171167667 : f32
  %q4 = arith.constant 0.11098505178285362 : f32
  %q5 = arith.constant 0.49746925110067538 : f32
  %one = arith.constant 1.0 : f32
  %above = arith.maximumf %x, %least : f32
  %c = arith.minimumf %above, %border : f32
  %z = arith.mulf %c, %c : f32
  %a0 = math.fma %p0, %z, %p1 : f32
  %a1 = math.fma %a0, %z, %p2 : f32
  %a2 = math.fma %a1, %z, %p3 : f32
  %a3 = math.fma %a2, %z, %p4 : f32
  %b0 = math.fma %q0, %z, %q1 : f32
  %b1 = math.fma %b0, %z, %q2 : f32
  %b2 = math.fma %b1, %z, %q3 : f32
  %b3 = math.fma %b2, %z, %q4 : f32
  %b4 = math.fma %b3, %z, %q5 : f32
  %b5 = math.fma %b4, %z, %one : f32
  %n = arith.mulf %c, %a3 : f32
  %value = arith.divf %n, %b5 : f32
  return %value : f32
}

// exp(x) - 1 = 2 (2^(n-1) (exp(r) - 1) + 2^(n-1) - 1/2) with r and n as in exp; the polynomial of exp(r) - 1
// is fitted as those of erf are. Halves, because 2^128 is no number of single precision. Zeros keep their sign.
// n is 0 below 0.75, as the sum with 2^n - 1 would cancel.
func.func private @expm1(%x: f32) -> f32 {
  %least = arith.constant -18.0 : f32
  %most = arith.constant 89.0 : f32
  %log2e = arith.constant 1.44269504088896341 : f32
  %magic = arith.constant 12582912.0 : f32
  %magic_bits = arith.constant 0x4B400000 : i32
  %ln2_high = arith.constant 0.693359375 : f32
  %ln2_low = arith.constant -2.12194440e-4 : f32
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %p0 = arith.constant 2.4825601940392517e-05 : f32
  %p1 = arith.constant 0.00020137788669671863 : f32
  %p2 = arith.constant 0.0013890311820432544 : f32
  %p3 = arith.constant 0.008332396857440472 : f32
  %p4 = arith.constant 0.041666626930236816 : f32
  %p5 = arith.constant 0.16666674613952637 : f32
  %border = arith.constant 0.75 : f32
  %i23 = arith.constant 23 : i32
  %bias = arith.constant 126 : i32
  %above = arith.maximumf %x, %least : f32
  %clamped = arith.minimumf %above, %most : f32
  %scaled = arith.mulf %clamped, %log2e : f32
  %size = math.absf %clamped : f32
  %is_near = arith.cmpf olt, %size, %border : f32
  %turns = arith.select %is_near, %zero, %scaled : f32
  %rounded = arith.addf %turns, %magic : f32
  %whole = arith.subf %rounded, %magic : f32
  %bits = arith.bitcast %rounded : f32 to i32
  %n = arith.subi %bits, %magic_bits : i32
  %high = arith.mulf %whole, %ln2_high : f32
  %r0 = arith.subf %clamped, %high : f32
  %low = arith.mulf %whole, %ln2_low : f32
  %r = arith.subf %r0, %low : f32
  %a0 = math.fma %p0, %r, %p1 : f32
  %a1 = math.fma %a0, %r, %p2 : f32
  %a2 = math.fma %a1, %r, %p3 : f32
  %a3 = math.fma %a2, %r, %p4 : f32
  %a4 = math.fma %a3, %r, %p5 : f32
  %a5 = math.fma %a4, %r, %half : f32
  %square = arith.mulf %r, %r : f32
  %less = math.fma %a5, %square, %r : f32
  %exponent = arith.addi %n, %bias : i32
  %shifted = arith.shli %exponent, %i23 : i32
  %power = arith.bitcast %shifted : i32 to f32
  %rest = arith.subf %power, %half : f32
  %sum = math.fma %power, %less, %rest : f32
  %twice = arith.addf %sum, %sum : f32
  %is_zero = arith.cmpf oeq, %x, %zero : f32
  %value = arith.select %is_zero, %x, %twice : f32
  return %value : f32
}

// log(1 + x) = log(1 + m) + e ln(2) with 1 + m between sqrt(1/2) and sqrt(2), and the polynomial of log.
// 2^-e (1 + x) - 1 is computed as 2^-e x + (2^-e - 1), so that only m is rounded, not 1 + x; by quarters of
// x and 2^(2-e), as 2^-128 is denormal. The rounding errors of m, and of its sum with e ln(2), are added to the
// smaller terms; the slope of the logarithm is about 1 - m.
func.func private @log1p(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %tiny = arith.constant 1.4901161193847656e-08 : f32
  %quarter = arith.constant 0.25 : f32
  %half = arith.constant 0.5 : f32
  %minus_one = arith.constant -1.0 : f32
  %infinity = arith.constant 0x7F800000 : f32
  %negative = arith.constant 0xFF800000 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %i23 = arith.constant 23 : i32
  %root_bits = arith.constant 0x3F3504F3 : i32
  %four_bits = arith.constant 0x40800000 : i32
  %p0 = arith.constant 7.0376836292E-2 : f32
  %p1 = arith.constant -1.1514610310E-1 : f32
  %p2 = arith.constant 1.1676998740E-1 : f32
  %p3 = arith.constant -1.2420140846E-1 : f32
  %p4 = arith.constant 1.4249322787E-1 : f32
  %p5 = arith.constant -1.6668057665E-1 : f32
  %p6 = arith.constant 2.0000714765E-1 : f32
  %p7 = arith.constant -2.4999993993E-1 : f32
  %p8 = arith.constant 3.3333331174E-1 : f32
  %ln2_high = arith.constant 0.693359375 : f32
  %ln2_low = arith.constant -2.12194440e-4 : f32
  %u = arith.addf %x, %one : f32
  %bits = arith.bitcast %u : f32 to i32
  %above = arith.subi %bits, %root_bits : i32
  %exponent = arith.shrsi %above, %i23 : i32
  %e = arith.sitofp %exponent : i32 to f32
  %moved = arith.shli %exponent, %i23 : i32
  %scale_bits = arith.subi %four_bits, %moved : i32
  %scale = arith.bitcast %scale_bits : i32 to f32
  %scale_less = math.fma %scale, %quarter, %minus_one : f32
  %quarter_x = arith.mulf %x, %quarter : f32
  %r = math.fma %quarter_x, %scale, %scale_less : f32
  %z = arith.mulf %r, %r : f32
  %a0 = math.fma %p0, %r, %p1 : f32
  %a1 = math.fma %a0, %r, %p2 : f32
  %a2 = math.fma %a1, %r, %p3 : f32
  %a3 = math.fma %a2, %r, %p4 : f32
  %a4 = math.fma %a3, %r, %p5 : f32
  %a5 = math.fma %a4, %r, %p6 : f32
  %a6 = math.fma %a5, %r, %p7 : f32
  %a7 = math.fma %a6, %r, %p8 : f32
  %b0 = arith.mulf %a7, %r : f32
  %b1 = arith.mulf %b0, %z : f32
  %b2 = math.fma %e, %ln2_low, %b1 : f32
  %h = arith.mulf %z, %half : f32
  %b3 = arith.subf %b2, %h : f32
  %high = arith.mulf %e, %ln2_high : f32
  %sum = arith.addf %high, %r : f32
  %of_sum = arith.subf %sum, %high : f32
  %rest = arith.subf %r, %of_sum : f32
  %c0 = arith.subf %scale_less, %r : f32
  %of_r = math.fma %quarter_x, %scale, %c0 : f32
  %slope = arith.subf %one, %r : f32
  %c1 = math.fma %of_r, %slope, %b3 : f32
  %b4 = arith.addf %c1, %rest : f32
  %value = arith.addf %sum, %b4 : f32
  %is_infinite = arith.cmpf oeq, %u, %infinity : f32
  %v0 = arith.select %is_infinite, %infinity, %value : f32
  %size = math.absf %x : f32
  %is_tiny = arith.cmpf olt, %size, %tiny : f32
  %v1 = arith.select %is_tiny, %x, %v0 : f32
  %is_least = arith.cmpf oeq, %x, %minus_one : f32
  %v2 = arith.select %is_least, %negative, %v1 : f32
  %is_none = arith.cmpf ult, %x, %minus_one : f32
  %v3 = arith.select %is_none, %nan, %v2 : f32
  return %v3 : f32
}

// exp in double precision of numbers whose exp is one in single precision, accurate enough for the latter:
// as above, with the polynomial of 1 / 8!. Beyond 100 it is infinite in single precision.
func.func private @wide_exp(%x: f64) -> f64 {
  %least = arith.constant -110.0 : f64
  %most = arith.constant 100.0 : f64
  %log2e = arith.constant 1.4426950408889634 : f64
  %magic = arith.constant 6755399441055744.0 : f64
  %ln2 = arith.constant 0.6931471805599453 : f64
  %one = arith.constant 1.0 : f64
  %p0 = arith.constant 2.48015873015873e-05 : f64
  %p1 = arith.constant 0.0001984126984126984 : f64
  %p2 = arith.constant 0.001388888888888889 : f64
  %p3 = arith.constant 0.008333333333333333 : f64
  %p4 = arith.constant 0.041666666666666664 : f64
  %p5 = arith.constant 0.16666666666666666 : f64
  %p6 = arith.constant 0.5 : f64
  %i52 = arith.constant 52 : i64
  %above = arith.maximumf %x, %least : f64
  %c = arith.minimumf %above, %most : f64
  %scaled = math.fma %c, %log2e, %magic : f64
  %n = arith.subf %scaled, %magic : f64
  %minus_n = arith.negf %n : f64
  %r = math.fma %minus_n, %ln2, %c : f64
  %a0 = math.fma %p0, %r, %p1 : f64
  %a1 = math.fma %a0, %r, %p2 : f64
  %a2 = math.fma %a1, %r, %p3 : f64
  %a3 = math.fma %a2, %r, %p4 : f64
  %a4 = math.fma %a3, %r, %p5 : f64
  %a5 = math.fma %a4, %r, %p6 : f64
  %a6 = math.fma %a5, %r, %one : f64
  %value = math.fma %a6, %r, %one : f64
  %bits = arith.bitcast %scaled : f64 to i64
  %moved = arith.shli %bits, %i52 : i64
  %value_bits = arith.bitcast %value : f64 to i64
  %sum = arith.addi %value_bits, %moved : i64
  %e = arith.bitcast %sum : i64 to f64
  %is_finite = arith.cmpf ord, %x, %x : f64
  %found = arith.select %is_finite, %e, %x : f64
  return %found : f64
}

// By exp in double precision; below 1 an odd polynomial, as the difference would cancel.
func.func private @sinh(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f64
  %half = arith.constant 0.5 : f64
  %p0 = arith.constant 2.8169512275898357e-06 : f64
  %p1 = arith.constant 0.00019836159777671713 : f64
  %p2 = arith.constant 0.008333350058173232 : f64
  %p3 = arith.constant 0.1666666649756095 : f64
  %wide = arith.extf %x : f32 to f64
  %size = math.absf %wide : f64
  %z = arith.mulf %wide, %wide : f64
  %a0 = math.fma %p0, %z, %p1 : f64
  %a1 = math.fma %a0, %z, %p2 : f64
  %a2 = math.fma %a1, %z, %p3 : f64
  %a3 = arith.mulf %a2, %z : f64
  %near = math.fma %a3, %wide, %wide : f64
  %e = func.call @wide_exp(%size) : (f64) -> f64
  %inverse = arith.divf %one, %e : f64
  %difference = arith.subf %e, %inverse : f64
  %halved = arith.mulf %difference, %half : f64
  %far = math.copysign %halved, %wide : f64
  %is_near = arith.cmpf olt, %size, %one : f64
  %value = arith.select %is_near, %near, %far : f64
  %rounded = arith.truncf %value : f64 to f32
  return %rounded : f32
}

func.func private @cosh(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f64
  %half = arith.constant 0.5 : f64
  %wide = arith.extf %x : f32 to f64
  %e = func.call @wide_exp(%wide) : (f64) -> f64
  %inverse = arith.divf %one, %e : f64
  %sum = arith.addf %e, %inverse : f64
  %halved = arith.mulf %sum, %half : f64
  %rounded = arith.truncf %halved : f64 to f32
  return %rounded : f32
}

// By log in double precision, whose digits are enough from 2^-12 on.
func.func private @atanh(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f64
  %half = arith.constant 0.5 : f64
  %third = arith.constant 0.3333333333333333 : f64
  %border = arith.constant 2.44140625E-4 : f64
  %wide = arith.extf %x : f32 to f64
  %size = math.absf %wide : f64
  %more = arith.addf %one, %wide : f64
  %less = arith.subf %one, %wide : f64
  %ratio = arith.divf %more, %less : f64
  %log = math.log %ratio : f64
  %far = arith.mulf %log, %half : f64
  %square = arith.mulf %wide, %wide : f64
  %a0 = arith.mulf %square, %third : f64
  %near = math.fma %a0, %wide, %wide : f64
  %is_near = arith.cmpf olt, %size, %border : f64
  %value = arith.select %is_near, %near, %far : f64
  %rounded = arith.truncf %value : f64 to f32
  return %rounded : f32
}

// In double precision, of the C library's exp and log, by W. Kahan: u = exp(x) is rounded, but (u - 1) / log(u)
// is insensitive to the rounding of u.
func.func private @expm1.f64(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %minus_one = arith.constant -1.0 : f64
  %infinity = arith.constant 0x7FF0000000000000 : f64
  %u = math.exp %x : f64
  %less = arith.subf %u, %one : f64
  %log = math.log %u : f64
  %ratio = arith.divf %x, %log : f64
  %corrected = arith.mulf %less, %ratio : f64
  %is_one = arith.cmpf oeq, %u, %one : f64
  %v0 = arith.select %is_one, %x, %corrected : f64
  %is_least = arith.cmpf oeq, %less, %minus_one : f64
  %v1 = arith.select %is_least, %minus_one, %v0 : f64
  %is_infinite = arith.cmpf oeq, %u, %infinity : f64
  %v2 = arith.select %is_infinite, %u, %v1 : f64
  return %v2 : f64
}

// The rounding error of 1 + x is corrected by the ratio of x to (1 + x) - 1.
func.func private @log1p.f64(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %infinity = arith.constant 0x7FF0000000000000 : f64
  %u = arith.addf %x, %one : f64
  %less = arith.subf %u, %one : f64
  %log = math.log %u : f64
  %ratio = arith.divf %x, %less : f64
  %corrected = arith.mulf %log, %ratio : f64
  %is_one = arith.cmpf oeq, %u, %one : f64
  %v0 = arith.select %is_one, %x, %corrected : f64
  %is_infinite = arith.cmpf oeq, %u, %infinity : f64
  %v1 = arith.select %is_infinite, %u, %v0 : f64
  return %v1 : f64
}

// Below 1 a polynomial of x^2, beyond it 1 - exp(-x^2) / x times a polynomial of 1 / x, both fitted at
// Chebyshev's nodes; from 6 on it is 1 in double precision.
func.func private @erf.f64(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %most = arith.constant 6.0 : f64
  %middle = arith.constant 0.5833333333333334 : f64
  %scale = arith.constant 2.4 : f64
  %p0 = arith.constant -5.330228513543911e-19 : f64
  %p1 = arith.constant 1.7134719857678866e-17 : f64
  %p2 = arith.constant -5.146073259836e-16 : f64
  %p3 = arith.constant 1.448819924010489e-14 : f64
  %p4 = arith.constant -3.791123021807254e-13 : f64
  %p5 = arith.constant 9.16768920690876e-12 : f64
  %p6 = arith.constant -2.0352493691214596e-10 : f64
  %p7 = arith.constant 4.11580054144166e-09 : f64
  %p8 = arith.constant -7.511569160771833e-08 : f64
  %p9 = arith.constant 1.2233827383720792e-06 : f64
  %p10 = arith.constant -1.7537169441491903e-05 : f64
  %p11 = arith.constant 0.0002175171560415978 : f64
  %p12 = arith.constant -0.0022854855611440673 : f64
  %p13 = arith.constant 0.019852496688983708 : f64
  %p14 = arith.constant -0.1405360890227171 : f64
  %p15 = arith.constant 0.9654687386698673 : f64
  %q0 = arith.constant -2.2750123073805437e-09 : f64
  %q1 = arith.constant 2.5892309980969445e-09 : f64
  %q2 = arith.constant 1.307482047858267e-08 : f64
  %q3 = arith.constant -2.5282346486375178e-08 : f64
  %q4 = arith.constant 3.830511318853396e-09 : f64
  %q5 = arith.constant 1.1633421839623281e-08 : f64
  %q6 = arith.constant -1.5776782289362608e-08 : f64
  %q7 = arith.constant 1.3144903799165448e-07 : f64
  %q8 = arith.constant -4.516221205046231e-07 : f64
  %q9 = arith.constant 9.378958129049037e-07 : f64
  %q10 = arith.constant -1.2864675113914185e-06 : f64
  %q11 = arith.constant 2.0812023046825845e-07 : f64
  %q12 = arith.constant 5.899295397485301e-06 : f64
  %q13 = arith.constant -2.3854249275497676e-05 : f64
  %q14 = arith.constant 5.9516422078371586e-05 : f64
  %q15 = arith.constant -9.30349079696263e-05 : f64
  %q16 = arith.constant -2.4390287475552856e-06 : f64
  %q17 = arith.constant 0.0006408677667148145 : f64
  %q18 = arith.constant -0.0026693430313657167 : f64
  %q19 = arith.constant 0.006219717586897201 : f64
  %q20 = arith.constant -0.0019368880676878314 : f64
  %q21 = arith.constant -0.07128287792546653 : f64
  %q22 = arith.constant 0.49666648512593864 : f64
  %size = math.absf %x : f64
  %is_near = arith.cmpf olt, %size, %one : f64
  %c0 = arith.maximumf %size, %one : f64
  %c = arith.minimumf %c0, %most : f64
  %square = arith.mulf %x, %x : f64
  %double = arith.mulf %square, %two : f64
  %t = arith.subf %double, %one : f64
  %a1 = math.fma %p0, %t, %p1 : f64
  %a2 = math.fma %a1, %t, %p2 : f64
  %a3 = math.fma %a2, %t, %p3 : f64
  %a4 = math.fma %a3, %t, %p4 : f64
  %a5 = math.fma %a4, %t, %p5 : f64
  %a6 = math.fma %a5, %t, %p6 : f64
  %a7 = math.fma %a6, %t, %p7 : f64
  %a8 = math.fma %a7, %t, %p8 : f64
  %a9 = math.fma %a8, %t, %p9 : f64
  %a10 = math.fma %a9, %t, %p10 : f64
  %a11 = math.fma %a10, %t, %p11 : f64
  %a12 = math.fma %a11, %t, %p12 : f64
  %a13 = math.fma %a12, %t, %p13 : f64
  %a14 = math.fma %a13, %t, %p14 : f64
  %a15 = math.fma %a14, %t, %p15 : f64
  %near = arith.mulf %x, %a15 : f64
  %s = arith.divf %one, %c : f64
  %shifted = arith.subf %s, %middle : f64
  %v = arith.mulf %shifted, %scale : f64
  %b1 = math.fma %q0, %v, %q1 : f64
  %b2 = math.fma %b1, %v, %q2 : f64
  %b3 = math.fma %b2, %v, %q3 : f64
  %b4 = math.fma %b3, %v, %q4 : f64
  %b5 = math.fma %b4, %v, %q5 : f64
  %b6 = math.fma %b5, %v, %q6 : f64
  %b7 = math.fma %b6, %v, %q7 : f64
  %b8 = math.fma %b7, %v, %q8 : f64
  %b9 = math.fma %b8, %v, %q9 : f64
  %b10 = math.fma %b9, %v, %q10 : f64
  %b11 = math.fma %b10, %v, %q11 : f64
  %b12 = math.fma %b11, %v, %q12 : f64
  %b13 = math.fma %b12, %v, %q13 : f64
  %b14 = math.fma %b13, %v, %q14 : f64
  %b15 = math.fma %b14, %v, %q15 : f64
  %b16 = math.fma %b15, %v, %q16 : f64
  %b17 = math.fma %b16, %v, %q17 : f64
  %b18 = math.fma %b17, %v, %q18 : f64
  %b19 = math.fma %b18, %v, %q19 : f64
  %b20 = math.fma %b19, %v, %q20 : f64
  %b21 = math.fma %b20, %v, %q21 : f64
  %b22 = math.fma %b21, %v, %q22 : f64
  %exponent = arith.mulf %c, %c : f64
  %negative = arith.negf %exponent : f64
  %e = math.exp %negative : f64
  %product = arith.mulf %e, %s : f64
  %rest = arith.mulf %product, %b22 : f64
  %less = arith.subf %one, %rest : f64
  %far = math.copysign %less, %x : f64
  %value = arith.select %is_near, %near, %far : f64
  return %value : f64
}


// 2^x = 2^n 2^r with |r| <= 1/2, as exp.
func.func private @exp2(%x: f32) -> f32 {
  %least = arith.constant -151.0 : f32
  %most = arith.constant 129.0 : f32
  %magic = arith.constant 12582912.0 : f32
  %magic_bits = arith.constant 0x4B400000 : i32
  %one = arith.constant 1.0 : f32
  %p0 = arith.constant 1.535336188319500E-4 : f32
  %p1 = arith.constant 1.339887440266574E-3 : f32
  %p2 = arith.constant 9.618437357674640E-3 : f32
  %p3 = arith.constant 5.550332471162809E-2 : f32
  %p4 = arith.constant 2.402264791363012E-1 : f32
  %p5 = arith.constant 6.931472028550421E-1 : f32
  %i1 = arith.constant 1 : i32
  %i23 = arith.constant 23 : i32
  %bias = arith.constant 127 : i32
  %above = arith.maximumf %x, %least : f32
  %clamped = arith.minimumf %above, %most : f32
  %rounded = arith.addf %clamped, %magic : f32
  %whole = arith.subf %rounded, %magic : f32
  %bits = arith.bitcast %rounded : f32 to i32
  %n = arith.subi %bits, %magic_bits : i32
  %r = arith.subf %clamped, %whole : f32
  %a0 = math.fma %p0, %r, %p1 : f32
  %a1 = math.fma %a0, %r, %p2 : f32
  %a2 = math.fma %a1, %r, %p3 : f32
  %a3 = math.fma %a2, %r, %p4 : f32
  %a4 = math.fma %a3, %r, %p5 : f32
  %value = math.fma %a4, %r, %one : f32
  %n1 = arith.shrsi %n, %i1 : i32
  %n2 = arith.subi %n, %n1 : i32
  %b1 = arith.addi %n1, %bias : i32
  %s1 = arith.shli %b1, %i23 : i32
  %f1 = arith.bitcast %s1 : i32 to f32
  %b2 = arith.addi %n2, %bias : i32
  %s2 = arith.shli %b2, %i23 : i32
  %f2 = arith.bitcast %s2 : i32 to f32
  %v1 = arith.mulf %value, %f1 : f32
  %v2 = arith.mulf %v1, %f2 : f32
  return %v2 : f32
}

// M. Payne's and R. Hanek's reduction: 2 / pi is in pieces of 24 bits, whose products with x are exact in
// f64. Those that are multiples of 4 for all x of a size are skipped, so that four pieces are enough.
// Returns the rest of x by pi / 2, and which multiple is nearest.
func.func private @quadrant(%x: f32) -> (f64, i32) {
  %c0 = arith.constant 0x3FE45F3060000000 : f64
  %c1 = arith.constant 0x3E5B939100000000 : f64
  %c2 = arith.constant 0x3CB529FC00000000 : f64
  %c3 = arith.constant 0x3B43ABE880000000 : f64
  %c4 = arith.constant 0x39EEA69BA0000000 : f64
  %c5 = arith.constant 0x38681B6C40000000 : f64
  %c6 = arith.constant 0x36E2B32780000000 : f64
  %c7 = arith.constant 0x3550E41040000000 : f64
  %from0 = arith.constant 0x4300000000000000 : f64
  %from1 = arith.constant 0x4480000000000000 : f64
  %from2 = arith.constant 0x4600000000000000 : f64
  %from3 = arith.constant 0x4780000000000000 : f64
  %zero = arith.constant 0.0 : f64
  %quarter = arith.constant 0.25 : f64
  %four = arith.constant 4.0 : f64
  %angle = arith.constant 0x3FF921FB54442D18 : f64
  %wide = arith.extf %x : f32 to f64
  %size = math.absf %wide : f64
  %is0 = arith.cmpf oge, %size, %from0 : f64
  %k00 = arith.select %is0, %c1, %c0 : f64
  %k01 = arith.select %is0, %c2, %c1 : f64
  %k02 = arith.select %is0, %c3, %c2 : f64
  %k03 = arith.select %is0, %c4, %c3 : f64
  %is1 = arith.cmpf oge, %size, %from1 : f64
  %k10 = arith.select %is1, %c2, %k00 : f64
  %k11 = arith.select %is1, %c3, %k01 : f64
  %k12 = arith.select %is1, %c4, %k02 : f64
  %k13 = arith.select %is1, %c5, %k03 : f64
  %is2 = arith.cmpf oge, %size, %from2 : f64
  %k20 = arith.select %is2, %c3, %k10 : f64
  %k21 = arith.select %is2, %c4, %k11 : f64
  %k22 = arith.select %is2, %c5, %k12 : f64
  %k23 = arith.select %is2, %c6, %k13 : f64
  %is3 = arith.cmpf oge, %size, %from3 : f64
  %k30 = arith.select %is3, %c4, %k20 : f64
  %k31 = arith.select %is3, %c5, %k21 : f64
  %k32 = arith.select %is3, %c6, %k22 : f64
  %k33 = arith.select %is3, %c7, %k23 : f64
  %m0 = arith.mulf %wide, %k30 : f64
  %m1 = arith.mulf %wide, %k31 : f64
  %m2 = arith.mulf %wide, %k32 : f64
  %m3 = arith.mulf %wide, %k33 : f64
  %q0 = arith.mulf %m0, %quarter : f64
  %w0 = math.roundeven %q0 : f64
  %d0 = arith.mulf %w0, %four : f64
  %r0 = arith.subf %m0, %d0 : f64
  %q1 = arith.mulf %m1, %quarter : f64
  %w1 = math.roundeven %q1 : f64
  %d1 = arith.mulf %w1, %four : f64
  %r1 = arith.subf %m1, %d1 : f64
  %sum0 = arith.addf %r0, %r1 : f64
  %sum1 = arith.addf %sum0, %m2 : f64
  %turns = math.roundeven %sum1 : f64
  %near = arith.subf %r0, %turns : f64
  %f0 = arith.addf %near, %r1 : f64
  %f1 = arith.addf %f0, %m2 : f64
  %f2 = arith.addf %f1, %m3 : f64
  %r = arith.mulf %f2, %angle : f64
  %is_finite = arith.cmpf ord, %turns, %zero : f64
  %counted = arith.select %is_finite, %turns, %zero : f64
  %n = arith.fptosi %counted : f64 to i32
  return %r, %n : f64, i32
}

// The sine and the cosine of a number between -pi / 4 and pi / 4, as accurate as single precision is.
func.func private @near_circle(%r: f64) -> (f64, f64) {
  %s0 = arith.constant -0.0001951665577515115 : f64
  %s1 = arith.constant 0.008332173542886291 : f64
  %s2 = arith.constant -0.16666654873472292 : f64
  %t0 = arith.constant 2.443241295173626e-05 : f64
  %t1 = arith.constant -0.0013887309866358942 : f64
  %t2 = arith.constant 0.04166664555446465 : f64
  %minus_half = arith.constant -0.5 : f64
  %one = arith.constant 1.0 : f64
  %z = arith.mulf %r, %r : f64
  %a0 = math.fma %s0, %z, %s1 : f64
  %a1 = math.fma %a0, %z, %s2 : f64
  %a2 = arith.mulf %a1, %z : f64
  %sine = math.fma %a2, %r, %r : f64
  %b0 = math.fma %t0, %z, %t1 : f64
  %b1 = math.fma %b0, %z, %t2 : f64
  %b2 = math.fma %b1, %z, %minus_half : f64
  %cosine = math.fma %b2, %z, %one : f64
  return %sine, %cosine : f64, f64
}

// The sine in a quadrant.
func.func private @sine_in(%r: f64, %quadrant: i32) -> f64 {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %sine, %cosine = func.call @near_circle(%r) : (f64) -> (f64, f64)
  %odd = arith.andi %quadrant, %i1 : i32
  %is_odd = arith.cmpi ne, %odd, %i0 : i32
  %v0 = arith.select %is_odd, %cosine, %sine : f64
  %half = arith.andi %quadrant, %i2 : i32
  %is_low = arith.cmpi ne, %half, %i0 : i32
  %negative = arith.negf %v0 : f64
  %v1 = arith.select %is_low, %negative, %v0 : f64
  return %v1 : f64
}

// Of tiny numbers themselves, whose zeros have a sign.
func.func private @sin(%x: f32) -> f32 {
  %tiny = arith.constant 2.44140625E-4 : f32
  %r, %n = func.call @quadrant(%x) : (f32) -> (f64, i32)
  %sine = func.call @sine_in(%r, %n) : (f64, i32) -> f64
  %rounded = arith.truncf %sine : f64 to f32
  %size = math.absf %x : f32
  %is_tiny = arith.cmpf olt, %size, %tiny : f32
  %value = arith.select %is_tiny, %x, %rounded : f32
  return %value : f32
}

func.func private @cos(%x: f32) -> f32 {
  %i1 = arith.constant 1 : i32
  %r, %n = func.call @quadrant(%x) : (f32) -> (f64, i32)
  %next = arith.addi %n, %i1 : i32
  %cosine = func.call @sine_in(%r, %next) : (f64, i32) -> f64
  %rounded = arith.truncf %cosine : f64 to f32
  return %rounded : f32
}

// The quotient, which in odd quadrants is that of the other leg by the negative one.
func.func private @tan(%x: f32) -> f32 {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %tiny = arith.constant 2.44140625E-4 : f32
  %r, %n = func.call @quadrant(%x) : (f32) -> (f64, i32)
  %sine, %cosine = func.call @near_circle(%r) : (f64) -> (f64, f64)
  %odd = arith.andi %n, %i1 : i32
  %is_odd = arith.cmpi ne, %odd, %i0 : i32
  %negative = arith.negf %sine : f64
  %above = arith.select %is_odd, %cosine, %sine : f64
  %below = arith.select %is_odd, %negative, %cosine : f64
  %quotient = arith.divf %above, %below : f64
  %rounded = arith.truncf %quotient : f64 to f32
  %size = math.absf %x : f32
  %is_tiny = arith.cmpf olt, %size, %tiny : f32
  %value = arith.select %is_tiny, %x, %rounded : f32
  return %value : f32
}

// exp(y log|x|) in double precision. The logarithm of a number between sqrt(1/2) and sqrt(2) is
// 2 artanh(s), s = (m - 1) / (m + 1), whose polynomial interpolates at Chebyshev's nodes with an error
// below 2^-45. The cases are those of IEEE 754.
func.func private @powf(%x: f32, %y: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %infinity = arith.constant 0x7F800000 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %wide_zero = arith.constant 0.0 : f64
  %wide_one = arith.constant 1.0 : f64
  %wide_infinity = arith.constant 0x7FF0000000000000 : f64
  %least = arith.constant 0xFFF0000000000000 : f64
  %ln2 = arith.constant 0.6931471805599453 : f64
  %p0 = arith.constant 0.196083949880862 : f64
  %p1 = arith.constant 0.22174230095376737 : f64
  %p2 = arith.constant 0.2857216659918376 : f64
  %p3 = arith.constant 0.3999999488766673 : f64
  %p4 = arith.constant 0.6666666667959237 : f64
  %p5 = arith.constant 1.9999999999999472 : f64
  %i0 = arith.constant 0 : i32
  %i52 = arith.constant 52 : i64
  %from_root = arith.constant 0x00095F619980C433 : i64
  %one_bits = arith.constant 0x3FF0000000000000 : i64
  %exponents = arith.constant 0xFFF0000000000000 : i64
  %magic_bits = arith.constant 0x4330000000000000 : i64
  %magic = arith.constant 4503599627371519.0 : f64
  %size = math.absf %x : f32
  %wide = arith.extf %size : f32 to f64
  %bits = arith.bitcast %wide : f64 to i64
  %moved = arith.addi %bits, %from_root : i64
  %biased = arith.shrui %moved, %i52 : i64
  %as_bits = arith.ori %biased, %magic_bits : i64
  %as_float = arith.bitcast %as_bits : i64 to f64
  %e = arith.subf %as_float, %magic : f64
  %of_exponent = arith.andi %moved, %exponents : i64
  %rest = arith.subi %bits, %of_exponent : i64
  %m_bits = arith.addi %rest, %one_bits : i64
  %m = arith.bitcast %m_bits : i64 to f64
  %less = arith.subf %m, %wide_one : f64
  %more = arith.addf %m, %wide_one : f64
  %s = arith.divf %less, %more : f64
  %w = arith.mulf %s, %s : f64
  %a0 = math.fma %p0, %w, %p1 : f64
  %a1 = math.fma %a0, %w, %p2 : f64
  %a2 = math.fma %a1, %w, %p3 : f64
  %a3 = math.fma %a2, %w, %p4 : f64
  %a4 = math.fma %a3, %w, %p5 : f64
  %of_m = arith.mulf %a4, %s : f64
  %log0 = math.fma %e, %ln2, %of_m : f64
  %is_zero = arith.cmpf oeq, %size, %zero : f32
  %log1 = arith.select %is_zero, %least, %log0 : f64
  %is_infinite = arith.cmpf oeq, %size, %infinity : f32
  %log = arith.select %is_infinite, %wide_infinity, %log1 : f64
  %wide_y = arith.extf %y : f32 to f64
  %product = arith.mulf %wide_y, %log : f64
  %is_one = arith.cmpf oeq, %size, %one : f32
  %exponent = arith.select %is_one, %wide_zero, %product : f64
  %power = func.call @wide_exp(%exponent) : (f64) -> f64
  %v0 = arith.truncf %power : f64 to f32
  %rounded = math.roundeven %y : f32
  %is_whole = arith.cmpf oeq, %rounded, %y : f32
  %halved = arith.mulf %y, %half : f32
  %rounded_half = math.roundeven %halved : f32
  %is_uneven = arith.cmpf one, %rounded_half, %halved : f32
  %is_odd = arith.andi %is_whole, %is_uneven : i1
  %x_bits = arith.bitcast %x : f32 to i32
  %is_signed = arith.cmpi slt, %x_bits, %i0 : i32
  %is_negative = arith.andi %is_signed, %is_odd : i1
  %negative = arith.negf %v0 : f32
  %v1 = arith.select %is_negative, %negative, %v0 : f32
  %is_below = arith.cmpf olt, %x, %zero : f32
  %is_finite = arith.cmpf olt, %size, %infinity : f32
  %is_broken = arith.cmpf one, %rounded, %y : f32
  %is_root = arith.andi %is_below, %is_finite : i1
  %is_none = arith.andi %is_root, %is_broken : i1
  %v2 = arith.select %is_none, %nan, %v1 : f32
  %is_known = arith.cmpf ord, %x, %y : f32
  %v3 = arith.select %is_known, %v2, %nan : f32
  %is_zeroth = arith.cmpf oeq, %y, %zero : f32
  %is_of_one = arith.cmpf oeq, %x, %one : f32
  %is_always_one = arith.ori %is_zeroth, %is_of_one : i1
  %value = arith.select %is_always_one, %one, %v3 : f32
  return %value : f32
}

// The rest of a number of at most 2^30 by pi / 2, which is in two pieces, and a number whose lowest bits
// say which multiple is nearest: adding 1.5 * 2^52 rounds to integers.
func.func private @near_quadrant(%x: f64) -> (f64, i64) {
  %inverse = arith.constant 0x3FE45F306DC9C883 : f64
  %magic = arith.constant 0x4338000000000000 : f64
  %p0 = arith.constant 0xBFF921FB54442D18 : f64
  %p1 = arith.constant 0xBC91A62633145C07 : f64
  %turns = math.fma %x, %inverse, %magic : f64
  %n = arith.bitcast %turns : f64 to i64
  %k = arith.subf %turns, %magic : f64
  %r0 = math.fma %k, %p0, %x : f64
  %r = math.fma %k, %p1, %r0 : f64
  return %r, %n : f64, i64
}

// The same of a number of at most 2^20 in three pieces, whose second one has 33 bits, so that multiples are
// exact; the second result is what rounding the first one to f64 lost.
func.func private @near_wide_quadrant(%x: f64) -> (f64, f64, i64) {
  %inverse = arith.constant 0x3FE45F306DC9C883 : f64
  %magic = arith.constant 0x4338000000000000 : f64
  %p0 = arith.constant 0xBFF921FB54442D18 : f64
  %p1 = arith.constant 0xBC91A62633100000 : f64
  %p2 = arith.constant 0xBA71701B839A2520 : f64
  %turns = math.fma %x, %inverse, %magic : f64
  %n = arith.bitcast %turns : f64 to i64
  %k = arith.subf %turns, %magic : f64
  %t = math.fma %k, %p0, %x : f64
  %r = math.fma %k, %p1, %t : f64
  %v = arith.subf %r, %t : f64
  %back = arith.subf %r, %v : f64
  %minus = arith.negf %v : f64
  %e0 = arith.subf %t, %back : f64
  %e1 = math.fma %k, %p1, %minus : f64
  %e2 = arith.addf %e0, %e1 : f64
  %rest = math.fma %k, %p2, %e2 : f64
  return %r, %rest, %n : f64, f64, i64
}

// One of two legs, and its sign, by the quadrant.
func.func private @leg_in(%sine: f64, %cosine: f64, %n: i64) -> f64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c62 = arith.constant 62 : i64
  %top = arith.constant 0x8000000000000000 : i64
  %odd = arith.andi %n, %c1 : i64
  %is_odd = arith.cmpi ne, %odd, %c0 : i64
  %leg = arith.select %is_odd, %cosine, %sine : f64
  %shifted = arith.shli %n, %c62 : i64
  %sign = arith.andi %shifted, %top : i64
  %bits = arith.bitcast %leg : f64 to i64
  %signed = arith.xori %bits, %sign : i64
  %value = arith.bitcast %signed : i64 to f64
  return %value : f64
}

// Of numbers of at most 2^30; of tiny ones themselves, whose zeros have a sign.
func.func private @near_sin(%x: f32) -> f32 {
  %tiny = arith.constant 2.44140625E-4 : f32
  %wide = arith.extf %x : f32 to f64
  %r, %n = func.call @near_quadrant(%wide) : (f64) -> (f64, i64)
  %sine, %cosine = func.call @near_circle(%r) : (f64) -> (f64, f64)
  %leg = func.call @leg_in(%sine, %cosine, %n) : (f64, f64, i64) -> f64
  %rounded = arith.truncf %leg : f64 to f32
  %size = math.absf %x : f32
  %is_tiny = arith.cmpf olt, %size, %tiny : f32
  %value = arith.select %is_tiny, %x, %rounded : f32
  return %value : f32
}

func.func private @near_cos(%x: f32) -> f32 {
  %c1 = arith.constant 1 : i64
  %wide = arith.extf %x : f32 to f64
  %r, %n = func.call @near_quadrant(%wide) : (f64) -> (f64, i64)
  %sine, %cosine = func.call @near_circle(%r) : (f64) -> (f64, f64)
  %next = arith.addi %n, %c1 : i64
  %leg = func.call @leg_in(%sine, %cosine, %next) : (f64, f64, i64) -> f64
  %rounded = arith.truncf %leg : f64 to f32
  return %rounded : f32
}

func.func private @near_tan(%x: f32) -> f32 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %tiny = arith.constant 2.44140625E-4 : f32
  %wide = arith.extf %x : f32 to f64
  %r, %n = func.call @near_quadrant(%wide) : (f64) -> (f64, i64)
  %sine, %cosine = func.call @near_circle(%r) : (f64) -> (f64, f64)
  %odd = arith.andi %n, %c1 : i64
  %is_odd = arith.cmpi ne, %odd, %c0 : i64
  %negative = arith.negf %sine : f64
  %above = arith.select %is_odd, %cosine, %sine : f64
  %below = arith.select %is_odd, %negative, %cosine : f64
  %quotient = arith.divf %above, %below : f64
  %rounded = arith.truncf %quotient : f64 to f32
  %size = math.absf %x : f32
  %is_tiny = arith.cmpf olt, %size, %tiny : f32
  %value = arith.select %is_tiny, %x, %rounded : f32
  return %value : f32
}

// The sine and the cosine of a sum between -pi / 4 and pi / 4, whose second number is what the first one
// lacks. The polynomials interpolate at Chebyshev's nodes, with errors below 2e-17.
func.func private @near_wide_circle(%r: f64, %rest: f64) -> (f64, f64) {
  %s0 = arith.constant 1.591810123027412e-10 : f64
  %s1 = arith.constant -2.5051131455427946e-08 : f64
  %s2 = arith.constant 2.755731610068303e-06 : f64
  %s3 = arith.constant -0.0001984126983675497 : f64
  %s4 = arith.constant 0.008333333333330946 : f64
  %s5 = arith.constant -0.16666666666666666 : f64
  %t0 = arith.constant -1.1382614868556325e-11 : f64
  %t1 = arith.constant 2.0876146024689747e-09 : f64
  %t2 = arith.constant -2.7557317270560326e-07 : f64
  %t3 = arith.constant 2.4801587298763433e-05 : f64
  %t4 = arith.constant -0.0013888888888887395 : f64
  %t5 = arith.constant 0.041666666666666664 : f64
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %z = arith.mulf %r, %r : f64
  %a0 = math.fma %s0, %z, %s1 : f64
  %a1 = math.fma %a0, %z, %s2 : f64
  %a2 = math.fma %a1, %z, %s3 : f64
  %a3 = math.fma %a2, %z, %s4 : f64
  %a4 = math.fma %a3, %z, %s5 : f64
  %cube = arith.mulf %r, %z : f64
  %h = arith.mulf %half, %z : f64
  %minus_h = arith.negf %h : f64
  %w = arith.subf %one, %h : f64
  %scaled = math.fma %minus_h, %rest, %rest : f64
  %a5 = math.fma %a4, %cube, %scaled : f64
  %sine = arith.addf %r, %a5 : f64
  %b0 = math.fma %t0, %z, %t1 : f64
  %b1 = math.fma %b0, %z, %t2 : f64
  %b2 = math.fma %b1, %z, %t3 : f64
  %b3 = math.fma %b2, %z, %t4 : f64
  %b4 = math.fma %b3, %z, %t5 : f64
  %square = arith.mulf %z, %z : f64
  %lost0 = arith.subf %one, %w : f64
  %lost = arith.subf %lost0, %h : f64
  %minus_r = arith.negf %r : f64
  %minus_z = arith.negf %z : f64
  %minus_half = arith.negf %half : f64
  %of_square = math.fma %r, %r, %minus_z : f64
  %of_both = math.fma %minus_half, %of_square, %lost : f64
  %b5 = math.fma %minus_r, %rest, %of_both : f64
  %b6 = math.fma %b4, %square, %b5 : f64
  %cosine = arith.addf %w, %b6 : f64
  return %sine, %cosine : f64, f64
}

// Of numbers of at most 2^20.
func.func private @near_wide_sin(%x: f64) -> f64 {
  %tiny = arith.constant 1.0E-8 : f64
  %r, %rest, %n = func.call @near_wide_quadrant(%x) : (f64) -> (f64, f64, i64)
  %sine, %cosine = func.call @near_wide_circle(%r, %rest) : (f64, f64) -> (f64, f64)
  %leg = func.call @leg_in(%sine, %cosine, %n) : (f64, f64, i64) -> f64
  %size = math.absf %x : f64
  %is_tiny = arith.cmpf olt, %size, %tiny : f64
  %value = arith.select %is_tiny, %x, %leg : f64
  return %value : f64
}

func.func private @near_wide_cos(%x: f64) -> f64 {
  %c1 = arith.constant 1 : i64
  %r, %rest, %n = func.call @near_wide_quadrant(%x) : (f64) -> (f64, f64, i64)
  %sine, %cosine = func.call @near_wide_circle(%r, %rest) : (f64, f64) -> (f64, f64)
  %next = arith.addi %n, %c1 : i64
  %leg = func.call @leg_in(%sine, %cosine, %next) : (f64, f64, i64) -> f64
  return %leg : f64
}

// The logarithm in double precision, from that of the fraction in single precision.
func.func private @log10(%x: f32) -> f32 {
  %scale = arith.constant 0.4342944819032518 : f64
  %log = func.call @wide_log(%x) : (f32) -> f64
  %scaled = arith.mulf %log, %scale : f64
  %rounded = arith.truncf %scaled : f64 to f32
  return %rounded : f32
}

// From the logarithm in double precision, which is exact for powers of 2 after rounding.
func.func private @log2(%x: f32) -> f32 {
  %scale = arith.constant 1.4426950408889634 : f64
  %log = func.call @wide_log(%x) : (f32) -> f64
  %scaled = arith.mulf %log, %scale : f64
  %rounded = arith.truncf %scaled : f64 to f32
  return %rounded : f32
}

// The angle of a point, as accurate as single precision is: the quotient of the shorter leg by the longer
// one is at most 1, and the polynomial is that of its square, fitted at Chebyshev's nodes.
func.func private @angle(%y: f64, %x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %right = arith.constant 1.5707963267948966 : f64
  %straight = arith.constant 3.141592653589793 : f64
  %p0 = arith.constant -0.0017011700640685973 : f64
  %p1 = arith.constant 0.010487649254949306 : f64
  %p2 = arith.constant -0.030351864785781172 : f64
  %p3 = arith.constant 0.05708955593030619 : f64
  %p4 = arith.constant -0.08349724968301601 : f64
  %p5 = arith.constant 0.10932341501303093 : f64
  %p6 = arith.constant -0.14260016082820906 : f64
  %p7 = arith.constant 0.19998075281148714 : f64
  %p8 = arith.constant -0.3333327629198255 : f64
  %p9 = arith.constant 0.9999999971605454 : f64
  %i0 = arith.constant 0 : i64
  %rise = math.absf %y : f64
  %run = math.absf %x : f64
  %short = arith.minimumf %rise, %run : f64
  %long = arith.maximumf %rise, %run : f64
  %quotient = arith.divf %short, %long : f64
  // Of two infinities, and of two zeros.
  %is_diagonal = arith.cmpf oeq, %short, %long : f64
  %is_nowhere = arith.cmpf oeq, %long, %zero : f64
  %equal = arith.select %is_nowhere, %zero, %one : f64
  %t = arith.select %is_diagonal, %equal, %quotient : f64
  %z = arith.mulf %t, %t : f64
  %a0 = math.fma %p0, %z, %p1 : f64
  %a1 = math.fma %a0, %z, %p2 : f64
  %a2 = math.fma %a1, %z, %p3 : f64
  %a3 = math.fma %a2, %z, %p4 : f64
  %a4 = math.fma %a3, %z, %p5 : f64
  %a5 = math.fma %a4, %z, %p6 : f64
  %a6 = math.fma %a5, %z, %p7 : f64
  %a7 = math.fma %a6, %z, %p8 : f64
  %a8 = math.fma %a7, %z, %p9 : f64
  %flat = arith.mulf %a8, %t : f64
  %is_steep = arith.cmpf ogt, %rise, %run : f64
  %rest = arith.subf %right, %flat : f64
  %v0 = arith.select %is_steep, %rest, %flat : f64
  %bits = arith.bitcast %x : f64 to i64
  %is_behind = arith.cmpi slt, %bits, %i0 : i64
  %other = arith.subf %straight, %v0 : f64
  %v1 = arith.select %is_behind, %other, %v0 : f64
  %value = math.copysign %v1, %y : f64
  return %value : f64
}

func.func private @atan2(%y: f32, %x: f32) -> f32 {
  %rise = arith.extf %y : f32 to f64
  %run = arith.extf %x : f32 to f64
  %angle = func.call @angle(%rise, %run) : (f64, f64) -> f64
  %rounded = arith.truncf %angle : f64 to f32
  return %rounded : f32
}

// Of tiny numbers themselves, whose zeros have a sign; as of sin.
func.func private @atan(%x: f32) -> f32 {
  %tiny = arith.constant 2.44140625E-4 : f32
  %one = arith.constant 1.0 : f64
  %wide = arith.extf %x : f32 to f64
  %angle = func.call @angle(%wide, %one) : (f64, f64) -> f64
  %rounded = arith.truncf %angle : f64 to f32
  %size = math.absf %x : f32
  %is_tiny = arith.cmpf olt, %size, %tiny : f32
  %value = arith.select %is_tiny, %x, %rounded : f32
  return %value : f32
}

// The other leg of a right triangle, whose longest side is 1: no number if the leg is longer.
func.func private @other_leg(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %less = arith.subf %one, %x : f64
  %more = arith.addf %one, %x : f64
  %product = arith.mulf %less, %more : f64
  %leg = math.sqrt %product : f64
  return %leg : f64
}

func.func private @asin(%x: f32) -> f32 {
  %tiny = arith.constant 2.44140625E-4 : f32
  %wide = arith.extf %x : f32 to f64
  %leg = func.call @other_leg(%wide) : (f64) -> f64
  %angle = func.call @angle(%wide, %leg) : (f64, f64) -> f64
  %rounded = arith.truncf %angle : f64 to f32
  %size = math.absf %x : f32
  %is_tiny = arith.cmpf olt, %size, %tiny : f32
  %value = arith.select %is_tiny, %x, %rounded : f32
  return %value : f32
}

func.func private @acos(%x: f32) -> f32 {
  %wide = arith.extf %x : f32 to f64
  %leg = func.call @other_leg(%wide) : (f64) -> f64
  %angle = func.call @angle(%leg, %wide) : (f64, f64) -> f64
  %rounded = arith.truncf %angle : f64 to f32
  return %rounded : f32
}

// 2^n v, in two steps, as n may be beyond what one exponent can hold. The last bits of %shifted, the sum of n
// and 1.5 * 2^52, are n. Twice the bias of exponents is added to it, so that it is positive: few processors
// have vector instructions that shift 64 bits and keep the sign.
func.func private @scaled(%v: f64, %shifted: f64) -> f64 {
  %offset = arith.constant 0x4337FFFFFFFFF802 : i64
  %i1 = arith.constant 1 : i64
  %i52 = arith.constant 52 : i64
  %bits = arith.bitcast %shifted : f64 to i64
  %n = arith.subi %bits, %offset : i64
  %n1 = arith.shrui %n, %i1 : i64
  %n2 = arith.subi %n, %n1 : i64
  %s1 = arith.shli %n1, %i52 : i64
  %s2 = arith.shli %n2, %i52 : i64
  %f1 = arith.bitcast %s1 : i64 to f64
  %f2 = arith.bitcast %s2 : i64 to f64
  %v1 = arith.mulf %v, %f1 : f64
  %v2 = arith.mulf %v1, %f2 : f64
  return %v2 : f64
}

// exp(r) in double precision for |r| <= ln(2) / 2: 1 + r + r^2 times a polynomial, fitted at Chebyshev's nodes.
func.func private @exp_near(%r: f64) -> f64 {
  %p0 = arith.constant 2.0914679376583935e-09 : f64
  %p1 = arith.constant 2.510520637395701e-08 : f64
  %p2 = arith.constant 2.7557273661348637e-07 : f64
  %p3 = arith.constant 2.7557255425746435e-06 : f64
  %p4 = arith.constant 2.4801587325533363e-05 : f64
  %p5 = arith.constant 0.00019841269874800493 : f64
  %p6 = arith.constant 0.0013888888888883752 : f64
  %p7 = arith.constant 0.008333333333326141 : f64
  %p8 = arith.constant 0.04166666666666667 : f64
  %p9 = arith.constant 0.1666666666666667 : f64
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %square = arith.mulf %r, %r : f64
  %a0 = math.fma %p0, %r, %p1 : f64
  %a1 = math.fma %a0, %r, %p2 : f64
  %a2 = math.fma %a1, %r, %p3 : f64
  %a3 = math.fma %a2, %r, %p4 : f64
  %a4 = math.fma %a3, %r, %p5 : f64
  %a5 = math.fma %a4, %r, %p6 : f64
  %a6 = math.fma %a5, %r, %p7 : f64
  %a7 = math.fma %a6, %r, %p8 : f64
  %a8 = math.fma %a7, %r, %p9 : f64
  %a9 = math.fma %a8, %r, %half : f64
  %more = math.fma %a9, %square, %r : f64
  %value = arith.addf %more, %one : f64
  return %value : f64
}

// As of f32.
func.func private @exp.f64(%x: f64) -> f64 {
  %least = arith.constant -746.0 : f64
  %most = arith.constant 710.0 : f64
  %log2e = arith.constant 1.4426950408889634 : f64
  %magic = arith.constant 6755399441055744.0 : f64
  %ln2_high = arith.constant 0.6931471803691238 : f64
  %ln2_low = arith.constant 1.9082149292705877e-10 : f64
  %above = arith.maximumf %x, %least : f64
  %clamped = arith.minimumf %above, %most : f64
  %scaled = arith.mulf %clamped, %log2e : f64
  %shifted = arith.addf %scaled, %magic : f64
  %n = arith.subf %shifted, %magic : f64
  %high = arith.mulf %n, %ln2_high : f64
  %r0 = arith.subf %clamped, %high : f64
  %low = arith.mulf %n, %ln2_low : f64
  %r = arith.subf %r0, %low : f64
  %near = func.call @exp_near(%r) : (f64) -> f64
  %value = func.call @scaled(%near, %shifted) : (f64, f64) -> f64
  return %value : f64
}

func.func private @exp2.f64(%x: f64) -> f64 {
  %least = arith.constant -1076.0 : f64
  %most = arith.constant 1025.0 : f64
  %ln2 = arith.constant 0.6931471805599453 : f64
  %magic = arith.constant 6755399441055744.0 : f64
  %above = arith.maximumf %x, %least : f64
  %clamped = arith.minimumf %above, %most : f64
  %shifted = arith.addf %clamped, %magic : f64
  %n = arith.subf %shifted, %magic : f64
  %rest = arith.subf %clamped, %n : f64
  %r = arith.mulf %rest, %ln2 : f64
  %near = func.call @exp_near(%r) : (f64) -> f64
  %value = func.call @scaled(%near, %shifted) : (f64, f64) -> f64
  return %value : f64
}

// x = 2^n m, with m from sqrt(2) / 2 to sqrt(2); returns n and m - 1, of which log(m) is a function.
func.func private @fraction_of(%x: f64) -> (f64, f64) {
  %least = arith.constant 2.2250738585072014E-308 : f64
  %two54 = arith.constant 18014398509481984.0 : f64
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %shift = arith.constant 54.0 : f64
  // sqrt(2) / 2, and 1024 exponents less, so that the difference is positive.
  %root = arith.constant 0xFFE6A09E667F3BCD : i64
  %mask = arith.constant 0xFFF0000000000000 : i64
  %all_biases = arith.constant 0x4000000000000000 : i64
  %i52 = arith.constant 52 : i64
  %two52_bits = arith.constant 0x4330000000000000 : i64
  %two52 = arith.constant 4503599627371520.0 : f64
  %is_small = arith.cmpf olt, %x, %least : f64
  %larger = arith.mulf %x, %two54 : f64
  %normal = arith.select %is_small, %larger, %x : f64
  %moved = arith.select %is_small, %shift, %zero : f64
  %bits = arith.bitcast %normal : f64 to i64
  %distance = arith.subi %bits, %root : i64
  %whole = arith.andi %distance, %mask : i64
  %exponent = arith.subi %whole, %all_biases : i64
  %m_bits = arith.subi %bits, %exponent : i64
  %m = arith.bitcast %m_bits : i64 to f64
  %count = arith.shrui %distance, %i52 : i64
  %as_float = arith.ori %count, %two52_bits : i64
  %n0 = arith.bitcast %as_float : i64 to f64
  %n1 = arith.subf %n0, %two52 : f64
  %n = arith.subf %n1, %moved : f64
  %f = arith.subf %m, %one : f64
  return %n, %f : f64, f64
}

// What log(1 + f) lacks to f - f^2 / 2: as in Sun's fdlibm, s (f^2 / 2 + R), where s = f / (2 + f) and R is a
// polynomial of s^2, here fitted at Chebyshev's nodes.
func.func private @log_near(%f: f64, %half_square: f64) -> f64 {
  %p0 = arith.constant 0.13086626147840102 : f64
  %p1 = arith.constant 0.13268773138656886 : f64
  %p2 = arith.constant 0.15386239702814658 : f64
  %p3 = arith.constant 0.18181795640132906 : f64
  %p4 = arith.constant 0.22222222391713917 : f64
  %p5 = arith.constant 0.28571428570803614 : f64
  %p6 = arith.constant 0.4000000000000088 : f64
  %p7 = arith.constant 0.6666666666666666 : f64
  %two = arith.constant 2.0 : f64
  %sum = arith.addf %f, %two : f64
  %s = arith.divf %f, %sum : f64
  %z = arith.mulf %s, %s : f64
  %a0 = math.fma %p0, %z, %p1 : f64
  %a1 = math.fma %a0, %z, %p2 : f64
  %a2 = math.fma %a1, %z, %p3 : f64
  %a3 = math.fma %a2, %z, %p4 : f64
  %a4 = math.fma %a3, %z, %p5 : f64
  %a5 = math.fma %a4, %z, %p6 : f64
  %a6 = math.fma %a5, %z, %p7 : f64
  %r = math.fma %a6, %z, %half_square : f64
  %value = arith.mulf %s, %r : f64
  return %value : f64
}

// Of 0, of less, and of infinity.
func.func private @log_of_any(%x: f64, %log: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %infinity = arith.constant 0x7FF0000000000000 : f64
  %negative = arith.constant 0xFFF0000000000000 : f64
  %nan = arith.constant 0x7FF8000000000000 : f64
  %is_infinite = arith.cmpf oeq, %x, %infinity : f64
  %v0 = arith.select %is_infinite, %infinity, %log : f64
  %is_zero = arith.cmpf oeq, %x, %zero : f64
  %v1 = arith.select %is_zero, %negative, %v0 : f64
  %is_none = arith.cmpf ult, %x, %zero : f64
  %v2 = arith.select %is_none, %nan, %v1 : f64
  return %v2 : f64
}

func.func private @log.f64(%x: f64) -> f64 {
  %half = arith.constant 0.5 : f64
  %ln2_high = arith.constant 0.6931471803691238 : f64
  %ln2_low = arith.constant 1.9082149292705877e-10 : f64
  %n, %f = func.call @fraction_of(%x) : (f64) -> (f64, f64)
  %square = arith.mulf %f, %f : f64
  %half_square = arith.mulf %square, %half : f64
  %rest = func.call @log_near(%f, %half_square) : (f64, f64) -> f64
  %low = math.fma %n, %ln2_low, %rest : f64
  %less = arith.subf %half_square, %low : f64
  %fraction = arith.subf %f, %less : f64
  %value = math.fma %n, %ln2_high, %fraction : f64
  %found = func.call @log_of_any(%x, %value) : (f64, f64) -> f64
  return %found : f64
}

func.func private @log2.f64(%x: f64) -> f64 {
  %half = arith.constant 0.5 : f64
  %log2e = arith.constant 1.4426950408889634 : f64
  %n, %f = func.call @fraction_of(%x) : (f64) -> (f64, f64)
  %square = arith.mulf %f, %f : f64
  %half_square = arith.mulf %square, %half : f64
  %rest = func.call @log_near(%f, %half_square) : (f64, f64) -> f64
  %less = arith.subf %half_square, %rest : f64
  %fraction = arith.subf %f, %less : f64
  %value = math.fma %fraction, %log2e, %n : f64
  %found = func.call @log_of_any(%x, %value) : (f64, f64) -> f64
  return %found : f64
}

// Multiples of |y| are subtracted in double precision, where a quotient of 53 digits times y, and what remains
// of x, are exact. A step makes the quotient 2^50 times smaller; at first it is less than 2^277.
func.func private @remf(%x: f32, %y: f32) -> f32 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %infinity = arith.constant 0x7F800000 : f32
  %size = math.absf %x : f32
  %step = math.absf %y : f32
  %s = arith.extf %size : f32 to f64
  %d = arith.extf %step : f32 to f64
  %minus_d = arith.negf %d : f64
  %inverse = arith.divf %one, %d : f64
  %p0 = arith.mulf %s, %inverse : f64
  %q0 = math.trunc %p0 : f64
  %r0 = math.fma %q0, %minus_d, %s : f64
  %p1 = arith.mulf %r0, %inverse : f64
  %q1 = math.trunc %p1 : f64
  %r1 = math.fma %q1, %minus_d, %r0 : f64
  %p2 = arith.mulf %r1, %inverse : f64
  %q2 = math.trunc %p2 : f64
  %r2 = math.fma %q2, %minus_d, %r1 : f64
  %p3 = arith.mulf %r2, %inverse : f64
  %q3 = math.trunc %p3 : f64
  %r3 = math.fma %q3, %minus_d, %r2 : f64
  %p4 = arith.mulf %r3, %inverse : f64
  %q4 = math.trunc %p4 : f64
  %r4 = math.fma %q4, %minus_d, %r3 : f64
  %p5 = arith.mulf %r4, %inverse : f64
  %q5 = math.trunc %p5 : f64
  %r5 = math.fma %q5, %minus_d, %r4 : f64
  %is_less = arith.cmpf olt, %r5, %zero : f64
  %more = arith.addf %r5, %d : f64
  %v0 = arith.select %is_less, %more, %r5 : f64
  %is_more = arith.cmpf oge, %v0, %d : f64
  %less = arith.subf %v0, %d : f64
  %v1 = arith.select %is_more, %less, %v0 : f64
  %rounded = arith.truncf %v1 : f64 to f32
  %found = math.copysign %rounded, %x : f32
  // 0 times infinity is no number; the remainder is x, unless that is infinite.
  %is_whole = arith.cmpf oeq, %step, %infinity : f32
  %is_finite = arith.cmpf olt, %size, %infinity : f32
  %is_kept = arith.andi %is_whole, %is_finite : i1
  %value = arith.select %is_kept, %x, %found : f32
  return %value : f32
}
