/* Struct inheritance: a member behind the base struct gets the pointee type of a base member.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (tt->n == 1): holds
   truth:   assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
struct T { long m; long n; };
struct base { struct base *next; long v; };
struct derived { struct base b; struct T *t; };
void f(struct base *b, struct T *tt) {
  if (!b || !tt) return;
  if (b->v != 7) return;                      /* 7: it is a derived */
  struct derived *d = (struct derived *)b;
  if (!d->t) return;
  tt->n = 1;
  d->t->n = 2;
  assert(tt->n == 1);
}
#ifdef TRUTH
int main(void) { struct T t = {0, 0}; struct derived d = {{0, 7}, &t}; f(&d.b, &t); return 0; }
#endif
