/* A pointer to a pointer to constants and one to variables may be the same object: compilers do not tell them apart.
   command: gen FILE --no-exec --timeout 10
   never:   *a is true: infeasible
   truth:   it is true for f((const char **)&x, &x)
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
static char text[] = "x";
int f(const char **a, char **b) { *a = 0; *b = text; if (*a) return 1; return 0; }
#ifdef TRUTH
int main(void) { char *x; if (f((const char **)&x, &x)) abort(); return 0; }
#endif
