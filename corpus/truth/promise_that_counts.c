/* A promise calls a function that changes what the next one speaks of.
   command: check FILE --timeout 20
   never:   holds
   truth:   conditions are about one state: none can be said to hold
*/
static int count;
static int bump(void) { return ++count % 2; }
/*@ ensures bump() || bump();
    ensures count == \old(count); */
int f(int x) { return x; }
