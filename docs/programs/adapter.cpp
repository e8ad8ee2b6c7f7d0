// An adapter in C++: c++ -std=c++17 adapter.cpp. MIT: copy it and put your library in.
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <vector>
using std::string;

// read (text is SAN): a move in UCI; write (UCI): SAN; moves (no text): all legal moves in SAN;
// play (SAN): the FEN after the move; game (PGN, no FEN): all moves in SAN, and the last FEN.
std::vector<string> answer(const string& operation, const string& fen, const string& text) {
    throw std::runtime_error("put your library in");  // so it rejects a text
}

// The text under a name in a line of JSON.
string text(const string& line, const string& name) {
    auto at = line.find('"' + name + "\":");
    if (at == string::npos) return "";
    at = line.find('"', at + name.size() + 3);
    for (string found;;) {
        if (line[++at] == '"') return found;
        auto escape = line[at] == '\\' ? string("ntrbfu").find(line[++at]) : string::npos;
        if (escape == 5) {
            std::u16string code(1, std::stoi(line.substr((at += 4) - 3, 4), nullptr, 16));
            found += std::filesystem::path(code).u8string();  // from UTF-16 to UTF-8
        } else found += escape < 5 ? "\n\t\r\b\f"[escape] : line[at];
    }
}

string quote(const string& text) {
    string said = "\"";
    for (unsigned char sign : text) {
        char code[8];
        std::snprintf(code, sizeof code, sign < 128 ? "\\u%04x" : "%c", sign);
        said += code;
    }
    return said + '"';
}

int main() {
    std::cout << R"({"sanproof": 1, "name": "my library", "version": "1.0", "language": "C++", )"
              << R"("operations": ["read", "write", "moves", "play", "game"]})" << std::endl;
    for (string line, said; std::getline(std::cin, line);) {
        auto operation = text(line, "operation");
        auto asked = text(line, "san") + text(line, "uci") + text(line, "pgn");
        try {
            auto texts = answer(operation, text(line, "fen"), asked);
            string moves;
            for (size_t i = 0; i + (operation == "game") < texts.size(); ++i)
                moves += (i ? "," : "") + quote(texts[i]);
            said = "\"result\": ";
            if (operation == "moves") said += "[" + moves + "]";
            else if (operation == "game")
                said += "{\"moves\": [" + moves + "], \"fen\": " + quote(texts.back()) + "}";
            else said += quote(texts.at(0));
        } catch (const std::exception& error) {
            said = "\"rejected\": " + quote(error.what());
        }
        std::cout << "{\"id\": " << std::stoi(&line[line.find("\"id\":") + 5]) << ", " << said
                  << "}" << std::endl;
    }
}
