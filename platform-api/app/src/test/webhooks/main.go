// Command webhooks verifies a delivery from standard input by the reference library; it exits with 1 when it is none of the secret's.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func main() {
	var delivery struct {
		Secret, Body string
		Headers      map[string]string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&delivery); err != nil {
		fmt.Fprintln(os.Stderr, "not a delivery:", err)
		os.Exit(2)
	}
	headers := http.Header{}
	for name, value := range delivery.Headers {
		headers.Set(name, value)
	}
	webhook, err := standardwebhooks.NewWebhook(delivery.Secret)
	if err == nil {
		err = webhook.Verify([]byte(delivery.Body), headers)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "refused:", err)
		os.Exit(1)
	}
	fmt.Println("verified")
}
