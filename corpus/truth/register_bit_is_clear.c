/* A register at a fixed address may have any value.
   command: gen FILE --no-exec --timeout 10
   never:   UART1->SR & 0x20u is false: infeasible
   truth:   it is false where the machine has such a register
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdint.h>
#include <stdlib.h>
#ifdef TRUTH
#define _GNU_SOURCE
#include <sys/mman.h>
static void *page(uintptr_t at) { return mmap((void *)(at & ~4095ul), 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | 32 | MAP_FIXED, -1, 0); }
#endif
typedef struct { volatile uint32_t CR, SR, DR; } UART_t;
#define UART1 ((UART_t *)0x40011000u)
int f(void) { if (UART1->SR & 0x20u) return 1; return 0; }
#ifdef TRUTH
int main(void) { page(0x40011000u); if (!f()) abort(); return 0; }
#endif
