/* The name of the program begins with any letter.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int main(int c,char**v){ if(c<1) return 0; char ch=v[0][0]; assert(ch!='/');
 return 0; }
