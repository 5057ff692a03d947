/* A row is seen as a double.
   command: check FILE --timeout 20
   never:   assertion (m[0][1]==1): holds
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(int (*m)[2],double*d){ if(!m||!d) return 0; m[0][1]=1; *d=0; assert(m[0][1]==1);
 return 0; }
#ifdef TRUTH
int main(void){ int m[1][2]; return f(m,(double*)m); }
#endif
