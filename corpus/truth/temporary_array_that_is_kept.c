/* An array in the result of a call ends with the expression.
   command: check FILE --function f --timeout 20
   never:   VERDICT: true
   truth:   the object has ended
*/
struct s { int a[2]; };
static struct s g(int k) { struct s r = { { k, k } }; return r; }
int f(unsigned char k)
{
    int *p = g(k).a;
    return p[1];
}
