// Writes for each line of standard input its number, or -1, and the string of that number.
import { readFileSync } from "node:fs";

const { numberOf, stringOf } = await import(process.argv[2]);
const lines = readFileSync(0, "utf8").split("\n").slice(0, -1);
for (const wrong of [-1, 1e9, 0.5, "0"]) if (stringOf(wrong) !== undefined) process.exit(1);
const answers = lines.map((line) => `${numberOf(line) ?? -1} ${stringOf(numberOf(line)) ?? ""}\n`);
process.stdout.write(answers.join(""));
