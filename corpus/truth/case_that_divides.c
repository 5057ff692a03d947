/* What a case assumes divides by zero where nothing excludes it.
   command: check FILE --timeout 20
   never:   assertion (x != 0): holds
   truth:   assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
/*@ behavior small: assumes 10 / x < 20; ensures \result == 1; */
int f(int x) {
  assert(x != 0);
  return 1;
}
#ifdef TRUTH
int main(void) { return f(0) - 1; }
#endif
