; Whether any of %count contiguous bytes is neither 0 nor 1.
define i64 @torch_refine_odd_bools(ptr %bytes, i64 %count) {
entry:
  %whole = and i64 %count, -64
  br label %many

many:
  %at = phi i64 [ 0, %entry ], [ %at.next, %many.body ]
  %seen = phi <64 x i8> [ zeroinitializer, %entry ], [ %seen.next, %many.body ]
  %many.done = icmp eq i64 %at, %whole
  br i1 %many.done, label %join, label %many.body

many.body:
  %place = getelementptr i8, ptr %bytes, i64 %at
  %loaded = load <64 x i8>, ptr %place, align 1
  %seen.next = or <64 x i8> %seen, %loaded
  %at.next = add i64 %at, 64
  br label %many

join:
  %half = shufflevector <64 x i8> %seen, <64 x i8> poison, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %other = shufflevector <64 x i8> %seen, <64 x i8> poison, <32 x i32> <i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
  %both = or <32 x i8> %half, %other
  %words = bitcast <32 x i8> %both to <4 x i64>
  %word.0 = extractelement <4 x i64> %words, i64 0
  %word.1 = extractelement <4 x i64> %words, i64 1
  %word.2 = extractelement <4 x i64> %words, i64 2
  %word.3 = extractelement <4 x i64> %words, i64 3
  %word.a = or i64 %word.0, %word.1
  %word.b = or i64 %word.2, %word.3
  %word = or i64 %word.a, %word.b
  %in.many = and i64 %word, -72340172838076674
  br label %few

few:
  %next = phi i64 [ %whole, %join ], [ %next.next, %few.body ]
  %found = phi i64 [ %in.many, %join ], [ %found.next, %few.body ]
  %few.done = icmp eq i64 %next, %count
  br i1 %few.done, label %end, label %few.body

few.body:
  %byte.at = getelementptr i8, ptr %bytes, i64 %next
  %byte = load i8, ptr %byte.at, align 1
  %high = and i8 %byte, -2
  %wide = zext i8 %high to i64
  %found.next = or i64 %found, %wide
  %next.next = add i64 %next, 1
  br label %few

end:
  %is.odd = icmp ne i64 %found, 0
  %result = zext i1 %is.odd to i64
  ret i64 %result
}
