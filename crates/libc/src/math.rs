//! Functions of math.h, by the host's library.

use crate::catalog::Model;
use crate::env::{Answer, Env, int, long};
use crate::host_math as host;
use crate::math_errors::{domain_or_range, range_of_power};

macro_rules! unary {
    ($function:ident) => {
        |env| {
            let x = env.double(0)?;
            let result = host::$function(x);
            domain_or_range(env, stringify!($function), &[x], result);
            env.double_result(result)
        }
    };
}

macro_rules! unary_float {
    ($function:ident) => {
        |env| {
            let x = env.float(0)?;
            let result = host::$function(x);
            domain_or_range(env, stringify!($function), &[x.into()], result.into());
            env.float_result(result)
        }
    };
}

macro_rules! binary {
    ($function:ident) => {
        |env| {
            let (x, y) = (env.double(0)?, env.double(1)?);
            let result = host::$function(x, y);
            domain_or_range(env, stringify!($function), &[x, y], result);
            env.double_result(result)
        }
    };
}

macro_rules! binary_float {
    ($function:ident) => {
        |env| {
            let (x, y) = (env.float(0)?, env.float(1)?);
            let result = host::$function(x, y);
            domain_or_range(env, stringify!($function), &[x.into(), y.into()], result.into());
            env.float_result(result)
        }
    };
}

/// The functions of the catalogue that this file has bodies for.
pub(crate) const NATIVES: &[(&str, Model)] = &[
    ("acos", unary!(acos)),
    ("acosh", unary!(acosh)),
    ("asin", unary!(asin)),
    ("asinh", unary!(asinh)),
    ("atan", unary!(atan)),
    ("atanh", unary!(atanh)),
    ("cbrt", unary!(cbrt)),
    ("ceil", unary!(ceil)),
    ("cos", unary!(cos)),
    ("cosh", unary!(cosh)),
    ("erf", unary!(erf)),
    ("erfc", unary!(erfc)),
    ("exp", unary!(exp)),
    ("exp10", unary!(exp10)),
    ("exp2", unary!(exp2)),
    ("expm1", unary!(expm1)),
    ("fabs", unary!(fabs)),
    ("floor", unary!(floor)),
    ("j0", unary!(j0)),
    ("j1", unary!(j1)),
    ("lgamma", unary!(lgamma)),
    ("log", unary!(log)),
    ("log10", unary!(log10)),
    ("log1p", unary!(log1p)),
    ("log2", unary!(log2)),
    ("logb", unary!(logb)),
    ("nearbyint", unary!(nearbyint)),
    ("rint", unary!(rint)),
    ("round", unary!(round)),
    ("roundeven", unary!(roundeven)),
    ("sin", unary!(sin)),
    ("sinh", unary!(sinh)),
    ("sqrt", unary!(sqrt)),
    ("tan", unary!(tan)),
    ("tanh", unary!(tanh)),
    ("tgamma", unary!(tgamma)),
    ("trunc", unary!(trunc)),
    ("y0", unary!(y0)),
    ("y1", unary!(y1)),
    ("atan2", binary!(atan2)),
    ("copysign", binary!(copysign)),
    ("fdim", binary!(fdim)),
    ("fmax", binary!(fmax)),
    ("fmin", binary!(fmin)),
    ("fmod", binary!(fmod)),
    ("hypot", binary!(hypot)),
    ("nextafter", binary!(nextafter)),
    ("pow", binary!(pow)),
    ("remainder", binary!(remainder)),
    ("acosf", unary_float!(acosf)),
    ("acoshf", unary_float!(acoshf)),
    ("asinf", unary_float!(asinf)),
    ("asinhf", unary_float!(asinhf)),
    ("atanf", unary_float!(atanf)),
    ("atanhf", unary_float!(atanhf)),
    ("cbrtf", unary_float!(cbrtf)),
    ("ceilf", unary_float!(ceilf)),
    ("cosf", unary_float!(cosf)),
    ("coshf", unary_float!(coshf)),
    ("erff", unary_float!(erff)),
    ("erfcf", unary_float!(erfcf)),
    ("expf", unary_float!(expf)),
    ("exp10f", unary_float!(exp10f)),
    ("exp2f", unary_float!(exp2f)),
    ("expm1f", unary_float!(expm1f)),
    ("fabsf", unary_float!(fabsf)),
    ("floorf", unary_float!(floorf)),
    ("j0f", unary_float!(j0f)),
    ("j1f", unary_float!(j1f)),
    ("lgammaf", unary_float!(lgammaf)),
    ("logf", unary_float!(logf)),
    ("log10f", unary_float!(log10f)),
    ("log1pf", unary_float!(log1pf)),
    ("log2f", unary_float!(log2f)),
    ("logbf", unary_float!(logbf)),
    ("nearbyintf", unary_float!(nearbyintf)),
    ("rintf", unary_float!(rintf)),
    ("roundf", unary_float!(roundf)),
    ("roundevenf", unary_float!(roundevenf)),
    ("sinf", unary_float!(sinf)),
    ("sinhf", unary_float!(sinhf)),
    ("sqrtf", unary_float!(sqrtf)),
    ("tanf", unary_float!(tanf)),
    ("tanhf", unary_float!(tanhf)),
    ("tgammaf", unary_float!(tgammaf)),
    ("truncf", unary_float!(truncf)),
    ("y0f", unary_float!(y0f)),
    ("y1f", unary_float!(y1f)),
    ("atan2f", binary_float!(atan2f)),
    ("copysignf", binary_float!(copysignf)),
    ("fdimf", binary_float!(fdimf)),
    ("fmaxf", binary_float!(fmaxf)),
    ("fminf", binary_float!(fminf)),
    ("fmodf", binary_float!(fmodf)),
    ("hypotf", binary_float!(hypotf)),
    ("nextafterf", binary_float!(nextafterf)),
    ("powf", binary_float!(powf)),
    ("remainderf", binary_float!(remainderf)),
    ("fma", fma),
    ("fmaf", fmaf),
    ("ldexp", ldexp),
    ("scalbn", ldexp),
    ("ldexpf", ldexpf),
    ("scalbnf", ldexpf),
    ("scalbln", scalbln),
    ("scalblnf", scalblnf),
    ("jn", jn),
    ("yn", yn),
    ("frexp", frexp),
    ("frexpf", frexpf),
    ("modf", modf),
    ("modff", modff),
    ("remquo", remquo),
    ("remquof", remquof),
    ("lgamma_r", lgamma_r),
    ("lgammaf_r", lgammaf_r),
    ("ilogb", ilogb),
    ("ilogbf", ilogbf),
    ("lround", lround),
    ("llround", lround),
    ("lroundf", lroundf),
    ("llroundf", lroundf),
    ("lrint", lrint),
    ("llrint", lrint),
    ("lrintf", lrintf),
    ("llrintf", lrintf),
    ("sincos", sincos),
    ("nan", nan),
    ("nanf", nanf),
    ("__fpclassify", fpclassify),
    ("__fpclassifyf", fpclassifyf),
];

