// Command tidemarkctl asks Tidemark from a terminal, and serves it to coding assistants.
package main

import (
	"fmt"
	"os"

	"tidemark/terraform/provider/internal/cli"
)

// version is set by the release.
var version = "0.1.0"

func main() {
	if err := cli.New(version).Execute(); err != nil {
		fmt.Fprintln(os.Stderr, "tidemarkctl: "+err.Error())
		os.Exit(1)
	}
}
