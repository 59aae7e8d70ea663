package terraform

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestWrongCredentialsAreNamedAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "slice", "environment="+fresh("denied"), "name=Denied")
	w.environment = []string{"TIDEMARK_API_SECRET=" + strings.Repeat("x", 46)}
	w.fails([]string{"plan"}, "The API key is not valid", "TIDEMARK_API_KEY and TIDEMARK_API_SECRET")
	w.environment = []string{"TIDEMARK_URL="}
	w.fails([]string{"plan"}, "The address of the API is missing", "TIDEMARK_URL")
	w.environment = []string{"TIDEMARK_URL=http://127.0.0.1:1"}
	w.write("provider \"tidemark\" {\n  retry_for = \"0s\"\n}\nresource \"tidemark_environment\" \"this\" {\n  id = \"x\"\n  display_name = \"x\"\n}\n")
	w.fails([]string{"plan"}, "The API cannot be reached", "http://127.0.0.1:1 does not answer")
}

func TestAKeyOfAnotherOrganisationIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "slice")
	w.write("provider \"tidemark\" {\n  organization_id = \"org-unknown\"\n}\nresource \"tidemark_environment\" \"this\" {\n  id = \"x\"\n  display_name = \"x\"\n}\n")
	w.fails([]string{"plan"}, "The key belongs to another organisation", "organization_id is org-unknown")
}

func TestAttributesOfTheWrongFormFailInThePlan(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "slice")
	for configuration, text := range map[string]string{
		`resource "tidemark_environment" "this" {
  id           = "Production_1"
  display_name = "x"
}`: "id must be 1 to 63 of a-z, 0-9 and '-'",
		`resource "tidemark_service_account" "this" {
  display_name = "x"
  role         = "king"
}`: "role must be one of `organization_admin`",
		`resource "tidemark_api_key" "this" {
  service_account_id = "sa-1"
  environment_id     = "production"
  scopes             = ["metrics:eat"]
}`: `scopes[Value("metrics:eat")] must be one of`,
		`resource "tidemark_api_key" "this" {
  service_account_id = "sa-1"
  environment_id     = "production"
  scopes             = ["metrics:read"]
  public_key         = "ssh-rsa AAAA"
}`: "public_key is not in PEM form",
		`resource "tidemark_retention_policy" "this" {
  environment_id = "production"
  raw_days       = 0
}`: "raw_days value must be between 1 and 36500",
		`resource "tidemark_budgets" "this" {
  holder        = "production"
  active_series = 1
}`: "holder must be organization or environment/<id>",
		`resource "tidemark_metric" "this" {
  environment_id = "production"
  name           = "requests"
  type           = "number"
}`: "type value must be one of",
	} {
		w.write(configuration)
		w.fails([]string{"plan"}, text)
	}
}

func TestWhatExistsIsNotTakenOver(t *testing.T) {
	t.Parallel()
	id := fresh("taken")
	environment := organization(t) + "/environments/" + id
	api(t, "POST", organization(t)+"/environments", map[string]any{"id": id, "display_name": "Elsewhere"})
	api(t, "POST", environment+"/metrics", map[string]any{"name": "requests"})
	api(t, "POST", environment+"/resources", map[string]any{"type": "kafka", "name": "orders"})
	change(t, "PUT", environment+"/retention", map[string]any{"raw_days": 1})
	change(t, "PUT", environment+"/budgets", map[string]any{"active_series": 1})
	change(t, "PUT", environment+"/quotas", map[string]any{"requests_per_second": 1})
	w := newWorkspace(t, "slice")
	w.write(`resource "tidemark_environment" "this" {
  id           = "` + id + `"
  display_name = "Taken"
}
resource "tidemark_metric" "this" {
  environment_id = "` + id + `"
  name           = "requests"
}
resource "tidemark_resource" "this" {
  environment_id = "` + id + `"
  type           = "kafka"
  name           = "orders"
}
resource "tidemark_retention_policy" "this" {
  environment_id = "` + id + `"
}
resource "tidemark_budgets" "this" {
  holder = "environment/` + id + `"
}
resource "tidemark_quotas" "this" {
  holder = "environment/` + id + `"
}
`)
	w.fails([]string{"plan"}, "The id is taken", "terraform import ADDRESS "+id, "The metric is declared already",
		"The resource is confirmed already", "The environment has a retention policy", "Budgets are set already", "Quotas are set already")
	api(t, "DELETE", environment, nil)
	w.fails([]string{"plan"}, "The id is taken", "in state deleting", "The next apply restores it")
}

