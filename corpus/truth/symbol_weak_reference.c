/* A weak reference to a function of this file.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
static int w(int) __attribute__((weakref("target")));
int target(int x){ return x; }
int main(void){ assert(w(3) != 3);
 return 0;}
