/* With `-fgnu89-inline`, `extern inline` gives no definition: the one of the other file is called.
   command: check FILE --assertions-only --no-exec --timeout 10 -- -fgnu89-inline
   never:   assertion (g() == 1): holds
   truth:   the definition without `inline` counts
   judge:   gcc -w -DTRUTH -fgnu89-inline, and the program aborts
*/
#include <assert.h>
extern inline int g(void) { return 1; }
int g(void) { return 2; }
int f(void) { assert(g() == 1); return 0; }
#ifdef TRUTH
int main(void) { return f(); }
#endif
