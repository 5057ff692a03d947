/* A function at a fixed address, as a boot loader has, may return.
   command: gen FILE --no-exec --timeout 10
   never:   r == 0 is false: infeasible
   truth:   it returns where the machine has such a function
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdint.h>
#include <stdlib.h>
#ifdef TRUTH
#define _GNU_SOURCE
#include <sys/mman.h>
static void *page(uintptr_t at) { return mmap((void *)(at & ~4095ul), 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | 32 | MAP_FIXED, -1, 0); }
#endif
int f(void) { int (*boot)(void) = (int (*)(void))0x40040000; int r = boot(); if (r == 0) return 0; return 1; }
#ifdef TRUTH
int main(void) { unsigned char *p = page(0x40040000u); p[0] = 0xb8; p[1] = 1; p[5] = 0xc3; if (f()) abort(); return 0; }
#endif
