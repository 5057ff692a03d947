package java.lang;

import java.io.PrintStream;
import java.util.List;

/**
 * Replacements for methods of the JDK that are native or lead to very much code. They live in java.lang
 * so that they may touch what that package touches; `cargo xtask models` compiles them.
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

    // String.toUpperCase and toLowerCase, whose own code asks for the default locale. In ASCII text no
    // locale but Turkish, Azeri and Lithuanian makes a difference.

    static native String caseBeyondAscii(String text);

    static String toUpperCase(String text) {
        int length = text.length();
        char[] chars = new char[length];
        boolean isChanged = false;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 128) {
                return caseBeyondAscii(text);
            }
            if (c >= 'a' && c <= 'z') {
                c -= 32;
                isChanged = true;
            }
            chars[i] = c;
        }
        return isChanged ? new String(chars) : text;
    }

    static String toLowerCase(String text) {
        int length = text.length();
        char[] chars = new char[length];
        boolean isChanged = false;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 128) {
                return caseBeyondAscii(text);
            }
            if (c >= 'A' && c <= 'Z') {
                c += 32;
                isChanged = true;
            }
            chars[i] = c;
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
}
