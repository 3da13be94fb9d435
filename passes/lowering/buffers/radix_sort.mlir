// The order of the elements of a row, by keys: signed integers in the order that the elements get.
//
// $ELEMENT is the type of elements, $KEY that of keys, $PLACE that of places, and $ITEM that of what is sorted
// by digits of eight bits, the lowest of which starts at bit $LOWEST. @NAME is one of the pieces at the end,
// or a parameter.

// The rank of an element is the number of those that come before it. A vector of elements is compared
// with one element after the other.
func.func private @rank(%keys: memref<$PADDEDx$KEY>, %ranks: memref<$PADDEDx$KEY>, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lanes = arith.constant $LANES : index
  %lane = arith.constant dense<[$LANE_NUMBERS]> : vector<$LANESx$KEY>
  scf.for %start = %c0 to %count step %lanes {
    %own = vector.load %keys[%start] : memref<$PADDEDx$KEY>, vector<$LANESx$KEY>
    %next = arith.addi %start, %lanes : index
    %end = arith.minsi %next, %count : index
    %number = arith.index_cast %start : index to $KEY
    %most = vector.broadcast %number : $KEY to vector<$LANESx$KEY>
    // Equal elements keep their order.
    %before = scf.for %other = %c0 to %start step %c1 iter_args(%rank = %most) -> (vector<$LANESx$KEY>) {
      %key = memref.load %keys[%other] : memref<$PADDEDx$KEY>
      %keys_of_other = vector.broadcast %key : $KEY to vector<$LANESx$KEY>
      %is_greater = arith.cmpi sgt, %keys_of_other, %own : vector<$LANESx$KEY>
      %minus_one = arith.extsi %is_greater : vector<$LANESxi1> to vector<$LANESx$KEY>
      %fewer = arith.addi %rank, %minus_one : vector<$LANESx$KEY>
      scf.yield %fewer : vector<$LANESx$KEY>
    }
    %among = scf.for %other = %start to %end step %c1 iter_args(%rank = %before) -> (vector<$LANESx$KEY>) {
      %key = memref.load %keys[%other] : memref<$PADDEDx$KEY>
      %keys_of_other = vector.broadcast %key : $KEY to vector<$LANESx$KEY>
      %distance = arith.subi %other, %start : index
      %lane_of_other = arith.index_cast %distance : index to $KEY
      %lanes_of_other = vector.broadcast %lane_of_other : $KEY to vector<$LANESx$KEY>
      %is_less = arith.cmpi slt, %keys_of_other, %own : vector<$LANESx$KEY>
      %is_equal = arith.cmpi eq, %keys_of_other, %own : vector<$LANESx$KEY>
      %is_in_front = arith.cmpi slt, %lanes_of_other, %lane : vector<$LANESx$KEY>
      %is_first_equal = arith.andi %is_equal, %is_in_front : vector<$LANESxi1>
      %comes_before = arith.ori %is_less, %is_first_equal : vector<$LANESxi1>
      %minus_one = arith.extsi %comes_before : vector<$LANESxi1> to vector<$LANESx$KEY>
      %more = arith.subi %rank, %minus_one : vector<$LANESx$KEY>
      scf.yield %more : vector<$LANESx$KEY>
    }
    %found = scf.for %other = %end to %count step %c1 iter_args(%rank = %among) -> (vector<$LANESx$KEY>) {
      %key = memref.load %keys[%other] : memref<$PADDEDx$KEY>
      %keys_of_other = vector.broadcast %key : $KEY to vector<$LANESx$KEY>
      %is_less = arith.cmpi slt, %keys_of_other, %own : vector<$LANESx$KEY>
      %minus_one = arith.extsi %is_less : vector<$LANESxi1> to vector<$LANESx$KEY>
      %more = arith.subi %rank, %minus_one : vector<$LANESx$KEY>
      scf.yield %more : vector<$LANESx$KEY>
    }
    vector.store %found, %ranks[%start] : memref<$PADDEDx$KEY>, vector<$LANESx$KEY>
  }
  return
}

