/* A text fills its member, and its length is that of the next one, too.
   command: check FILE --timeout 20
   never:   VERDICT: true
   judge:   gcc -O0 -DMAIN, and the program aborts
   truth:   the text has no end in its array (C11 7.24.6.3, 6.5.6p8)
*/
#include <stdlib.h>
#include <string.h>
struct name { char first[4]; char last[4]; };
unsigned long f(void) {
  struct name n = {{'a', 'b', 'c', 'd'}, {'x', 0}};
  return strlen(n.first);
}
#ifdef MAIN
int main(void) {
  if (f() >= sizeof(((struct name *)0)->first)) abort();
}
#endif
