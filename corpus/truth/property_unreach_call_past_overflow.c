/* reach_error is called where a sum wraps.
   command: check FILE --property unreach-call --timeout 20
   never:   VERDICT: true
   truth:   reach_error is called
   judge:   gcc -w, and the program aborts
*/
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);
static int f(int x) {
  int y = x + 1;
  if (y < x) reach_error();
  return y;
}
int main(void) {
  volatile int top = 2147483647;
  return f(top);
}
