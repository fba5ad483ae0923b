// A CUDA block on the host: every GPU thread is a fiber, so ballot, shuffle and mma.sync are true collectives of the warp;
// a collective that not every live lane reaches aborts. It can not see races between warps.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <csetjmp>
#include <ucontext.h>
#include <vector>

namespace emu {
constexpr size_t STACK = 65536;
constexpr u32 WARP = 32;

// ucontext starts a fiber, setjmp switches: swapcontext would call the kernel every time.
struct Fiber {
  ucontext_t context;
  jmp_buf place;
  std::unique_ptr<char[]> stack;
  bool started = false, waits = false, done = false;
};

struct Block {
  u32 tid = 0, x = 0, y = 0, threads = 0;
  std::vector<Fiber> fibers;
  jmp_buf scheduler;
  u32 mail[1024][6];
  const std::function<void()> *body = nullptr;
};

inline Block &block() {
  static thread_local Block b;
  return b;
}

// Waits until every live lane of the warp has come here.
inline void meet() {
  Block &b = block();
  Fiber &f = b.fibers[b.tid];
  f.waits = true;
  if (_setjmp(f.place) == 0) _longjmp(b.scheduler, 1);
}

// Runs a fiber until it waits or is done.
__attribute__((noinline)) inline void resume(Block &b, Fiber &f) {
  if (_setjmp(b.scheduler) != 0) return;
  if (f.started) _longjmp(f.place, 1);
  f.started = true;
  setcontext(&f.context);
}

inline void enter() {
  Block &b = block();
  (*b.body)();
  b.fibers[b.tid].done = true;
  _longjmp(b.scheduler, 1);
}

inline void run_block(Block &b) {
  b.fibers.clear();
  b.fibers.resize(b.threads);
  for (Fiber &f : b.fibers) {
    f.stack.reset(new char[STACK]);
    getcontext(&f.context);
    f.context.uc_stack.ss_sp = f.stack.get();
    f.context.uc_stack.ss_size = STACK;
    f.context.uc_link = nullptr;
    makecontext(&f.context, enter, 0);
  }
  for (;;) {
    for (b.tid = 0; b.tid < b.threads; b.tid++) {
      Fiber &f = b.fibers[b.tid];
      if (!f.done && !f.waits) resume(b, f);
    }
    bool live = false;
    for (u32 warp = 0; warp < b.threads; warp += WARP) {
      u32 waiting = 0, done = 0, lanes = b.threads - warp < WARP ? b.threads - warp : WARP;
      for (u32 i = warp; i < warp + lanes; i++) waiting += b.fibers[i].waits, done += b.fibers[i].done;
      if (waiting != 0 && done != 0) {
        fprintf(stderr, "emulation: divergent collective in block %u,%u\n", b.x, b.y);
        abort();
      }
      for (u32 i = warp; i < warp + lanes; i++) b.fibers[i].waits = false;
      live |= waiting != 0;
    }
    if (!live) return;
  }
}

inline void launch(u32 grid_x, u32 grid_y, u32 threads, const std::function<void()> &body) {
  Block &b = block();
  b.threads = threads;
  b.body = &body;
  for (b.y = 0; b.y < grid_y; b.y++)
    for (b.x = 0; b.x < grid_x; b.x++) run_block(b);
}
} // namespace emu

#define FN static inline
#define KERNEL extern "C" void
#define __launch_bounds__(threads)
#define __device__
#define TID_X (emu::block().tid)
#define CTAID_X (emu::block().x)
#define CTAID_Y (emu::block().y)
#define NTID_X (emu::block().threads)
FN double fmad(double a, double b, double c) { return __builtin_fma(a, b, c); }
FN double as_double(u64 bits) { double v; memcpy(&v, &bits, 8); return v; }
// Byte i of the result is byte (selector >> 4 i) of a (0 to 3) or b (4 to 7).
FN u32 permute(u32 a, u32 b, u32 selector) {
  u64 both = (u64)b << 32 | a;
  u32 result = 0;
  for (int i = 0; i < 4; i++) result |= (u32)(both >> 8 * (selector >> 4 * i & 7) & 255) << 8 * i;
  return result;
}
FN u64 as_bits(double value) { u64 v; memcpy(&v, &value, 8); return v; }

FN u32 shuffle(u32 value, u32 lane) {
  emu::Block &b = emu::block();
  b.mail[b.tid][0] = value;
  emu::meet();
  u32 result = b.mail[(b.tid & ~31u) + (lane & 31)][0];
  emu::meet();
  return result;
}

FN u32 ballot(bool vote) {
  emu::Block &b = emu::block();
  b.mail[b.tid][0] = vote;
  emu::meet();
  u32 result = 0;
  for (u32 i = 0; i < 32; i++) result |= b.mail[(b.tid & ~31u) + i][0] << i;
  emu::meet();
  return result;
}

// mma.sync.aligned m16n8k32 on bytes, + s32 (wrapping), fragments laid out as in the PTX ISA.
FN void mma(u32 c[4], const u32 a[4], const u32 bb[2], bool x_signed, bool y_signed) {
  emu::Block &b = emu::block();
  u32 warp = b.tid & ~31u, lane = b.tid & 31;
  for (int i = 0; i < 4; i++) b.mail[b.tid][i] = a[i];
  for (int i = 0; i < 2; i++) b.mail[b.tid][4 + i] = bb[i];
  emu::meet();
  for (u32 i = 0; i < 4; i++) {
    u32 row = lane / 4 + (i / 2) * 8, column = lane % 4 * 2 + i % 2;
    for (u32 k = 0; k < 32; k += 4) {
      u32 left = b.mail[warp + row % 8 * 4 + k % 16 / 4][k / 16 * 2 + row / 8];
      u32 right = b.mail[warp + column * 4 + k % 16 / 4][4 + k / 16];
      for (u32 j = 0; j < 32; j += 8) {
        u32 l = left >> j & 255, r = right >> j & 255;
        c[i] += (x_signed ? (u32)(i32)(i8)l : l) * (y_signed ? (u32)(i32)(i8)r : r);
      }
    }
  }
  emu::meet();
}
