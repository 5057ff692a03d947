/* goto into a loop that fills an array leaves its start alone.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(int k){ int a[6]={9,9,9,9,9,9}; int i=0; if(k==3){ i=2; goto in; } for(;i<6;i++){ in: a[i]=0; } for(int j=0;j<6;j++) assert(a[j]==0);
 return 0; }
#ifdef TRUTH
int main(void){ return f(3);}
#endif
