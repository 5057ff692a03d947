/* A load whose value nobody uses is left out, and the null check stays.
   command: gen FILE --no-exec --timeout 10
   never:   p is false: infeasible
   truth:   the compiler leaves the load out
   judge:   gcc -w -O2 -fno-delete-null-pointer-checks -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(int *p) { int unused = *p; if (!p) return 1; return 0; }
#ifdef TRUTH
int main(void) { int *volatile p = 0; if (f(p)) abort(); return 0; }
#endif
