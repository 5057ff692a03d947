/* Tsearch calls the comparison: proved that it does not.
   command: check FILE --assertions-only --timeout 20
   never:   assertion *: holds
   truth:   assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <search.h>
extern int __VERIFIER_nondet_int(void);
static int cmp(const void *a, const void *b) { assert(*(int*)a != 7); return *(int*)a - *(int*)b; }
static int (*const cmps[2])(const void*, const void*) = { cmp, cmp };
int main(void) {
  void *root = 0; int x = __VERIFIER_nondet_int(), y = 1, z = 2;
  cmp(&y, &z);
  int k = __VERIFIER_nondet_int();
  tsearch(&y, &root, cmps[k&1]);
  tsearch(&x, &root, cmps[k&1]);
  return 0;
}
#ifdef TRUTH
int __VERIFIER_nondet_int(void) { return 7; }
#endif
