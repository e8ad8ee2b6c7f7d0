// Writes the numbers of the lines of standard input that the expression of a file matches.
import { readFileSync } from "node:fs";

const expression = new RegExp(`^(?:${readFileSync(process.argv[2], "ascii")})$`, "u");
const lines = readFileSync(0, "utf8").split("\n");
process.stdout.write(lines.flatMap((line, n) => (expression.test(line) ? [n] : [])).join("\n"));
