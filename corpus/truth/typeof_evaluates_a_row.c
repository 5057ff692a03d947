/* `typeof` evaluates an operand whose type depends on a length that is not constant (GNU C, C23 6.7.2.5p3).
   command: check FILE --timeout 20
   never:   i == 0): holds
   truth:   i is 1
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(int n)
{
    if (n < 1 || n > 3)
        return 0;
    int m[2][n];
    int i = 0;
    m[0][0] = 0;
    typeof(m[i++]) x;
    x[0] = 1;
    assert(i == 0);
    return x[0];
}
#ifdef TRUTH
int main(void) { return f(2); }
#endif
