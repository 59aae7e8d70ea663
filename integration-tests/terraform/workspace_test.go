package terraform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// programs are Terraform and the provider, built once for all tests.
var programs struct{ terraform, folder string }

func TestMain(m *testing.M) {
	for _, name := range []string{"TIDEMARK_URL", "TIDEMARK_API_KEY", "TIDEMARK_API_SECRET"} {
		if os.Getenv(name) == "" {
			exit("%s is not set. These tests need a running API and a key of it that may do everything; TerraformIT gives them both.", name)
		}
	}
	name := os.Getenv("TERRAFORM_PROGRAM")
	if name == "" {
		name = "terraform"
	}
	terraform, err := exec.LookPath(name)
	if err != nil {
		exit("%s is not on the PATH. These tests need the terraform program, 1.11 or later; TERRAFORM_PROGRAM names another, as OpenTofu.", name)
	}
	folder, err := os.MkdirTemp("", "provider")
	if err != nil {
		exit("%v", err)
	}
	programs.terraform, programs.folder = terraform, folder
	build := exec.Command("go", "build", "-o", filepath.Join(folder, "terraform-provider-tidemark"), ".")
	build.Dir = filepath.Join("..", "..", "terraform", "provider")
	if told, err := build.CombinedOutput(); err != nil {
		exit("the provider does not build: %v\n%s", err, told)
	}
	// The provider that was just built, and no network.
	settings := fmt.Sprintf("provider_installation {\n  dev_overrides { \"tidemark/tidemark\" = %q }\n}\ndisable_checkpoint = true\n", folder)
	if err := os.WriteFile(filepath.Join(folder, "terraform.rc"), []byte(settings), 0o600); err != nil {
		exit("%v", err)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

func exit(format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", values...)
	os.Exit(1)
}

// workspace is a folder with a configuration and its state, destroyed when the test ends.
type workspace struct {
	t         *testing.T
	folder    string
	variables []string
	// environment is added to that of the test.
	environment []string
	// spent is the processor time of all commands so far.
	spent time.Duration
}

// newWorkspace copies the configuration testdata/NAME; variables are name=value.
func newWorkspace(t *testing.T, name string, variables ...string) *workspace {
	t.Helper()
	w := &workspace{t: t, folder: t.TempDir(), variables: variables}
	if err := os.CopyFS(w.folder, os.DirFS(filepath.Join("testdata", name))); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := os.Stat(filepath.Join(w.folder, "terraform.tfstate")); err == nil {
			w.environment = nil
			w.run("destroy", "-auto-approve")
		}
	})
	return w
}

