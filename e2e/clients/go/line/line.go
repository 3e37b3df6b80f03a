// Package line writes what the tests read.
package line

import (
	"encoding/json"
	"os"
	"sync"
)

type event struct {
	Type            string `json:"type"`
	Name            string `json:"name"`
	ResourceVersion string `json:"resourceVersion"`
}

var (
	mutex sync.Mutex
	out   = json.NewEncoder(os.Stdout)
)

// Print writes one event as a line of JSON. Standard output that is gone ends the program.
func Print(kind, name, resourceVersion string) {
	mutex.Lock()
	defer mutex.Unlock()
	if err := out.Encode(event{kind, name, resourceVersion}); err != nil {
		os.Exit(1)
	}
}
