package java.lang;

import java.io.PrintStream;
import java.security.PrivilegedAction;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import jdk.internal.misc.Unsafe;

/**
 * Replacements for methods of the JDK that are native or lead to very much code. They live in java.lang
 * so that they may touch what that package touches; docs/src/extending.md says how to compile them.
 */
final class GlassboxModels {
    private GlassboxModels() {}

    // Exceptions that instructions throw. `message` is a constant of the translation: messages that
    // have to be computed are left out where only the class of the exception matters.

    static void arithmetic() {
        throw new ArithmeticException("/ by zero");
    }

    static void nullPointer() {
        throw new NullPointerException();
    }

    static void arrayIndex(int index, int length) {
        throw new ArrayIndexOutOfBoundsException(
            "Index " + index + " out of bounds for length " + length);
    }

    static void arrayIndexPlain() {
        throw new ArrayIndexOutOfBoundsException();
    }

    static void negativeArraySize(int length) {
        throw new NegativeArraySizeException("" + length);
    }

    static void negativeArraySizePlain() {
        throw new NegativeArraySizeException();
    }

    static void arrayStore() {
        throw new ArrayStoreException();
    }

    static void classCast() {
        throw new ClassCastException();
    }

    static void outOfMemory() {
        throw new OutOfMemoryError("Java heap space");
    }

    static void cloneNotSupported() throws CloneNotSupportedException {
        throw new CloneNotSupportedException();
    }

    static void arrayCopy() {
        throw new ArrayIndexOutOfBoundsException();
    }

    static void initializerFailed(Throwable cause) throws Throwable {
        if (cause instanceof Error) {
            throw cause;
        }
        throw new ExceptionInInitializerError(cause);
    }

    static void noClassDef() {
        throw new NoClassDefFoundError();
    }

    // What the JVM is given when it starts.

    static String lineSeparator() {
        return "\n";
    }

    static String getProperty(String key) {
        if (key.equals("line.separator")) {
            return lineSeparator();
        }
        return propertyBeyond(key);
    }

    static native String propertyBeyond(String key);

    // java.lang.reflect.Array.

    static int arrayLength(Object array) {
        if (array == null) {
            throw new NullPointerException();
        } else if (array instanceof Object[]) {
            return ((Object[]) array).length;
        } else if (array instanceof int[]) {
            return ((int[]) array).length;
        } else if (array instanceof byte[]) {
            return ((byte[]) array).length;
        } else if (array instanceof char[]) {
            return ((char[]) array).length;
        } else if (array instanceof long[]) {
            return ((long[]) array).length;
        } else if (array instanceof double[]) {
            return ((double[]) array).length;
        } else if (array instanceof boolean[]) {
            return ((boolean[]) array).length;
        } else if (array instanceof float[]) {
            return ((float[]) array).length;
        } else if (array instanceof short[]) {
            return ((short[]) array).length;
        }
        throw new IllegalArgumentException("Argument is not an array");
    }

    static Object arrayGet(Object array, int index) {
        if (array == null) {
            throw new NullPointerException();
        } else if (array instanceof Object[]) {
            return ((Object[]) array)[index];
        } else if (array instanceof int[]) {
            return ((int[]) array)[index];
        } else if (array instanceof byte[]) {
            return ((byte[]) array)[index];
        } else if (array instanceof char[]) {
            return ((char[]) array)[index];
        } else if (array instanceof long[]) {
            return ((long[]) array)[index];
        } else if (array instanceof double[]) {
            return ((double[]) array)[index];
        } else if (array instanceof boolean[]) {
            return ((boolean[]) array)[index];
        } else if (array instanceof float[]) {
            return ((float[]) array)[index];
        } else if (array instanceof short[]) {
            return ((short[]) array)[index];
        }
        throw new IllegalArgumentException("Argument is not an array");
    }

    // jdk.internal.util.Preconditions, whose own message goes through String.format.

    static String outOfBoundsMessage(String kind, List<? extends Number> args) {
        if (kind == null && args == null) {
            return "Range check failed";
        } else if (kind == null) {
            return "Range check failed: " + args;
        } else if (args == null) {
            return "Range check failed: " + kind;
        } else if (kind.equals("checkIndex") && args.size() == 2) {
            return "Index " + args.get(0) + " out of bounds for length " + args.get(1);
        } else if (kind.equals("checkFromToIndex") && args.size() == 3) {
            return "Range [" + args.get(0) + ", " + args.get(1) + ") out of bounds for length "
                + args.get(2);
        } else if (kind.equals("checkFromIndexSize") && args.size() == 3) {
            return "Range [" + args.get(0) + ", " + args.get(0) + " + " + args.get(1)
                + ") out of bounds for length " + args.get(2);
        }
        return "Range check failed: " + kind + " " + args;
    }