fn fma(env: &mut Env<'_>) -> Answer {
    env.double_result(host::fma(env.double(0)?, env.double(1)?, env.double(2)?))
}

fn fmaf(env: &mut Env<'_>) -> Answer {
    env.float_result(host::fmaf(env.float(0)?, env.float(1)?, env.float(2)?))
}

fn ldexp(env: &mut Env<'_>) -> Answer {
    let x = env.double(0)?;
    let result = host::ldexp(x, env.int(1)?);
    range_of_power(env, x, result);
    env.double_result(result)
}

fn ldexpf(env: &mut Env<'_>) -> Answer {
    let x = env.float(0)?;
    let result = host::ldexpf(x, env.int(1)?);
    range_of_power(env, x.into(), result.into());
    env.float_result(result)
}

fn scalbln(env: &mut Env<'_>) -> Answer {
    let x = env.double(0)?;
    let result = host::scalbln(x, env.long(1)?);
    range_of_power(env, x, result);
    env.double_result(result)
}

fn scalblnf(env: &mut Env<'_>) -> Answer {
    let x = env.float(0)?;
    let result = host::scalblnf(x, env.long(1)?);
    range_of_power(env, x.into(), result.into());
    env.float_result(result)
}

fn jn(env: &mut Env<'_>) -> Answer {
    env.double_result(host::jn(env.int(0)?, env.double(1)?))
}

fn yn(env: &mut Env<'_>) -> Answer {
    env.double_result(host::yn(env.int(0)?, env.double(1)?))
}

