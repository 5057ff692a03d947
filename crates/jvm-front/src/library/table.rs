//! Which methods of the JDK are modeled, and how.

use glassbox_ir::instr::{FloatBinaryOp, FloatUnaryOp};
use glassbox_values::RoundingMode;

use super::{Intrinsic, Model, UnsafeAccess, aside};

/// The model of a library method; `None` when its own code is run.
pub(crate) fn model_of(class: &str, name: &str, descriptor: &str) -> Option<Model> {
    if aside::stands_aside(class) {
        return aside::model_of(class, name);
    }
    let model = match class {
        "java/lang/Object" => object(name),
        "java/lang/System" => system(name, descriptor),
        "java/lang/Class" => class_object(name),
        "java/lang/ClassLoader" if matches!(name, "getResource" | "getSystemClassLoader") => {
            Some(Model::Aside)
        }
        "java/lang/Float" | "java/lang/Double" => match name {
            "floatToRawIntBits" | "intBitsToFloat" | "doubleToRawLongBits" | "longBitsToDouble" => {
                Some(Model::Intrinsic(Intrinsic::Reinterpret))
            }
            "floatToIntBits" | "doubleToLongBits" => {
                Some(Model::Intrinsic(Intrinsic::BitsOfOneNan))
            }
            _ => None,
        },
        "java/lang/Math" | "java/lang/StrictMath" => math(name, descriptor),
        "java/lang/Throwable" => match name {
            "fillInStackTrace" => Some(Model::Intrinsic(Intrinsic::First)),
            // Where it is printed into memory, the program may look at it.
            "printStackTrace" if descriptor.contains("PrintWriter") => Some(Model::CutOff),
            "printStackTrace" | "setStackTrace" => Some(Model::Intrinsic(Intrinsic::Zero)),
            "getStackTrace" | "getOurStackTrace" => Some(Model::CutOff),
            _ => None,
        },
        "java/lang/NullPointerException" => match name {
            // A switch of the JVM decides whether there is one.
            "getExtendedNPEMessage" => Some(Model::Surroundings(Intrinsic::Zero)),
            "fillInStackTrace" => Some(Model::Intrinsic(Intrinsic::First)),
            _ => None,
        },
        "java/util/Arrays$LegacyMergeSort" if name == "<clinit>" => {
            Some(Model::Intrinsic(Intrinsic::Zero))
        }
        "java/util/Random" => match (name, descriptor) {
            // Zero is the offset and the counter of seeds; only `new Random()` would need the latter.
            ("<clinit>", _) | ("<init>", "()V") => Some(Model::Intrinsic(Intrinsic::Zero)),
            ("next", "(I)I") => Some(Model::Replace("randomNext")),
            ("setSeed", "(J)V") => Some(Model::Replace("randomSetSeed")),
            _ => None,
        },
        "java/lang/String" => string(name, descriptor),
        "java/util/EnumSet" if name == "getUniverse" => Some(Model::Replace("enumUniverse")),
        "java/util/EnumMap" if name == "getKeyUniverse" => Some(Model::Replace("enumUniverse")),
        // What the JDK's packages let each other do: held by many classes, used by few methods.
        "jdk/internal/access/SharedSecrets" => match name {
            "<clinit>" => Some(Model::Intrinsic(Intrinsic::Zero)),
            "getJavaLangAccess" => Some(Model::Intrinsic(Intrinsic::LanguageAccess)),
            "getJavaUtilCollectionAccess" => Some(Model::Intrinsic(Intrinsic::CollectionAccess)),
            _ if name.starts_with("getJava") => Some(Model::Intrinsic(Intrinsic::Opaque)),
            _ => Some(Model::CutOff),
        },
        "java/util/Properties" => properties(name),
        "java/lang/StringUTF16" if name == "isBigEndian" => Some(Model::Intrinsic(Intrinsic::Zero)),
        "java/lang/reflect/Array" => match name {
            "newArray" => Some(Model::Intrinsic(Intrinsic::NewArray)),
            "getLength" => Some(Model::Replace("arrayLength")),
            "get" => Some(Model::Replace("arrayGet")),
            _ => None,
        },
        "java/lang/Runtime" | "java/lang/Shutdown" => match name {
            "availableProcessors" => Some(Model::Surroundings(Intrinsic::One)),
            "getRuntime" | "<clinit>" | "<init>" if class == "java/lang/Runtime" => None,
            "exit" | "halt" => Some(Model::External("exit")),
            _ => Some(Model::CutOff),
        },
        "java/io/PrintStream" => match name {
            "print" => Some(Model::Replace("print")),
            "println" => Some(Model::Replace("println")),
            "printf" if descriptor.starts_with("(Ljava/lang/String;") => {
                Some(Model::Replace("printf"))
            }
            "flush" => Some(Model::Replace("flush")),
            _ => Some(Model::CutOff),
        },
        "jdk/internal/util/Preconditions" if name == "outOfBoundsMessage" => {
            Some(Model::Replace("outOfBoundsMessage"))
        }
        "jdk/internal/misc/CDS" => Some(Model::Intrinsic(Intrinsic::Zero)),
        "jdk/internal/misc/VM" => match name {
            "isBooted" | "isModuleSystemInited" | "isJavaLangInvokeInited" => {
                Some(Model::Intrinsic(Intrinsic::One))
            }
            _ => Some(Model::Intrinsic(Intrinsic::Zero)),
        },
        "jdk/internal/misc/Unsafe" => unsafe_memory(name, descriptor),
        "jdk/internal/reflect/Reflection" if name == "getCallerClass" => {
            Some(Model::Intrinsic(Intrinsic::Zero))
        }
        _ => None,
    };
    let model = model.or_else(|| of_one_thread(class, name, descriptor));
    let model = model.or_else(|| named_constants(class, name));
    model.or_else(|| is_cut_off(class, name).then_some(Model::CutOff))
}

