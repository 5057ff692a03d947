/* Which numbers follow a seed is up to the library.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (rand() != 5): holds
   truth:   another library gives 5
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <stdlib.h>
void f(void) { srand(42); assert(rand() != 5); }
#ifdef TRUTH
int rand(void) { return 5; }
int main(void) { f(); return 0; }
#endif