fn store_int(
    env: &mut Env<'_>,
    index: usize,
    value: i32,
) -> Result<(), glassbox_interp::ExternalResult> {
    let to = env.pointer(index)?;
    Ok(env.memory.write(to, &value.to_le_bytes())?)
}

fn frexp(env: &mut Env<'_>) -> Answer {
    let mut power = 0;
    let result = host::frexp(env.double(0)?, &mut power);
    store_int(env, 1, power)?;
    env.double_result(result)
}

fn frexpf(env: &mut Env<'_>) -> Answer {
    let mut power = 0;
    let result = host::frexpf(env.float(0)?, &mut power);
    store_int(env, 1, power)?;
    env.float_result(result)
}

fn modf(env: &mut Env<'_>) -> Answer {
    let mut whole = 0.0;
    let result = host::modf(env.double(0)?, &mut whole);
    env.memory.write(env.pointer(1)?, &whole.to_le_bytes())?;
    env.double_result(result)
}

fn modff(env: &mut Env<'_>) -> Answer {
    let mut whole = 0.0;
    let result = host::modff(env.float(0)?, &mut whole);
    env.memory.write(env.pointer(1)?, &whole.to_le_bytes())?;
    env.float_result(result)
}

fn remquo(env: &mut Env<'_>) -> Answer {
    let mut quotient = 0;
    let result = host::remquo(env.double(0)?, env.double(1)?, &mut quotient);
    store_int(env, 2, quotient)?;
    env.double_result(result)
}

fn remquof(env: &mut Env<'_>) -> Answer {
    let mut quotient = 0;
    let result = host::remquof(env.float(0)?, env.float(1)?, &mut quotient);
    store_int(env, 2, quotient)?;
    env.float_result(result)
}

fn lgamma_r(env: &mut Env<'_>) -> Answer {
    let mut sign = 0;
    let result = host::lgamma_r(env.double(0)?, &mut sign);
    store_int(env, 1, sign)?;
    env.double_result(result)
}

fn lgammaf_r(env: &mut Env<'_>) -> Answer {
    let mut sign = 0;
    let result = host::lgammaf_r(env.float(0)?, &mut sign);
    store_int(env, 1, sign)?;
    env.float_result(result)
}

fn ilogb(env: &mut Env<'_>) -> Answer {
    Ok(int(host::ilogb(env.double(0)?)))
}

fn ilogbf(env: &mut Env<'_>) -> Answer {
    Ok(int(host::ilogbf(env.float(0)?)))
}

fn lround(env: &mut Env<'_>) -> Answer {
    Ok(long(host::lround(env.double(0)?)))
}

fn lroundf(env: &mut Env<'_>) -> Answer {
    Ok(long(host::lroundf(env.float(0)?)))
}

fn lrint(env: &mut Env<'_>) -> Answer {
    Ok(long(host::lrint(env.double(0)?)))
}

fn lrintf(env: &mut Env<'_>) -> Answer {
    Ok(long(host::lrintf(env.float(0)?)))
}

fn sincos(env: &mut Env<'_>) -> Answer {
    let x = env.double(0)?;
    env.memory.write(env.pointer(1)?, &host::sin(x).to_le_bytes())?;
    env.memory.write(env.pointer(2)?, &host::cos(x).to_le_bytes())?;
    Ok(0)
}

/// The payload text is not kept.
fn nan(env: &mut Env<'_>) -> Answer {
    env.string(0)?;
    env.double_result(f64::NAN)
}

fn nanf(env: &mut Env<'_>) -> Answer {
    env.string(0)?;
    env.float_result(f32::NAN)
}

/// The numbers that glibc uses for `FP_NAN` and the like.
fn class_number(class: std::num::FpCategory) -> u128 {
    match class {
        std::num::FpCategory::Nan => 0,
        std::num::FpCategory::Infinite => 1,
        std::num::FpCategory::Zero => 2,
        std::num::FpCategory::Subnormal => 3,
        std::num::FpCategory::Normal => 4,
    }
}

fn fpclassify(env: &mut Env<'_>) -> Answer {
    Ok(class_number(env.double(0)?.classify()))
}

fn fpclassifyf(env: &mut Env<'_>) -> Answer {
    Ok(class_number(env.float(0)?.classify()))
}
