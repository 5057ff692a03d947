/* `setenv` changes `environ`, which the program only declares.
   command: check FILE --assertions-only --no-exec --timeout 10
   never:   assertion (before == environ): holds
   truth:   the first new variable makes a new array
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <stdlib.h>
extern char **environ;
int f(void) { char **before = environ; setenv("GLASSBOX_A", "b", 1); assert(before == environ); return 0; }
#ifdef TRUTH
int main(void) { return f(); }
#endif
