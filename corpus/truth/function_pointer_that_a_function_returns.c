/* Function pointer that a function returns: the same.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   the assertion in h fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static void h(int x) { assert(x != 3); }
typedef void (*fn)(int);
static fn pick(void) { return h; }
int main(void) { pick()(__VERIFIER_nondet_int()); return 0; }
#ifdef TRUTH
int __VERIFIER_nondet_int(void) { return 3; }
#endif
