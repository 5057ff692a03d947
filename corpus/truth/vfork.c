/* Vfork: the child writes the memory of its parent.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (x==1): holds
   truth:   assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <unistd.h>
extern int __VERIFIER_nondet_int(void);
int main(void) { int x = 1; if (vfork() == 0) { x = 2; _exit(0); } assert(x==1); return __VERIFIER_nondet_int(); }
#ifdef TRUTH
int __VERIFIER_nondet_int(void) { return 0; }
#endif
