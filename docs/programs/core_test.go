// The suite in `go test`: core.json beside it. MIT: copy it and put your library in.
package san

import (
	"encoding/json"
	"os"
	"testing"
)

func read(fen, san string) (string, error)  { panic("put your library in") } // the move in UCI
func write(fen, uci string) (string, error) { panic("put your library in") } // SAN

func TestSAN(t *testing.T) {
	content, _ := os.ReadFile("core.json")
	var suite struct {
		Cases []struct {
			ID, Operation, Class, Fen, San, Uci, Why string
			Expected                                 any
		}
	}
	if json.Unmarshal(content, &suite) != nil {
		t.Fatal("core.json is not there")
	}
	for _, c := range suite.Cases {
		if c.Class == "may" || c.Operation != "read" && c.Operation != "write" {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			ask, text := read, c.San
			if c.Operation == "write" {
				ask, text = write, c.Uci
			}
			if found, err := ask(c.Fen, text); (err != nil) != (c.Class == "must not") || err == nil && found != c.Expected {
				t.Errorf("%s in %s: %v, and not %v. %s", text, c.Fen, found, c.Expected, c.Why)
			}
		})
	}
}
