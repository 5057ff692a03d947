/* A switch enters a while loop at three places.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(unsigned m){ int n=0; int c=4; switch(m&3){ case 0: while(c>0){ n+=2; case 1: n++; case 2: c--; } } assert(n!=10);
 return n; }
#ifdef TRUTH
int main(void){return f(1);}
#endif
