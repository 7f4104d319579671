/* How the calling thread rounds, and whether it takes denormals for zero: for tests of what launches do with that. */
#include <fenv.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* `mode`: 0 as a program begins, 1 to 3 upwards, downwards, towards zero. Returns -1 where the machine cannot do it. */
int set_floating_state(int mode, int flushes) {
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    if (fesetround(modes[mode])) return -1;
#if defined(__x86_64__)
    unsigned bits = _MM_FLUSH_ZERO_ON | 0x40; /* FTZ, DAZ */
    _mm_setcsr(flushes ? _mm_getcsr() | bits : _mm_getcsr() & ~bits);
    return 0;
#elif defined(__aarch64__)
    unsigned long control, bit = 1ul << 24;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    control = flushes ? control | bit : control & ~bit;
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
    return 0;
#else
    return flushes ? -1 : 0;
#endif
}
