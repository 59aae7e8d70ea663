package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// run runs the command as a person does, and gives what it told on both outputs.
func run(t *testing.T, input string, arguments ...string) (out, told string, err error) {
	t.Helper()
	command := New("test")
	var stdout, stderr bytes.Buffer
	command.SetArgs(arguments)
	command.SetIn(strings.NewReader(input))
	command.SetOut(&stdout)
	command.SetErr(&stderr)
	err = command.ExecuteContext(t.Context())
	return stdout.String(), stderr.String(), err
}

// testingAPI has two topics of three minutes, the middle one of the second without points.
func testingAPI(t *testing.T) {
	t.Helper()
	var looks int
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		if bearer := r.Header.Get("Authorization"); (user != "KEY" || password != "secret") && !strings.HasPrefix(bearer, "Bearer tdm_") {
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprint(w, `{"errors":[{"id":"1","status":"401","code":"unauthenticated","detail":"The key is not valid."}]}`)
			return
		}
		switch r.URL.Path {
		case "/api/v1/caller":
			fmt.Fprint(w, `{"kind":"api_key","organization_id":"org-test","environment_id":"production","api_key_id":"KEY","permissions":["metrics:read"]}`)
		case "/v2/metrics/cloud/query":
			if r.URL.Query().Get("page_token") == "" {
				fmt.Fprint(w, `{"data":[
					{"timestamp":"2026-01-01T00:00:00Z","metric.topic":"a,b","value":1},
					{"timestamp":"2026-01-01T00:01:00Z","metric.topic":"a,b","value":5},
					{"timestamp":"2026-01-01T00:02:00Z","metric.topic":"a,b","value":9}],
					"meta":{"pagination":{"page_size":1,"next_page_token":"more"}}}`)
				return
			}
			fmt.Fprint(w, `{"data":[
				{"timestamp":"2026-01-01T00:00:00Z","metric.topic":"c\u001b[31m","value":2.5},
				{"timestamp":"2026-01-01T00:02:00Z","metric.topic":"c\u001b[31m","value":2.5}],
				"meta":{"completeness":{"state":"provisional","complete_until":"2026-01-01T00:02:00Z","read_until":"2026-01-01T00:01:30Z","is_behind":true}}}`)
		case "/api/v1/organizations/org-test/environments":
			fmt.Fprint(w, `{"data":[{"id":"production","display_name":"Production","state":"active"}],"meta":{}}`)
		case "/api/v1/organizations/org-test/environments/production/retention":
			fmt.Fprint(w, `{"policy":{"raw_days":7},"updated_at":"2026-01-01T00:00:00Z"}`)
		case "/api/v1/organizations/org-test/environments/production/metrics":
			fmt.Fprint(w, `{"data":[{"id":"1","name":"http/requests","lifecycle":"active","declared":{}},{"id":"2","name":"x","lifecycle":"active"}],"meta":{}}`)
		case "/api/v1/organizations/org-test/environments/production/resources":
			fmt.Fprint(w, `{"data":[{"id":"1","type":"kafka","name":"${x}","display_name":"x","state":"confirmed"}],"meta":{}}`)
		case "/api/v1/organizations/org-test/service-accounts":
			fmt.Fprint(w, `{"data":[{"id":"sa-1","display_name":"Sender"},{"id":"sa-2","display_name":"Sender"}],"meta":{}}`)
		case "/api/v1/organizations/org-test/environments/production/alert-rules":
			if r.Method == "POST" {
				var draft map[string]any
				if json.NewDecoder(r.Body).Decode(&draft) != nil || draft["condition"] == nil {
					t.Error("the rule has no condition")
				}
				w.WriteHeader(http.StatusCreated)
				fmt.Fprintf(w, `{"id":"rule-2","name":%q,"condition":{}}`, draft["name"])
				return
			}
			fmt.Fprint(w, `{"data":[{"id":"rule-1","name":"Lag","description":"","enabled":true,"severity":"critical","labels":{},"annotations":{},
				"condition":{"metric":"kafka.lag","operator":"gt","threshold":0.1}}],"meta":{}}`)
		case "/api/v1/organizations/org-test/environments/production/integrations":
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, `{"code":"forbidden","status":403,"detail":"integrations:read is needed.","next_step":"","errors":[]}`)
		case "/api/v1/organizations/org-test/dashboards":
			if r.Method == "POST" {
				w.WriteHeader(http.StatusCreated)
				fmt.Fprint(w, `{"id":"dash-2"}`)
				return
			}
			fmt.Fprint(w, `{"data":[{"id":"dash-1","title":"Orders","version":1}],"meta":{}}`)
		case "/api/v1/organizations/org-test/dashboards/dash-1":
			fmt.Fprint(w, `{"id":"dash-1","definition":{"version":1,"title":"Orders","panels":[{"type":"text","text":"Hello"}]}}`)
		case "/api/v1/organizations/org-test/usage":
			if r.URL.Query().Get("cursor") == "" {
				fmt.Fprint(w, `{"meter":"points","unit":"point","from":"2026-01-01T00:00:00Z","to":"2026-01-02T00:00:00Z","by":"metric","total":"18446744073709551616",
					"data":[{"metric":"a","quantity":"18446744073709551610"}],"meta":{"next_cursor":"more"}}`)
				return
			}
			fmt.Fprint(w, `{"meter":"points","unit":"point","from":"2026-01-01T00:00:00Z","to":"2026-01-02T00:00:00Z","by":"metric","total":"18446744073709551616",
				"data":[{"metric":"b","quantity":"6"}],"meta":{}}`)
		case "/api/v1/organizations/org-test/environments/production/incidents":
			fmt.Fprint(w, `{"data":[{"id":"inc-1","rule_name":"Lag","severity":"critical","state":"open","group":{"metric.topic":"orders"},
				"started_at":"2026-01-01T00:00:00Z","version":1}],"meta":{}}`)
		case "/api/v1/organizations/org-test/environments/production/alert-transitions":
			looks++
			transitions(t, w, r, looks)
		case "/api/v1/organizations/org-test/environments/production/dead-letters":
			if reason := r.URL.Query().Get("reason"); reason != "" && reason != "LABEL_INVALID" {
				t.Errorf("asked for %s", reason)
			}
			fmt.Fprint(w, `{"data":[{"id":"dl-1","batch_id":"abcdef","reason":"LABEL_INVALID","points":3,"received_at":"2026-01-01T00:00:00Z"}],"meta":{"next_cursor":"more"}}`)
		case "/api/v1/organizations/org-test/environments/production/dead-letters/dl-1":
			fmt.Fprint(w, `{"id":"dl-1","batch_id":"abcdef","reason":"LABEL_INVALID","stage":"expand","detail":"A label is empty. Name it.","points":3,
				"received_at":"2026-01-01T00:00:00Z","original_size":10,"sample_form":"json","sample":"[{\"value\":1}]","is_sample_cut":false}`)
		case "/api/v1/ingest/receipts/abc":
			fmt.Fprint(w, `{"receipt_id":"abcdefabcdefabcdef","state":"partly_rejected","received_at":"2026-01-01T00:00:00Z","accepted_points":5,
				"rejected":[{"reason":"too_late","points":2,"at":"pipeline"}],"duplicates":1}`)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(api.Close)
	t.Setenv("TIDEMARK_CONFIG", filepath.Join(t.TempDir(), "config.json"))
	t.Setenv("TIDEMARK_URL", api.URL)
	t.Setenv("TIDEMARK_API_KEY", "KEY")
	t.Setenv("TIDEMARK_API_SECRET", "secret")
}

