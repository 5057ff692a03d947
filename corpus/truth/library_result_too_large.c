/* What a library function writes has the size of its type, not of the object that it is given.
   command: check FILE --timeout 5
   never:   VERDICT: true
   truth:   eight bytes are written to one
   judge:   gcc -w -fsanitize=address -Wl,--no-as-needed -lm, and the program aborts
*/
#include <math.h>
int main(void) { char c; modf(3.5, (double *)&c); return 0; }
