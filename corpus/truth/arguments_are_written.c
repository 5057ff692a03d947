/* Arguments can be changed.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int main(int c,char**v){ if(c<1||!v[0]) return 0; v[0][0]='z'; char*p=v[0]; assert(p[0]!='z');
 return 0; }
