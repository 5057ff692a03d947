/* Struct assignment of bit-fields leaves the bytes unchanged for char *.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (\*c == 5): holds
   truth:   assertion fails: c may point to the bytes of *p
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
struct B { int b : 8; };
void f(struct B *p, struct B *q, unsigned char *c) {
  if (!p || !q || !c) return;
  *c = 5;
  *p = *q;
  assert(*c == 5);
}
#ifdef TRUTH
int main(void) { struct B a = {1}, b = {2}; f(&a, &b, (unsigned char *)&a); return 0; }
#endif
