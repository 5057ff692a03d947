/* Atexit handler is not looked at, VERDICT: true.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   the assertion in the handler fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int g;
static void h(void) { assert(g==0); }
int main(void) { atexit(h); g = __VERIFIER_nondet_int(); return 0; }
#ifdef TRUTH
int __VERIFIER_nondet_int(void) { return 1; }
#endif