/// What is about threads, of which there is one, and about who may do what.
fn of_one_thread(class: &str, name: &str, descriptor: &str) -> Option<Model> {
    match class {
        // Their own code goes through variable handles.
        "java/util/concurrent/atomic/AtomicReference"
        | "java/util/concurrent/atomic/AtomicBoolean" => atomic(name),
        "java/util/concurrent/atomic/AtomicLong" if name == "VMSupportsCS8" => {
            Some(Model::Intrinsic(Intrinsic::One))
        }
        "java/lang/ThreadLocal" => match name {
            "get" => Some(Model::Replace("threadLocalGet")),
            "set" => Some(Model::Replace("threadLocalSet")),
            "remove" => Some(Model::Replace("threadLocalRemove")),
            _ => None,
        },
        "java/lang/Thread" => match name {
            "currentThread" => Some(Model::Replace("currentThread")),
            "interrupted" => Some(Model::Intrinsic(Intrinsic::Zero)),
            // A thread that is never started does nothing.
            "<init>" if matches!(descriptor, "()V" | "(Ljava/lang/Runnable;)V") => {
                Some(Model::Intrinsic(Intrinsic::Zero))
            }
            _ => None,
        },
        // What comes to it waits for a lock that another thread has.
        "java/util/concurrent/locks/AbstractQueuedSynchronizer"
            if name == "acquire" && descriptor != "(I)V" =>
        {
            Some(Model::CutOff)
        }
        "java/util/concurrent/locks/LockSupport" if name == "getThreadId" => {
            Some(Model::Intrinsic(Intrinsic::One))
        }
        // Who may do what is not asked.
        "java/security/AccessController" => match (name, descriptor) {
            ("<clinit>" | "getContext" | "checkPermission", _) => {
                Some(Model::Intrinsic(Intrinsic::Zero))
            }
            ("doPrivileged", "(Ljava/security/PrivilegedAction;)Ljava/lang/Object;") => {
                Some(Model::Replace("doPrivileged"))
            }
            _ => Some(Model::CutOff),
        },
        _ => None,
    }
}

