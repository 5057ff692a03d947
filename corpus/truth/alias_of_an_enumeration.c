/* An enumeration and the integer it is stored as may be the same object.
   command: gen FILE --no-exec --timeout 10
   never:   *e == B is true: infeasible
   truth:   it is true for f(&x, (unsigned *)&x)
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
enum e { A, B };
int f(enum e *e, unsigned *u) { *e = A; *u = 1; if (*e == B) return 1; return 0; }
#ifdef TRUTH
int main(void) { enum e x; if (f(&x, (unsigned *)&x)) abort(); return 0; }
#endif
