/* `__builtin_LINE` is the line that it stands on.
   command: check FILE --assertions-only --no-exec --timeout 10
   never:   assertion (__builtin_LINE() == 0): holds
   truth:   it is 8
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(void) { assert(__builtin_LINE() == 0); return 0; }
#ifdef TRUTH
int main(void) { return f(); }
#endif
