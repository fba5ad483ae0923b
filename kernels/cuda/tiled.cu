// Products on the int8 tensor cores, for large matrices whose byte planes split.cu has laid out. A block of eight warps
// makes a tile; its strips go through shared memory in stages, each copied while earlier ones are multiplied; a warp keeps
// the sums of its part in 128 registers a lane. The estimate of its speed is in docs/products.md.
#include "split.h"
#include "sums.h"

namespace tiled {
constexpr u32 WARPS = 8, THREADS = 32 * WARPS;
// Shared memory of a block, in bytes: three or four stages, and no more than every chip since 8.0 has; as in src/kernel.rs.
constexpr u32 SHARED = 98304;

// The power of two d <= product for which d x + (product / d) y is least.
constexpr u32 balanced(u32 product, u32 x, u32 y) {
  u32 best = 1;
  for (u32 d = 2; d <= product; d *= 2)
    if (d * x + product / d * y < best * x + product / best * y) best = d;
  return best;
}

// Strips (16 rows of X, or 16 columns of Y) of a warp and of a block; as in src/kernel.rs. Both tiles are the ones that
// need the fewest planes.
template <class P> struct Tile {
  static constexpr u32 STRIPS = 16 / P::WEIGHTS; // DOWN ACROSS: 2 fragments of 4 sums a weight for each, 128 sums in all
  static constexpr u32 DOWN = balanced(STRIPS, P::OF_X, P::OF_Y), ACROSS = STRIPS / DOWN;
  static constexpr u32 WARPS_DOWN = balanced(WARPS, DOWN * P::OF_X, ACROSS * P::OF_Y), WARPS_ACROSS = WARPS / WARPS_DOWN;
  static constexpr u32 BLOCK_DOWN = WARPS_DOWN * DOWN, BLOCK_ACROSS = WARPS_ACROSS * ACROSS;
  // Cells of a fragment of 32 terms, of all planes, of all strips.
  static constexpr u32 X_CELLS = BLOCK_DOWN * P::OF_X * 32, Y_CELLS = BLOCK_ACROSS * P::OF_Y * 32;
  // Steps of 32 terms in a stage, stages in shared memory.
  static constexpr u32 STEPS = (X_CELLS + Y_CELLS) * 16 <= SHARED / 6 ? 2 : 1;
  static constexpr u32 STAGE = STEPS * (X_CELLS + Y_CELLS), STAGES = SHARED / 16 / STAGE;
  static_assert(STAGES >= 3, "one multiplied, one on its way, one that may be copied over");
  static_assert(P::SPAN == ~0u || P::SPAN % (32 * STEPS) == 0, "spans end with a stage");
};

// The strips of one operand, and where a block's begin.
struct Strips {
  const Quad *planes;
  u32 first, last; // of the block, of all
  u64 stride;      // cells of a strip
};

// Starts to copy stage `stage` of COUNT strips, RUN cells of each.
template <u32 COUNT, u32 RUN> FN void fetch(u32 to, const Strips &strips, u32 stage) {
  static_assert(COUNT * RUN % THREADS == 0, "every thread copies as much");
  EACH(i, COUNT * RUN / THREADS) {
    u32 cell = i * THREADS + TID_X;
    // Of strips beyond the last, whose results nobody stores, the last.
    u32 strip = least(strips.first + cell / RUN, strips.last);
    copy_async(to + cell, strips.planes + strip * strips.stride + (u64)stage * RUN + cell % RUN);
  }
}

template <class P> FN void fetch_both(u32 to, const Strips &x, const Strips &y, u32 stage) {
  using T = Tile<P>;
  fetch<T::BLOCK_DOWN, T::STEPS * P::OF_X * 32>(to, x, stage);
  fetch<T::BLOCK_ACROSS, T::STEPS * P::OF_Y * 32>(to + T::STEPS * T::X_CELLS, y, stage);
}

// The products of a stage; x and y are the warp's cells in it, of this lane.
template <class P, class S> FN void multiply(S &sums, u32 x, u32 y) {
  using T = Tile<P>;
  EACH(step, T::STEPS) {
    u32 a[T::DOWN][P::OF_X][4];
    EACH(d, T::DOWN) EACH(i, P::OF_X) {
      Quad q = load_cell(x + ((d * T::STEPS + step) * P::OF_X + i) * 32);
      EACH(h, 4) a[d][i][h] = q.w[h];
    }
    EACH(c, T::ACROSS) EACH(j, P::OF_Y) {
      Quad q = load_cell(y + ((c * T::STEPS + step) * P::OF_Y + j) * 32);
      sums.add_pair(a, q.w, j, 2 * c);
    }
  }
}

// The products of stages from .. to. Stage t lies in slot (t - from) % STAGES.
template <class P, class S> FN void add_up(S &sums, const Strips &x, const Strips &y, u32 from, u32 to) {
  using T = Tile<P>;
  u32 warp = TID_X / 32, lane = TID_X % 32;
  u32 x_warp = warp / T::WARPS_ACROSS * T::DOWN * T::STEPS * P::OF_X * 32 + lane;
  u32 y_warp = T::STEPS * T::X_CELLS + warp % T::WARPS_ACROSS * T::ACROSS * T::STEPS * P::OF_Y * 32 + lane;
  sums.clear();
  EACH(i, T::STAGES - 1) {
    if (from + i < to) fetch_both<P>(i * T::STAGE, x, y, from + i);
    commit_copies();
  }
  u32 slot = 0, free = T::STAGES - 1;
#pragma unroll 1
  for (u32 stage = from; stage < to; stage++) {
    await_copies<(int)T::STAGES - 2>(); // this thread's part of the stage is there,
    barrier();                          // everyone's is; and nobody reads the stage before it any longer
    if (to - stage > T::STAGES - 1) fetch_both<P>(free * T::STAGE, x, y, stage + T::STAGES - 1);
    commit_copies(); // empty at the end, so that the groups count
    multiply<P>(sums, slot * T::STAGE + x_warp, slot * T::STAGE + y_warp);
    free = slot;
    slot = slot + 1 == T::STAGES ? 0 : slot + 1;
  }
  barrier(); // nobody reads the last stage any longer
}

// Tiles run column after column within about 1024 rows, so that those which run at once share strips in the L2 cache.
template <class P> FN void place(const Product &p, u32 *down, u32 *across) {
  using T = Tile<P>;
  constexpr u32 GROUP = 64 / T::BLOCK_DOWN;
  u32 rows = (strips_of(p.m) + T::BLOCK_DOWN - 1) / T::BLOCK_DOWN;
  u32 columns = (strips_of(p.n) + T::BLOCK_ACROSS - 1) / T::BLOCK_ACROSS;
  u32 first = CTAID_X / (GROUP * columns) * GROUP, rest = CTAID_X % (GROUP * columns), group = least(GROUP, rows - first);
  *down = (first + rest % group) * T::BLOCK_DOWN, *across = rest / group * T::BLOCK_ACROSS;
}

template <class Z, class X, class Y> FN void tile(Z *z, const Quad *x, const Quad *y, const Product &p) {
  using P = Planes<Z, X, Y>;
  using T = Tile<P>;
  u32 down, across, warp = TID_X / 32, steps = steps_of(p.k), stages = steps / T::STEPS;
  place<P>(p, &down, &across);
  Strips rows = {x, down, strips_of(p.m) - 1, (u64)steps * P::OF_X * 32};
  Strips columns = {y, across, strips_of(p.n) - 1, (u64)steps * P::OF_Y * 32};
  u32 row = (down + warp / T::WARPS_ACROSS * T::DOWN) * 16, column = (across + warp % T::WARPS_ACROSS * T::ACROSS) * 16;
  constexpr u32 SPAN = P::SPAN / (32 * T::STEPS);
  Sums<P, T::DOWN, 2 * T::ACROSS> sums;
#pragma unroll 1
  for (u32 from = 0; from < stages; from += SPAN) {
    add_up<P>(sums, rows, columns, from, from + least(SPAN, stages - from));
    sums.store(z, row, column, p, p.add || from != 0);
  }
}

} // namespace tiled

#define TILED(Z, X, Y)                                                                                                 \
  KERNEL __launch_bounds__(256) tiled_##Z##_##X##_##Y(Z *z, const Quad *x, const Quad *y, Product p) {                 \
    tiled::tile<Z, X, Y>(z, x, y, p);                                                                                  \
  }
PRODUCTS(TILED)
