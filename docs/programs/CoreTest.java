// The suite in JUnit 5, with Jackson and core.json in the current folder. MIT: put your library in.
import static org.junit.jupiter.api.Assertions.*;
import com.fasterxml.jackson.databind.*;
import java.io.File;
import java.util.stream.*;
import org.junit.jupiter.api.*;

class CoreTest {
    static String read(String fen, String san) { throw new IllegalArgumentException("a move in UCI"); }
    static String write(String fen, String uci) { throw new IllegalArgumentException("SAN"); }

    @TestFactory
    Stream<DynamicTest> core() throws Exception {
        JsonNode cases = new ObjectMapper().readTree(new File("core.json")).get("cases");
        return StreamSupport.stream(cases.spliterator(), false)
            .filter(c -> c.path("operation").asText().matches("read|write"))
            .filter(c -> !c.path("class").asText().equals("may"))
            .map(c -> DynamicTest.dynamicTest(c.path("id").asText(), () -> {
                String found = null, fen = c.path("fen").asText(), why = c.path("why").asText();
                try {
                    found = c.has("san") ? read(fen, c.get("san").asText())
                        : write(fen, c.path("uci").asText());
                } catch (RuntimeException rejected) { }
                boolean refused = c.path("class").asText().equals("must not");
                assertEquals(refused ? null : c.path("expected").asText(), found, why);
            }));
    }
}
