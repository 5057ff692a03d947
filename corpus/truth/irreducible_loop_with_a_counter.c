/* goto into the middle of a loop that counts.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(int k){ int i=0,n=0; if(k) goto mid; i=5; top: if(i>=8) goto end; n++; mid: i++; goto top; end: assert(n<=3);
 return n; }
#ifdef TRUTH
int main(void){return f(1);}
#endif
