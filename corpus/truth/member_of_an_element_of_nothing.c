/* The address of a member of an element, where there is no array.
   command: check FILE --timeout 10
   never:   VERDICT: true
   truth:   the sanitizer says "member access within null pointer"
   judge:   gcc -w -fsanitize=undefined -fno-sanitize-recover=all -DTRUTH, and the program aborts
*/
struct item { int key; int count; };
int f(struct item *a, unsigned char i) { int *p = &a[i].count; return p != 0; }
#ifdef TRUTH
int main(void) { return f(0, 0); }
#endif
