/* A callee that is asked about by itself may still go wrong in a call, and the caller's assertion comes behind that.
   command: check FILE --timeout 20
   never:   x != 0): holds
   truth:   it fails where the division by zero does not end the run (its result is not used)
   judge:   gcc -w -O2 -DTRUTH, and the program aborts
*/
#include <assert.h>
int quotient(int x) { int r = 10 / x; return r; }
int f(int x)
{
    quotient(x);
    assert(x != 0);
    return 0;
}
#ifdef TRUTH
int main(int argc, char **argv) { return f(argc - 1); }
#endif
