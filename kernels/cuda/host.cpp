// The kernels built for the host: launched by name with CUDA's own array of parameters.
#include "sample.cu"
#include "imad.cu"
#include "direct.cu"
#include "split.cu"
#include "tiled.cu"

template <class T> static T arg(void **p, int i) { return *(T *)p[i]; }

#define RUN(NAME, ...)                                                                                                 \
  if (strcmp(name, NAME) == 0) {                                                                                       \
    emu::launch(gx, gy, bx, shared_bytes, [&] { __VA_ARGS__; });                                                       \
    return 0;                                                                                                          \
  }
#define RUN_IMAD(Z, X, Y)                                                                                              \
  RUN("imad_" #Z "_" #X "_" #Y,                                                                                        \
      imad_##Z##_##X##_##Y(arg<Z *>(p, 0), arg<const X *>(p, 1), arg<const Y *>(p, 2), arg<Product>(p, 3)))
#define RUN_DIRECT(Z, X, Y)                                                                                            \
  RUN("direct_" #Z "_" #X "_" #Y,                                                                                      \
      direct_##Z##_##X##_##Y(arg<Z *>(p, 0), arg<const X *>(p, 1), arg<const Y *>(p, 2), arg<Product>(p, 3)))
#define RUN_TILED(Z, X, Y)                                                                                             \
  RUN("tiled_" #Z "_" #X "_" #Y,                                                                                       \
      tiled_##Z##_##X##_##Y(arg<Z *>(p, 0), arg<const Quad *>(p, 1), arg<const Quad *>(p, 2), arg<Product>(p, 3)))
#define RUN_SPLIT(E) RUN("split_" #E, split_##E(arg<Quad *>(p, 0), arg<const E *>(p, 1), arg<Operand>(p, 2)))

// 0, or 500 if there is no such kernel.
extern "C" int tautochrone_emulate(const char *name, u32 gx, u32 gy, u32 bx, u32 shared_bytes, void **p) {
  PRODUCTS(RUN_IMAD)
  PRODUCTS(RUN_DIRECT)
  PRODUCTS(RUN_TILED)
  OPERANDS(RUN_SPLIT)
  RUN("uniform", uniform(arg<u64 *>(p, 0), arg<u64>(p, 1), arg<Key>(p, 2)))
  RUN("facct", facct(arg<i64 *>(p, 0), arg<u64>(p, 1), arg<u32>(p, 2), arg<Key>(p, 3), arg<const Constants *>(p, 4)))
  return 500;
}
