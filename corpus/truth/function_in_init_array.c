/* A function whose address is in .init_array runs before main.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (x == 1): holds
   truth:   the assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
static int x = 1;
static void boot(void) { x = 2; }
__attribute__((section(".init_array"), used)) static void (*p)(void) = boot;
int main(void) { assert(x == 1); return 0; }
