/* A CUDA driver that does nothing and succeeds: what a call costs with it is numptx's own part. For bench/call_path.py, which chooses it with
   NUMPTX_LIBCUDA. Memory on the "device" has addresses and no contents. */
#include <stdint.h>
#include <stdlib.h>

static uint64_t next_address = 0x7f0000000000;
static void *const CONTEXT = (void *)0x100, *const THING = (void *)0x200;

/* Everything that only has to succeed. */
#define NOTHING(name) int name(void) { return 0; }
NOTHING(cuInit)
NOTHING(cuCtxSetCurrent)
NOTHING(cuMemPoolSetAttribute)
NOTHING(cuMemPoolTrimTo)
NOTHING(cuMemFreeAsync)
NOTHING(cuMemsetD8Async)
NOTHING(cuMemcpyHtoDAsync_v2)
NOTHING(cuMemcpyDtoHAsync_v2)
NOTHING(cuMemcpyDtoDAsync_v2)
NOTHING(cuStreamDestroy_v2)
NOTHING(cuStreamQuery)
NOTHING(cuStreamSynchronize)
NOTHING(cuStreamWaitEvent)
NOTHING(cuThreadExchangeStreamCaptureMode)
NOTHING(cuGraphLaunch)
NOTHING(cuGraphDestroy)
NOTHING(cuGraphExecDestroy)
NOTHING(cuGraphRetainUserObject)
NOTHING(cuEventRecord)
NOTHING(cuEventQuery)
NOTHING(cuEventSynchronize)
NOTHING(cuEventDestroy_v2)
NOTHING(cuLaunchKernel)
NOTHING(cuFuncSetAttribute)

static int capturing;

int cuDriverGetVersion(int *out) { *out = 13000; return 0; }
int cuDeviceGetCount(int *out) { *out = 1; return 0; }
int cuDeviceGet(int *out, int ordinal) { *out = ordinal; return 0; }
int cuDeviceGetName(char *out, int capacity, int device) { if (capacity) *out = 0; return 0; }
int cuDeviceGetAttribute(int *out, int attribute, int device) { *out = attribute == 75 ? 9 : attribute == 76 ? 0 : 1; return 0; }
int cuDeviceTotalMem_v2(size_t *out, int device) { *out = 1 << 30; return 0; }
int cuDevicePrimaryCtxRetain(void **out, int device) { *out = CONTEXT; return 0; }
int cuCtxGetCurrent(void **out) { *out = CONTEXT; return 0; }
int cuDeviceGetMemPool(void **out, int device) { *out = THING; return 0; }
int cuMemPoolGetAttribute(void *pool, int attribute, uint64_t *out) { *out = 1; return 0; }
int cuMemAllocFromPoolAsync(uint64_t *out, size_t bytes, void *pool, void *stream) {
    *out = next_address;
    next_address += (bytes + 511) / 512 * 512;
    return 0;
}
int cuMemHostAlloc(void **out, size_t bytes, unsigned flags) { *out = malloc(bytes); return *out ? 0 : 2; }
int cuMemFreeHost(void *block) { free(block); return 0; }
int cuStreamCreateWithPriority(void **out, unsigned flags, int priority) { *out = malloc(1); return 0; }
int cuStreamIsCapturing(void *stream, int *out) { *out = capturing && stream > (void *)2; return 0; }
int cuStreamGetCaptureInfo_v2(void *stream, int *status, uint64_t *id, void **graph, void **nodes, size_t *n) {
    *status = capturing;
    *id = 1;
    if (graph) *graph = THING;
    return 0;
}
int cuStreamBeginCapture_v2(void *stream, int mode) { capturing = 1; return 0; }
int cuStreamEndCapture(void *stream, void **out) { capturing = 0; *out = THING; return 0; }
int cuGraphInstantiateWithFlags(void **out, void *graph, uint64_t flags) { *out = THING; return 0; }
int cuGraphGetNodes(void *graph, void *nodes, size_t *n) { *n = 1; return 0; }
int cuUserObjectCreate(void **out, void *object, void (*destroy)(void *), unsigned n, unsigned flags) { *out = THING; return 0; }
int cuEventCreate(void **out, unsigned flags) { *out = THING; return 0; }
int cuModuleLoadDataEx(void **out, const void *image, unsigned n, int *options, void **values) { *out = THING; return 0; }
int cuModuleGetFunction(void **out, void *module, const char *name) { *out = THING; return 0; }
int cuFuncGetAttribute(int *out, int attribute, void *function) { *out = 0; return 0; }
int cuGetErrorName(int code, const char **out) { *out = "an error"; return 0; }
int cuGetErrorString(int code, const char **out) { *out = "an error"; return 0; }
