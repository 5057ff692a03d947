/* A text that fills its member is compared, and so is the next member.
   command: check FILE --timeout 20
   never:   VERDICT: true
   judge:   gcc -O0 -fno-builtin -DMAIN, and the program aborts
   truth:   C11 7.24.4.2, 6.5.6p8
*/
#include <stdlib.h>
#include <string.h>
struct name { char first[4]; char last[4]; };
int f(void) {
  struct name n = {{'a', 'b', 'c', 'd'}, {'x', 0}};
  return strcmp(n.first, "abcdx");
}
#ifdef MAIN
int main(void) {
  if (f() == 0) abort();
}
#endif
