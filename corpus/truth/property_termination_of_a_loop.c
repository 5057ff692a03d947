/* A loop never ends.
   command: check FILE --property termination --timeout 20
   never:   VERDICT: true
   truth:   the first number is never reached
*/
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  while (x != 0) {
    if (x > 0) x = x - 1;
  }
  return 0;
}
