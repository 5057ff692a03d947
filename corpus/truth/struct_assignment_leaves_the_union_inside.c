/* Struct assignment leaves the union inside unchanged for other pointers.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (\*ip == 5): holds
   truth:   assertion fails: ip may point to the union member of *p
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
struct S { double a; union { int i; unsigned u; } u; };
void f(struct S *p, struct S *q, int *ip) {
  if (!p || !q || !ip) return;
  *ip = 5;
  *p = *q;
  assert(*ip == 5);
}
#ifdef TRUTH
int main(void) { struct S a = {0}, b = {0}; b.u.i = 7; f(&a, &b, &a.u.i); return 0; }
#endif
