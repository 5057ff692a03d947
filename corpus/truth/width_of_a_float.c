/* A number goes through a float.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
static int tr(float f){ return (int)f; }
int f(int n){ if(n<0||n>20000000) return 0; assert(tr(n)==n);
 return 0; }
#ifdef TRUTH
int main(void){ return f(16777217);}
#endif
