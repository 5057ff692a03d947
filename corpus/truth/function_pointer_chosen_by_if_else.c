/* Function pointer chosen by if/else: the assertion in the callee is not looked at, VERDICT: true.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   the assertion in h fails for k = 3, x = 3
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static void h0(int x) { }
static void h(int x) { assert(x != 3); }
int main(void) {
  void (*p)(int);
  int k = __VERIFIER_nondet_int();
  if (k) p = h; else p = h0;
  p(__VERIFIER_nondet_int());
  return 0;
}
#ifdef TRUTH
int __VERIFIER_nondet_int(void) { return 3; }
#endif
