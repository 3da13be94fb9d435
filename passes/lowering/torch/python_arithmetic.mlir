// Python's arithmetic on numbers. What raises in Python fails an assertion, as does an integer that
// 64 bits do not hold.

// A power of floats.
func.func private @power(%base: f64, %exponent: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %infinity = arith.constant 0x7FF0000000000000 : f64
  %is_zero = arith.cmpf oeq, %base, %zero : f64
  %is_negative = arith.cmpf olt, %exponent, %zero : f64
  %divides = arith.andi %is_zero, %is_negative : i1
  %true = arith.constant true
  %good = arith.xori %divides, %true : i1
  cf.assert %good, "ZeroDivisionError"
  %result = math.powf %base, %exponent : f64
  // A power of a negative number is complex if the exponent has a fraction.
  %is_number = arith.cmpf ord, %result, %result : f64
  %given = arith.cmpf uno, %base, %exponent : f64
  %is_real = arith.ori %is_number, %given : i1
  cf.assert %is_real, "a power of a negative number is complex"
  %size = math.absf %result : f64
  %is_finite = arith.cmpf one, %size, %infinity : f64
  %base_size = math.absf %base : f64
  %exponent_size = math.absf %exponent : f64
  %largest = arith.maximumf %base_size, %exponent_size : f64
  %was_finite = arith.cmpf one, %largest, %infinity : f64
  %was_infinite = arith.xori %was_finite, %true : i1
  %fits = arith.ori %is_finite, %was_infinite : i1
  cf.assert %fits, "OverflowError"
  return %result : f64
}

// A power of ints, whose exponent is not negative.
func.func private @power_of_ints(%base: i64, %exponent: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %good = arith.cmpi sge, %exponent, %zero : i64
  cf.assert %good, "a power of ints with a negative exponent is a float"
  %base_as_float = arith.sitofp %base : i64 to f64
  %exponent_as_float = arith.sitofp %exponent : i64 to f64
  %about = math.powf %base_as_float, %exponent_as_float : f64
  %size = math.absf %about : f64
  // Rounding to f64 is less than what is between this and the largest int.
  %bound = arith.constant 9.2233720368547000E+18 : f64
  %fits = arith.cmpf olt, %size, %bound : f64
  cf.assert %fits, "a power is too large for an integer"
  %result:3 = scf.while (%left = %exponent, %square = %base, %product = %one)
      : (i64, i64, i64) -> (i64, i64, i64) {
    %goes_on = arith.cmpi sgt, %left, %zero : i64
    scf.condition(%goes_on) %left, %square, %product : i64, i64, i64
  } do {
  ^bb0(%left: i64, %square: i64, %product: i64):
    %bit = arith.andi %left, %one : i64
    %is_set = arith.cmpi ne, %bit, %zero : i64
    %more = arith.muli %product, %square : i64
    %next = arith.select %is_set, %more, %product : i64
    %rest = arith.shrui %left, %one : i64
    %following = arith.muli %square, %square : i64
    scf.yield %rest, %following, %next : i64, i64, i64
  }
  return %result#2 : i64
}

// The remainder of floats, with the sign of the divisor.
func.func private @remainder(%dividend: f64, %divisor: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %good = arith.cmpf une, %divisor, %zero : f64
  cf.assert %good, "ZeroDivisionError"
  %rest = arith.remf %dividend, %divisor : f64
  %is_exact = arith.cmpf oeq, %rest, %zero : f64
  %rest_is_negative = arith.cmpf olt, %rest, %zero : f64
  %divisor_is_negative = arith.cmpf olt, %divisor, %zero : f64
  %differs = arith.xori %rest_is_negative, %divisor_is_negative : i1
  %moved = arith.addf %rest, %divisor : f64
  %nonzero = arith.select %differs, %moved, %rest : f64
  %none = math.copysign %zero, %divisor : f64
  %result = arith.select %is_exact, %none, %nonzero : f64
  return %result : f64
}

// The quotient of floats rounded down: of what their remainder leaves, since the quotient itself
// may be rounded up to an int.
func.func private @floor_quotient(%dividend: f64, %divisor: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %rest = func.call @remainder(%dividend, %divisor) : (f64, f64) -> f64
  %divided = arith.subf %dividend, %rest : f64
  %quotient = arith.divf %divided, %divisor : f64
  %down = math.floor %quotient : f64
  %above = arith.subf %quotient, %down : f64
  %is_next = arith.cmpf ogt, %above, %half : f64
  %next = arith.addf %down, %one : f64
  %nearest = arith.select %is_next, %next, %down : f64
  %is_zero = arith.cmpf oeq, %quotient, %zero : f64
  %plain = arith.divf %dividend, %divisor : f64
  %none = math.copysign %zero, %plain : f64
  %result = arith.select %is_zero, %none, %nearest : f64
  return %result : f64
}

func.func private @square_root(%number: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %good = arith.cmpf uge, %number, %zero : f64
  cf.assert %good, "a square root of a negative number"
  %result = math.sqrt %number : f64
  return %result : f64
}

func.func private @logarithm(%number: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %good = arith.cmpf ugt, %number, %zero : f64
  cf.assert %good, "a logarithm of a number that is not positive"
  %result = math.log %number : f64
  return %result : f64
}

// Halves are rounded to even numbers.
func.func private @round(%number: f64) -> f64 {
  %result = math.roundeven %number : f64
  return %result : f64
}

// The first of equal numbers, and of numbers of which one is none.
func.func private @larger(%one: f64, %other: f64) -> f64 {
  %is_larger = arith.cmpf ogt, %other, %one : f64
  %result = arith.select %is_larger, %other, %one : f64
  return %result : f64
}

func.func private @smaller(%one: f64, %other: f64) -> f64 {
  %is_smaller = arith.cmpf olt, %other, %one : f64
  %result = arith.select %is_smaller, %other, %one : f64
  return %result : f64
}

func.func private @bits_in_both(%one: i64, %other: i64) -> i64 {
  %result = arith.andi %one, %other : i64
  return %result : i64
}

func.func private @bits_in_any(%one: i64, %other: i64) -> i64 {
  %result = arith.ori %one, %other : i64
  return %result : i64
}

func.func private @bits_in_one(%one: i64, %other: i64) -> i64 {
  %result = arith.xori %one, %other : i64
  return %result : i64
}

func.func private @shifted_left(%number: i64, %count: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %most = arith.constant 62 : i64
  %good = arith.cmpi sge, %count, %zero : i64
  cf.assert %good, "a negative shift count"
  %is_small = arith.cmpi ule, %count, %most : i64
  %kept = arith.select %is_small, %count, %most : i64
  %shifted = arith.shli %number, %kept : i64
  %back = arith.shrsi %shifted, %kept : i64
  %is_same = arith.cmpi eq, %back, %number : i64
  %is_zero = arith.cmpi eq, %number, %zero : i64
  %small_and_same = arith.andi %is_small, %is_same : i1
  %fits = arith.ori %small_and_same, %is_zero : i1
  cf.assert %fits, "a shifted number is too large for an integer"
  return %shifted : i64
}

func.func private @shifted_right(%number: i64, %count: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %most = arith.constant 63 : i64
  %good = arith.cmpi sge, %count, %zero : i64
  cf.assert %good, "a negative shift count"
  %kept = arith.minsi %count, %most : i64
  %result = arith.shrsi %number, %kept : i64
  return %result : i64
}
