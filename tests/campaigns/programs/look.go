package PACKAGE

import (
	"errors"
	"os"
	"strings"
)

var all, _ = os.ReadFile("answers")

// look returns what was recorded; an error if it was rejected.
func look(operation, fen, text string) ([]string, error) {
	key := "\x1e" + operation + "\x1f" + fen + "\x1f" + text + "\x1d"
	_, after, found := strings.Cut(string(all), key)
	if !found {
		return nil, errors.New("rejected")
	}
	texts, _, _ := strings.Cut(after, "\x1e")
	return strings.Split(texts, "\x1f"), nil
}
