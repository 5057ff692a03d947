/* A function has another name.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int real(int x){ return x + 1; }
int other(int x) __attribute__((alias("real")));
int main(void){ assert(other(1) != 2);
 return 0; }
