// An adapter in C#: dotnet run Adapter.cs (.NET 10). MIT: copy it and put your library in.
using System.Text.Json;
using System.Text.Json.Nodes;

// read (text is SAN): a move in UCI; write (UCI): SAN; moves (no text): all legal moves in SAN;
// play (SAN): the FEN after the move; game (PGN, no FEN): all moves in SAN, and the last FEN.
static string[] Answer(string operation, string fen, string text)
{
    throw new ArgumentException("put your library in"); // so it rejects a text
}

static JsonArray List(IEnumerable<string> texts) =>
    new(texts.Select(text => (JsonNode)JsonValue.Create(text)).ToArray());

const string about = """{"sanproof": 1, "name": "my library", "version": "1.0", "language": "C#",""";
Console.WriteLine(about + """ "operations": ["read", "write", "moves", "play", "game"]}""");
while (Console.ReadLine() is string line)
{
    var asked = JsonNode.Parse(line)!.AsObject();
    string Part(string name) => (string?)asked[name] ?? "";
    var said = new JsonObject { ["id"] = (int)asked["id"]! };
    try
    {
        var texts = Answer(Part("operation"), Part("fen"), Part("san") + Part("uci") + Part("pgn"));
        said["result"] = Part("operation") switch
        {
            "moves" => List(texts),
            "game" => new JsonObject { ["moves"] = List(texts[..^1]), ["fen"] = texts[^1] },
            _ => texts[0],
        };
    }
    catch (Exception error)
    {
        said["rejected"] = error.Message;
    }
    Console.WriteLine(said.ToJsonString());
}
