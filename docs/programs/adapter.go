// An adapter in Go: go run adapter.go. MIT: copy it and put your library in.
package main

import (
	"encoding/json"
	"errors"
	"os"
)

// read (text is SAN): a move in UCI; write (UCI): SAN; moves (no text): all legal moves in SAN;
// play (SAN): the FEN after the move; game (PGN, no FEN): all moves in SAN, and the last FEN.
func answer(operation, fen, text string) ([]string, error) {
	return nil, errors.New("put your library in") // so it rejects a text
}

type object map[string]any

func main() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	out.Encode(object{"sanproof": 1, "name": "my library", "version": "1.0", "language": "Go",
		"operations": []string{"read", "write", "moves", "play", "game"}})
	for {
		var asked struct {
			ID                            int
			Operation, Fen, San, Uci, Pgn string
		}
		if in.Decode(&asked) != nil {
			return
		}
		// Of San, Uci and Pgn two are empty.
		texts, err := answer(asked.Operation, asked.Fen, asked.San+asked.Uci+asked.Pgn)
		said, last := object{"id": asked.ID}, len(texts)-1
		switch {
		case err != nil:
			said["rejected"] = err.Error()
		case asked.Operation == "moves":
			said["result"] = texts
		case asked.Operation == "game":
			said["result"] = object{"moves": texts[:last], "fen": texts[last]}
		default:
			said["result"] = texts[0]
		}
		out.Encode(said)
	}
}
