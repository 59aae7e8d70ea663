package main

import (
	"os"
	"testing"
)

// What is committed is what the contract gives; make generate writes it anew.
func TestClientIsOfTheContract(t *testing.T) {
	files, err := Files("../../../../../platform-api/contracts/openapi/control-api.yaml", "../../../../../platform-api/contracts/openapi/metrics-api.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for name, wanted := range files {
		found, err := os.ReadFile("../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if string(found) != string(wanted) {
			t.Errorf("%s is not what the contract gives: run make generate", name)
		}
	}
}

func TestAGeneratedFileIsSmall(t *testing.T) {
	for _, name := range []string{"models.gen.go", "operations.gen.go"} {
		found, err := os.Stat("../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if found.Size() > 600<<10 {
			t.Errorf("%s has %d bytes", name, found.Size())
		}
	}
}
