/* A pointer to nothing is no buffer.
   command: check FILE --timeout 5
   never:   VERDICT: true
   truth:   the fraction is written to nothing
   judge:   gcc -w -Wl,--no-as-needed -lm, and the program aborts
*/
#include <math.h>
int main(void) { return modf(3.5, 0) > 4; }
