package terraform

import (
	"hash/crc32"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// everyResource is how many kinds there are, one of each in testdata/whole.
const everyResource = 17

func whole(t *testing.T) (*workspace, string) {
	t.Helper()
	id := fresh("whole")
	name := api(t, "GET", organization(t), nil)["display_name"]
	// Registered first, so that it runs after the destruction.
	t.Cleanup(func() { change(t, "PATCH", organization(t), map[string]any{"display_name": name}) })
	return newWorkspace(t, "whole", "environment="+id, "person="+given(t, "TERRAFORM_PERSON"), "text=First", "number=10"), id
}

// One of each is made, changed in place, replaced and destroyed; what others change meanwhile, and an API that goes away, leave a
// state that is true.
func TestEveryKindIsChangedInPlaceAndReplaced(t *testing.T) {
	w, id := whole(t)
	w.apply()
	w.planIsEmpty()
	if made := w.resources(); len(made) != everyResource {
		t.Fatalf("%d of %d are in the state: %v", len(made), everyResource, made)
	}

	elsewhere(t, w, id)
	w.planShows("8 to add, 9 to change, 0 to destroy")
	w.apply()
	w.planIsEmpty()

	// 412: the version of each object is another one than the plan's, once. The change is sent again.
	p := newProxy(t)
	w.environment = []string{"TIDEMARK_URL=" + p.URL}
	var mutex sync.Mutex
	refused := map[string]bool{}
	p.set(func(r *http.Request) bool {
		mutex.Lock()
		defer mutex.Unlock()
		if r.Header.Get("If-Match") != "" && !refused[r.URL.Path] {
			refused[r.URL.Path] = true
			r.Header.Set("If-Match", `"999999"`)
		}
		return false
	}, nil)
	w.variables[2], w.variables[3] = "text=Second", "number=20"
	w.planShows("0 to add, 14 to change, 0 to destroy")
	w.apply()
	if len(refused) < 11 {
		t.Errorf("only %d changes named a version: %v", len(refused), refused)
	}
	p.set(nil, nil)
	w.planIsEmpty()

	// Never the right version: the apply fails, and the state has what the API has.
	p.set(func(r *http.Request) bool {
		if r.Header.Get("If-Match") != "" {
			r.Header.Set("If-Match", `"999999"`)
		}
		return false
	}, nil)
	w.variables[2], w.variables[3] = "text=Third", "number=30"
	told := w.mustFail("apply", "-auto-approve")
	w.has(told, "(precondition_failed)", "Run terraform plan again to see what changed")
	p.set(nil, nil)
	w.apply()
	w.planIsEmpty()

	// The API goes away while objects are changed.
	var mutations int
	away := func(after int) func(*http.Request) bool {
		mutations = 0
		return func(r *http.Request) bool {
			mutex.Lock()
			defer mutex.Unlock()
			if r.Method != http.MethodGet {
				mutations++
			}
			return mutations > after
		}
	}
	const impatient = "provider \"tidemark\" {\n  retry_for = \"0s\"\n}\n"
	w.append(impatient)
	w.environment = []string{"TIDEMARK_URL=" + p.URL, "TF_CLI_ARGS_apply=-parallelism=1", "TF_CLI_ARGS_destroy=-parallelism=1"}
	w.variables[2], w.variables[3] = "text=Fourth", "number=40"
	p.set(away(5), nil)
	w.has(w.mustFail("apply", "-auto-approve"), "does not answer")
	p.set(nil, nil)
	w.append("")
	w.apply()
	w.planIsEmpty()

	// Another identifier, mail, role and pack: made anew.
	w.variables[0] = "environment=" + fresh("whole")
	w.variables = append(w.variables, "mail=other", "role=environment_admin", "pack=kafka")
	w.planShows("tidemark_environment.this must be replaced", "tidemark_metric.this must be replaced", "tidemark_resource.this must be replaced",
		"tidemark_retention_policy.this must be replaced", "tidemark_budgets.this must be replaced", "tidemark_quotas.this must be replaced",
		"tidemark_api_key.this must be replaced", "tidemark_role_binding.this must be replaced", "tidemark_invitation.this must be replaced",
		"tidemark_alert_rule.this must be replaced", "tidemark_notification_integration.this must be replaced", "tidemark_silence.this must be replaced",
		"tidemark_alert_pack.this must be replaced", "13 to add, 1 to change, 13 to destroy")
	w.apply()
	w.planIsEmpty()
	if state := api(t, "GET", organization(t)+"/environments/"+id, nil)["state"]; state != "deleting" {
		t.Errorf("the environment before is %v", state)
	}

	// The API goes away while objects are destroyed: what is not destroyed is still in the state.
	w.append(impatient)
	p.set(away(4), nil)
	w.has(w.mustFail("destroy", "-auto-approve"), "does not answer")
	if left := w.resources(); len(left) == 0 || len(left) >= everyResource {
		t.Errorf("%d are left", len(left))
	}
	p.set(nil, nil)
	w.append("")
	w.destroy()
}

// elsewhere changes or removes each object as somebody else would.
func elsewhere(t *testing.T, w *workspace, id string) {
	t.Helper()
	all := organization(t)
	environment := all + "/environments/" + id
	of := func(kind, name string) string { return w.attribute("tidemark_"+kind+".this", name) }
	change(t, "PATCH", all, map[string]any{"display_name": "Elsewhere"})
	change(t, "PATCH", environment, map[string]any{"display_name": "Elsewhere"})
	change(t, "PUT", environment+"/metrics/"+of("metric", "id"), map[string]any{"unit": "1"})
	change(t, "PATCH", environment+"/resources/"+of("resource", "id"), map[string]any{"display_name": "Elsewhere"})
	change(t, "PUT", environment+"/retention", map[string]any{"raw_days": 1})
	change(t, "PUT", environment+"/budgets", map[string]any{"active_series": 5})
	change(t, "PUT", environment+"/quotas", map[string]any{"requests_per_second": 5})
	account := all + "/service-accounts/" + of("service_account", "id")
	change(t, "PATCH", account, map[string]any{"display_name": "Elsewhere"})
	change(t, "PUT", all+"/spending-budget", map[string]any{"amount": "99"})
	member := all + "/members/" + given(t, "TERRAFORM_PERSON")
	var left []any
	for _, grant := range api(t, "GET", member, nil)["grants"].([]any) {
		if grant.(map[string]any)["environment_id"] != id {
			left = append(left, grant)
		}
	}
	change(t, "PATCH", member, map[string]any{"grants": left})
	for _, path := range []string{
		account + "/api-keys/" + of("api_key", "id"), all + "/invitations/" + of("invitation", "id"), all + "/dashboards/" + of("dashboard", "id"),
		environment + "/alert-rules/" + of("alert_rule", "id"), environment + "/integrations/" + of("notification_integration", "id"),
		environment + "/silences/" + of("silence", "id"), environment + "/alert-packs/" + of("alert_pack", "pack"),
	} {
		api(t, "DELETE", path, nil)
	}
}

// A key without permissions is told the one that is missing, of each kind of resource.
func TestEveryMissingPermissionIsNamed(t *testing.T) {
	t.Parallel()
	account := api(t, "POST", organization(t)+"/service-accounts", map[string]any{"display_name": "Nobody", "role": "metrics_viewer"})["id"].(string)
	path := organization(t) + "/service-accounts/" + account
	caller := api(t, "GET", "/api/v1/caller", nil)
	key := api(t, "POST", path+"/api-keys", map[string]any{"environment_id": caller["environment_id"], "scopes": []string{"metrics:read"}})
	defer api(t, "DELETE", path, nil)
	environment, person := caller["environment_id"].(string), given(t, "TERRAFORM_PERSON")
	kinds := map[string][2]string{
		"organization_settings":    {"organization:", "  display_name = \"x\"\n"},
		"environment":              {"environments:", "  id = \"" + fresh("x") + "\"\n  display_name = \"x\"\n"},
		"metric":                   {"catalog:", "  environment_id = \"" + environment + "\"\n  name = \"x\"\n"},
		"resource":                 {"catalog:", "  environment_id = \"" + environment + "\"\n  type = \"kafka\"\n  name = \"x\"\n"},
		"retention_policy":         {"retention:", "  environment_id = \"" + environment + "\"\n  raw_days = 1\n"},
		"budgets":                  {"budgets:", "  holder = \"environment/" + environment + "\"\n  active_series = 1\n"},
		"quotas":                   {"budgets:", "  holder = \"environment/" + environment + "\"\n  requests_per_second = 1\n"},
		"service_account":          {"service-accounts:", "  display_name = \"x\"\n  role = \"developer\"\n"},
		"api_key":                  {"api-keys:", "  service_account_id = \"" + account + "\"\n  environment_id = \"" + environment + "\"\n  scopes = [\"metrics:read\"]\n"},
		"role_binding":             {"members:", "  person_id = \"" + person + "\"\n  role = \"developer\"\n"},
		"invitation":               {"members:", "  mail = \"x@example.org\"\n  grants = [{ role = \"developer\" }]\n"},
		"dashboard":                {"dashboards:", "  title = \"x\"\n  panels = []\n"},
		"alert_rule":               {"alerts:", "  environment_id = \"" + environment + "\"\n  name = \"x\"\n  severity = \"info\"\n  require_metric = false\n  condition = { metric = \"x\", operator = \"gt\", threshold = 1 }\n"},
		"notification_integration": {"integrations:", "  environment_id = \"" + environment + "\"\n  name = \"x\"\n  kind = \"webhook\"\n  url = \"https://x.example.org\"\n"},
		"silence":                  {"alerts:", "  environment_id = \"" + environment + "\"\n  comment = \"x\"\n  matchers = [{ label = \"severity\", operator = \"eq\", value = \"info\" }]\n  ends_at = \"2030-01-01T00:00:00Z\"\n  starts_at = \"2029-12-31T00:00:00Z\"\n"},
		"alert_pack":               {"alerts:", "  environment_id = \"" + environment + "\"\n  pack = \"jvm\"\n"},
		"spending_budget":          {"billing:", "  amount = \"1\"\n"},
	}
	// Some are told by the plan, which is the end of it; the others by the apply.
	w := newWorkspace(t, "slice")
	w.environment = []string{"TIDEMARK_API_KEY=" + key["secret"].(string), "TIDEMARK_API_SECRET="}
	for len(kinds) > 0 {
		configuration := ""
		for kind, each := range kinds {
			configuration += "resource \"tidemark_" + kind + "\" \"this\" {\n" + each[1] + "}\n"
		}
		w.write(configuration)
		told := w.mustFail("apply", "-auto-approve")
		before := len(kinds)
		for kind, each := range kinds {
			if found := regexp.MustCompile(`Cannot [a-z]+ tidemark_` + kind + ` \(forbidden\)[^╷]*`).FindString(told); found != "" {
				if !strings.Contains(found, each[0]) {
					t.Errorf("%s is not told that %s is missing:\n%s", kind, each[0], found)
				}
				delete(kinds, kind)
			}
		}
		if len(kinds) == before {
			t.Fatalf("%v are told nothing:\n%s", kinds, told)
		}
	}
	if left := w.resources(); len(left) != 0 {
		t.Errorf("the state has %v", left)
	}
}

// A secret of one's own is in neither plan nor state, and the key works.
func TestASecretOfOnesOwnIsNowhere(t *testing.T) {
	t.Parallel()
	secret := "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd"
	w := newWorkspace(t, "secret", "environment="+fresh("secret"), "secret="+secret, "rotation=first")
	w.apply()
	w.planIsEmpty()
	whole := func() string {
		before := "tdm_" + strings.TrimPrefix(w.variables[0], "environment=") + "_" + w.output("id") + "_" + secret
		return before + checksum(before)
	}
	first := whole()
	if status, _ := try(t, "GET", "/api/v1/caller", nil, first); status != 200 {
		t.Errorf("the key is answered %d", status)
	}
	form := w.output("form")
	if before := form[:len(form)-6]; form != before+checksum(before) {
		t.Errorf("format_api_key gives %s", form)
	}
	secret = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123"
	w.variables[1], w.variables[2] = "secret="+secret, "rotation=second"
	w.apply()
	w.planIsEmpty()
	for _, key := range []string{first, whole()} {
		if status, _ := try(t, "GET", "/api/v1/caller", nil, key); status != 200 {
			t.Errorf("within the overlap a key is answered %d", status)
		}
	}
	state, err := os.ReadFile(w.folder + "/terraform.tfstate")
	if err != nil || strings.Contains(string(state), secret) || strings.Contains(string(state), "0123456789ABCDEFGHIJ") {
		t.Errorf("the secret is in the state: %v", err)
	}
	w.variables[1] = "secret=short"
	w.fails([]string{"plan"}, "secret_wo must be 40 random characters")
	w.variables[1], w.variables[2] = "secret="+strings.Repeat("a", 40), "rotation=third"
	w.fails([]string{"apply", "-auto-approve"}, "secret must be 40 random characters")
	w.variables[1] = "secret=" + secret
}

// An operation that takes longer than it may is ended, and told at its timeout.
func TestAnOperationEndsAtItsTimeout(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "slice")
	w.write("resource \"tidemark_environment\" \"this\" {\n  id = \"" + fresh("slow") + "\"\n  display_name = \"Slow\"\n  timeouts = { create = \"1s\" }\n}\n")
	p := newProxy(t)
	w.environment = []string{"TIDEMARK_URL=" + p.URL}
	p.set(func(r *http.Request) bool {
		if r.Method == http.MethodPost {
			// A server sees that its client is gone only when it has read what it was sent.
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
			return true
		}
		return false
	}, nil)
	w.fails([]string{"apply", "-auto-approve"}, "It took too long", "The operation was given 1s", `timeouts = { create = "1s" }`)
	p.set(nil, nil)
	w.apply()
	w.planIsEmpty()
}

// What is above the plan fails before anything changes.
func TestAQuotaAboveThePlanFailsInThePlan(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "slice")
	w.write(`resource "tidemark_environment" "this" {
  id           = "` + fresh("above") + `"
  display_name = "Above"
}
resource "tidemark_quotas" "this" {
  holder              = "environment/${tidemark_environment.this.id}"
  requests_per_second = 9000000000
  points_per_second   = 9000000000
}
resource "tidemark_budgets" "this" {
  holder             = "environment/${tidemark_environment.this.id}"
  labels_per_series  = 65
  label_value_length = 10
}
`)
	w.fails([]string{"plan"}, "More than the plan allows", "requests_per_second must be 1 to", "points_per_second must be 1 to", "labels_per_series must be 1 to 64, which is the plan's")
}

func checksum(text string) string {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	rest := crc32.ChecksumIEEE([]byte(text))
	var written []byte
	for range 6 {
		written = append(written, digits[rest%62])
		rest /= 62
	}
	slices.Reverse(written)
	return string(written)
}