func TestWhatTheAPIRefusesNamesTheAttribute(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "slice")
	id := fresh("refused")
	w.write(`resource "tidemark_environment" "this" {
  id           = "` + id + `"
  display_name = "Refused"
}
resource "tidemark_service_account" "this" {
  display_name = "Refused"
  role         = "metrics_viewer"
}
resource "tidemark_api_key" "this" {
  service_account_id = tidemark_service_account.this.id
  environment_id     = tidemark_environment.this.id
  scopes             = ["metrics:write"]
}
`)
	told := w.mustFail("apply", "-auto-approve")
	w.has(told, "Cannot create tidemark_api_key (invalid_request)", `scopes = ["metrics:write"]`,
		"scopes must be permissions that the role metrics_viewer has")
	// What could be made is in the state, and what could not is not.
	if left := strings.Join(w.resources(), " "); left != "tidemark_environment.this tidemark_service_account.this" {
		t.Errorf("the state has %s", left)
	}
}

func TestAMissingPermissionIsNamed(t *testing.T) {
	t.Parallel()
	account := api(t, "POST", organization(t)+"/service-accounts", map[string]any{"display_name": "Reader", "role": "metrics_viewer"})["id"].(string)
	path := organization(t) + "/service-accounts/" + account
	caller := api(t, "GET", "/api/v1/caller", nil)
	key := api(t, "POST", path+"/api-keys", map[string]any{"environment_id": caller["environment_id"], "scopes": []string{"environments:read"}})
	w := newWorkspace(t, "slice")
	w.write("resource \"tidemark_environment\" \"this\" {\n  id = \"" + fresh("forbidden") + "\"\n  display_name = \"x\"\n}\n")
	w.environment = []string{"TIDEMARK_API_KEY=" + key["secret"].(string), "TIDEMARK_API_SECRET="}
	told := w.mustFail("apply", "-auto-approve")
	w.has(told, "Cannot create tidemark_environment (forbidden)", "environments:write")
	api(t, "DELETE", path, nil)
}

func TestAnEnvironmentThatHasDataIsProtected(t *testing.T) {
	t.Parallel()
	id := given(t, "TERRAFORM_ENVIRONMENT_WITH_DATA")
	w := newWorkspace(t, "slice")
	configuration := "resource \"tidemark_environment\" \"this\" {\n  id = \"" + id + "\"\n  display_name = \"With data\"\n"
	w.write(configuration + "}\n")
	w.importing("tidemark_environment.this", id)
	w.apply()
	w.fails([]string{"plan", "-destroy"}, "The environment has data", "set deletion_protection = false")
	w.fails([]string{"destroy", "-auto-approve"}, "The environment has data")
	if state := api(t, "GET", organization(t)+"/environments/"+id, nil)["state"]; state != "active" {
		t.Fatalf("the API has it %v", state)
	}
	w.write(configuration + "  deletion_protection = false\n}\n")
	w.apply()
	w.destroy()
}

// Others change the object between plan and apply.
func TestAChangeOfOthersIsNotOverwritten(t *testing.T) {
	t.Parallel()
	id := fresh("concurrent")
	w := newWorkspace(t, "slice", "environment="+id, "name=Before")
	w.apply()
	p := newProxy(t)
	w.environment = []string{"TIDEMARK_URL=" + p.URL}
	environment := organization(t) + "/environments/" + id
	var once atomic.Bool
	meanwhile := func(do func()) func(*http.Request) bool {
		once.Store(false)
		return func(r *http.Request) bool {
			if r.Method == "PATCH" && strings.HasSuffix(r.URL.Path, "/environments/"+id) && once.CompareAndSwap(false, true) {
				do()
			}
			return false
		}
	}
	p.set(meanwhile(func() { change(t, "PATCH", environment, map[string]any{"display_name": "Somebody else's"}) }), nil)
	w.variables[1] = "name=After"
	told := w.mustFail("apply", "-auto-approve")
	w.has(told, "Changed since the plan", "Somebody else changed display_name", "Nothing was overwritten")
	if name := api(t, "GET", environment, nil)["display_name"]; name != "Somebody else's" {
		t.Errorf("the API has %v", name)
	}
	w.planShows(`"Somebody else's" -> "After"`)

	// Only the version is another one: the change is sent again for it.
	p.set(meanwhile(func() {
		change(t, "PATCH", environment, map[string]any{"display_name": "For a moment"})
		change(t, "PATCH", environment, map[string]any{"display_name": "Somebody else's"})
	}), nil)
	w.apply()
	w.planIsEmpty()
}

