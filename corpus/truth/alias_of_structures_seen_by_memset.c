/* A structure may be cleared through a pointer to another structure.
   command: gen FILE --no-exec --timeout 10
   never:   p->x != 1 is true: infeasible
   truth:   it is true for f(&x, (struct b *)&x)
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
#include <string.h>
struct a { int x; float y; };
struct b { float y; int z; };
int f(struct a *p, struct b *q)
{
    if (!p || !q)
        return 0;
    p->x = 1;
    memset(q, 0, sizeof *q);
    if (p->x != 1)
        return 1;
    return 0;
}
#ifdef TRUTH
int main(void) { struct a x; if (f(&x, (struct b *)&x)) abort(); return 0; }
#endif
