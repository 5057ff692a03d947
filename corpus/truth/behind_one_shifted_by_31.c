/* What stands behind 1 << 31, which gcc defines, is not dead.
   command: gen FILE --no-exec --timeout 10
   never:   x & m is true: infeasible
   truth:   it is true for f(0x80000000)
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(unsigned x) { int m = 1 << 31; if (x & m) return 1; return 0; }
#ifdef TRUTH
int main(void) { if (f(0x80000000u)) abort(); return 0; }
#endif
