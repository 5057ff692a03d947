/* Bytes may be written through a pointer to another type than the object has (C11 6.5p7).
   command: gen FILE --no-exec --timeout 10
   never:   *p != 1 is true: infeasible
   truth:   it is true for f(&x, (float *)&x)
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
#include <string.h>
int f(int *p, float *q)
{
    if (!p || !q)
        return 0;
    *p = 1;
    memset(q, 0, sizeof *q);
    if (*p != 1)
        return 1;
    return 0;
}
#ifdef TRUTH
int main(void) { int x; if (f(&x, (float *)&x)) abort(); return 0; }
#endif
