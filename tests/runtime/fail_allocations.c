/* Preloaded by test_host_memory.py: lets numptx's libraries find no memory when they ask the C library's allocator for much. Nobody else is denied. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);
static long to_pass = -1, to_fail;
static size_t least;

/* Lets `pass` requests of at least `bytes` pass, and denies the `fail` next ones. */
void deny_allocations(long pass, long fail, size_t bytes) { to_pass = pass, to_fail = fail, least = bytes; }
/* How many are still to be denied. */
long denials_left(void) { return to_fail; }

static int is_ours(void *address) {
    Dl_info info;
    if (!dladdr(address, &info) || !info.dli_fname) return 0;
    const char *slash = strrchr(info.dli_fname, '/'), *name = slash ? slash + 1 : info.dli_fname;
    return !strncmp(name, "libnumptx_runtime", 17) || !strncmp(name, "_native", 7);
}

static int denied(size_t size, void *address) {
    if (to_pass < 0 || to_fail <= 0 || size < least || !is_ours(address)) return 0;
    if (to_pass > 0) {
        to_pass--;
        return 0;
    }
    to_fail--;
    return 1;
}

void *malloc(size_t size) { return denied(size, __builtin_return_address(0)) ? NULL : __libc_malloc(size); }
void *calloc(size_t n, size_t size) { return denied(n * size, __builtin_return_address(0)) ? NULL : __libc_calloc(n, size); }
void *realloc(void *old, size_t size) { return denied(size, __builtin_return_address(0)) ? NULL : __libc_realloc(old, size); }
int posix_memalign(void **out, size_t alignment, size_t size) {
    if (denied(size, __builtin_return_address(0))) return ENOMEM;
    *out = __libc_memalign(alignment, size);
    return *out ? 0 : ENOMEM;
}
void *aligned_alloc(size_t alignment, size_t size) {
    return denied(size, __builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}
