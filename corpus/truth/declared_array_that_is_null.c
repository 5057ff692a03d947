/* A parameter that is written as an array is null.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(int a[4]){ assert(a!=0); return 0; }
#ifdef TRUTH
int main(void){ return f(0);}
#endif
