/* A function writes what it is given, and a caller gives it a text of the source.
   command: check FILE --timeout 10 --no-exec
   never:   VERDICT: true
   truth:   a literal is written
   judge:   gcc -w, and the program aborts
*/
void set(char *p) { if (p) *p = 'x'; }
int main(void) { set("abc"); return 0; }
