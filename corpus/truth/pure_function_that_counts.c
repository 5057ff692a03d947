/* A function that is declared `pure` changes something: calls of it may be one.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (n == 2): holds
   truth:   two calls with the same argument are one where gcc optimizes
   judge:   gcc -w -O2, and the program aborts
*/
#include <assert.h>
static int n;
__attribute__((pure, noinline)) static int count(int x) { n++; return x; }
int f(int x) { n = 0; int r = count(x) + count(x); assert(n == 2); return r; }
int main(void) { return f(0); }
