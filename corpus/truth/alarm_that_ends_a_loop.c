/* An alarm ends what would go on for ever.
   command: check FILE --property termination --timeout 5
   never:   VERDICT: false
   truth:   the program ends after a second
   judge:   gcc -w, and the program aborts
*/
#include <signal.h>
#include <unistd.h>
static void end(int number) { _exit(3); }
int main(void) { signal(SIGALRM, end); alarm(1); for (;;); }
