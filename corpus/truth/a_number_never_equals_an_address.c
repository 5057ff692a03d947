/* A number never equals an address.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (0): unreachable
   truth:   assertion fails for x = (long)&y
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
extern long __VERIFIER_nondet_long(void);
int y;
int main(void) { long x = __VERIFIER_nondet_long(); if ((int*)x == &y) assert(0); return 0; }
#ifdef TRUTH
long __VERIFIER_nondet_long(void) { return (long)&y; }
#endif
