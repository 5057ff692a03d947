/* The third argument of main.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int main(int c,char**v,char**e){ assert(e==0 || e[0]==0);
 return 0; }
