package terraform

import (
	"bufio"
	"bytes"
	"fmt"
	"html"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// buildCommandLine builds tidemarkctl once for all tests.
var buildCommandLine = sync.OnceValues(func() (string, error) {
	program := filepath.Join(programs.folder, "tidemarkctl")
	build := exec.Command("go", "build", "-o", program, "./cmd/tidemarkctl")
	build.Dir = provider
	told, err := build.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("tidemarkctl does not build: %w\n%s", err, told)
	}
	return program, err
})

// commandLine gives what tidemarkctl tells.
func commandLine(t *testing.T) func(arguments ...string) string {
	t.Helper()
	program, err := buildCommandLine()
	if err != nil {
		t.Fatal(err)
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

// A person signs in with a browser, in which this test clicks, and works with the permissions of the person.
func TestAPersonSignsTheCommandLineIn(t *testing.T) {
	t.Parallel()
	commandLine(t)
	browser := given(t, "TERRAFORM_PERSON_SESSION")
	command := exec.Command(filepath.Join(programs.folder, "tidemarkctl"), "login", "here", "--no-browser",
		"--url", strings.Replace(os.Getenv("TIDEMARK_URL"), "127.0.0.1", "localhost", 1), "--organization", strings.TrimPrefix(organization(t), "/api/v1/organizations/"))
	config := filepath.Join(t.TempDir(), "config.json")
	own := append(os.Environ(), "TIDEMARK_CONFIG="+config, "TIDEMARK_URL=", "TIDEMARK_API_KEY=", "TIDEMARK_API_SECRET=")
	command.Env = own
	told, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(told)
	address := ""
	for address == "" && lines.Scan() {
		if text := strings.TrimSpace(lines.Text()); strings.HasPrefix(text, "http") {
			address = text
		}
	}
	if agreed := agree(t, address, "not signed in"); !strings.Contains(agreed, "/auth/sign-in") {
		t.Errorf("somebody who is not signed in sees %s", agreed)
	}
	back := agree(t, address, browser)
	if !strings.HasPrefix(back, "http://127.0.0.1:") {
		t.Fatalf("the page leads to %s", back)
	}
	if answer, err := http.Get(back); err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%v %v", answer, err)
	}
	for lines.Scan() {
	}
	if err := command.Wait(); err != nil {
		t.Fatalf("login failed: %v", err)
	}
	as := func(arguments ...string) string {
		t.Helper()
		command := exec.Command(filepath.Join(programs.folder, "tidemarkctl"), arguments...)
		command.Env = own
		told, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("tidemarkctl %v: %v\n%s", arguments, err, told)
		}
		return string(told)
	}
	if told := as("environments"); !strings.Contains(told, "env-caller") {
		t.Errorf("%s", told)
	}
	// A change, which needs the token of the session.
	file := filepath.Join(t.TempDir(), "dashboard.json")
	title := "Of a person " + fresh("x")
	if err := os.WriteFile(file, []byte(`{"version":1,"title":"`+title+`","panels":[]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if told := as("import", "dashboards", file); !strings.Contains(told, title) {
		t.Errorf("%s", told)
	}
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	as("logout")
	if err := os.WriteFile(config, text, 0o600); err != nil {
		t.Fatal(err)
	}
	command = exec.Command(filepath.Join(programs.folder, "tidemarkctl"), "environments")
	command.Env = own
	if told, err := command.CombinedOutput(); err == nil {
		t.Errorf("a session that was ended still works: %s", told)
	}
	// A code works once.
	if answer, err := http.Get(back); err == nil {
		t.Errorf("the port is still open: %v", answer)
	}
}

var field = regexp.MustCompile(`name="([a-z_]+)" value="([^"]*)"`)

// agree opens the page with the session of a browser, sends its form and gives where it leads.
func agree(t *testing.T, address, session string) string {
	t.Helper()
	caller := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	send := func(method, address, body string) *http.Response {
		request, err := http.NewRequest(method, address, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Cookie", "__Host-tidemark-session="+session)
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		answer, err := caller.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { answer.Body.Close() })
		return answer
	}
	page := send("GET", address, "")
	if page.StatusCode != http.StatusOK {
		return page.Header.Get("Location")
	}
	text, err := io.ReadAll(page.Body)
	if err != nil {
		t.Fatal(err)
	}
	form := url.Values{}
	for _, each := range field.FindAllStringSubmatch(string(text), -1) {
		form.Set(each[1], html.UnescapeString(each[2]))
	}
	forged := maps.Clone(form)
	forged.Del("_csrf")
	target := strings.SplitN(address, "?", 2)[0]
	if answer := send("POST", target, forged.Encode()); answer.StatusCode != http.StatusForbidden {
		t.Errorf("a form without its token is answered %d", answer.StatusCode)
	}
	answer := send("POST", target, form.Encode())
	_, back, _ := strings.Cut(answer.Header.Get("Refresh"), "url=")
	return back
}

// What is set aside, and transitions of alerts: nothing here yet, and the API is asked as it wants.
func TestACommandLineReadsDeadLettersAndFollows(t *testing.T) {
	t.Parallel()
	tidemarkctl := commandLine(t)
	if told := tidemarkctl("dead-letters"); !strings.Contains(told, "RECEIVED") {
		t.Errorf("%s", told)
	}
	if told := tidemarkctl("tail", "--for", "1s"); told != "" {
		t.Errorf("%s", told)
	}
	if told := tidemarkctl("usage", "-o", "json"); !strings.Contains(told, `"meter"`) {
		t.Errorf("%s", told)
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if told := tidemarkctl("completion", shell); !strings.Contains(told, "tidemarkctl") {
			t.Errorf("%s: %s", shell, told)
		}
	}
}

// Rules and dashboards become configurations that plan no change.
func TestACommandLineExportsTerraform(t *testing.T) {
	tidemarkctl := commandLine(t)
	id := fresh("written")
	w := newWorkspace(t, "alerting", "environment="+id)
	w.apply()
	w.append("resource \"tidemark_dashboard\" \"written\" {\n  title = \"" + id + " $${x}\"\n  panels = [{ type = \"text\", text = \"Two\\nlines\" },\n" +
		"    { type = \"stat\", metric = \"kafka.lag\", agg = \"MAX\", where = [{ label = \"metric.topic\", op = \"EQ\", value = \"%\" }] }]\n}\n")
	w.apply()
	other := newWorkspace(t, "slice")
	var dashboards string
	const begin = "import {\n"
	for _, each := range strings.Split(tidemarkctl("export", "dashboards"), begin) {
		if strings.Contains(each, id) {
			dashboards += begin + each
		}
	}
	other.write(tidemarkctl("export", "rules", "--environment", id) + dashboards)
	if code, told := other.run("plan"); code != 0 {
		t.Fatalf("the plan failed:\n%s", told)
	} else {
		other.has(told, "Plan: 8 to import, 0 to add, 0 to change, 0 to destroy.")
	}
	if code, told := other.run("fmt", "-check"); code != 0 {
		t.Errorf("not laid out by terraform fmt: %s", told)
	}
}
