/* The body of a nested function is not read, so its assertion is no property: nothing may be concluded from there being none.
   command: check FILE --assertions-only --no-exec
   never: VERDICT: true
   judge: gcc -w, and the program aborts */
#include <assert.h>
int f(int x)
{
    int g(void) { assert(x != 3); return 0; }
    return g();
}
int main(void) { return f(3); }