func TestAnAPIThatGoesAwayLeavesATrueState(t *testing.T) {
	t.Parallel()
	id := fresh("away")
	w := newWorkspace(t, "everything", "environment="+id)
	p := newProxy(t)
	w.environment = []string{"TIDEMARK_URL=" + p.URL, "TF_CLI_ARGS_apply=-parallelism=1"}
	header := "provider \"tidemark\" {\n  retry_for = \"0s\"\n}\n"
	w.append(header)
	var posts atomic.Int32
	p.set(func(r *http.Request) bool { return posts.Load() >= 3 }, func(r *http.Request) bool {
		if r.Method == "POST" {
			posts.Add(1)
		}
		return false
	})
	told := w.mustFail("apply", "-auto-approve")
	w.has(told, "does not answer")
	p.set(nil, nil)
	if made := len(w.resources()); made < 3 || made > 6 {
		t.Errorf("%d of 9 are in the state", made)
	}
	w.apply()
	w.planIsEmpty()
	accounts := api(t, "GET", organization(t)+"/service-accounts?limit=200", nil)["data"].([]any)
	var same int
	for _, account := range accounts {
		if account.(map[string]any)["id"] == w.attribute("tidemark_service_account.this", "id") {
			same++
		}
	}
	if same != 1 {
		t.Errorf("the account is there %d times", same)
	}
	w.destroy()
}

// The API makes the object and its answer is lost: the request is repeated and nothing is made twice.
func TestALostAnswerMakesNothingTwice(t *testing.T) {
	t.Parallel()
	id := fresh("lost")
	w := newWorkspace(t, "slice", "environment="+id, "name="+id)
	p := newProxy(t)
	w.environment = []string{"TIDEMARK_URL=" + p.URL}
	var lost atomic.Int32
	seen := map[string]bool{}
	p.set(nil, func(r *http.Request) bool {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		key := r.Header.Get("Idempotency-Key")
		if r.Method != "POST" || seen[key] || lost.Load() >= 3 {
			return false
		}
		seen[key] = true
		lost.Add(1)
		return true
	})
	w.apply()
	w.environment = nil
	w.planIsEmpty()
	if lost.Load() != 3 {
		t.Errorf("%d answers were lost", lost.Load())
	}
	account := organization(t) + "/service-accounts/" + w.attribute("tidemark_service_account.sender", "id")
	var live int
	for _, key := range api(t, "GET", account+"/api-keys", nil)["data"].([]any) {
		if key.(map[string]any)["state"] == "live" {
			live++
		}
	}
	if live != 1 {
		t.Errorf("%d keys are live", live)
	}
	if status, _ := try(t, "GET", "/api/v1/caller", nil, w.output("key")); status != 200 {
		t.Errorf("the key is answered %d", status)
	}
}

// The time is that of the processors, because others may use the machine at the same time.
func TestFiveHundredResourcesArePlannedInTenSeconds(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "many", "environment="+fresh("many"), "count_of_resources=499")
	p := newProxy(t)
	w.environment = []string{"TIDEMARK_URL=" + p.URL}
	began := time.Now()
	w.apply()
	requests, refused := p.counted()
	t.Logf("apply: %s, %d requests, %d refused", time.Since(began).Round(time.Millisecond), requests, refused)
	if requests > 1100 {
		t.Errorf("500 objects were made with %d requests", requests)
	}
	began, w.spent = time.Now(), 0
	w.planIsEmpty()
	requests, refused = p.counted()
	t.Logf("plan: %s, %s of processor, %d requests, %d refused", time.Since(began).Round(time.Millisecond), w.spent.Round(time.Millisecond), requests, refused)
	if w.spent > 10*time.Second || requests > 40 || refused > 0 {
		t.Errorf("the plan of 500 resources took %s of processor and %d requests, of which %d were refused", w.spent, requests, refused)
	}
	w.destroy()
}
