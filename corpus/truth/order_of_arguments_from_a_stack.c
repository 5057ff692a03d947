/* Two numbers are taken from a stack in one expression.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (r == 1): holds
   truth:   either is taken first
   judge:   clang-19 -w, and the program aborts
*/
#include <assert.h>
static int s[2], n;
static int pop(void) { return s[--n]; }
static int minus(int a, int b) { return a - b; }
int f(void) { s[0] = 2; s[1] = 1; n = 2; int r = minus(pop(), pop()); assert(r == 1); return r; }
int main(void) { return f(); }
