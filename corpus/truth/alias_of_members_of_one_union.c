/* Pointers to two members of one union lead to the same bytes.
   command: gen FILE --no-exec --timeout 10
   never:   a->x == 2 is true: infeasible
   truth:   it is true for f(&u.a, &u.b)
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
struct a { int x; };
struct b { int x; };
union u { struct a a; struct b b; } global;
int f(struct a *a, struct b *b) { a->x = 1; b->x = 2; if (a->x == 2) return 1; return 0; }
#ifdef TRUTH
int main(void) { if (f(&global.a, &global.b)) abort(); return 0; }
#endif
