/* Ten properties of the collision avoidance logic, in five pairs: safe, best, no unnecessary crossing, no
 * crossing, optimal. Each function assumes its situation, asks for an advisory and asserts. */
#include <assert.h>

extern void __VERIFIER_assume(int);
#include "../../examples/tcas.c"

static int threshold(void)
{
    __VERIFIER_assume(Alt_Layer_Value >= 0 && Alt_Layer_Value < 4);
    return Positive_RA_Alt_Thresh[Alt_Layer_Value];
}

void P1a(void)
{
    int t = threshold();
    __VERIFIER_assume(Up_Separation >= t && Down_Separation < t);
    assert(alt_sep_test() != DOWNWARD_RA);
}

void P1b(void)
{
    int t = threshold();
    __VERIFIER_assume(Up_Separation < t && Down_Separation >= t);
    assert(alt_sep_test() != UPWARD_RA);
}

void P2a(void)
{
    int t = threshold();
    __VERIFIER_assume(Up_Separation < t && Down_Separation < t && Down_Separation < Up_Separation);
    assert(alt_sep_test() != DOWNWARD_RA);
}

void P2b(void)
{
    int t = threshold();
    __VERIFIER_assume(Up_Separation < t && Down_Separation < t && Down_Separation > Up_Separation);
    assert(alt_sep_test() != UPWARD_RA);
}

void P3a(void)
{
    int t = threshold();
    __VERIFIER_assume(Up_Separation >= t && Down_Separation >= t);
    __VERIFIER_assume(Own_Tracked_Alt > Other_Tracked_Alt);
    assert(alt_sep_test() != DOWNWARD_RA);
}

void P3b(void)
{
    int t = threshold();
    __VERIFIER_assume(Up_Separation >= t && Down_Separation >= t);
    __VERIFIER_assume(Own_Tracked_Alt < Other_Tracked_Alt);
    assert(alt_sep_test() != UPWARD_RA);
}

void P4a(void)
{
    (void)threshold();
    __VERIFIER_assume(Own_Tracked_Alt > Other_Tracked_Alt);
    assert(alt_sep_test() != DOWNWARD_RA);
}

void P4b(void)
{
    (void)threshold();
    __VERIFIER_assume(Own_Tracked_Alt < Other_Tracked_Alt);
    assert(alt_sep_test() != UPWARD_RA);
}

void P5a(void)
{
    (void)threshold();
    __VERIFIER_assume(Down_Separation < Up_Separation);
    assert(alt_sep_test() != DOWNWARD_RA);
}

void P5b(void)
{
    (void)threshold();
    __VERIFIER_assume(Down_Separation > Up_Separation);
    assert(alt_sep_test() != UPWARD_RA);
}
