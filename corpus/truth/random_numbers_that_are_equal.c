/* Two random numbers may be equal.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (a != b): holds
   truth:   some day they are
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <stdlib.h>
void f(void) { long a = random(), b = random(); assert(a != b); }
#ifdef TRUTH
long random(void) { return 5; }
int main(void) { f(); return 0; }
#endif
