// An adapter in Java, without dependencies: java Adapter.java. MIT: copy it and put your library in.
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.regex.*;

class Adapter {
    static String read(String fen, String san) {
        throw new IllegalArgumentException("put your library in"); // the move in UCI; or it throws
    }

    static String write(String fen, String uci) {
        throw new IllegalArgumentException("put your library in"); // the move in SAN
    }

    static final Pattern ESCAPE = Pattern.compile("\\\\(?:u(.{4})|(.))");

    /** The text under a name in a line of JSON. */
    static String text(String line, String name) {
        Matcher found = Pattern.compile('"' + name + "\":\\s*\"((?:[^\"\\\\]|\\\\.)*+)\"").matcher(line);
        if (!found.find()) return "";
        return ESCAPE.matcher(found.group(1)).replaceAll(part -> Matcher.quoteReplacement(
            part.group(1) != null ? "" + (char) Integer.parseInt(part.group(1), 16)
                : part.group(2).replace('n', '\n').replace('t', '\t')));
    }

    static String json(String text) {
        StringBuilder said = new StringBuilder("\"");
        text.chars().forEach(c -> said.append(c < ' ' || c > '~' || c == '"' || c == '\\' ? String.format("\\u%04x", c) : "" + (char) c));
        return said.append('"').toString();
    }

    public static void main(String[] arguments) throws IOException {
        System.out.println("{\"sanproof\": 1, \"name\": \"my library\", \"version\": \"1.0\","
            + " \"language\": \"Java\", \"operations\": [\"read\", \"write\"]}");
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = lines.readLine()) != null; ) {
            String id = line.replaceFirst(".*?\"id\":\\s*(\\d+).*", "$1"), fen = text(line, "fen"), said;
            try {
                said = text(line, "operation").equals("read") ? read(fen, text(line, "san")) : write(fen, text(line, "uci"));
                said = "\"result\": " + json(said);
            } catch (RuntimeException error) {
                said = "\"rejected\": " + json("" + error.getMessage());
            }
            System.out.println("{\"id\": " + id + ", " + said + "}");
        }
    }
}
