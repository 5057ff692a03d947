/* A function that is only declared, and that asks for a pointer to something, gets null.
   command: check FILE --function f --timeout 10
   never:   VERDICT: true
   truth:   the sanitizer says "null pointer passed as argument 1, which is declared to never be null"
   judge:   gcc -w -fsanitize=undefined -fno-sanitize-recover=all -DTRUTH, and the program aborts
*/
int outside(int *p) __attribute__((nonnull(1)));
int f(int *p) { return outside(p) > 3; }
#ifdef TRUTH
__asm__(".globl outside\noutside: xorl %eax, %eax\n ret");
int main(void) { return f(0); }
#endif
