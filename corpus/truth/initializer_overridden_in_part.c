/* gcc forgets a structure of which one member is set again.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
struct in { int a, b; }; struct out { struct in i; int t; };
int f(signed char k){ struct in z={k,5}; struct out o={ .i=z, .i.a=77 }; assert(o.i.b==5);
 return 0; }
#ifdef TRUTH
int main(void){ return f(1); }
#endif
