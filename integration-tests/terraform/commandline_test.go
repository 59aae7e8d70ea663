package terraform

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// commandLine builds tidemarkctl and gives what it tells.
func commandLine(t *testing.T) func(arguments ...string) string {
	t.Helper()
	program := filepath.Join(programs.folder, "tidemarkctl")
	build := exec.Command("go", "build", "-o", program, "./cmd/tidemarkctl")
	build.Dir = provider
	if told, err := build.CombinedOutput(); err != nil {
		t.Fatalf("tidemarkctl does not build: %v\n%s", err, told)
	}
	return func(arguments ...string) string {
		t.Helper()
		command := exec.Command(program, arguments...)
		var stderr bytes.Buffer
		command.Stderr = &stderr
		told, err := command.Output()
		if err != nil {
			t.Fatalf("tidemarkctl %v: %v\n%s", arguments, err, stderr.String())
		}
		return string(told)
	}
}

// What an organisation has becomes a configuration that plans no change.
func TestACommandLineAsksTheAPI(t *testing.T) {
	tidemarkctl := commandLine(t)
	w := newWorkspace(t, "slice", "environment="+fresh("exported"), "name=Exported")
	w.apply()
	id := w.attribute("tidemark_environment.this", "id")
	if told := tidemarkctl("environments"); !strings.Contains(told, id) {
		t.Errorf("%s", told)
	}
	if told := tidemarkctl("whoami"); !strings.Contains(told, "environments:write") {
		t.Errorf("%s", told)
	}
	var blocks []string
	for _, block := range strings.SplitAfter(tidemarkctl("export"), "}\n") {
		if strings.Contains(block, id) || strings.Contains(block, w.attribute("tidemark_service_account.sender", "id")) {
			blocks = append(blocks, block)
		}
	}
	if len(blocks) != 3 {
		t.Fatalf("%s", blocks)
	}
	other := newWorkspace(t, "slice")
	other.write(strings.Join(blocks, ""))
	code, told := other.run("plan", "-generate-config-out=generated.tf")
	if code != 0 {
		t.Fatalf("the plan failed:\n%s", told)
	}
	other.has(told, "Plan: 3 to import, 0 to add, 0 to change, 0 to destroy.")
	if _, err := os.Stat(filepath.Join(other.folder, "generated.tf")); err != nil {
		t.Error(err)
	}
}
