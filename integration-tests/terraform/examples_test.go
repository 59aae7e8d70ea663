package terraform

import (
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

var provider = filepath.Join("..", "..", "terraform", "provider")

// What the examples read is there; what they make is not.
func staging(t *testing.T) {
	t.Helper()
	for path, body := range map[string]map[string]any{
		"/environments":     {"id": "staging", "display_name": "Staging"},
		"/service-accounts": {"display_name": "Examples", "role": "developer"},
	} {
		if status, read := try(t, "POST", organization(t)+path, body, ""); status != 201 && status != 409 {
			t.Fatalf("%d %v", status, read)
		}
	}
	for path, body := range map[string]map[string]any{
		"/metrics":   {"name": "http.server.requests"},
		"/resources": {"type": "kafka", "name": "lkc-orders"},
		"/alert-rules": {"name": "Consumer lag", "severity": "warning",
			"condition": map[string]any{"metric": "kafka.consumer.lag", "operator": "gt", "threshold": 100}},
		"/integrations": {"name": "On call", "kind": "webhook", "url": "https://hooks.example.org/tidemark", "send_test": false},
	} {
		where := organization(t) + "/environments/staging" + path
		// Two of these may have the same name.
		if found := api(t, "GET", where, nil)["data"].([]any); len(found) > 0 {
			continue
		}
		if status, read := try(t, "POST", where, body, ""); status != 201 {
			t.Fatalf("%d %v", status, read)
		}
	}
}

func TestEveryExampleIsPlanned(t *testing.T) {
	t.Parallel()
	staging(t)
	var folders []string
	err := filepath.WalkDir(filepath.Join(provider, "examples"), func(path string, entry fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".tf") {
			folders = append(folders, filepath.Dir(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(folders) < 59 {
		t.Errorf("only %d examples", len(folders))
	}
	for _, folder := range folders {
		t.Run(filepath.Base(filepath.Dir(folder))+"/"+filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			w := newWorkspace(t, "slice")
			if err := os.Remove(filepath.Join(w.folder, "main.tf")); err != nil {
				t.Fatal(err)
			}
			if err := os.CopyFS(w.folder, os.DirFS(folder)); err != nil {
				t.Fatal(err)
			}
			if filepath.Base(folder) != "provider" {
				w.append("terraform {\n  required_providers {\n    tidemark = { source = \"tidemark/tidemark\" }\n  }\n}\n")
			}
			if code, told := w.run("plan", "-detailed-exitcode"); code == 1 {
				t.Fatalf("the plan failed:\n%s", told)
			}
		})
	}
	if code, told := format(t, filepath.Join(provider, "examples")); code != 0 {
		t.Errorf("not laid out by terraform fmt: %s", told)
	}
}

func format(t *testing.T, folder string) (int, string) {
	t.Helper()
	w := &workspace{t: t, folder: folder}
	return w.run("fmt", "-check", "-recursive")
}

// The pages are what tfplugindocs makes of schema and examples; make terraform-docs writes them anew.
func TestThePagesAreOfTheSchema(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs(provider)
	if err != nil {
		t.Fatal(err)
	}
	tool := documentation(t, "github.com/hashicorp/terraform-plugin-docs/cmd/tfplugindocs")
	written := t.TempDir()
	relative, err := filepath.Rel(root, written)
	if err != nil {
		t.Fatal(err)
	}
	generate := exec.Command(tool, "generate", "--provider-name", "tidemark", "--rendered-provider-name", "Tidemark", "--rendered-website-dir", relative)
	generate.Dir = root
	generate.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+os.DevNull, "CHECKPOINT_DISABLE=1")
	if told, err := generate.CombinedOutput(); err != nil {
		t.Fatalf("tfplugindocs failed: %v\n%s", err, told)
	}
	wanted, found := texts(t, written), texts(t, filepath.Join(root, "docs"))
	for name, text := range wanted {
		if found[name] != text {
			t.Errorf("docs/%s is not what the schema gives: run make terraform-docs", name)
		}
	}
	for name := range found {
		if _, known := wanted[name]; !known {
			t.Errorf("docs/%s is of nothing that there is", name)
		}
	}
}

// documentation builds a program of the module generate-docs.
func documentation(t *testing.T, program string) string {
	t.Helper()
	tool := filepath.Join(programs.folder, path.Base(program))
	build := exec.Command("go", "build", "-o", tool, program)
	build.Dir = filepath.Join(provider, "generate-docs")
	if told, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s does not build: %v\n%s", program, err, told)
	}
	return tool
}

// texts reads all files of a folder.
func texts(t *testing.T, folder string) map[string]string {
	t.Helper()
	read := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		read[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return read
}
