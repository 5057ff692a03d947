/* An enumeration is compatible with the integer type that it is made of.
   command: check FILE --assertions-only --no-exec --timeout 10
   never:   assertion (!__builtin_types_compatible_p(enum e, unsigned)): holds
   truth:   gcc says that they are
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
enum e { A };
int f(void) { assert(!__builtin_types_compatible_p(enum e, unsigned)); return 0; }
#ifdef TRUTH
int main(void) { return f(); }
#endif
