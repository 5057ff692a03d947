/* Registers whose addresses are in a table may have any value.
   command: gen FILE --no-exec --timeout 10
   never:   *ports[i] == 3 is true: infeasible
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
static volatile uint8_t *const ports[] = { (volatile uint8_t *)0x40020000, (volatile uint8_t *)0x40020010 };
int f(unsigned i) { if (i > 1) return 0; if (*ports[i] == 3) return 1; return 2; }
#ifdef TRUTH
int main(void) { page(0x40020000u); *(char *)0x40020010 = 3; if (f(1) == 1) abort(); return 0; }
#endif