// write replaces the configuration by one without variables.
func (w *workspace) write(configuration string) {
	w.t.Helper()
	w.variables = nil
	const header = "terraform {\n  required_providers {\n    tidemark = { source = \"tidemark/tidemark\" }\n  }\n}\n"
	if err := os.WriteFile(filepath.Join(w.folder, "main.tf"), []byte(header+configuration), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// run starts terraform and gives its exit code and what it told.
func (w *workspace) run(arguments ...string) (int, string) {
	w.t.Helper()
	command := exec.Command(programs.terraform, append(arguments, w.flags(arguments[0])...)...)
	command.Dir = w.folder
	command.Env = append(append(os.Environ(),
		"TF_CLI_CONFIG_FILE="+filepath.Join(programs.folder, "terraform.rc"), "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1"), w.environment...)
	told, err := command.CombinedOutput()
	if err != nil && command.ProcessState == nil {
		w.t.Fatal(err)
	}
	w.spent += command.ProcessState.UserTime() + command.ProcessState.SystemTime()
	return command.ProcessState.ExitCode(), string(told)
}

func (w *workspace) flags(verb string) []string {
	var flags []string
	switch verb {
	case "plan", "apply", "destroy", "refresh":
		flags = append(flags, "-no-color", "-input=false")
		for _, variable := range w.variables {
			flags = append(flags, "-var", variable)
		}
	}
	return flags
}

// apply must succeed.
func (w *workspace) apply() string {
	w.t.Helper()
	code, told := w.run("apply", "-auto-approve")
	if code != 0 {
		w.t.Fatalf("apply failed:\n%s", told)
	}
	return told
}

// destroy must succeed and leave nothing in the state.
func (w *workspace) destroy() {
	w.t.Helper()
	if code, told := w.run("destroy", "-auto-approve"); code != 0 {
		w.t.Fatalf("destroy failed:\n%s", told)
	}
	if left := w.resources(); len(left) != 0 {
		w.t.Fatalf("the state still has %v", left)
	}
}

// planIsEmpty fails when there is anything to change.
func (w *workspace) planIsEmpty() {
	w.t.Helper()
	if code, told := w.run("plan", "-detailed-exitcode"); code != 0 {
		w.t.Fatalf("the plan is not empty (exit code %d):\n%s", code, told)
	}
}

// planShows fails unless the plan has changes and tells each text.
func (w *workspace) planShows(texts ...string) {
	w.t.Helper()
	code, told := w.run("plan", "-detailed-exitcode")
	if code != 2 {
		w.t.Fatalf("the plan shows no change (exit code %d):\n%s", code, told)
	}
	w.has(told, texts...)
}

// fails runs a command that must fail and tell each text.
func (w *workspace) fails(arguments []string, texts ...string) {
	w.t.Helper()
	code, told := w.run(arguments...)
	if code == 0 {
		w.t.Fatalf("terraform %v succeeded:\n%s", arguments, told)
	}
	w.has(told, texts...)
}

// has compares without the breaks and frames that Terraform puts into messages.
func (w *workspace) has(told string, texts ...string) {
	w.t.Helper()
	plain := strings.Join(strings.Fields(strings.NewReplacer("│", " ", "╷", " ", "╵", " ").Replace(told)), " ")
	for _, text := range texts {
		if !strings.Contains(plain, strings.Join(strings.Fields(text), " ")) {
			w.t.Fatalf("%q is not in:\n%s", text, told)
		}
	}
}

// resources lists the addresses in the state.
func (w *workspace) resources() []string {
	w.t.Helper()
	code, told := w.run("state", "list")
	if code != 0 {
		w.t.Fatalf("state list failed:\n%s", told)
	}
	return strings.Fields(told)
}

// attribute is one value of a resource in the state.
func (w *workspace) attribute(address, name string) string {
	w.t.Helper()
	code, told := w.run("show", "-json")
	if code != 0 {
		w.t.Fatalf("show failed:\n%s", told)
	}
	var shown struct {
		Values struct {
			RootModule struct {
				Resources []struct {
					Address string
					Values  map[string]any
				}
			} `json:"root_module"`
		}
	}
	if err := json.Unmarshal([]byte(told), &shown); err != nil {
		w.t.Fatalf("%v in %s", err, told)
	}
	for _, resource := range shown.Values.RootModule.Resources {
		if resource.Address == address {
			if value, known := resource.Values[name]; known && value != nil {
				return fmt.Sprint(value)
			}
			return ""
		}
	}
	w.t.Fatalf("%s is not in the state", address)
	return ""
}

// output is the value of an output.
func (w *workspace) output(name string) string {
	w.t.Helper()
	code, told := w.run("output", "-raw", name)
	if code != 0 {
		w.t.Fatalf("output %s failed:\n%s", name, told)
	}
	return told
}

// api calls the control API below the organisation, as the provider's key; a status of 400 or more fails the test.
func api(t *testing.T, method, path string, body any, header ...string) map[string]any {
	t.Helper()
	status, read := try(t, method, path, body, "", header...)
	if status >= 400 {
		t.Fatalf("%s %s answered %d: %v", method, path, status, read)
	}
	return read
}

// try is api without an expectation; bearer is another key to call with, when it is not empty.
func try(t *testing.T, method, path string, body any, bearer string, header ...string) (int, map[string]any) {
	t.Helper()
	var content []byte
	if body != nil {
		content, _ = json.Marshal(body)
	}
	request, err := http.NewRequest(method, os.Getenv("TIDEMARK_URL")+path, bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	if bearer == "" {
		request.SetBasicAuth(os.Getenv("TIDEMARK_API_KEY"), os.Getenv("TIDEMARK_API_SECRET"))
	} else {
		request.Header.Set("Authorization", "Bearer "+bearer)
	}
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	read := map[string]any{}
	if len(text) > 0 && strings.Contains(response.Header.Get("Content-Type"), "json") {
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
	}
	read["etag"] = response.Header.Get("ETag")
	return response.StatusCode, read
}

// organization is the path of the key's organisation.
func organization(t *testing.T) string {
	t.Helper()
	return "/api/v1/organizations/" + api(t, "GET", "/api/v1/caller", nil)["organization_id"].(string)
}

// change reads an object and changes it as somebody else would.
func change(t *testing.T, method, path string, body any) {
	t.Helper()
	api(t, method, path, body, "If-Match", api(t, "GET", path, nil)["etag"].(string))
}

// mustFail runs a command that must fail, and gives what it told.
func (w *workspace) mustFail(arguments ...string) string {
	w.t.Helper()
	code, told := w.run(arguments...)
	if code == 0 {
		w.t.Fatalf("terraform %v succeeded:\n%s", arguments, told)
	}
	return told
}

// importing takes an object into the state.
func (w *workspace) importing(address, id string) {
	w.t.Helper()
	arguments := []string{"import", "-no-color", "-input=false"}
	for _, variable := range w.variables {
		arguments = append(arguments, "-var", variable)
	}
	if code, told := w.run(append(arguments, address, id)...); code != 0 {
		w.t.Fatalf("import of %s failed:\n%s", address, told)
	}
}

// append adds to the configuration.
func (w *workspace) append(configuration string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.folder, "more.tf"), []byte(configuration), 0o600); err != nil {
		w.t.Fatal(err)
	}
}
