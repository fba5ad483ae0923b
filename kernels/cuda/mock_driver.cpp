// A stand-in for libcuda.so.1, for tests: memory is the host's, launches go to the emulation. It is strict where a device would
// be silent. Reads and writes beyond an allocation fault or are noticed when it is freed; copies and fills must stay within
// one; memory must be erased before it is freed; a kernel must be an entry of the PTX that was loaded; a context must be
// current.
//
// TAUTOCHRONE_MOCK_FAIL=NAME:CODE makes the function NAME fail with CODE; TAUTOCHRONE_MOCK_DEVICES=N,
// TAUTOCHRONE_MOCK_CAPABILITY=MAJOR and TAUTOCHRONE_MOCK_LARGEST=BYTES say what there is, and what the largest allocation is.
#include <climits>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <sys/mman.h>

typedef unsigned u32;
typedef unsigned long long u64;
extern "C" int tautochrone_emulate(const char *, u32, u32, u32, u32, void **);

namespace {
enum { OK = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, INVALID_DEVICE = 101, INVALID_CONTEXT = 201 };
enum { INVALID_PTX = 218, NOT_FOUND = 500 };
constexpr size_t PAGE = 4096;
constexpr unsigned char MARK = 0xa5;

// An allocation: 16 bytes aligned at both ends, so close below a page without access as that allows.
struct Block {
  size_t bytes, mapped;
  unsigned char *map;
};
struct Function {
  std::string name;
  u32 most_shared = 48 << 10; // bytes of shared memory that a launch may ask for, unless told otherwise
};
struct Module {
  std::string ptx;
  std::map<std::string, Function> functions;
};

std::mutex lock;
std::map<u64, Block> memory;
bool initialised = false;
thread_local void *current = nullptr;
char the_context, the_stream, the_event;

[[noreturn]] void die(const char *why) {
  fprintf(stderr, "mock driver: %s\n", why);
  abort();
}

int setting(const char *name, int otherwise) {
  const char *text = getenv(name);
  return text ? atoi(text) : otherwise;
}

// The code that TAUTOCHRONE_MOCK_FAIL demands of this function, or what is wrong with the state, or OK.
u32 enter(const char *name, bool needs_context) {
  const char *text = getenv("TAUTOCHRONE_MOCK_FAIL");
  size_t length = strlen(name);
  if (text && strncmp(text, name, length) == 0 && text[length] == ':') return (u32)atoi(text + length + 1);
  if (!initialised) return NOT_INITIALIZED;
  return needs_context && current != &the_context ? INVALID_CONTEXT : OK;
}

// Whether the bytes lie within one allocation.
bool inside(u64 address, size_t bytes) {
  std::lock_guard<std::mutex> held(lock);
  auto next = memory.upper_bound(address);
  if (next == memory.begin()) return false;
  auto [start, block] = *std::prev(next);
  return address - start <= block.bytes && bytes <= block.bytes - (address - start);
}
} // namespace

#define API(NAME, ...) extern "C" __attribute__((visibility("default"))) u32 NAME(__VA_ARGS__)
#define ENTER(NEEDS_CONTEXT)                                                                                           \
  if (u32 code = enter(__func__, NEEDS_CONTEXT)) return code

