/* A square that wraps around: compilers know its sign, and take the number as it is elsewhere.
   command: gen FILE --no-exec --timeout 10
   never:   s == 3 is false: infeasible
   truth:   46341 * 46341 is negative, and gcc leaves out the first comparison
   judge:   gcc -w -O2 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(int x) {
    int s = x * x;
    if (s < 0) return 1;
    if (s > 3) return 2;
    if (s == 0) return 3;
    if (s == 1) return 4;
    if (s == 2) return 5;
    if (s == 3) return 6;
    return 7;
}
#ifdef TRUTH
int main(void) { volatile int x = 46341; if (f(x) == 7) abort(); return 0; }
#endif
