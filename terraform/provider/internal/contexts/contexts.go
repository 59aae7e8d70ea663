// Package contexts keeps the addresses and keys that a person signs in with, in one file that only the person can read.
package contexts

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Context is an API and how to get in: a key of it, or the session of a person who works in one organisation.
type Context struct {
	URL          string `json:"url"`
	APIKey       string `json:"api_key,omitempty"`
	APISecret    string `json:"api_secret,omitempty"`
	Session      string `json:"session,omitempty"`
	Organization string `json:"organization,omitempty"`
}

// File is what is kept.
type File struct {
	Current  string             `json:"current,omitempty"`
	Contexts map[string]Context `json:"contexts"`
	path     string
}

// Path is where the file is: TIDEMARK_CONFIG, else config.json in tidemark's folder of the person's settings.
func Path() (string, error) {
	if path := os.Getenv("TIDEMARK_CONFIG"); path != "" {
		return path, nil
	}
	folder, err := os.UserConfigDir()
	return filepath.Join(folder, "tidemark", "config.json"), err
}

// Read gives the file; an empty one when there is none.
func Read() (*File, error) {
	path, err := Path()
	if err != nil {
		return nil, err
	}
	file := &File{Contexts: map[string]Context{}, path: path}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return file, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, file); err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w. Correct it or remove it", path, err)
	}
	if file.Contexts == nil {
		file.Contexts = map[string]Context{}
	}
	return file, nil
}

// Write replaces the file; nobody else can read it.
func (f *File) Write() error {
	text, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return err
	}
	next := f.path + ".new"
	if err := os.WriteFile(next, append(text, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(next, f.path)
}

// Resolve gives the context of a name, the current one for an empty name. What the environment says comes first when no
// name is given.
func (f *File) Resolve(name string) (Context, error) {
	if name == "" {
		if url := os.Getenv("TIDEMARK_URL"); url != "" {
			return Context{URL: url, APIKey: os.Getenv("TIDEMARK_API_KEY"), APISecret: os.Getenv("TIDEMARK_API_SECRET")}, nil
		}
		name = f.Current
	}
	if name == "" {
		return Context{}, errors.New("there is no context. Make one: tidemarkctl login NAME --url URL, " +
			"or set TIDEMARK_URL, TIDEMARK_API_KEY and TIDEMARK_API_SECRET")
	}
	found, known := f.Contexts[name]
	if !known {
		return Context{}, fmt.Errorf("there is no context %q; tidemarkctl context list shows those there are", name)
	}
	return found, nil
}
