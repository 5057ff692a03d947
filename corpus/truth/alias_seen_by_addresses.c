/* Pointers to different types may have one address: only accesses are limited by types (C11 6.5p7).
   command: check FILE --timeout 20
   never:   assertion *: holds
   truth:   both lead to one object
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
struct a { int x; };
struct b { float y; };
void numbers(int *p, float *q)
{
    if (!p || !q)
        return;
    assert((void *)p != (void *)q);
}
void widths(int *p, short *q)
{
    if (!p || !q)
        return;
    assert((void *)p != (void *)q);
}
void structures(struct a *p, struct b *q)
{
    if (!p || !q)
        return;
    assert((void *)p != (void *)q);
}
int global;
void globals(float *q)
{
    if (!q)
        return;
    assert((void *)q != (void *)&global);
}
#ifdef TRUTH
int main(void) { double d = 0; numbers((int *)&d, (float *)&d); return 0; }
#endif
