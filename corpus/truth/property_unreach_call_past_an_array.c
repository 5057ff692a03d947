/* reach_error stands behind an access outside of an array.
   command: check FILE --property unreach-call --timeout 20
   never:   VERDICT: true
   truth:   reach_error is called
   judge:   gcc -w, and the program aborts
*/
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[2] = {0, 0};
  volatile int i = 3;
  int k = i;
  int r = a[k];
  if (k == 3) reach_error();
  return r;
}
