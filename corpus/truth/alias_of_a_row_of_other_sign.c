/* An element of an array and an integer of the other sign may be the same object.
   command: gen FILE --no-exec --timeout 10
   never:   (*a)[1] == 7 is true: infeasible
   truth:   it is true for f(&x, (unsigned *)x + 1)
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(int (*a)[2], unsigned *u) { (*a)[1] = 0; *u = 7; if ((*a)[1] == 7) return 1; return 0; }
#ifdef TRUTH
int main(void) { int x[2]; if (f(&x, (unsigned *)x + 1)) abort(); return 0; }
#endif
