/* A constant local is written through a cast.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (x == 6): holds
   truth:   compilers know what a constant is
   judge:   gcc -w -O2, and the program aborts
*/
#include <assert.h>
int f(void) { const int x = 5; *(int *)&x = 6; assert(x == 6); return x; }
int main(void) { return f(); }