// Sort items by one digit after the other, the last one first. Items move to the other half of the memory
// unless all have the same digit. The result is the start of the half where they are in the end.
func.func private @radix_sort(
    %items: memref<$HALVESx$ITEM>, @PLACES %counts: memref<$DIGITSx256xindex>, %count: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %digits = arith.constant $DIGITS : index
  %mask = arith.constant 255 : $ITEM
  %bits = arith.constant 8 : $ITEM
  %lowest = arith.constant $LOWEST : $ITEM
  scf.for %number = %c0 to %digits step %c1 {
    scf.for %digit = %c0 to %c256 step %c1 {
      memref.store %c0, %counts[%number, %digit] : memref<$DIGITSx256xindex>
    }
  }
  scf.for %index = %c0 to %count step %c1 {
    %item = memref.load %items[%index] : memref<$HALVESx$ITEM>
    @COUNT_DIGITS
  }
  %found = scf.for %number = %c0 to %digits step %c1 iter_args(%from = %c0) -> (index) {
    %factor = arith.index_cast %number : index to $ITEM
    %above = arith.muli %factor, %bits : $ITEM
    %shift = arith.addi %above, %lowest : $ITEM
    %first = memref.load %items[%from] : memref<$HALVESx$ITEM>
    %first_shifted = arith.shrui %first, %shift : $ITEM
    %first_masked = arith.andi %first_shifted, %mask : $ITEM
    %first_digit = arith.index_castui %first_masked : $ITEM to index
    %equal = memref.load %counts[%number, %first_digit] : memref<$DIGITSx256xindex>
    %all_equal = arith.cmpi eq, %equal, %count : index
    %half = scf.if %all_equal -> (index) {
      scf.yield %from : index
    } else {
      %to = arith.subi %count, %from : index
      %end = scf.for %digit = %c0 to %c256 step %c1 iter_args(%start = %to) -> (index) {
        %number_of_items = memref.load %counts[%number, %digit] : memref<$DIGITSx256xindex>
        memref.store %start, %counts[%number, %digit] : memref<$DIGITSx256xindex>
        %next = arith.addi %start, %number_of_items : index
        scf.yield %next : index
      }
      scf.for %index = %c0 to %count step %c1 {
        %source = arith.addi %from, %index : index
        %item = memref.load %items[%source] : memref<$HALVESx$ITEM>
        %shifted = arith.shrui %item, %shift : $ITEM
        %masked = arith.andi %shifted, %mask : $ITEM
        %digit = arith.index_castui %masked : $ITEM to index
        %target = memref.load %counts[%number, %digit] : memref<$DIGITSx256xindex>
        %next = arith.addi %target, %c1 : index
        memref.store %next, %counts[%number, %digit] : memref<$DIGITSx256xindex>
        memref.store %item, %items[%target] : memref<$HALVESx$ITEM>
        @MOVE_PLACE
      }
      scf.yield %to : index
    }
    scf.yield %half : index
  }
  return %found : index
}

// -----
// Negative floats are the negatives of their magnitudes, so zeros are equal. NaN is the greatest.
func.func private @key_of_float(%element: $ELEMENT) -> $KEY {
  %zero = arith.constant 0 : $KEY
  %magnitudes = arith.constant $GREATEST : $KEY
  %infinity = arith.constant $INFINITY : $KEY
  %bits = arith.bitcast %element : $ELEMENT to $KEY
  %magnitude = arith.andi %bits, %magnitudes : $KEY
  %negative = arith.subi %zero, %magnitude : $KEY
  %is_negative = arith.cmpi slt, %bits, %zero : $KEY
  %number = arith.select %is_negative, %negative, %magnitude : $KEY
  %is_nan = arith.cmpi sgt, %magnitude, %infinity : $KEY
  %key = arith.select %is_nan, %magnitudes, %number : $KEY
  return %key : $KEY
}

// -----
// Count a digit of an item, in the loop over them.
    %number_@N = arith.constant @N : index
    %shift_@N = arith.constant @SHIFT : $ITEM
    %shifted_@N = arith.shrui %item, %shift_@N : $ITEM
    %masked_@N = arith.andi %shifted_@N, %mask : $ITEM
    %digit_@N = arith.index_castui %masked_@N : $ITEM to index
    %before_@N = memref.load %counts[%number_@N, %digit_@N] : memref<$DIGITSx256xindex>
    %after_@N = arith.addi %before_@N, %c1 : index
    memref.store %after_@N, %counts[%number_@N, %digit_@N] : memref<$DIGITSx256xindex>

// -----
// Move the place of an item with it, if it has one of its own.
        %place = memref.load %places[%source] : memref<$HALVESx$PLACE>
        memref.store %place, %places[%target] : memref<$HALVESx$PLACE>
