/* A variable is changed and read, and nothing says in which order.
   command: gen FILE --no-exec --timeout 10
   never:   j == 2 * x is true: infeasible
   truth:   undefined: the old value or the new one is read
   judge:   clang-19 -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(int x) { if (x < 0 || x > 9) return 0; int i = x; int j = i + i++; if (j == 2 * x) return 1; return 0; }
#ifdef TRUTH
int main(void) { volatile int x = 3; if (f(x)) abort(); return 0; }
#endif
