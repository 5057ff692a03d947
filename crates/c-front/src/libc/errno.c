/* errno: one object; the engines' own models of other functions may set it by its name. */

//@ __errno_location
int __glassbox_errno;

int *__lib___errno_location(void)
{
    return &__glassbox_errno;
}
