/* What `__builtin_constant_p` says depends on what the optimizer finds out.
   command: gen FILE --no-exec --timeout 10 -- -O2
   never:   __builtin_constant_p(x) is true: infeasible
   truth:   in a call with a constant that is inlined it is true
   judge:   gcc -w -O2 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
static inline int known(int x) { if (__builtin_constant_p(x)) return 1; return 0; }
int f(void) { return known(3); }
#ifdef TRUTH
int main(void) { if (f()) abort(); return 0; }
#endif
