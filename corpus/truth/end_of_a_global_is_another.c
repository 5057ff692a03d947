/* The end of a global is another.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int g1[2]={1,1}, g2[2]={1,1}, g3[2]={1,1};
int main(void){ assert(g1+2!=g2 && g2+2!=g1 && g2+2!=g3 && g3+2 != g2);
 return 0; }
