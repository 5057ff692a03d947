/* An index so large that the sum is in the address space of another object: the interpreter read that object.
   command: check FILE --no-exec --timeout 20
   never:   assertion (r != 5): violated
   truth:   a.i[0x40000000] is 4 GiB away, and the run ends there
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
struct s { int k; int i[2]; };
int f(unsigned i) {
  struct s a = {1}, b = {2, {5, 6}}, *q = &b;
  if (i != 0x40000000) return 0;
  int r = a.i[i];
  if (q->i[0] != 5) return 1;
  assert(r != 5);
  return 2;
}
#ifdef TRUTH
int main(void) { return f(0x40000000); }
#endif
