/* A function whose address is in .fini_array runs after main.
   command: check FILE --assertions-only --timeout 10
   never:   VERDICT: true
   truth:   the assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
static int x = 1;
static void end(void) { assert(x == 1); }
__attribute__((section(".fini_array"), used)) static void (*p[])(void) = { end };
int main(void) { x = 2; return 0; }
