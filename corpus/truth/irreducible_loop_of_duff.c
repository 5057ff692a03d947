/* Duff's device counts one number.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(int n){ int c=0; if(n<=0||n>40) return 0; int k=(n+3)/4; switch(n%4){ case 0: do { c++; case 3: c++; case 2: c++; case 1: c++; } while(--k>0); } assert(c!=13);
 return c; }
#ifdef TRUTH
int main(void){ for(int i=1;i<40;i++) f(i); return 0;}
#endif
