// Enough of the CUDA driver for cuda-bindings to load it: it says what it is asked, and finds every
// kernel but `missing`.

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int succeed(void) { return 0; }

static int load(void **module, const void *image) {
  printf("load %s\n", (const char *)image);
  *module = (void *)0x1234;
  return 0;
}

static int unload(void *module) {
  printf("unload %p\n", module);
  return 0;
}

static int get_function(void **function, void *module, const char *name) {
  printf("find %s in %p\n", name, module);
  *function = (void *)0x5678;
  return strcmp(name, "missing") ? 0 : 500;
}

// Every kernel has 1,000 bytes of shared memory of its own.
static int get_attribute(int *value, int attribute, void *function) {
  *value = attribute == 1 ? 1000 : -1;
  return 0;
}

static int set_attribute(void *function, int attribute, int value) {
  printf("allow %d as %d for %p\n", value, attribute, function);
  return 0;
}

// Each thread has contexts of its own, the last of which is current; a new thread has none.
static __thread void *contexts[8];
static __thread int depth;

// What PyTorch does when it first calls CUDA in a thread.
void make_current(void *context) { contexts[depth = 1] = context; }

static int get_context(void **context) {
  *context = contexts[depth];
  return 0;
}

static int push_context(void *context) {
  contexts[++depth] = context;
  return 0;
}

static int pop_context(void **context) {
  *context = contexts[depth--];
  return 0;
}

// 0 is global, 2 is relaxed.
static int mode;

int capture_mode(void) { return mode; }

static int exchange_capture_mode(int *other) {
  int before = mode;
  mode = *other;
  *other = before;
  return 0;
}

// 201 is what the driver says without a context.
static int launch(void) { return contexts[depth] == (void *)0xC0 ? 0 : 201; }

static int name_of(int error, const char **name) {
  *name = error == 500 ? "CUDA_ERROR_NOT_FOUND" : "CUDA_ERROR_LAUNCH_FAILED";
  return 0;
}

static int text_of(int error, const char **text) {
  *text = error == 500 ? "named symbol not found" : "unspecified launch failure";
  return 0;
}

int cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags, int *status);

static const struct {
  const char *name;
  void *function;
} functions[] = {
    {"cuModuleLoadData", load},           {"cuModuleUnload", unload},
    {"cuModuleGetFunction", get_function}, {"cuGetErrorName", name_of},
    {"cuGetErrorString", text_of},        {"cuGetProcAddress", cuGetProcAddress_v2}, {"cuCtxGetCurrent", get_context},
    {"cuCtxPushCurrent", push_context},    {"cuCtxPopCurrent", pop_context},
    {"cuFuncGetAttribute", get_attribute}, {"cuFuncSetAttribute", set_attribute},
    {"cuLaunchKernel", launch},           {"cuThreadExchangeStreamCaptureMode", exchange_capture_mode},
};

int cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags, int *status) {
  *function = succeed;
  for (unsigned i = 0; i < sizeof functions / sizeof *functions; ++i)
    if (!strcmp(functions[i].name, symbol))
      *function = functions[i].function;
  if (status)
    *status = 0;
  return 0;
}

int cuGetProcAddress(const char *symbol, void **function, int version, uint64_t flags) {
  return cuGetProcAddress_v2(symbol, function, version, flags, 0);
}

int cuInit(unsigned flags) { return 0; }
