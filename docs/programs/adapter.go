// An adapter in Go: go run adapter.go. MIT: copy it and put your library in.
package main

import (
	"encoding/json"
	"errors"
	"os"
)

// To "read" is to give a text in SAN as a move in UCI, to "write" the other way round.
func answer(operation, fen, text string) (string, error) {
	return "", errors.New("put your library in") // so it rejects a text
}

type object map[string]any

func main() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	out.Encode(object{"sanproof": 1, "name": "my library", "version": "1.0", "language": "Go",
		"operations": []string{"read", "write"}})
	for {
		var asked struct {
			ID                       int
			Operation, Fen, San, Uci string
		}
		if in.Decode(&asked) != nil {
			return
		}
		// One of San and Uci is empty.
		result, err := answer(asked.Operation, asked.Fen, asked.San+asked.Uci)
		if err != nil {
			out.Encode(object{"id": asked.ID, "rejected": err.Error()})
		} else {
			out.Encode(object{"id": asked.ID, "result": result})
		}
	}
}
