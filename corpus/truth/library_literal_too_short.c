/* A literal has an end like other objects.
   command: check FILE --timeout 5
   never:   VERDICT: true
   truth:   ten bytes of four are read
   judge:   gcc -w -fsanitize=address, and the program aborts
*/
#include <stdio.h>
int main(void) { fwrite("abc", 1, 10, stdout); return 0; }
