/* A number fills its member, and the digits of the next one belong to it.
   command: check FILE --timeout 20
   never:   VERDICT: true
   judge:   gcc -O0 -DMAIN, and the program aborts
   truth:   C11 7.22.1.2, 6.5.6p8
*/
#include <stdlib.h>
struct record { char year[2]; char month[3]; };
int f(void) {
  struct record r = {{'2', '6'}, {'1', '1', 0}};
  return atoi(r.year);
}
#ifdef MAIN
int main(void) {
  if (f() > 99) abort();
}
#endif
