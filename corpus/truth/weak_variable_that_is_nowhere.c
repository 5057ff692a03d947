/* A weak variable that nobody defines is at null.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
extern int wv __attribute__((weak));
int main(void){ int *p = &wv; assert(p != 0);
 return 0; }
