// Asks chess.js the cases of a suite, and prints those that it fails: node suite.mjs core.json
import { readFileSync } from "node:fs"
import { Chess } from "chess.js"

const uci = (move) => move.from + move.to + (move.promotion ?? "")

function answer({ operation, fen, san, uci: text }) {
  const chess = new Chess(fen)
  if (operation === "moves") return chess.moves().sort()
  if (operation === "write") {
    const [from, to, promotion] = [text.slice(0, 2), text.slice(2, 4), text.slice(4)]
    return chess.move({ from, to, promotion: promotion || undefined }).san
  }
  const move = chess.move(san, { strict: true })
  return operation === "read" ? uci(move) : chess.fen()
}

const { cases } = JSON.parse(readFileSync(process.argv[2]))
for (const test of cases) {
  if (test.class === "may" || test.operation === "game") continue
  let result
  try {
    result = answer(test)
  } catch {
    result = undefined
  }
  const right = test.operation === "play" ? Object.values(test.expected) : [test.expected]
  const same = right.some((value) => JSON.stringify(value) === JSON.stringify(result))
  if (!same) console.log(test.id, result, test.why)
}