    // String.toUpperCase and toLowerCase, whose own code asks for the default locale. In Latin text no
    // locale but Turkish, Azeri and Lithuanian makes a difference.

    static native String caseBeyondAscii(String text);

    /** Latin letters whose other case is one character, and signs that have none. */
    private static boolean hasPlainCase(char c) {
        return c < 0x250 && c != 0xdf && c != 0x130 && c != 0x149 && c != 0x1f0
            || c >= 0x2000 && c < 0x2100;
    }

    /** Locales that can be named here have no letters of their own. */
    static String toUpperCase(String text, Locale locale) {
        if (locale == null) {
            throw new NullPointerException();
        }
        return toUpperCase(text);
    }

    static String toLowerCase(String text, Locale locale) {
        if (locale == null) {
            throw new NullPointerException();
        }
        return toLowerCase(text);
    }

    /** The only Latin letter whose upper case is two. */
    private static String withSharpS(String text) {
        StringBuilder upper = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0xdf) {
                upper.append("SS");
            } else if (c >= 128 && !hasPlainCase(c)) {
                return caseBeyondAscii(text);
            } else {
                upper.append(c >= 0x2000 ? c : Character.toUpperCase(c));
            }
        }
        return upper.toString();
    }

    /**
     * ASCII text whose letters from `first` on are moved by `step`, without a branch for each of them; null where a
     * character is beyond ASCII.
     */
    private static String asciiCase(String text, char first, int step) {
        int length = text.length();
        byte[] bytes = new byte[length];
        int all = 0;
        int changed = 0;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            // Both differences are negative just for letters.
            int isLetter = ((first - 1 - c) & (c - first - 26)) >>> 31;
            bytes[i] = (byte) (c + (step & -isLetter));
            all |= c;
            changed |= isLetter;
        }
        if (all >= 128) {
            return null;
        }
        return changed == 0 ? text : new String(bytes, 0, 0, length);
    }

    static String toUpperCase(String text) {
        String ascii = asciiCase(text, 'a', 'A' - 'a');
        if (ascii != null) {
            return ascii;
        }
        int length = text.length();
        char[] chars = new char[length];
        boolean isChanged = false;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c == 0xdf) {
                return withSharpS(text);
            }
            if (c >= 128 && !hasPlainCase(c)) {
                return caseBeyondAscii(text);
            }
            char other = c >= 0x2000 ? c : Character.toUpperCase(c);
            isChanged |= other != c;
            chars[i] = other;
        }
        return isChanged ? new String(chars) : text;
    }

    static String toLowerCase(String text) {
        String ascii = asciiCase(text, 'A', 'a' - 'A');
        if (ascii != null) {
            return ascii;
        }
        int length = text.length();
        char[] chars = new char[length];
        boolean isChanged = false;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 128 && !hasPlainCase(c)) {
                return caseBeyondAscii(text);
            }
            char other = c >= 0x2000 ? c : Character.toLowerCase(c);
            isChanged |= other != c;
            chars[i] = other;
        }
        return isChanged ? new String(chars) : text;
    }

    // Enum.valueOf, whose own code finds the constants by reflection.

    static Enum<?> enumValueOf(Enum<?>[] values, String name, String type) {
        if (name == null) {
            throw new NullPointerException("Name is null");
        }
        for (Enum<?> value : values) {
            if (value.name().equals(name)) {
                return value;
            }
        }
        throw new IllegalArgumentException("No enum constant " + type + "." + name);
    }

    // The constants of an enum that library code knows by its class object.

    static native Enum<?>[] enumConstants(Class<?> type);

    static Enum<?>[] enumUniverse(Class<?> type) {
        return enumConstants(type);
    }

    // Atomic references: one thread runs.

    static boolean atomicCompareAndSet(AtomicReference<Object> cell, Object expected, Object value) {
        if (cell.get() != expected) {
            return false;
        }
        cell.set(value);
        return true;
    }

    static Object atomicGetAndSet(AtomicReference<Object> cell, Object value) {
        Object before = cell.get();
        cell.set(value);
        return before;
    }

    static boolean atomicCompareAndSet(AtomicBoolean cell, boolean expected, boolean value) {
        if (cell.get() != expected) {
            return false;
        }
        cell.set(value);
        return true;
    }

    static boolean atomicGetAndSet(AtomicBoolean cell, boolean value) {
        boolean before = cell.get();
        cell.set(value);
        return before;
    }

    // Random numbers. Without a seed there is nothing that a program could rely on: such a generator has no state, and
    // whoever asks it for a number is not followed.

    static native void randomBeyond();

    private static AtomicLong seedOf(Random random, Unsafe memory, long at) {
        return (AtomicLong) memory.getReference(random, at);
    }

    static int randomNext(Random random, int bits) {
        Unsafe memory = Unsafe.getUnsafe();
        AtomicLong seed = seedOf(random, memory, memory.objectFieldOffset(Random.class, "seed"));
        if (seed == null) {
            randomBeyond();
        }
        long next = (seed.get() * 0x5DEECE66DL + 0xBL) & ((1L << 48) - 1);
        seed.set(next);
        return (int) (next >>> (48 - bits));
    }

    static void randomSetSeed(Random random, long value) {
        Unsafe memory = Unsafe.getUnsafe();
        long at = memory.objectFieldOffset(Random.class, "seed");
        if (seedOf(random, memory, at) == null) {
            memory.putReference(random, at, new AtomicLong());
        }
        seedOf(random, memory, at).set((value ^ 0x5DEECE66DL) & ((1L << 48) - 1));
        memory.putBoolean(random, memory.objectFieldOffset(Random.class, "haveNextNextGaussian"), false);
    }

    // String.format, whose own code asks for locales: the conversions that need none, as in English.

    static native void formatBeyond(String format);

    static String format(String format, Object[] args) {
        StringBuilder out = new StringBuilder();
        int next = 0;
        int length = format.length();
        for (int at = 0; at < length; at++) {
            char c = format.charAt(at);
            if (c != '%') {
                out.append(c);
                continue;
            }
            int start = at++;
            boolean isLeft = false;
            boolean isZero = false;
            boolean isPlus = false;
            for (; at < length; at++) {
                char flag = format.charAt(at);
                if (flag == '-') {
                    isLeft = true;
                } else if (flag == '0') {
                    isZero = true;
                } else if (flag == '+') {
                    isPlus = true;
                } else {
                    break;
                }
            }
            int width = -1;
            for (; at < length && format.charAt(at) >= '0' && format.charAt(at) <= '9'; at++) {
                width = Math.max(width, 0) * 10 + format.charAt(at) - '0';
            }
            int precision = -1;
            if (at < length && format.charAt(at) == '.') {
                precision = 0;
                for (at++; at < length && format.charAt(at) >= '0' && format.charAt(at) <= '9'; at++) {
                    precision = precision * 10 + format.charAt(at) - '0';
                }
            }
            char conversion = at < length ? format.charAt(at) : '?';
            if (conversion == '%' || conversion == 'n') {
                if (at != start + 1) {
                    formatBeyond(format);
                }
                out.append(conversion == 'n' ? '\n' : '%');
                continue;
            }
            if ("dsxcbf".indexOf(conversion) < 0) {
                formatBeyond(format);
            }
            if (args == null) {
                formatBeyond(format);
            }
            if (next >= args.length) {
                throw new java.util.MissingFormatArgumentException(format.substring(start, at + 1));
            }
            Object arg = args[next++];
            String text = converted(format, conversion, precision, isPlus, arg);
            boolean isNumber = conversion == 'd' || conversion == 'x' || conversion == 'f';
            if (isLeft && isZero || isPlus && (conversion == 'x' || !isNumber)
                    || isZero && (!isNumber || arg == null) || (isLeft || isZero) && width < 0) {
                formatBeyond(format);
            }
            int missing = width - text.length();
            if (isZero && missing > 0) {
                boolean isSigned = text.startsWith("-") || text.startsWith("+");
                String digits = isSigned ? text.substring(1) : text;
                text = (isSigned ? text.substring(0, 1) : "") + "0".repeat(missing) + digits;
            } else if (missing > 0) {
                text = isLeft ? text + " ".repeat(missing) : " ".repeat(missing) + text;
            }
            out.append(text);
        }
        return out.toString();
    }

    private static String converted(
            String format, char conversion, int precision, boolean isPlus, Object arg) {
        if (conversion == 's' || conversion == 'b') {
            if (arg instanceof java.util.Formattable) {
                formatBeyond(format);
            }
            String text;
            if (conversion == 's') {
                text = String.valueOf(arg);
            } else {
                text = arg instanceof Boolean ? arg.toString() : String.valueOf(arg != null);
            }
            return precision >= 0 && precision < text.length() ? text.substring(0, precision) : text;
        }
        if (precision >= 0 && conversion != 'f') {
            formatBeyond(format);
        }
        if (arg == null) {
            if (isPlus) {
                formatBeyond(format);
            }
            return "null";
        }
        if (conversion == 'c') {
            if (arg instanceof Character) {
                return arg.toString();
            }
            if (arg instanceof Integer || arg instanceof Short || arg instanceof Byte) {
                formatBeyond(format);
            }
        } else if (conversion == 'f') {
            if (arg instanceof Double || arg instanceof Float) {
                return decimal(arg.toString(), precision < 0 ? 6 : precision, isPlus);
            }
            if (arg instanceof java.math.BigDecimal) {
                formatBeyond(format);
            }
        } else if (arg instanceof Integer || arg instanceof Long || arg instanceof Short
                || arg instanceof Byte) {
            long value = ((Number) arg).longValue();
            if (conversion == 'd') {
                return isPlus && value >= 0 ? "+" + value : Long.toString(value);
            }
            if (arg instanceof Long) {
                return Long.toHexString(value);
            }
            long mask = arg instanceof Integer ? 0xffffffffL : arg instanceof Short ? 0xffff : 0xff;
            return Long.toHexString(value & mask);
        } else if (arg instanceof java.math.BigInteger) {
            formatBeyond(format);
        }
        throw new java.util.IllegalFormatConversionException(conversion, arg.getClass());
    }

    /** A decimal text with so many digits behind the point, halves rounded away from zero. */
    private static String decimal(String text, int precision, boolean isPlus) {
        if (text.equals("NaN")) {
            return text;
        }
        boolean isNegative = text.startsWith("-");
        String magnitude = isNegative ? text.substring(1) : text;
        String sign = isNegative ? "-" : isPlus ? "+" : "";
        if (magnitude.equals("Infinity")) {
            return sign + magnitude;
        }
        java.math.BigDecimal rounded =
            new java.math.BigDecimal(magnitude).setScale(precision, java.math.RoundingMode.HALF_UP);
        return sign + rounded.toPlainString();
    }

    static PrintStream printf(PrintStream stream, String format, Object[] args) {
        print(stream, format(format, args));
        return stream;
    }

    // Output: the bytes go to the engine's standard output.

    static native void write(String text);

    static native void writeError(String text);

    static void print(PrintStream stream, String text) {
        if (stream == System.err) {
            writeError(text == null ? "null" : text);
        } else {
            write(text == null ? "null" : text);
        }
    }

    static void print(PrintStream stream, Object object) {
        print(stream, String.valueOf(object));
    }

    static void print(PrintStream stream, int value) {
        print(stream, String.valueOf(value));
    }

    static void print(PrintStream stream, long value) {
        print(stream, String.valueOf(value));
    }

    static void print(PrintStream stream, char value) {
        print(stream, String.valueOf(value));
    }

    static void print(PrintStream stream, boolean value) {
        print(stream, value ? "true" : "false");
    }

    static void print(PrintStream stream, float value) {
        print(stream, String.valueOf(value));
    }

    static void print(PrintStream stream, double value) {
        print(stream, String.valueOf(value));
    }

    static void println(PrintStream stream) {
        print(stream, "\n");
    }

    static void println(PrintStream stream, String text) {
        print(stream, text);
        print(stream, "\n");
    }

    static void println(PrintStream stream, Object object) {
        print(stream, object);
        print(stream, "\n");
    }

    static void println(PrintStream stream, int value) {
        print(stream, value);
        print(stream, "\n");
    }

    static void println(PrintStream stream, long value) {
        print(stream, value);
        print(stream, "\n");
    }

    static void println(PrintStream stream, char value) {
        print(stream, value);
        print(stream, "\n");
    }

    static void println(PrintStream stream, boolean value) {
        print(stream, value);
        print(stream, "\n");
    }

    static void println(PrintStream stream, float value) {
        print(stream, value);
        print(stream, "\n");
    }

    static void println(PrintStream stream, double value) {
        print(stream, value);
        print(stream, "\n");
    }

    static void flush(PrintStream stream) {}

    // Values of the one thread: a list of key, value and the rest of the list.

    static Object doPrivileged(PrivilegedAction<?> action) {
        return action.run();
    }

    private static Thread onlyThread;

    /** The thread that runs everything: locks remember it as their owner, and nobody looks into it. */
    static Thread currentThread() {
        if (onlyThread == null) {
            onlyThread = new Thread();
        }
        return onlyThread;
    }

    private static Object[] threadLocals;

    static Object threadLocalGet(ThreadLocal<?> key) {
        for (Object[] at = threadLocals; at != null; at = (Object[]) at[2]) {
            if (at[0] == key) {
                return at[1];
            }
        }
        Object value = key.initialValue();
        threadLocalSet(key, value);
        return value;
    }

    static void threadLocalSet(ThreadLocal<?> key, Object value) {
        threadLocalRemove(key);
        threadLocals = new Object[] {key, value, threadLocals};
    }

    static void threadLocalRemove(ThreadLocal<?> key) {
        Object[] before = null;
        for (Object[] at = threadLocals; at != null; at = (Object[]) at[2]) {
            if (at[0] != key) {
                before = at;
            } else if (before == null) {
                threadLocals = (Object[]) at[2];
            } else {
                before[2] = at[2];
            }
        }
    }
}
