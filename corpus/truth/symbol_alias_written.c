/* A variable is written by its other name.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int a = 1; extern int b __attribute__((alias("a")));
int main(void){ b = 2; assert(a == 1);
 return 0; }