var asked = []string{"query", "kafka.bytes", "--by", "metric.topic", "--granularity", "PT1M"}

func TestAnAnswerIsATableWithItsCompleteness(t *testing.T) {
	testingAPI(t)
	out, told, err := run(t, "", asked...)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(out, "timestamp             metric.topic  value\n2026-01-01T00:00:00Z  a,b           1\n") || strings.Count(out, "\n") != 6 {
		t.Errorf("%s", out)
	}
	if strings.Contains(out, "\x1b") {
		t.Error("a control character of a label reaches the terminal")
	}
	if told != "provisional, complete until 2026-01-01T00:02:00Z; points received since 2026-01-01T00:01:30Z may be missing: the pipeline is reading a backlog or does not run\n" {
		t.Errorf("%q", told)
	}
}

func TestAnAnswerIsCSVAndJSON(t *testing.T) {
	testingAPI(t)
	out, _, err := run(t, "", append(asked, "-o", "csv")...)
	if err != nil || !strings.Contains(out, "2026-01-01T00:01:00Z,\"a,b\",5\n") {
		t.Errorf("%s %v", out, err)
	}
	out, _, err = run(t, "", append(asked, "-o", "json")...)
	if err != nil || !strings.Contains(out, `"complete_until": "2026-01-01T00:02:00Z"`) {
		t.Errorf("%s %v", out, err)
	}
}