fn atomic(name: &str) -> Option<Model> {
    match name {
        "<clinit>" => Some(Model::Intrinsic(Intrinsic::Zero)),
        "compareAndSet"
        | "weakCompareAndSet"
        | "weakCompareAndSetVolatile"
        | "weakCompareAndSetPlain" => Some(Model::Replace("atomicCompareAndSet")),
        "getAndSet" => Some(Model::Replace("atomicGetAndSet")),
        "<init>" | "get" | "set" | "toString" | "getAndUpdate" | "updateAndGet"
        | "getAndAccumulate" | "accumulateAndGet" => None,
        _ => Some(Model::CutOff),
    }
}

/// A map of its own, as long as nothing is read from or written to files.
fn properties(name: &str) -> Option<Model> {
    let is_of_files = ["load", "store", "save", "list", "write"];
    is_of_files.iter().any(|start| name.starts_with(start)).then_some(Model::CutOff)
}

fn string(name: &str, descriptor: &str) -> Option<Model> {
    match (name, descriptor) {
        ("toUpperCase", "()Ljava/lang/String;") => Some(Model::Replace("toUpperCase")),
        ("toLowerCase", "()Ljava/lang/String;") => Some(Model::Replace("toLowerCase")),
        ("toUpperCase", "(Ljava/util/Locale;)Ljava/lang/String;") => {
            Some(Model::Replace("toUpperCase"))
        }
        ("toLowerCase", "(Ljava/util/Locale;)Ljava/lang/String;") => {
            Some(Model::Replace("toLowerCase"))
        }
        ("format", "(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;")
        | ("formatted", _) => Some(Model::Replace("format")),
        _ => None,
    }
}

fn object(name: &str) -> Option<Model> {
    Some(Model::Intrinsic(match name {
        "hashCode" => Intrinsic::IdentityHash,
        "getClass" => Intrinsic::GetClass,
        "clone" => Intrinsic::Clone,
        "registerNatives" => Intrinsic::Zero,
        "notify" | "notifyAll" => Intrinsic::Notify,
        "wait" | "wait0" | "finalize" => return Some(Model::CutOff),
        _ => return None,
    }))
}

fn system(name: &str, descriptor: &str) -> Option<Model> {
    Some(match name {
        "<clinit>" => Model::Intrinsic(Intrinsic::SystemInit),
        "arraycopy" => Model::Intrinsic(Intrinsic::ArrayCopy),
        "identityHashCode" => Model::Intrinsic(Intrinsic::IdentityHash),
        "registerNatives" => Model::Intrinsic(Intrinsic::Zero),
        "getSecurityManager" | "nanoTime" | "currentTimeMillis" => {
            Model::Surroundings(Intrinsic::Zero)
        }
        "exit" => Model::External("exit"),
        "lineSeparator" => Model::Replace("lineSeparator"),
        "getProperty" if descriptor == "(Ljava/lang/String;)Ljava/lang/String;" => {
            Model::Replace("getProperty")
        }
        _ => Model::CutOff,
    })
}

/// Locales and character sets are objects that code compares and hands on: only that they are there is known of
/// them. A question to one of them ends the path.
fn named_constants(class: &str, name: &str) -> Option<Model> {
    match (class, name) {
        (
            "java/util/Locale"
            | "sun/nio/cs/UTF_8"
            | "sun/nio/cs/ISO_8859_1"
            | "sun/nio/cs/US_ASCII",
            "<clinit>",
        ) => Some(Model::Intrinsic(Intrinsic::OwnConstants)),
        ("sun/nio/cs/UTF_16" | "sun/nio/cs/UTF_16BE" | "sun/nio/cs/UTF_16LE", "<init>") => {
            Some(Model::Intrinsic(Intrinsic::Zero))
        }
        _ => None,
    }
}

fn class_object(name: &str) -> Option<Model> {
    Some(match name {
        "desiredAssertionStatus" => Model::Intrinsic(Intrinsic::AssertionStatus),
        "registerNatives" | "<clinit>" => Model::Intrinsic(Intrinsic::Zero),
        // What lies beside the classes is there, and the program does not look into it.
        "getClassLoader" | "getResource" => Model::Aside,
        "getPrimitiveClass" => Model::Intrinsic(Intrinsic::PrimitiveClass),
        "isPrimitive" => Model::Intrinsic(Intrinsic::IsPrimitive),
        "isArray" => Model::Intrinsic(Intrinsic::IsArray),
        "getSuperclass" => Model::Intrinsic(Intrinsic::Superclass),
        "getName" | "getComponentType" | "toString" | "hashCode" | "equals" => return None,
        _ => Model::CutOff,
    })
}

