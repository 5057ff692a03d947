/* Without optimizing, an element of a literal is no constant to gcc.
   command: check FILE --assertions-only --no-exec --timeout 10
   never:   assertion (__builtin_constant_p("abc"[1])): holds
   truth:   gcc says that it is none
   judge:   gcc -w -O0 -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(void) { assert(__builtin_constant_p("abc"[1])); return 0; }
#ifdef TRUTH
int main(void) { return f(); }
#endif
