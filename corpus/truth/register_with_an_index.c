/* An array of registers at a fixed address may have any values.
   command: gen FILE --no-exec --timeout 10
   never:   base[i] == 5 is true: infeasible
   truth:   it is true where the machine has such registers
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdint.h>
#include <stdlib.h>
#ifdef TRUTH
#define _GNU_SOURCE
#include <sys/mman.h>
static void *page(uintptr_t at) { return mmap((void *)(at & ~4095ul), 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | 32 | MAP_FIXED, -1, 0); }
#endif
int f(unsigned i) { volatile uint32_t *base = (volatile uint32_t *)0x40030000; if (i > 3) return 0; if (base[i] == 5) return 1; return 2; }
#ifdef TRUTH
int main(void) { page(0x40030000u); ((uint32_t *)0x40030000)[2] = 5; if (f(2) == 1) abort(); return 0; }
#endif
