// An adapter in C++, without dependencies: c++ -std=c++17 adapter.cpp. MIT: copy it and put your
// library in.
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string>

std::string read(const std::string& fen, const std::string& san) {
    throw std::invalid_argument("put your library in");  // the move in UCI; or it throws
}

std::string write(const std::string& fen, const std::string& uci) {
    throw std::invalid_argument("put your library in");  // the move in SAN
}

// The text under a name in a line of JSON, in UTF-8.
std::string text(const std::string& line, const std::string& name) {
    std::string found;
    auto at = line.find('"' + name + "\":");
    if (at == std::string::npos) return found;
    at = line.find('"', at + name.size() + 3) + 1;
    for (; at < line.size() && line[at] != '"'; ++at) {
        if (line[at] != '\\') { found += line[at]; continue; }
        if (line[++at] != 'u') { found += line[at] == 'n' ? '\n' : line[at] == 't' ? '\t' : line[at]; continue; }
        unsigned code = std::stoul(line.substr(at + 1, 4), nullptr, 16);
        at += 4;
        if (code < 0x80) found += char(code);
        else if (code < 0x800) { found += char(0xC0 | code >> 6); found += char(0x80 | (code & 63)); }
        else { found += char(0xE0 | code >> 12); found += char(0x80 | (code >> 6 & 63)); found += char(0x80 | (code & 63)); }
    }
    return found;
}

std::string json(const std::string& text) {
    std::string said = "\"";
    for (char c : text) {
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\u%04x", (unsigned char)c);
        said += (unsigned char)c < ' ' || c == '"' || c == '\\' ? escape : std::string(1, c);
    }
    return said + '"';
}

int main() {
    std::cout << R"({"sanproof": 1, "name": "my library", "version": "1.0", "language": "C++", )"
              << R"("operations": ["read", "write"]})" << std::endl;
    for (std::string line; std::getline(std::cin, line);) {
        auto id = std::stol(line.substr(line.find("\"id\":") + 5));
        auto fen = text(line, "fen");
        std::string said;
        try {
            said = "\"result\": " + json(text(line, "operation") == "read" ? read(fen, text(line, "san")) : write(fen, text(line, "uci")));
        } catch (const std::exception& error) {
            said = "\"rejected\": " + json(error.what());
        }
        std::cout << "{\"id\": " << id << ", " << said << "}" << std::endl;
    }
}
