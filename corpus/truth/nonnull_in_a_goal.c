/* A goal that only a null pointer reaches, in a function whose declaration asks for none.
   command: gen FILE --no-exec --timeout 10
   never:   p == 0 is true: infeasible
   truth:   a caller passes null all the same, and gcc compiles the test where it does not know the attribute
   judge:   gcc -w -O0 -fno-delete-null-pointer-checks -DTRUTH, and the program aborts
*/
#include <stdlib.h>
__attribute__((nonnull)) int f(int *p);
int f(int *p) { if (p == 0) return 1; return *p; }
#ifdef TRUTH
int main(void) { int *volatile nothing = 0; if (f(nothing) == 1) abort(); return 0; }
#endif
