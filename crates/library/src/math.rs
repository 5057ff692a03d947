//! math.h and fenv.h. What operators of the program representation compute has no need of the native body
//! but where its address is taken.

use glassbox_values::RoundingMode;

use crate::row::{Operator, Row, native, unmodeled};

pub(crate) const ROWS: &[Row] = &[
    native("double fabs(double)").twins().builtin().operator(Operator::Abs),
    native("double sqrt(double)").twins().builtin().errno().operator(Operator::Sqrt),
    native("double floor(double)")
        .twins()
        .builtin()
        .operator(Operator::Round(RoundingMode::TowardNegative)),
    native("double ceil(double)")
        .twins()
        .builtin()
        .operator(Operator::Round(RoundingMode::TowardPositive)),
    native("double trunc(double)")
        .twins()
        .builtin()
        .operator(Operator::Round(RoundingMode::TowardZero)),
    native("double round(double)")
        .twins()
        .builtin()
        .operator(Operator::Round(RoundingMode::NearestAway)),
    native("double rint(double)")
        .twins()
        .builtin()
        .operator(Operator::Round(RoundingMode::NearestEven)),
    native("double nearbyint(double)")
        .twins()
        .builtin()
        .operator(Operator::Round(RoundingMode::NearestEven)),
    native("double roundeven(double)").twins().operator(Operator::Round(RoundingMode::NearestEven)),
    native("double fmin(double, double)").twins().builtin().operator(Operator::Fmin),
    native("double fmax(double, double)").twins().builtin().operator(Operator::Fmax),
    native("double fmod(double, double)").twins().builtin().errno().operator(Operator::Fmod),
    native("double remainder(double, double)")
        .aliases(&["drem"])
        .twins()
        .builtin()
        .errno()
        .operator(Operator::Remainder),
    native("double copysign(double, double)").twins().builtin().operator(Operator::CopySign),
    native("double fma(double, double, double)").twins().builtin().errno().operator(Operator::Fma),
    unmodeled("int __isnan(double)").twins().operator(Operator::IsNan),
    unmodeled("int __isinf(double)").twins().operator(Operator::IsInfSign),
    unmodeled("int __finite(double)").twins().operator(Operator::IsFinite),
    unmodeled("int __signbit(double)").twins().operator(Operator::SignBit),
    native("double acos(double)").twins().builtin().errno(),
    native("double acosh(double)").twins().builtin().errno(),
    native("double asin(double)").twins().builtin().errno(),
    native("double asinh(double)").twins().builtin().errno(),
    native("double atan(double)").twins().builtin().errno(),
    native("double atan2(double, double)").twins().builtin().errno(),
    native("double atanh(double)").twins().builtin().errno(),
    native("double cbrt(double)").twins().builtin().errno(),
    native("double cos(double)").twins().builtin().errno(),
    native("double cosh(double)").twins().builtin().errno(),
    native("double erf(double)").twins().builtin().errno(),
    native("double erfc(double)").twins().builtin().errno(),
    native("double exp(double)").twins().builtin().errno(),
    native("double exp2(double)").twins().builtin().errno(),
    native("double exp10(double)").aliases(&["pow10"]).twins().builtin().errno(),
    native("double expm1(double)").twins().builtin().errno(),
    native("double fdim(double, double)").twins().builtin().errno(),
    native("double hypot(double, double)").twins().builtin().errno(),
    native("double lgamma(double)")
        .aliases(&["gamma"])
        .twins()
        .builtin()
        .errno()
        .changes(&["signgam", "__signgam"]),
    native("double log(double)").twins().builtin().errno(),
    native("double log10(double)").twins().builtin().errno(),
    native("double log1p(double)").twins().builtin().errno(),
    native("double log2(double)").twins().builtin().errno(),
    native("double logb(double)").twins().builtin().errno(),
    native("double nextafter(double, double)").twins().builtin().errno(),
    native("double pow(double, double)").twins().builtin().errno(),
    native("double sin(double)").twins().builtin().errno(),
    native("double sinh(double)").twins().builtin().errno(),
    native("double tan(double)").twins().builtin().errno(),
    native("double tanh(double)").twins().builtin().errno(),
    native("double tgamma(double)").twins().builtin().errno(),
    native("double j0(double)").twins().errno(),
    native("double j1(double)").twins().errno(),
    native("double y0(double)").twins().errno(),
    native("double y1(double)").twins().errno(),
    native("double jn(int, double)").errno(),
    native("double yn(int, double)").errno(),
    native("double ldexp(double, int)").twins().builtin().errno(),
    native("double scalbn(double, int)").twins().builtin().errno(),
    native("double scalbln(double, long)").twins().builtin().errno(),
    native("int ilogb(double)").twins().builtin().errno(),
    native("long lrint(double)").twins().builtin().errno(),
    native("long long llrint(double)").twins().builtin().errno(),
    native("long lround(double)").twins().builtin().errno(),
    native("long long llround(double)").twins().builtin().errno(),
    native("double frexp(double, int *)").twins().builtin().writes(1),
    native("double modf(double, double *)").twins().builtin().writes(1),
    native("double remquo(double, double, int *)").twins().builtin().writes(2).errno(),
    native("double lgamma_r(double, int *)").writes(1).errno(),
    native("float lgammaf_r(float, int *)").writes(1).errno(),
    native("void sincos(double, double *, double *)").writes(1).writes(2).errno(),
    native("double nan(const char *)").twins(),
    native("int __fpclassify(double)").twins(),
    native("int fegetround(void)").surroundings(),
    native("int feclearexcept(int)").surroundings(),
    unmodeled("int fesetround(int)").changes_rounding().surroundings(),
    unmodeled("int fesetenv(const fenv_t *)").changes_rounding().surroundings(),
    unmodeled("int feupdateenv(const fenv_t *)").changes_rounding().surroundings(),
];
