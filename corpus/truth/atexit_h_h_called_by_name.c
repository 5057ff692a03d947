/* Atexit(h), h called by name before: "every path was followed".
   command: check FILE --assertions-only --timeout 20
   never:   assertion (g==0): holds: every path
   truth:   assertion fails at exit. The same with pthread_create(&t, 0, h, 0)
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int g;
static void h(void) { assert(g==0); }
int main(void) { if (__VERIFIER_nondet_int()) h(); atexit(h); g = 1; return 0; }
#ifdef TRUTH
int __VERIFIER_nondet_int(void) { return 0; }
#endif
