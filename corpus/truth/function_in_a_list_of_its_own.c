/* A function in a section of its own is called through the symbols that the linker makes.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (x == 1): holds
   truth:   the assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
static int x = 1;
static void boot(void) { x = 2; }
typedef void (*call)(void);
__attribute__((section("initcalls"), used)) static call p = boot;
extern call __start_initcalls[], __stop_initcalls[];
int main(void) { for (call *c = __start_initcalls; c < __stop_initcalls; c++) (*c)(); assert(x == 1); return 0; }