API(cuInit, u32) {
  initialised = true;
  ENTER(false);
  return OK;
}
API(cuGetErrorName, u32 code, const char **text) {
  *text = "CUDA_ERROR_OUT_OF_MEMORY";
  return code == OUT_OF_MEMORY ? OK : INVALID_VALUE;
}
API(cuDeviceGetCount, int *count) {
  ENTER(false);
  *count = setting("TAUTOCHRONE_MOCK_DEVICES", 1);
  return OK;
}
API(cuDeviceGet, int *device, int ordinal) {
  ENTER(false);
  *device = ordinal;
  return ordinal == 0 ? OK : INVALID_DEVICE;
}
API(cuDeviceGetName, char *name, int length, int) {
  ENTER(false);
  snprintf(name, (size_t)length, "host emulation");
  return OK;
}
API(cuDeviceGetAttribute, int *value, int attribute, int) {
  ENTER(false);
  constexpr int MAJOR = 75; // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
  *value = attribute == MAJOR ? setting("TAUTOCHRONE_MOCK_CAPABILITY", 8) : 5;
  return OK;
}
API(cuDevicePrimaryCtxRetain, void **context, int) {
  ENTER(false);
  *context = &the_context;
  return OK;
}
API(cuDevicePrimaryCtxRelease_v2, int) { return OK; }
API(cuCtxSetCurrent, void *context) {
  ENTER(false);
  current = context;
  return OK;
}
API(cuModuleLoadDataEx, Module **module, const char *image, u32, void *, void *) {
  ENTER(true);
  if (!strstr(image, ".version")) return INVALID_PTX;
  *module = new Module{image, {}};
  return OK;
}
API(cuModuleUnload, Module *module) {
  delete module;
  return OK;
}
API(cuModuleGetFunction, Function **function, Module *module, const char *name) {
  ENTER(true);
  if (module->ptx.find(std::string(".entry ") + name + "(") == std::string::npos) return NOT_FOUND;
  std::lock_guard<std::mutex> held(lock);
  *function = &module->functions.try_emplace(name, Function{name}).first->second;
  return OK;
}
API(cuStreamCreateWithPriority, void **stream, u32, int) {
  ENTER(true);
  *stream = &the_stream;
  return OK;
}
API(cuStreamSynchronize, void *) {
  ENTER(true);
  return OK;
}
API(cuStreamDestroy_v2, void *) { return OK; }
API(cuMemAlloc_v2, u64 *address, size_t bytes) {
  ENTER(true);
  if (bytes == 0) return INVALID_VALUE;
  if (bytes > (size_t)setting("TAUTOCHRONE_MOCK_LARGEST", INT_MAX)) return OUT_OF_MEMORY;
  size_t usable = (bytes + 16 + PAGE - 1) / PAGE * PAGE, mapped = usable + PAGE;
  void *map = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED) return OUT_OF_MEMORY;
  auto *start = (unsigned char *)map;
  if (mprotect(start + usable, PAGE, PROT_NONE) != 0) die("mprotect");
  memset(start, MARK, usable);
  *address = (u64)(start + usable - (bytes + 15) / 16 * 16);
  std::lock_guard<std::mutex> held(lock);
  memory[*address] = {bytes, mapped, start};
  return OK;
}
API(cuMemFree_v2, u64 address) {
  ENTER(true);
  std::lock_guard<std::mutex> held(lock);
  auto found = memory.find(address);
  if (found == memory.end()) die("freed what was not allocated");
  auto [bytes, mapped, map] = found->second;
  auto *start = (unsigned char *)address;
  for (auto *p = map; p < map + mapped - PAGE; p++) {
    bool own = p >= start && p < start + bytes;
    // A driver told to fail may have failed to erase.
    if (own && *p != 0 && !getenv("TAUTOCHRONE_MOCK_FAIL")) die("freed without erasure");
    if (!own && *p != MARK) die("written beyond an allocation");
  }
  munmap(map, mapped);
  memory.erase(found);
  return OK;
}
API(cuMemcpyHtoD_v2, u64 to, const void *from, size_t bytes) {
  ENTER(true);
  if (!inside(to, bytes)) return INVALID_VALUE;
  memcpy((void *)to, from, bytes);
  return OK;
}
API(cuMemcpyDtoH_v2, void *to, u64 from, size_t bytes) {
  ENTER(true);
  if (!inside(from, bytes)) return INVALID_VALUE;
  memcpy(to, (void *)from, bytes);
  return OK;
}
API(cuMemsetD8_v2, u64 to, unsigned char value, size_t bytes) {
  ENTER(true);
  if (!inside(to, bytes)) return INVALID_VALUE;
  memset((void *)to, value, bytes);
  return OK;
}
API(cuEventCreate, void **event, u32) {
  ENTER(true);
  *event = &the_event;
  return OK;
}
API(cuEventRecord, void *, void *) {
  ENTER(true);
  return OK;
}
API(cuEventSynchronize, void *) {
  ENTER(true);
  return OK;
}
API(cuEventElapsedTime, float *milliseconds, void *, void *) {
  ENTER(true);
  *milliseconds = 1;
  return OK;
}
API(cuEventDestroy_v2, void *) { return OK; }
API(cuFuncSetAttribute, Function *function, int attribute, int value) {
  ENTER(true);
  constexpr int MAX_DYNAMIC_SHARED_SIZE_BYTES = 8, OPTIN = 99 << 10; // of 8.6 and 8.9, the least since 8.0
  if (attribute != MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0 || value > OPTIN) return INVALID_VALUE;
  function->most_shared = (u32)value;
  return OK;
}
API(cuLaunchKernel, const Function *function, u32 grid_x, u32 grid_y, u32 grid_z, u32 block_x, u32 block_y, u32 block_z,
    u32 shared_bytes, void *, void **parameters, void **) {
  ENTER(true);
  bool fits = grid_x - 1 < 0x7fffffff && grid_y - 1 < 65535 && block_x - 1 < 1024 && shared_bytes <= function->most_shared;
  if (!fits || grid_z != 1 || block_y != 1 || block_z != 1) return INVALID_VALUE;
  return (u32)tautochrone_emulate(function->name.c_str(), grid_x, grid_y, block_x, shared_bytes, parameters);
}