func TestASparklineHasADotWhereNothingWasSent(t *testing.T) {
	testingAPI(t)
	out, _, err := run(t, "", append(asked, "-o", "spark")...)
	if err != nil || !strings.Contains(out, "▁▄█") || !strings.Contains(out, "▁·▁") {
		t.Errorf("%s %v", out, err)
	}
}

func TestAContextIsKeptForItsOwnerOnly(t *testing.T) {
	testingAPI(t)
	url := os.Getenv("TIDEMARK_URL")
	t.Setenv("TIDEMARK_URL", "")
	if _, _, err := run(t, "", "whoami"); err == nil || !strings.Contains(err.Error(), "tidemarkctl login") {
		t.Errorf("%v", err)
	}
	if _, _, err := run(t, "secret\n", "context", "set", "here", "--url", url, "--api-key", "KEY"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := run(t, "wrong\n", "context", "set", "there", "--url", url, "--api-key", "KEY"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := run(t, "", "whoami"); err == nil || !strings.Contains(err.Error(), "The key is not valid.") {
		t.Errorf("%v", err)
	}
	out, _, err := run(t, "", "whoami", "--context", "here")
	if err != nil || !strings.Contains(out, "org-test") {
		t.Errorf("%s %v", out, err)
	}
	if _, _, err := run(t, "", "context", "use", "here"); err != nil {
		t.Fatal(err)
	}
	out, _, err = run(t, "", "context", "list")
	if err != nil || !strings.Contains(out, "*  here") || strings.Contains(out, "secret") {
		t.Errorf("%s %v", out, err)
	}
	found, err := os.Stat(os.Getenv("TIDEMARK_CONFIG"))
	if err != nil || found.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", found.Mode(), err)
	}
	if _, _, err := run(t, "", "context", "remove", "here"); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(os.Getenv("TIDEMARK_CONFIG")); strings.Contains(string(text), `"secret"`) {
		t.Error("the secret of a removed context is kept")
	}
}

func TestWhatThereIsBecomesImportBlocks(t *testing.T) {
	testingAPI(t)
	out, told, err := run(t, "", "export")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(told, "Not all alert rules and integrations of production are exported: integrations:read is needed.") {
		t.Errorf("%s", told)
	}
	for _, block := range []string{
		"to = tidemark_environment.production\n  id = \"production\"",
		"to = tidemark_retention_policy.production\n",
		"to = tidemark_metric.production_http_requests\n  id = \"production/http/requests\"",
		"id = \"production/kafka/$${x}\"",
		"to = tidemark_alert_rule.production_lag\n  id = \"production/rule-1\"",
		"to = tidemark_dashboard.orders\n  id = \"dash-1\"",
		"to = tidemark_service_account.sender\n  id = \"sa-1\"",
		"to = tidemark_service_account.sender_2\n  id = \"sa-2\"",
	} {
		if !strings.Contains(out, block) {
			t.Errorf("%q is not in\n%s", block, out)
		}
	}
	if strings.Contains(out, "production_x\"") || strings.Count(out, "import {") != 8 {
		t.Errorf("%s", out)
	}
}

func TestRulesAreExportedAndImported(t *testing.T) {
	testingAPI(t)
	written, _, err := run(t, "", "export", "rules", "-o", "json")
	if err != nil || !strings.Contains(written, `"threshold": 0.1`) || strings.Contains(written, "rule-1") {
		t.Errorf("%s %v", written, err)
	}
	out, told, err := run(t, strings.Replace(written, "]", `,{"name":"New","severity":"info","condition":{"metric":"m","operator":"lt","threshold":1}}]`, 1), "import", "rules", "-")
	if err != nil || out != "rule-2  New\n" || told != "Lag is there already\n" {
		t.Errorf("%s %s %v", out, told, err)
	}
	if _, _, err := run(t, `{"rules":[]}`, "import", "rules", "-"); err == nil || !strings.Contains(err.Error(), "is not what export rules -o json writes") {
		t.Errorf("%v", err)
	}
}

func TestRulesAndDashboardsAreExportedAsTerraform(t *testing.T) {
	testingAPI(t)
	out, _, err := run(t, "", "export", "rules")
	if err != nil || !strings.Contains(out, `import {
  to = tidemark_alert_rule.production_lag
  id = "production/rule-1"
}

resource "tidemark_alert_rule" "production_lag" {
  annotations = {}
  condition = {
    metric    = "kafka.lag"
    operator  = "gt"
    threshold = 0.1
  }
  description    = ""
`) {
		t.Errorf("%s %v", out, err)
	}
	if out, _, err = run(t, "", "export", "dashboards"); err != nil || !strings.Contains(out, "\n  panels = [\n    {\n") || strings.Contains(out, "version") {
		t.Errorf("%s %v", out, err)
	}
}

func TestDashboardsAreExportedAndImported(t *testing.T) {
	testingAPI(t)
	written, _, err := run(t, "", "export", "dashboards", "-o", "json")
	if err != nil || !strings.Contains(written, `"text": "Hello"`) {
		t.Errorf("%s %v", written, err)
	}
	out, told, err := run(t, written, "import", "dashboards", "-")
	if err != nil || out != "" || told != "Orders is there already\n" {
		t.Errorf("%s %s %v", out, told, err)
	}
	out, _, err = run(t, `{"version":1,"title":"New","panels":[]}`, "import", "dashboards", "-")
	if err != nil || out != "dash-2  New\n" {
		t.Errorf("%s %v", out, err)
	}
	if _, _, err := run(t, `{}`, "import", "dashboards", "-"); err == nil || !strings.Contains(err.Error(), "nor what the console exports") {
		t.Errorf("%v", err)
	}
}

func TestUsageIsShownExactly(t *testing.T) {
	testingAPI(t)
	out, told, err := run(t, "", "usage", "-o", "csv")
	if err != nil || out != "of,quantity\na,18446744073709551610\nb,6\n" || !strings.HasPrefix(told, "18446744073709551616 point in all") {
		t.Errorf("%s %s %v", out, told, err)
	}
}

// reader ends what it reads when a word comes.
type reader struct {
	bytes.Buffer
	until string
	end   context.CancelFunc
}

func (r *reader) Write(text []byte) (int, error) {
	written, err := r.Buffer.Write(text)
	if strings.Contains(string(text), r.until) {
		r.end()
	}
	return written, err
}

// transitions answers nothing, then one, then with a failure, then that one again and the next.
func transitions(t *testing.T, w http.ResponseWriter, r *http.Request, looks int) {
	t.Helper()
	asked := r.URL.Query()
	if asked.Get("wait_seconds") != waits || asked.Get("since") == "" || (looks > 1) != (asked.Get("cursor") != "") {
		t.Errorf("look %d asked %s", looks, r.URL.RawQuery)
	}
	one := func(id, kind, state, more string) string {
		return `{"id":"` + id + `","rule_id":"rule-1","rule_version":1,"group_id":"g","group":{"metric.topic":"orders"},"sequence":1,"kind":"` + kind + `","state":"` + state + `",
			"minute":"2026-01-01T00:00:00Z","since":"2026-01-01T00:00:00Z","threshold":5,"complete_until":"2026-01-01T00:00:00Z","early":false,"revised":false,"released":false,
			"recorded_at":"2026-01-01T00:01:00Z"` + more + `}`
	}
	switch looks {
	case 1:
		fmt.Fprint(w, `{"data":[],"meta":{"next_cursor":"first"}}`)
	case 2:
		fmt.Fprint(w, `{"data":[`+one("t1", "fired", "firing", `,"value":7.5`)+`],"meta":{"next_cursor":"second"}}`)
	case 3:
		panic(http.ErrAbortHandler)
	default:
		fmt.Fprint(w, `{"data":[`+one("t1", "fired", "firing", `,"value":7.5`)+`,`+one("t2", "resolved", "normal", ``)+`],"meta":{"next_cursor":"third"}}`)
	}
}

func TestATailTellsEachTransitionOnce(t *testing.T) {
	testingAPI(t)
	pause = time.Millisecond
	t.Cleanup(func() { pause = 2 * time.Second })
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	read := &reader{until: "resolved", end: cancel}
	command := New("test")
	command.SetArgs([]string{"tail"})
	command.SetOut(read)
	command.SetErr(&bytes.Buffer{})
	err := command.ExecuteContext(ctx)
	if out := read.String(); err != nil || out != "2026-01-01T00:01:00Z  fired      firing   critical  Lag  metric.topic=orders  value 7.5  since 2026-01-01T00:00:00Z\n"+
		"2026-01-01T00:01:00Z  resolved   normal   critical  Lag  metric.topic=orders  since 2026-01-01T00:00:00Z\n" {
		t.Errorf("%s %v", out, err)
	}
	out, _, err := run(t, "", "incidents", "--state", "open")
	if err != nil || !strings.Contains(out, "inc-1") || !strings.Contains(out, "metric.topic=orders") {
		t.Errorf("%s %v", out, err)
	}
}

func TestDeadLettersAreListedAndShown(t *testing.T) {
	testingAPI(t)
	out, told, err := run(t, "", "dead-letters", "--reason", "LABEL_INVALID")
	if err != nil || !strings.Contains(out, "dl-1") || !strings.Contains(out, "abcdef") || !strings.Contains(told, "There are more") {
		t.Errorf("%s %s %v", out, told, err)
	}
	out, _, err = run(t, "", "dead-letters", "dl-1")
	if err != nil || !strings.Contains(out, "A label is empty. Name it.") || !strings.Contains(out, `"value": 1`) {
		t.Errorf("%s %v", out, err)
	}
}

// The browser of the test agrees at once, once with the state of somebody else.
func TestAPersonSignsInWithABrowser(t *testing.T) {
	const code, cookie = "a-code", "a-session"
	var challenge, ended string
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		session, _ := r.Cookie(sessionCookie)
		switch {
		case r.URL.Path == "/auth/command-line/session":
			var given map[string]string
			_ = json.NewDecoder(r.Body).Decode(&given)
			sum := sha256.Sum256([]byte(given["verifier"]))
			if given["code"] != code || base64.RawURLEncoding.EncodeToString(sum[:]) != challenge || r.Header.Get("Content-Type") != "application/json" {
				w.WriteHeader(http.StatusUnauthorized)
				fmt.Fprint(w, `{"code":"unauthenticated","status":401,"detail":"The code is wrong."}`)
				return
			}
			w.Header().Set("Set-Cookie", sessionCookie+"="+cookie+"; Path=/; Secure; HttpOnly")
			w.WriteHeader(http.StatusNoContent)
		case session == nil || session.Value != cookie:
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprint(w, `{"code":"unauthenticated","status":401,"detail":"Sign in."}`)
		case r.URL.Path == "/api/v1/session":
			fmt.Fprint(w, `{"csrf_token":"a-token","idle_seconds":1,"ends_at":"2026-01-01T00:00:00Z","person":{"id":"per-1","display_name":"Ada"}}`)
		case r.URL.Path == "/auth/sign-out":
			ended = r.Header.Get("X-CSRF-TOKEN")
			w.Header().Set("Location", "/auth/signed-out")
			w.WriteHeader(http.StatusSeeOther)
		default:
			fmt.Fprint(w, `{"kind":"person","permissions":[],"person":{"id":"per-1","display_name":"Ada"},
				"organizations":[{"organization_id":"org-a","grants":[],"permissions":["metrics:read"],"environments":[]}]}`)
		}
	}))
	t.Cleanup(api.Close)
	t.Setenv("TIDEMARK_CONFIG", filepath.Join(t.TempDir(), "config.json"))
	for _, name := range []string{"TIDEMARK_URL", "TIDEMARK_API_KEY", "TIDEMARK_API_SECRET"} {
		t.Setenv(name, "")
	}
	browser := &reader{until: "type it in: "}
	browser.end = func() {
		address := regexp.MustCompile(`http://\S+`).FindString(browser.String())
		asked, err := url.Parse(address)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			return
		}
		challenge = asked.Query().Get("challenge")
		back := "http://127.0.0.1:" + asked.Query().Get("port") + "/?code=" + code + "&state="
		go func() {
			if answer, err := http.Get(back + "others"); err != nil || answer.StatusCode != http.StatusNotFound {
				t.Errorf("%v %v", answer, err)
			}
			_, _ = http.Get(back + asked.Query().Get("state"))
		}()
	}
	command := New("test")
	command.SetArgs([]string{"login", "here", "--url", api.URL, "--no-browser"})
	command.SetIn(strings.NewReader(""))
	command.SetOut(&bytes.Buffer{})
	command.SetErr(browser)
	if err := command.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	out, _, err := run(t, "", "whoami")
	if err != nil || !strings.Contains(out, "Ada") || !strings.Contains(out, "org-a") {
		t.Errorf("%s %v", out, err)
	}
	if out, _, err = run(t, "", "context", "list"); err != nil || strings.Contains(out, cookie) || !strings.Contains(out, "a person") {
		t.Errorf("%s %v", out, err)
	}
	if _, _, err = run(t, "", "logout"); err != nil || ended != "a-token" {
		t.Errorf("%q %v", ended, err)
	}
	if _, _, err = run(t, "", "whoami"); err == nil {
		t.Error("the context is still there")
	}
}

