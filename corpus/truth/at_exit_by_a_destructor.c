/* A destructor asserts something at the end.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
static int x = 1;
__attribute__((destructor)) static void c(void){ assert(x == 1); }
int main(void){ x = 2; return 0; }
