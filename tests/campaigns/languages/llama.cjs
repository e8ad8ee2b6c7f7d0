// Writes the numbers of the lines of standard input that a grammar of llama.cpp accepts.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");

const folder = "node_modules/@node-llama-cpp/linux-x64/bins/linux-x64"; // by path: not exported
const llama = require(join(__dirname, folder, "llama-addon.node"));
const text = readFileSync(process.argv[2], "ascii");
const grammar = new llama.AddonGrammar(text, { addonExports: llama, rootRuleName: "root" });
const lines = readFileSync(0, "utf8").split("\n");
const taken = lines.flatMap((line, n) => (grammar.isTextCompatible(line) ? [n] : []));
process.stdout.write(taken.join("\n"));