fn math(name: &str, descriptor: &str) -> Option<Model> {
    let is_float = descriptor.starts_with("(F") || descriptor.starts_with("(D");
    let unary = |op| Model::Intrinsic(Intrinsic::FloatUnary(op));
    let binary = |op| Model::Intrinsic(Intrinsic::FloatBinary(op));
    Some(match name {
        "sqrt" => unary(FloatUnaryOp::Sqrt),
        "abs" if is_float => unary(FloatUnaryOp::Abs),
        "floor" => unary(FloatUnaryOp::Round(RoundingMode::TowardNegative)),
        "ceil" => unary(FloatUnaryOp::Round(RoundingMode::TowardPositive)),
        "rint" => unary(FloatUnaryOp::Round(RoundingMode::NearestEven)),
        "min" if is_float => binary(FloatBinaryOp::JavaMin),
        "max" if is_float => binary(FloatBinaryOp::JavaMax),
        "fma" if is_float => Model::Intrinsic(Intrinsic::Fma),
        "sin" => Model::External("sin"),
        "cos" => Model::External("cos"),
        "tan" => Model::External("tan"),
        "asin" => Model::External("asin"),
        "acos" => Model::External("acos"),
        "atan" => Model::External("atan"),
        "atan2" => Model::External("atan2"),
        "sinh" => Model::External("sinh"),
        "cosh" => Model::External("cosh"),
        "tanh" => Model::External("tanh"),
        "exp" => Model::External("exp"),
        "expm1" => Model::External("expm1"),
        "log" => Model::External("log"),
        "log10" => Model::External("log10"),
        "log1p" => Model::External("log1p"),
        "pow" => Model::External("pow"),
        "cbrt" => Model::External("cbrt"),
        "hypot" => Model::External("hypot"),
        "random" => Model::CutOff,
        _ => return None,
    })
}

fn unsafe_memory(name: &str, descriptor: &str) -> Option<Model> {
    let is_heap_access = descriptor.starts_with("(Ljava/lang/Object;J");
    let intrinsic = match name {
        "registerNatives" | "runtimeSetup" | "storeFence" | "loadFence" | "fullFence"
        | "storeStoreFence" | "loadLoadFence" | "isBigEndian" => Intrinsic::Zero,
        "<clinit>"
        | "<init>"
        | "getUnsafe"
        | "arrayBaseOffset"
        | "arrayIndexScale"
        | "unalignedAccess"
        | "allocateUninitializedArray"
        | "allocateUninitializedArray0" => {
            return None;
        }
        "objectFieldOffset" if descriptor == "(Ljava/lang/Class;Ljava/lang/String;)J" => {
            Intrinsic::FieldOffset
        }
        "unalignedAccess0" => Intrinsic::One,
        "arrayBaseOffset0" => Intrinsic::Unsafe(UnsafeAccess::ArrayBase),
        "arrayIndexScale0" => Intrinsic::Unsafe(UnsafeAccess::ArrayScale),
        _ if !is_heap_access => return Some(Model::CutOff),
        _ if name.starts_with("compareAndSet") || name.starts_with("weakCompareAndSet") => {
            Intrinsic::Unsafe(UnsafeAccess::CompareAndSet)
        }
        _ if name.starts_with("getAnd") => return None,
        _ if name.starts_with("get") => {
            let is_volatile =
                ["Volatile", "Acquire", "Opaque"].iter().any(|end| name.ends_with(end));
            Intrinsic::Unsafe(UnsafeAccess::Get { is_volatile })
        }
        _ if name.starts_with("put") => Intrinsic::Unsafe(UnsafeAccess::Put),
        _ => return Some(Model::CutOff),
    };
    Some(Model::Intrinsic(intrinsic))
}

