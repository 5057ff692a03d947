/* An input pointer may lead to a constant variable.
   command: gen FILE --no-exec --timeout 10
   never:   p == &limit is true: infeasible
   truth:   it is true for f(&limit)
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
const int limit = 3;
int f(const int *p) { if (p == &limit) return 1; return 0; }
#ifdef TRUTH
int main(void) { if (f(&limit)) abort(); return 0; }
#endif
