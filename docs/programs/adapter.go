// An adapter in Go, without dependencies: go run adapter.go. MIT: copy it and put your library in.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

func read(fen, san string) (string, error) {
	return "", fmt.Errorf("put your library in") // the move in UCI; an error if it is rejected
}

func write(fen, uci string) (string, error) {
	return "", fmt.Errorf("put your library in") // the move in SAN
}

type question struct {
	ID                       int
	Operation, Fen, San, Uci string
}

func main() {
	fmt.Println(`{"sanproof": 1, "name": "my library", "version": "1.0", "language": "Go", "operations": ["read", "write"]}`)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		operation, text := write, asked.Uci
		if asked.Operation == "read" {
			operation, text = read, asked.San
		}
		answer := map[string]any{"id": asked.ID}
		if result, err := operation(asked.Fen, text); err != nil {
			answer["rejected"] = err.Error()
		} else {
			answer["result"] = result
		}
		line, _ := json.Marshal(answer)
		fmt.Println(string(line))
	}
}
