// An adapter in C++: c++ -std=c++17 adapter.cpp. MIT: copy it and put your library in.
#include <cstdio>
#include <filesystem>
#include <iostream>

// To "read" is to give a text in SAN as a move in UCI, to "write" the other way round.
std::string answer(const std::string& operation, const std::string& fen, const std::string& text) {
    throw std::runtime_error("put your library in");  // so it rejects a text
}

// The text under a name in a line of JSON.
std::string text(const std::string& line, const std::string& name) {
    auto at = line.find('"', line.find('"' + name + "\":") + name.size() + 3);
    for (std::string found;;) {
        if (line[++at] == '"') return found;
        auto escape = line[at] == '\\' ? std::string("ntrbfu").find(line[++at]) : std::string::npos;
        if (escape == 5) {
            std::u16string code(1, std::stoi(line.substr((at += 4) - 3, 4), nullptr, 16));
            found += std::filesystem::path(code).u8string();  // from UTF-16 to UTF-8
        } else found += escape < 5 ? "\n\t\r\b\f"[escape] : line[at];
    }
}

int main() {
    std::cout << R"({"sanproof": 1, "name": "my library", "version": "1.0", "language": "C++", )"
              << R"("operations": ["read", "write"]})" << std::endl;
    for (std::string line, said; std::getline(std::cin, line);) {
        const char* kind = "result";
        auto operation = text(line, "operation"), fen = text(line, "fen");
        try {
            said = answer(operation, fen, text(line, operation == "read" ? "san" : "uci"));
        } catch (const std::exception& error) {
            said = error.what();
            kind = "rejected";
        }
        std::printf(R"({"id": %d, "%s": ")", std::stoi(&line[line.find("\"id\":") + 5]), kind);
        for (unsigned char sign : said) std::printf(sign < 128 ? "\\u%04x" : "%c", sign);
        std::cout << "\"}" << std::endl;
    }
}
