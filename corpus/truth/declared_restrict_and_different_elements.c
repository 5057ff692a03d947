/* Two restrict parameters, one array, different elements.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(int*restrict a,int*restrict b){ if(!a||!b) return 0; a[0]=1; b[1]=2; assert(b+1!=a+1 || 0);
 return 0; }
#ifdef TRUTH
int main(void){ int x[2]; return f(x,x);}
#endif
