/* What every run executes is not infeasible because an assertion stops them all afterwards.
   command: gen FILE --no-exec --criterion statement --timeout 5
   never:   a = a & 7*: infeasible
   truth:   it is executed
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(int a) { a = a & 7; assert(0); return a; }
#ifdef TRUTH
int main(void) { return f(1); }
#endif
