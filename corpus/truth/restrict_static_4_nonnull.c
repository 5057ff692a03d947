/* Restrict, [static 4], nonnull: inputs that the declaration excludes.
   command: check FILE --timeout 20
   never:   null-dereference *: violated by g: a = NULL
   truth:   no valid call violates anything here: C11 6.7.6.3p7 (static), 6.7.3.1 (restrict), attribute nonnull; gcc's sanitizer blames the test itself ("null pointer passed as argument 1, which is declared to never be null")
*/
#include <assert.h>
void f(int *restrict p, int *restrict q) { if (!p || !q) return; *p = 1; *q = 2; assert(*p == 1); }
int g(int a[static 4]) { return a[3]; }
__attribute__((nonnull)) int h(int *p) { return *p; }
#ifdef TRUTH
int main(void) { int a[4] = {0}, b; f(&a[0], &b); g(a); h(a); return 0; }
#endif