/// Packages and classes that lead far away from what programs compute: reflection, locales, files,
/// threads, security.
const CUT_OFF: &[&str] = &[
    "java/io/File",
    "java/io/ObjectInputStream",
    "java/io/ObjectOutputStream",
    "java/lang/ClassLoader",
    "java/lang/Module",
    "java/lang/ProcessBuilder",
    "java/lang/StackWalker",
    "java/lang/Thread",
    "java/lang/invoke/",
    "java/lang/module/",
    "java/lang/ref/",
    "java/lang/reflect/",
    "java/net/",
    "java/nio/",
    "java/security/",
    "java/text/",
    "java/time/",
    "java/util/Formatter",
    "java/util/Locale",
    "java/util/ResourceBundle",
    "java/util/ServiceLoader",
    "java/util/concurrent/ForkJoin",
    "java/util/concurrent/ThreadLocalRandom",
    "java/util/concurrent/locks/",
    "java/util/spi/",
    "jdk/internal/access/",
    "jdk/internal/loader/",
    "jdk/internal/logger/",
    "jdk/internal/module/",
    "jdk/internal/org/",
    "jdk/internal/perf/",
    "jdk/internal/ref/",
    "jdk/internal/reflect/",
    "sun/",
];

/// What of the locks only counts who has one.
const OF_LOCKS: &[&str] = &[
    "AbstractOwnableSynchronizer",
    "AbstractQueuedSynchronizer",
    "Lock",
    "ReadWriteLock",
    "ReentrantLock",
    "ReentrantReadWriteLock",
];

/// Methods of these that wait for other threads.
const OF_WAITING: &[&str] = &["await", "awaitNanos", "awaitUninterruptibly", "awaitUntil"];

/// What of `java.time` leads to clocks, tables of zones, locales and services.
const OF_ZONES: &[&str] = &[
    "Clock",
    "InstantSource",
    "Ser",
    "ZoneRegion",
    "Zoned",
    "chrono/ChronoZoned",
    "chrono/Hijrah",
    "chrono/Japanese",
    "chrono/Minguo",
    "chrono/Ser",
    "chrono/Thai",
    "format/",
    "zone/",
];

fn is_cut_off(class: &str, name: &str) -> bool {
    // A lock that no other thread has is a counter with an owner; only who waits for one is stopped.
    if let Some(rest) = class.strip_prefix("java/util/concurrent/locks/") {
        let is_counter = OF_LOCKS.iter().any(|start| rest.starts_with(start));
        return !is_counter || OF_WAITING.contains(&name);
    }
    if class == "java/lang/reflect/Array" && name == "newInstance" {
        return false;
    }
    // Its fields are what `named_constants` makes.
    if class == "java/nio/charset/StandardCharsets" && name == "<clinit>" {
        return false;
    }
    // Dates and times that are asked for neither of a clock, a zone nor a format are arithmetic.
    if let Some(rest) = class.strip_prefix("java/time/") {
        return OF_ZONES.iter().any(|start| rest.starts_with(start));
    }
    // The values of the one thread are in a list of the models.
    if class.starts_with("java/lang/ThreadLocal") {
        return false;
    }
    CUT_OFF.iter().any(|prefix| class.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::model_of;
    use crate::library::Model;

    #[test]
    fn what_differs_between_runs_is_no_constant() {
        for (class, name, descriptor) in [
            ("java/lang/System", "nanoTime", "()J"),
            ("java/lang/System", "currentTimeMillis", "()J"),
            ("java/lang/System", "getSecurityManager", "()Ljava/lang/SecurityManager;"),
            ("java/lang/Runtime", "availableProcessors", "()I"),
        ] {
            let model = model_of(class, name, descriptor);
            assert!(matches!(model, Some(Model::Surroundings(_))), "{class}.{name}");
        }
        for name in ["freeMemory", "totalMemory", "maxMemory"] {
            assert_eq!(model_of("java/lang/Runtime", name, "()J"), Some(Model::CutOff));
        }
    }

    #[test]
    fn functions_of_the_engines_have_rows() {
        for name in ["sin", "cos", "tan", "atan2", "exp", "log", "pow", "cbrt", "hypot"] {
            let Some(Model::External(external)) = model_of("java/lang/Math", name, "(D)D") else {
                panic!("{name} should be a function of the engines");
            };
            assert!(glassbox_library::find(external).is_some(), "{external}");
        }
    }
}
