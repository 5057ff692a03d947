/* An if is a block, with which a literal in its condition ends.
   command: check FILE --function f --timeout 20
   never:   VERDICT: true
   truth:   the object has ended
   judge:   gcc -w -DTRUTH -fsanitize=address, and the program aborts
*/
int f(unsigned char k)
{
    int *p = 0;
    if ((p = (int[]){ k }) && k > 3)
        k++;
    return *p;
}
#ifdef TRUTH
int main(void) { return f(9) * 0; }
#endif
