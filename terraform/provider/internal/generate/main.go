// Command generate writes the Go form of the vocabulary: generate <permissions.yaml> <file.go>.
package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/format"
	"os"
	"strings"
	"text/template"

	"go.yaml.in/yaml/v3"
)

//go:embed permissions.go.tmpl
var layout string

type contract struct {
	Permissions []entry
	Roles       []role
}

type entry struct {
	Name    string
	Meaning string
}

type role struct {
	entry       `yaml:",inline"`
	Permissions []string
}

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("usage: generate <permissions.yaml> <file.go>"))
	}
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		fail(err)
	}
	code, err := source(text)
	if err != nil {
		fail(err)
	}
	if err := os.WriteFile(os.Args[2], code, 0o644); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "generate:", err)
	os.Exit(1)
}

// source gives the Go file of a permissions.yaml. It knows every field there is, and refuses others.
func source(text []byte) ([]byte, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	var read contract
	if err := decoder.Decode(&read); err != nil {
		return nil, err
	}
	functions := template.FuncMap{"constant": constant}
	var code bytes.Buffer
	if err := template.Must(template.New("permissions").Funcs(functions).Parse(layout)).Execute(&code, read); err != nil {
		return nil, err
	}
	return format.Source(code.Bytes())
}

// constant makes ServiceAccountsRead of service-accounts:read.
func constant(name string) string {
	var words strings.Builder
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("-_:", r) }) {
		words.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return words.String()
}
