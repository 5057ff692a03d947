/* A function that returns a number is called as one that returns nothing.
   command: check FILE --timeout 10
   never:   bad-call *: holds
   truth:   C11 6.3.2.3p8: undefined
*/
int f(char a) { return a + 1; }
void g(void) { void (*p)(char) = (void (*)(char))f; p('x'); }
