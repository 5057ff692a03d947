/* Characters of an object may be written through a pointer that came from one to another type.
   command: gen FILE --no-exec --timeout 10
   never:   *p != 1.0 is true: infeasible
   truth:   it is true for f(&x, (long *)&x)
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(double *p, long *q)
{
    if (!p || !q)
        return 0;
    *p = 1.0;
    unsigned char *bytes = (unsigned char *)q;
    bytes[7] = 0;
    if (*p != 1.0)
        return 1;
    return 0;
}
#ifdef TRUTH
int main(void) { double x; if (f(&x, (long *)&x)) abort(); return 0; }
#endif
