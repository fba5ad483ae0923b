// A CUDA block on the host: every GPU thread is a fiber, so ballot, shuffle and mma.sync are true collectives of the warp
// and barriers of the block; one that not every thread reaches aborts. Races in shared memory are found (emu_sm80.h), those
// in global memory are not.
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

// What a fiber waits for.
enum Wait { NOTHING, AT_COLLECTIVE, AT_BARRIER };

// A copy to shared memory that has been started.
struct Copy {
  u64 group;
  u32 at;
  const void *from;
};

// ucontext starts a fiber, setjmp switches: swapcontext would call the kernel every time.
struct Fiber {
  ucontext_t context;
  jmp_buf place;
  std::unique_ptr<char[]> stack;
  bool started = false, done = false;
  Wait waits = NOTHING;
  std::vector<Copy> copies;
  u64 groups = 0;
};

constexpr u64 NEVER = ~0ull;

// 16 bytes of shared memory; in which phase they were last read and written, by which thread. A phase lies between two
// barriers of the block.
struct Shared {
  unsigned char bytes[16];
  u64 read = NEVER, written = NEVER;
  u32 writer = 0;
  bool copied = false; // a copy to it is under way
};

struct Block {
  u32 tid = 0, x = 0, y = 0, threads = 0;
  std::vector<Fiber> fibers;
  jmp_buf scheduler;
  u32 mail[1024][6];
  std::vector<Shared> cells;
  u64 phase = 0;
  const std::function<void()> *body = nullptr;
};

inline Block &block() {
  static thread_local Block b;
  return b;
}

inline void wait(Wait what) {
  Block &b = block();
  Fiber &f = b.fibers[b.tid];
  f.waits = what;
  if (_setjmp(f.place) == 0) _longjmp(b.scheduler, 1);
}

// Waits until every lane of the warp has come here.
inline void meet() { wait(AT_COLLECTIVE); }

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
  if (!b.fibers[b.tid].copies.empty()) {
    fprintf(stderr, "emulation: thread %u of block %u,%u ends with copies under way\n", b.tid, b.x, b.y);
    abort();
  }
  b.fibers[b.tid].done = true;
  _longjmp(b.scheduler, 1);
}

[[noreturn]] inline void divergent(const Block &b, const char *what) {
  fprintf(stderr, "emulation: divergent %s in block %u,%u\n", what, b.x, b.y);
  abort();
}

inline u32 count(const Block &b, u32 from, u32 to, Wait what) {
  u32 waiting = 0;
  for (u32 i = from; i < to; i++) waiting += b.fibers[i].waits == what;
  return waiting;
}

inline void release(Block &b, u32 from, u32 to) {
  for (u32 i = from; i < to; i++) b.fibers[i].waits = NOTHING;
}

// Runs every fiber until it waits or is done; then lets go the warps that are complete at a collective or, if there is none,
// the block at its barrier. False when all are done.
inline bool turn(Block &b) {
  for (b.tid = 0; b.tid < b.threads; b.tid++) {
    Fiber &f = b.fibers[b.tid];
    if (!f.done && f.waits == NOTHING) resume(b, f);
  }
  bool released = false;
  for (u32 warp = 0; warp < b.threads; warp += WARP) {
    u32 end = b.threads - warp < WARP ? b.threads : warp + WARP, lanes = count(b, warp, end, AT_COLLECTIVE);
    if (lanes == 0) continue;
    if (lanes != end - warp) divergent(b, "collective");
    release(b, warp, end);
    released = true;
  }
  if (released) return true;
  u32 threads = count(b, 0, b.threads, AT_BARRIER);
  if (threads == 0) return false;
  if (threads != b.threads) divergent(b, "barrier");
  release(b, 0, b.threads);
  b.phase++;
  return true;
}

inline void run_block(Block &b, u32 shared_bytes) {
  b.cells.assign(shared_bytes / sizeof(Shared::bytes), Shared());
  b.phase = 0;
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
  while (turn(b)) {}
}

inline void launch(u32 grid_x, u32 grid_y, u32 threads, u32 shared_bytes, const std::function<void()> &body) {
  Block &b = block();
  b.threads = threads;
  b.body = &body;
  for (b.y = 0; b.y < grid_y; b.y++)
    for (b.x = 0; b.x < grid_x; b.x++) run_block(b, shared_bytes);
}
} // namespace emu

#define FN static inline
#define KERNEL extern "C" void
#define __launch_bounds__(threads)
#define MEMBER inline
#define TID_X (emu::block().tid)
#define CTAID_X (emu::block().x)
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
