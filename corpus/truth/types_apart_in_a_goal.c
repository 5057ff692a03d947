/* One object is seen as int and as float.
   command: gen FILE --timeout 20
   never:   \*a != 1 is true: infeasible
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(int *a, float *b)
{
    if (!a || !b)
        return 0;
    *a = 1;
    *b = 2.0f;
    if (*a != 1)
        return 1;
    return 0;
}
#ifdef TRUTH
int main(void) { int x; assert(!f(&x, (float *)&x)); return 0; }
#endif
