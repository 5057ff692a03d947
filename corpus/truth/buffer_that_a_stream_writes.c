/* Output goes into a buffer that the program gave.
   command: check FILE --timeout 20
   never:   assertion (buf[0]==0): holds
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdio.h>
#include <assert.h>
static char buf[64];
int main(void){ setvbuf(stdout,buf,_IOFBF,64); buf[0]=0; printf("x"); assert(buf[0]==0);
 return 0; }
