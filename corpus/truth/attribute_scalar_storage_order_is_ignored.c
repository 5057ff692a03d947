/* Attribute scalar_storage_order is ignored.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (u.b[0]==1): holds
   truth:   assertion fails: b[3] is 1
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
struct __attribute__((scalar_storage_order("big-endian"))) S { int x; };
union U { struct S s; unsigned char b[4]; };
int main(void) { union U u; u.s.x = 1; assert(u.b[0]==1); return 0; }
