/* A literal may be the end of another one.
   command: gen FILE --no-exec --timeout 10
   never:   a + 1 == b is true: infeasible
   truth:   it is true with optimization
   judge:   gcc -w -DTRUTH -O2, and the program aborts
*/
#include <stdlib.h>
int f(void) { const char *a = "xabc", *b = "abc"; if (a + 1 == b) return 1; return 0; }
#ifdef TRUTH
int main(void) { if (f()) abort(); return 0; }
#endif
