//! The host's mathematics library: the same code that a program compiled by the host's compiler calls, so
//! results agree to the last bit.

#![expect(
    unsafe_code,
    reason = "functions of numbers alone: declaring them is the only way to call exactly what gcc's program calls"
)]

unsafe extern "C" {
    pub(crate) safe fn acos(x: f64) -> f64;
    pub(crate) safe fn acosf(x: f32) -> f32;
    pub(crate) safe fn acosh(x: f64) -> f64;
    pub(crate) safe fn acoshf(x: f32) -> f32;
    pub(crate) safe fn asin(x: f64) -> f64;
    pub(crate) safe fn asinf(x: f32) -> f32;
    pub(crate) safe fn asinh(x: f64) -> f64;
    pub(crate) safe fn asinhf(x: f32) -> f32;
    pub(crate) safe fn atan(x: f64) -> f64;
    pub(crate) safe fn atanf(x: f32) -> f32;
    pub(crate) safe fn atanh(x: f64) -> f64;
    pub(crate) safe fn atanhf(x: f32) -> f32;
    // Rust has its own `cbrt` under the plain name, which rounds better than glibc's.
    #[cfg_attr(all(target_os = "linux", target_env = "gnu"), link_name = "cbrtf64")]
    pub(crate) safe fn cbrt(x: f64) -> f64;
    #[cfg_attr(all(target_os = "linux", target_env = "gnu"), link_name = "cbrtf32")]
    pub(crate) safe fn cbrtf(x: f32) -> f32;
    pub(crate) safe fn ceil(x: f64) -> f64;
    pub(crate) safe fn ceilf(x: f32) -> f32;
    pub(crate) safe fn cos(x: f64) -> f64;
    pub(crate) safe fn cosf(x: f32) -> f32;
    pub(crate) safe fn cosh(x: f64) -> f64;
    pub(crate) safe fn coshf(x: f32) -> f32;
    pub(crate) safe fn erf(x: f64) -> f64;
    pub(crate) safe fn erff(x: f32) -> f32;
    pub(crate) safe fn erfc(x: f64) -> f64;
    pub(crate) safe fn erfcf(x: f32) -> f32;
    pub(crate) safe fn exp(x: f64) -> f64;
    pub(crate) safe fn expf(x: f32) -> f32;
    pub(crate) safe fn exp10(x: f64) -> f64;
    pub(crate) safe fn exp10f(x: f32) -> f32;
    pub(crate) safe fn exp2(x: f64) -> f64;
    pub(crate) safe fn exp2f(x: f32) -> f32;
    pub(crate) safe fn expm1(x: f64) -> f64;
    pub(crate) safe fn expm1f(x: f32) -> f32;
    pub(crate) safe fn fabs(x: f64) -> f64;
    pub(crate) safe fn fabsf(x: f32) -> f32;
    pub(crate) safe fn floor(x: f64) -> f64;
    pub(crate) safe fn floorf(x: f32) -> f32;
    pub(crate) safe fn j0(x: f64) -> f64;
    pub(crate) safe fn j0f(x: f32) -> f32;
    pub(crate) safe fn j1(x: f64) -> f64;
    pub(crate) safe fn j1f(x: f32) -> f32;
    pub(crate) safe fn lgamma(x: f64) -> f64;
    pub(crate) safe fn lgammaf(x: f32) -> f32;
    pub(crate) safe fn log(x: f64) -> f64;
    pub(crate) safe fn logf(x: f32) -> f32;
    pub(crate) safe fn log10(x: f64) -> f64;
    pub(crate) safe fn log10f(x: f32) -> f32;
    pub(crate) safe fn log1p(x: f64) -> f64;
    pub(crate) safe fn log1pf(x: f32) -> f32;
    pub(crate) safe fn log2(x: f64) -> f64;
    pub(crate) safe fn log2f(x: f32) -> f32;
    pub(crate) safe fn logb(x: f64) -> f64;
    pub(crate) safe fn logbf(x: f32) -> f32;
    pub(crate) safe fn nearbyint(x: f64) -> f64;
    pub(crate) safe fn nearbyintf(x: f32) -> f32;
    pub(crate) safe fn rint(x: f64) -> f64;
    pub(crate) safe fn rintf(x: f32) -> f32;
    pub(crate) safe fn round(x: f64) -> f64;
    pub(crate) safe fn roundf(x: f32) -> f32;
    pub(crate) safe fn roundeven(x: f64) -> f64;
    pub(crate) safe fn roundevenf(x: f32) -> f32;
    pub(crate) safe fn sin(x: f64) -> f64;
    pub(crate) safe fn sinf(x: f32) -> f32;
    pub(crate) safe fn sinh(x: f64) -> f64;
    pub(crate) safe fn sinhf(x: f32) -> f32;
    pub(crate) safe fn sqrt(x: f64) -> f64;
    pub(crate) safe fn sqrtf(x: f32) -> f32;
    pub(crate) safe fn tan(x: f64) -> f64;
    pub(crate) safe fn tanf(x: f32) -> f32;
    pub(crate) safe fn tanh(x: f64) -> f64;
    pub(crate) safe fn tanhf(x: f32) -> f32;
    pub(crate) safe fn tgamma(x: f64) -> f64;
    pub(crate) safe fn tgammaf(x: f32) -> f32;
    pub(crate) safe fn trunc(x: f64) -> f64;
    pub(crate) safe fn truncf(x: f32) -> f32;
    pub(crate) safe fn y0(x: f64) -> f64;
    pub(crate) safe fn y0f(x: f32) -> f32;
    pub(crate) safe fn y1(x: f64) -> f64;
    pub(crate) safe fn y1f(x: f32) -> f32;
    pub(crate) safe fn atan2(x: f64, y: f64) -> f64;
    pub(crate) safe fn atan2f(x: f32, y: f32) -> f32;
    pub(crate) safe fn copysign(x: f64, y: f64) -> f64;
    pub(crate) safe fn copysignf(x: f32, y: f32) -> f32;
    pub(crate) safe fn fdim(x: f64, y: f64) -> f64;
    pub(crate) safe fn fdimf(x: f32, y: f32) -> f32;
    pub(crate) safe fn fmod(x: f64, y: f64) -> f64;
    pub(crate) safe fn fmodf(x: f32, y: f32) -> f32;
    pub(crate) safe fn hypot(x: f64, y: f64) -> f64;
    pub(crate) safe fn hypotf(x: f32, y: f32) -> f32;
    pub(crate) safe fn nextafter(x: f64, y: f64) -> f64;
    pub(crate) safe fn nextafterf(x: f32, y: f32) -> f32;
    pub(crate) safe fn pow(x: f64, y: f64) -> f64;
    pub(crate) safe fn powf(x: f32, y: f32) -> f32;
    pub(crate) safe fn remainder(x: f64, y: f64) -> f64;
    pub(crate) safe fn remainderf(x: f32, y: f32) -> f32;
    pub(crate) safe fn fma(x: f64, y: f64, z: f64) -> f64;
    pub(crate) safe fn fmaf(x: f32, y: f32, z: f32) -> f32;
    pub(crate) safe fn ldexp(x: f64, power: i32) -> f64;
    pub(crate) safe fn ldexpf(x: f32, power: i32) -> f32;
    pub(crate) safe fn scalbln(x: f64, power: i64) -> f64;
    pub(crate) safe fn scalblnf(x: f32, power: i64) -> f32;
    pub(crate) safe fn jn(order: i32, x: f64) -> f64;
    pub(crate) safe fn yn(order: i32, x: f64) -> f64;
    pub(crate) safe fn frexp(x: f64, power: &mut i32) -> f64;
    pub(crate) safe fn frexpf(x: f32, power: &mut i32) -> f32;
    pub(crate) safe fn modf(x: f64, whole: &mut f64) -> f64;
    pub(crate) safe fn modff(x: f32, whole: &mut f32) -> f32;
    pub(crate) safe fn remquo(x: f64, y: f64, quotient: &mut i32) -> f64;
    pub(crate) safe fn remquof(x: f32, y: f32, quotient: &mut i32) -> f32;
    pub(crate) safe fn lgamma_r(x: f64, sign: &mut i32) -> f64;
    pub(crate) safe fn lgammaf_r(x: f32, sign: &mut i32) -> f32;
    pub(crate) safe fn ilogb(x: f64) -> i32;
    pub(crate) safe fn ilogbf(x: f32) -> i32;
    pub(crate) safe fn lround(x: f64) -> i64;
    pub(crate) safe fn lroundf(x: f32) -> i64;
    pub(crate) safe fn lrint(x: f64) -> i64;
    pub(crate) safe fn lrintf(x: f32) -> i64;
}

/// Of two equal numbers (zeros of either sign) the second, as glibc's code for x86-64 has it. The compiler
/// replaces calls of the library's own function by instructions that do not promise this.
pub(crate) fn fmin(x: f64, y: f64) -> f64 {
    if y.is_nan() || x < y { x } else { y }
}

pub(crate) fn fminf(x: f32, y: f32) -> f32 {
    if y.is_nan() || x < y { x } else { y }
}

pub(crate) fn fmax(x: f64, y: f64) -> f64 {
    if y.is_nan() || x > y { x } else { y }
}

pub(crate) fn fmaxf(x: f32, y: f32) -> f32 {
    if y.is_nan() || x > y { x } else { y }
}
