/* A register at a fixed address is not a pointer to nothing.
   command: check FILE --timeout 10
   never:   null-dereference *: violated
   truth:   the access succeeds where the machine has such a register
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
uint32_t f(void) { return UART1->DR; }
#ifdef TRUTH
int main(void) { page(0x40011000u); UART1->DR = 7; if (f() == 7) abort(); return 0; }
#endif
