/* The address of the first member of nothing, and of a member of an element of nothing.
   command: check FILE --timeout 10
   never:   VERDICT: true
   truth:   the sanitizer says "member access within null pointer"
   judge:   gcc -w -fsanitize=undefined -fno-sanitize-recover=all -DTRUTH, and the program aborts
*/
struct item { int key; int count; };
int f(struct item *a) { int *p = &a->key; return p != 0; }
#ifdef TRUTH
int main(void) { return f(0); }
#endif
