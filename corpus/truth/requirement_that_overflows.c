/* What is required overflows: the inputs with which it does are not excluded by what it says.
   command: check FILE --timeout 20
   never:   assertion (x != 2147483647): holds
   truth:   assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
/*@ requires x + 1 > x; */
int f(int x) {
  assert(x != 2147483647);
  return x;
}
#ifdef TRUTH
int main(void) { return f(2147483647); }
#endif
