// Operands in global memory, read as the byte planes that mma.sync takes: plane i of four entries, one byte of each, in a
// register.
#pragma once
#include "dev.h"

// Four entries of N bytes, as they are read at once.
template <u32 N> struct alignas(N < 4 ? 4 * N : 16) Words {
  u32 w[N];
};

// Lines of an operand: rows of X, or columns of Y.
template <class E> struct Lines {
  const E *base;
  u64 line_stride, stride;
  u32 count, length;
  bool whole; // four entries may be read at once

  // Line `index`; of those beyond the last, whose results nobody stores, the first.
  MEMBER const E *line(u32 index) const { return base + (index < count ? index * line_stride : 0); }
};

template <class E> FN Lines<E> lines(const E *base, u64 line_stride, u64 stride, u32 count, u32 length) {
  constexpr u64 ALIGNMENT = alignof(Words<sizeof(E)>);
  bool aligned = (u64)base % ALIGNMENT == 0 && line_stride * sizeof(E) % ALIGNMENT == 0;
  return {base, line_stride, stride, count, length, aligned && stride == 1};
}

// Four rows of a byte matrix become its columns, eight permutations.
FN void transpose(u32 w[4]) {
  u32 a = permute(w[0], w[1], 0x5140), b = permute(w[0], w[1], 0x7362);
  u32 c = permute(w[2], w[3], 0x5140), d = permute(w[2], w[3], 0x7362);
  w[0] = permute(a, c, 0x5410), w[1] = permute(a, c, 0x7632);
  w[2] = permute(b, d, 0x5410), w[3] = permute(b, d, 0x7632);
}

// The byte planes of four entries of a line: read at once, or one by one and zero beyond its end.
template <bool WHOLE, class E> FN void planes(const Lines<E> &lines, const E *line, u32 at, u32 plane[sizeof(E)]) {
  constexpr u32 N = sizeof(E);
  u32 w[N];
  if constexpr (WHOLE) {
    __builtin_memcpy(w, (const Words<N> *)(line + at), 4 * N);
  } else {
    E e[4];
    EACH(i, 4) {
      bool inside = at + i < lines.length;
      E entry = line[(inside ? at + i : 0) * lines.stride];
      e[i] = inside ? entry : (E)0;
    }
    __builtin_memcpy(w, e, 4 * N);
  }
  if (N == 1) plane[0] = w[0];
  if (N == 2) plane[0] = permute(w[0], w[N - 1], 0x6420), plane[N - 1] = permute(w[0], w[N - 1], 0x7531);
  if (N == 4) {
    transpose(w);
    EACH(i, N) plane[i] = w[i];
  }
  if (N == 8) {
    // Low and high halves alternate.
    EACH(half, 2) {
      u32 part[4];
      EACH(i, 4) part[i] = w[(2 * i + half) % N];
      transpose(part);
      EACH(i, 4) plane[(4 * half + i) % N] = part[i];
    }
  }
}

// A lane's share of 16 lines and 32 entries of each, in every plane: of line `group` = lane / 4 and line group + 8 (line[0],
// line[1]) the four entries from 4 (lane % 4) and the four 16 later. In the order of one fragment of X, lines first; or
// (PAIRS) of two fragments of Y, which have 8 lines, entries first.
template <bool WHOLE, bool PAIRS, class E, u32 PLANES>
FN void fragment(const Lines<E> &lines, const E *const line[2], u32 at, u32 a[PLANES][4]) {
  EACH(h, 4) {
    u32 plane[sizeof(E)], later = PAIRS ? h % 2 : h / 2;
    planes<WHOLE>(lines, line[PAIRS ? h / 2 : h % 2], at + TID_X % 4 * 4 + later * 16, plane);
    EACH(i, PLANES) a[i][h] = plane[i];
  }
}
