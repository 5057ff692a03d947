import java.io.*;
import java.lang.reflect.*;
import java.nio.charset.StandardCharsets;

/** Runs static methods that standard input names, one line each, and prints how they ended. */
public class Driver {
    static String text;
    static int at;

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)), false);
        String line;
        while ((line = in.readLine()) != null) {
            String[] parts = line.split("\t", -1);
            out.println(run(parts));
        }
        out.flush();
    }

    static String run(String[] parts) throws Exception {
        Method found = null;
        for (Method m : Class.forName(parts[0]).getDeclaredMethods()) {
            if ((m.getName() + descriptor(m)).equals(parts[1])) found = m;
        }
        if (found == null) return "?";
        found.setAccessible(true);
        Class<?>[] types = found.getParameterTypes();
        Object[] values = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            text = parts[2 + i];
            at = 0;
            values[i] = parse(types[i]);
        }
        try {
            Object result = found.invoke(null, values);
            return found.getReturnType() == void.class ? "void" : show(result);
        } catch (InvocationTargetException e) {
            Throwable t = e.getCause();
            return "!" + t.getClass().getName() + " " + (t.getMessage() == null ? "n" : show(t.getMessage()));
        }
    }

    static String descriptor(Method m) {
        return java.lang.invoke.MethodType.methodType(m.getReturnType(), m.getParameterTypes())
            .toMethodDescriptorString();
    }

    static String token() {
        int start = at;
        while (at < text.length() && text.charAt(at) != ';' && text.charAt(at) != ']') at++;
        return text.substring(start, at);
    }

    static Object parse(Class<?> type) {
        if (type.isArray()) {
            if (text.charAt(at) == 'n') { at++; return null; }
            at++;
            java.util.List<Object> all = new java.util.ArrayList<>();
            while (text.charAt(at) != ']') {
                all.add(parse(type.getComponentType()));
                if (text.charAt(at) == ';') at++;
            }
            at++;
            Object array = Array.newInstance(type.getComponentType(), all.size());
            for (int i = 0; i < all.size(); i++) Array.set(array, i, all.get(i));
            return array;
        }
        String t = token();
        if (type == boolean.class) return t.equals("t");
        if (type == byte.class) return Byte.parseByte(t);
        if (type == short.class) return Short.parseShort(t);
        if (type == char.class) return (char) Integer.parseInt(t);
        if (type == int.class) return Integer.parseInt(t);
        if (type == long.class) return Long.parseLong(t);
        if (type == float.class) return Float.intBitsToFloat((int) Long.parseLong(t, 16));
        if (type == double.class) return Double.longBitsToDouble(Long.parseUnsignedLong(t, 16));
        if (t.equals("n")) return null;
        StringBuilder b = new StringBuilder();
        for (int i = 1; i < t.length(); i += 4) b.append((char) Integer.parseInt(t.substring(i, i + 4), 16));
        return b.toString();
    }

    static String show(Object o) {
        if (o == null) return "n";
        if (o instanceof Boolean) return (Boolean) o ? "t" : "f";
        if (o instanceof Character) return Integer.toString((Character) o);
        if (o instanceof Float) return Integer.toHexString(Float.floatToIntBits((Float) o));
        if (o instanceof Double) return Long.toHexString(Double.doubleToLongBits((Double) o));
        if (o instanceof Number) return o.toString();
        if (o instanceof String) {
            StringBuilder b = new StringBuilder("s");
            for (char c : ((String) o).toCharArray()) b.append(String.format("%04x", (int) c));
            return b.toString();
        }
        if (o.getClass().isArray()) {
            StringBuilder b = new StringBuilder("[");
            for (int i = 0; i < Array.getLength(o); i++) b.append(i == 0 ? "" : ";").append(show(Array.get(o, i)));
            return b.append("]").toString();
        }
        return "o" + o.getClass().getName();
    }
}
