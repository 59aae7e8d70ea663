package main

import (
	"os"
	"strings"
	"testing"
)

const contractFile = "../../../../platform-api/contracts/vocabulary/permissions.yaml"

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestVocabularyIsOfTheContract(t *testing.T) {
	wanted, err := source(read(t, contractFile))
	if err != nil {
		t.Fatal(err)
	}
	if got := read(t, "../vocabulary/permissions.gen.go"); string(got) != string(wanted) {
		t.Error("internal/vocabulary/permissions.gen.go is not what the contract makes of it: run go generate ./... in terraform/provider")
	}
}

func TestAnotherNameIsAnotherVocabulary(t *testing.T) {
	text := string(read(t, contractFile))
	wanted, err := source([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{{"audit:read", "audit:see"}, {"developer", "engineer"}, {"Read, export", "Export"}} {
		changed, err := source([]byte(strings.ReplaceAll(text, change[0], change[1])))
		if err != nil {
			t.Fatal(err)
		}
		if string(changed) == string(wanted) {
			t.Errorf("%s for %s changes nothing", change[1], change[0])
		}
	}
}

func TestUnknownFieldsAreRefused(t *testing.T) {
	if _, err := source([]byte("permissions: [{name: a:read, meaning: A., implies: [b:read]}]")); err == nil {
		t.Error("a field that nothing is made of was taken")
	}
}
