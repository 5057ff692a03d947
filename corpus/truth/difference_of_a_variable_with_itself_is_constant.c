/* What folds to a constant is one to gcc, optimized or not.
   command: check FILE --assertions-only --no-exec --timeout 10
   never:   assertion (!__builtin_constant_p(x - x)): holds
   truth:   gcc says that it is one
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(int x) { assert(!__builtin_constant_p(x - x)); return 0; }
#ifdef TRUTH
int main(void) { return f(3); }
#endif
