// An adapter in Java: java Adapter.java. MIT: copy it and put your library in.
import java.io.*;
import java.util.regex.*;

class Adapter {
    /** To "read" is to give a text in SAN as a move in UCI, to "write" the other way round. */
    static String answer(String operation, String fen, String text) {
        throw new IllegalArgumentException("put your library in"); // so it rejects a text
    }

    /** The text under a name in a line of JSON. */
    static String text(String line, String name) {
        var value = Pattern.compile('"' + name + "\":\\s*\"((?:[^\"\\\\]|\\\\.)*+)").matcher(line);
        String text = value.find() ? value.group(1) : "";
        return Pattern.compile("\\\\(?:u(.{4})|.)").matcher(text).replaceAll(escape -> {
            String code = escape.group(1), sign = escape.group().replace("\\/", "/");
            sign = code == null ? sign.translateEscapes() : "" + (char) Integer.parseInt(code, 16);
            return Matcher.quoteReplacement(sign);
        });
    }

    public static void main(String[] arguments) throws IOException {
        System.out.println("{\"sanproof\": 1, \"name\": \"my library\", \"version\": \"1.0\","
            + " \"language\": \"Java\", \"operations\": [\"read\", \"write\"]}");
        var lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line; (line = lines.readLine()) != null; ) {
            String operation = text(line, "operation"), kind = "result", said;
            String text = text(line, operation.equals("read") ? "san" : "uci");
            try {
                said = answer(operation, text(line, "fen"), text);
            } catch (RuntimeException error) {
                kind = "rejected";
                said = "" + error.getMessage();
            }
            String id = line.replaceFirst(".*?\"id\":\\s*(\\d+).*", "$1"), escaped = "";
            for (char sign : said.toCharArray()) escaped += String.format("\\u%04x", (int) sign);
            System.out.printf("{\"id\": %s, \"%s\": \"%s\"}%n", id, kind, escaped);
        }
    }
}