func TestACodeThatIsTypedInSignsInToo(t *testing.T) {
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"errors":[{"id":"1","status":"401","code":"unauthenticated","detail":"The code is wrong, was used, or is older than a minute. Sign in again."}]}`)
	}))
	t.Cleanup(api.Close)
	t.Setenv("TIDEMARK_CONFIG", filepath.Join(t.TempDir(), "config.json"))
	if _, _, err := run(t, "wrong\n", "login", "here", "--url", api.URL, "--no-browser"); err == nil || !strings.Contains(err.Error(), "older than a minute") {
		t.Errorf("%v", err)
	}
	if file, err := os.ReadFile(os.Getenv("TIDEMARK_CONFIG")); err == nil {
		t.Errorf("%s was kept", file)
	}
}

func TestAReceiptSaysWhatWasRejected(t *testing.T) {
	testingAPI(t)
	out, _, err := run(t, "", "receipt", "abc")
	if err != nil || !strings.Contains(out, "partly_rejected") || !strings.Contains(out, "2 too_late (pipeline)") {
		t.Errorf("%s %v", out, err)
	}
}

func TestFaultsOfTheCommandLineAreNamed(t *testing.T) {
	testingAPI(t)
	for text, arguments := range map[string][]string{
		"--where x is not of the form field=value": append(asked, "--where", "x"),
		"-o is table, csv, json or spark, not xml": append(asked, "-o", "xml"),
		`there is no context "nowhere"`:            {"whoami", "--context", "nowhere"},
		"there is no secret on the standard input": {"context", "set", "x", "--url", "http://127.0.0.1:1"},
		"is not an address":                        {"context", "set", "x", "--url", "tidemark", "--api-key", "KEY"},
		"404 Not Found, which is not an answer of": {"receipt", "none"},
	} {
		input := ""
		if strings.Contains(text, "address") {
			input = "secret\n"
		}
		if _, _, err := run(t, input, arguments...); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v: %v", arguments, err)
		}
	}
}

func TestShellsComplete(t *testing.T) {
	testingAPI(t)
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if out, _, err := run(t, "", "completion", shell); err != nil || !strings.Contains(out, "tidemarkctl") {
			t.Errorf("%s: %v", shell, err)
		}
	}
	if out, _, err := run(t, "", "__complete", "query", "x", "-o", ""); err != nil || !strings.Contains(out, "spark") {
		t.Errorf("%s %v", out, err)
	}
}
