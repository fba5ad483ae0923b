// Cuts an operand, rows of X or columns of Y, into byte planes in the order of split.h. A warp makes one fragment of each
// plane.
#include "operand.h"
#include "split.h"

// With `pairs` in the order of Y, else of X; see `fragment`.
struct Operand {
  u64 line_stride, stride; // in entries
  u32 lines, length, pairs;
};

template <class E> FN void split(Quad *out, const E *base, const Operand &o) {
  constexpr u32 PLANES = sizeof(E);
  u32 steps = steps_of(o.length), lane = TID_X % 32;
  u64 warp = ((u64)CTAID_X * NTID_X + TID_X) / 32;
  if (warp >= (u64)strips_of(o.lines) * steps) return; // the whole warp
  u32 line = (u32)(warp / steps) * 16 + lane / 4, at = (u32)(warp % steps) * 32;
  Lines<E> all = lines(base, o.line_stride, o.stride, o.lines, o.length);
  const E *two[2] = {all.line(line), all.line(line + 8)};
  u32 a[PLANES][4];
  if (all.whole && at + 32 <= o.length) fragment<true, false, E, PLANES>(all, two, at, a);
  else fragment<false, false, E, PLANES>(all, two, at, a);
  EACH(i, PLANES) {
    u32 second = o.pairs ? a[i][2] : a[i][1], third = o.pairs ? a[i][1] : a[i][2];
    out[(warp * PLANES + i) * 32 + lane] = {a[i][0], second, third, a[i][3]};
  }
}

#define SPLIT(E)                                                                                                       \
  KERNEL __launch_bounds__(128) split_##E(Quad *out, const E *base, Operand o) { split(out, base, o); }
OPERANDS(SPLIT)
