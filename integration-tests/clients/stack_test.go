package clients

import (
	"os"
	"testing"
	"time"
)

// The metric of which two series were sent, and what was added to each in the minutes after begin.
const metric = "clients.requests_total"

var sent = map[string][]float64{
	"/a": {5, 7, 0, 2},
	"/b": {11, 13, 17, 19},
}

// stack says where the API is and how to get in; a variable that is not set fails the test.
type stack struct {
	url, keyID, secret, bearer string
	begin                      time.Time
}

func running(t *testing.T) stack {
	t.Helper()
	read := func(name string) string {
		value := os.Getenv(name)
		if value == "" {
			t.Fatalf("%s is not set; these tests are run by ApiClientsIT against a stack", name)
		}
		return value
	}
	begin, err := time.Parse(time.RFC3339, read("CLIENTS_BEGIN"))
	if err != nil {
		t.Fatal(err)
	}
	return stack{
		url:    read("TIDEMARK_URL"),
		keyID:  read("TIDEMARK_KEY_ID"),
		secret: read("TIDEMARK_KEY_SECRET"),
		bearer: read("TIDEMARK_KEY"),
		begin:  begin,
	}
}

func minutes(number int) time.Duration {
	return time.Duration(number) * time.Minute
}
