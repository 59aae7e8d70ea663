// Command terraform-provider-tidemark serves the provider to Terraform and OpenTofu.
package main

import (
	"context"
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"tidemark/terraform/provider/internal/tidemark"
)

// version is set by the release.
var version = "0.1.0"

// address is the provider's name for a debugger to attach to; Terraform itself takes it from the configuration.
const address = "provider.tidemark.io/tidemark/tidemark"

func main() {
	debug := flag.Bool("debug", false, "wait for a debugger")
	flag.Parse()
	if err := providerserver.Serve(context.Background(), tidemark.New(version), providerserver.ServeOpts{Address: address, Debug: *debug}); err != nil {
		log.Fatal(err)
	}
}
