/* A function that is called reads outside of a table.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (i >= 0 && i < 3): holds
   truth:   the assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
int table[3] = {1, 2, 3};
static int get(int i) { return table[i]; }
static int f(int i) {
  int r = get(i);
  assert(i >= 0 && i < 3);
  return r;
}
int main(void) { return f(4); }
