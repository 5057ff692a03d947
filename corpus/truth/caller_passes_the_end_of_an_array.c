/* A function is fine with good pointers, but a caller passes the end of an array.
   command: check FILE --timeout 10 --no-exec
   never:   VERDICT: true
   truth:   get reads behind the array
   judge:   gcc -w -fsanitize=address, and the program aborts
*/
struct s { int v; };
int get(struct s *s) { if (!s) return 0; return s->v; }
int call(void) { struct s x[2] = {{1},{2}}; return get(x + 2); }
int main(void) { return call(); }
