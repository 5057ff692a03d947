/* The end of an object is another, as a number.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <stdint.h>
int main(void){ static int a[4],b[4]; uintptr_t x=(uintptr_t)(a+4),y=(uintptr_t)b,z=(uintptr_t)(b+4),w=(uintptr_t)a; assert(x!=y && z!=w);
 return 0; }
