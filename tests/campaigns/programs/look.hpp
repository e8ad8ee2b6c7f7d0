// The recorded answers, for adapter.cpp.
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

// Returns what was recorded; throws if it was rejected.
inline std::vector<std::string> look(std::string operation, std::string fen, std::string text) {
    static const std::string all = [] {
        std::ifstream file("answers", std::ios::binary);
        return (std::stringstream() << file.rdbuf()).str();
    }();
    auto key = "\x1e" + operation + "\x1f" + fen + "\x1f" + text + "\x1d";
    auto at = all.find(key);
    if (at == std::string::npos) throw std::runtime_error("rejected");
    at += key.size();
    std::vector<std::string> texts;
    std::istringstream found(all.substr(at, all.find('\x1e', at) - at));
    for (std::string one; std::getline(found, one, '\x1f');) texts.push_back(one);
    return texts;
}
