/* A loop that never ends is one of `main`, whatever arguments it looks at.
   command: check FILE --property termination --timeout 5
   never:   VERDICT: true
   truth:   it runs until an alarm ends it
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#ifdef TRUTH
#include <unistd.h>
__attribute__((constructor)) static void limit(void) { alarm(1); }
#endif
int main(int argc, char **argv) { int x = 5; while (x) { if (argv[0]) x = x; } return 0; }
