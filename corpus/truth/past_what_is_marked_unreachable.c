/* What is marked unreachable is reached.
   command: gen FILE --no-exec --timeout 10
   never:   c == 5 is true: infeasible
   truth:   nothing stands in its place
   judge:   gcc -w -O0 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(int c) { if (c > 0) __builtin_unreachable(); if (c == 5) return 1; return 0; }
#ifdef TRUTH
int main(void) { volatile int c = 5; if (f(c)) abort(); return 0; }
#endif
