/* The number before 0x80000000 is 0x7fffffff where numbers have no sign.
   command: gen FILE --no-exec --criterion boundary --timeout 5
   never:   x is one below 0x80000000u*: infeasible
   truth:   0x7fffffff is an input
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(unsigned x) { return x == 0x80000000u; }
#ifdef TRUTH
int main(void) { unsigned x = 0x7fffffffu; if (!f(x) && f(x + 1)) abort(); return 0; }
#endif
