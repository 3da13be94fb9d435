; Whether words of memory have changed.

; %table holds record counts and contiguous records: %singles of an address and the expected word,
; %blocks of an address and twenty expected words, and singles again. A record is read only if all
; earlier ones match, as they contain the later ones' addresses.
define i64 @torch_refine_changed(ptr %table) {
entry:
  %first = load i64, ptr %table, align 8
  %blocks.at = getelementptr i64, ptr %table, i64 1
  %blocks = load i64, ptr %blocks.at, align 8
  %last.at = getelementptr i64, ptr %table, i64 2
  %last = load i64, ptr %last.at, align 8
  %records = getelementptr i64, ptr %table, i64 3
  %first.words = mul i64 %first, 2
  %first.end = getelementptr i64, ptr %records, i64 %first.words
  %blocks.words = mul i64 %blocks, 21
  %blocks.end = getelementptr i64, ptr %first.end, i64 %blocks.words
  %last.words = mul i64 %last, 2
  %last.end = getelementptr i64, ptr %blocks.end, i64 %last.words
  br label %singles

singles:
  %single = phi ptr [ %records, %entry ], [ %single.next, %single.same ]
  %single.none = icmp eq ptr %single, %first.end
  br i1 %single.none, label %block, label %single.read

single.read:
  %single.address = load ptr, ptr %single, align 8
  %single.word.at = getelementptr i64, ptr %single, i64 1
  %single.word = load i64, ptr %single.word.at, align 8
  %single.now = load i64, ptr %single.address, align 8
  %single.equal = icmp eq i64 %single.now, %single.word
  br i1 %single.equal, label %single.same, label %changed

single.same:
  %single.next = getelementptr i64, ptr %single, i64 2
  br label %singles

block:
  %one = phi ptr [ %first.end, %singles ], [ %one.next, %block.same ]
  %one.none = icmp eq ptr %one, %blocks.end
  br i1 %one.none, label %others, label %block.read

block.read:
  %address = load ptr, ptr %one, align 8
  %words.0.at = getelementptr i64, ptr %one, i64 1
  %words.0 = load <4 x i64>, ptr %words.0.at, align 8
  %now.0 = load <4 x i64>, ptr %address, align 8
  %differ.0 = xor <4 x i64> %words.0, %now.0
  %words.4.at = getelementptr i64, ptr %one, i64 5
  %words.4 = load <4 x i64>, ptr %words.4.at, align 8
  %now.4.at = getelementptr i64, ptr %address, i64 4
  %now.4 = load <4 x i64>, ptr %now.4.at, align 8
  %differ.4 = xor <4 x i64> %words.4, %now.4
  %words.8.at = getelementptr i64, ptr %one, i64 9
  %words.8 = load <4 x i64>, ptr %words.8.at, align 8
  %now.8.at = getelementptr i64, ptr %address, i64 8
  %now.8 = load <4 x i64>, ptr %now.8.at, align 8
  %differ.8 = xor <4 x i64> %words.8, %now.8
  %words.12.at = getelementptr i64, ptr %one, i64 13
  %words.12 = load <4 x i64>, ptr %words.12.at, align 8
  %now.12.at = getelementptr i64, ptr %address, i64 12
  %now.12 = load <4 x i64>, ptr %now.12.at, align 8
  %differ.12 = xor <4 x i64> %words.12, %now.12
  %words.16.at = getelementptr i64, ptr %one, i64 17
  %words.16 = load <4 x i64>, ptr %words.16.at, align 8
  %now.16.at = getelementptr i64, ptr %address, i64 16
  %now.16 = load <4 x i64>, ptr %now.16.at, align 8
  %differ.16 = xor <4 x i64> %words.16, %now.16
  %differ.a = or <4 x i64> %differ.0, %differ.4
  %differ.b = or <4 x i64> %differ.8, %differ.12
  %differ.c = or <4 x i64> %differ.a, %differ.b
  %differ = or <4 x i64> %differ.c, %differ.16
  %low = shufflevector <4 x i64> %differ, <4 x i64> poison, <2 x i32> <i32 0, i32 1>
  %high = shufflevector <4 x i64> %differ, <4 x i64> poison, <2 x i32> <i32 2, i32 3>
  %both = or <2 x i64> %low, %high
  %even = extractelement <2 x i64> %both, i64 0
  %odd = extractelement <2 x i64> %both, i64 1
  %bits = or i64 %even, %odd
  %equal = icmp eq i64 %bits, 0
  br i1 %equal, label %block.same, label %changed

block.same:
  %one.next = getelementptr i64, ptr %one, i64 21
  br label %block

others:
  %other = phi ptr [ %blocks.end, %block ], [ %other.next, %other.same ]
  %other.none = icmp eq ptr %other, %last.end
  br i1 %other.none, label %same, label %other.read

other.read:
  %other.address = load ptr, ptr %other, align 8
  %other.word.at = getelementptr i64, ptr %other, i64 1
  %other.word = load i64, ptr %other.word.at, align 8
  %other.now = load i64, ptr %other.address, align 8
  %other.equal = icmp eq i64 %other.now, %other.word
  br i1 %other.equal, label %other.same, label %changed

other.same:
  %other.next = getelementptr i64, ptr %other, i64 2
  br label %others

same:
  ret i64 0

changed:
  ret i64 1
}
