/* A call passes one object through two `restrict` parameters.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (r == 2): holds
   truth:   C11 6.7.3.1p4: undefined, and the old value is taken
   judge:   gcc -w -O2, and the program aborts
*/
#include <assert.h>
__attribute__((noinline)) static int set(int *restrict p, int *restrict q) { *p = 1; *q = 2; return *p; }
int f(void) { int a; int r = set(&a, &a); assert(r == 2); return 0; }
int main(void) { return f(); }
