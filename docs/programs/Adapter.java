// An adapter in Java: java Adapter.java. MIT: copy it and put your library in.
import java.io.*;
import java.util.*;
import java.util.regex.*;

class Adapter {
    /**
     * read (text is SAN): a move in UCI; write (UCI): SAN; moves (no text): all legal moves in SAN;
     * play (SAN): the FEN after the move; game (PGN, no FEN): all moves in SAN, and the last FEN.
     */
    static List<String> answer(String operation, String fen, String text) {
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

    static String quoted(String text) {
        var said = new StringBuilder("\"");
        for (char sign : text.toCharArray()) said.append(String.format("\\u%04x", (int) sign));
        return said + "\"";
    }

    public static void main(String[] arguments) throws IOException {
        System.out.println("{\"sanproof\": 1, \"name\": \"my library\", \"version\": \"1.0\","
            + " \"language\": \"Java\","
            + " \"operations\": [\"read\", \"write\", \"moves\", \"play\", \"game\"]}");
        var lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line; (line = lines.readLine()) != null; ) {
            String operation = text(line, "operation"), said;
            String text = text(line, "san") + text(line, "uci") + text(line, "pgn");
            try {
                var texts = answer(operation, text(line, "fen"), text);
                var all = texts.stream().map(Adapter::quoted).toList();
                said = "\"result\": " + switch (operation) {
                    case "moves" -> all;
                    case "game" -> "{\"moves\": " + all.subList(0, all.size() - 1)
                        + ", \"fen\": " + all.get(all.size() - 1) + "}";
                    default -> all.get(0);
                };
            } catch (RuntimeException error) {
                said = "\"rejected\": " + quoted("" + error.getMessage());
            }
            String id = line.replaceFirst(".*?\"id\":\\s*(\\d+).*", "$1");
            System.out.println("{\"id\": " + id + ", " + said + "}");
        }
    }
}
