/* Flags that are handed on to the preprocessor are read by the compiler, too.
   command: check FILE --assertions-only --no-exec --timeout 10 -- -Wp,-funsigned-char
   never:   assertion (c < 128): holds
   truth:   it fails for f('\xff')
   judge:   gcc -w -DTRUTH -Wp,-funsigned-char, and the program aborts
*/
#include <assert.h>
int f(char c) { assert(c < 128); return 0; }
#ifdef TRUTH
int main(void) { return f('\xff'); }
#endif
