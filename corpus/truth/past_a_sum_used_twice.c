/* The sum wraps for one use and not for the other.
   command: gen FILE --no-exec --timeout 10
   never:   y == INT_MIN is true: infeasible
   truth:   INT_MAX + 1 is INT_MIN without optimization
   judge:   gcc -w -O0 -DTRUTH, and the program aborts
*/
#include <limits.h>
#include <stdlib.h>
int f(int x) { if (x != INT_MAX) return 0; int y = x + 1; if (y == INT_MIN) return 1; return 0; }
#ifdef TRUTH
int main(void) { volatile int x = INT_MAX; if (f(x)) abort(); return 0; }
#endif
