/* What LLVM's archives ask of a glibc newer than 2.34, by way of older symbols: so the compiler's wheel is manylinux_2_34. `.ci/wheels` links it. */
#include <stdint.h>
#include <sys/random.h>

/* glibc's from before 2.35, which differs in `errno` alone. */
__asm__(".symver hypot_of_2_2_5, hypot@GLIBC_2.2.5");
extern double hypot_of_2_2_5(double x, double y);

double hypot(double x, double y) { return hypot_of_2_2_5(x, y); }

/* glibc 2.36 has it; LLVM names temporary files with it, which it then opens for itself alone. 4 bytes come at once (getrandom(2)). */
uint32_t arc4random(void) {
  uint32_t number = 0;
  while (getrandom(&number, sizeof number, 0) != sizeof number) {
  }
  return number;
}
