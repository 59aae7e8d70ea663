package terraform

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// given reads a variable that TerraformProviderIT sets.
func given(t *testing.T, name string) string {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		t.Fatalf("%s is not set; TerraformProviderIT sets it", name)
	}
	return value
}

func TestEveryResourceIsMadeChangedImportedAndDestroyed(t *testing.T) {
	t.Parallel()
	id := fresh("every")
	w := newWorkspace(t, "everything", "environment="+id)
	w.apply()
	w.planIsEmpty()

	// Changed in place.
	w.variables = append(w.variables, "description=All requests", "days=60", "series=2000", "requests=20", "label=Order cluster")
	w.planShows("0 to add, 5 to change, 0 to destroy")
	w.apply()
	w.planIsEmpty()
	environment := organization(t) + "/environments/" + id
	if set := api(t, "GET", environment+"/budgets", nil)["set"].(map[string]any); set["active_series"] != 2000.0 || set["when_series_exceeded"] != "refuse" {
		t.Errorf("the API has the budgets %v", set)
	}
	if set := api(t, "GET", environment+"/quotas", nil)["set"].(map[string]any); set["requests_per_second"] != 20.0 {
		t.Errorf("the API has the quotas %v", set)
	}

	// Changed elsewhere.
	change(t, "PUT", environment+"/budgets", map[string]any{"active_series": 5})
	change(t, "PUT", environment+"/quotas", map[string]any{})
	metric := environment + "/metrics/" + w.attribute("tidemark_metric.requests", "id")
	change(t, "PUT", metric, map[string]any{"unit": "1"})
	api(t, "DELETE", environment+"/resources/"+w.attribute("tidemark_resource.orders", "id"), nil)
	api(t, "DELETE", organization(t)+"/invitations/"+w.attribute("tidemark_invitation.this", "id"), nil)
	account := organization(t) + "/service-accounts/" + w.attribute("tidemark_service_account.this", "id")
	api(t, "DELETE", account+"/api-keys/"+w.attribute("tidemark_api_key.this", "id"), nil)
	w.planShows("3 to add, 3 to change, 0 to destroy")
	w.apply()
	w.planIsEmpty()

	// Taken out of the state and imported by a readable id.
	for address, by := range map[string]string{
		"tidemark_environment.this":      id,
		"tidemark_metric.requests":       id + "/http.server/requests",
		"tidemark_resource.orders":       id + "/kafka/lkc/orders",
		"tidemark_retention_policy.this": id,
		"tidemark_budgets.this":          "environment/" + id,
		"tidemark_quotas.this":           "environment/" + id,
		"tidemark_service_account.this":  w.attribute("tidemark_service_account.this", "id"),
		"tidemark_api_key.this":          w.attribute("tidemark_service_account.this", "id") + "/" + w.attribute("tidemark_api_key.this", "id"),
		"tidemark_invitation.this":       w.attribute("tidemark_invitation.this", "id"),
	} {
		if code, told := w.run("state", "rm", address); code != 0 {
			t.Fatalf("state rm %s failed:\n%s", address, told)
		}
		w.importing(address, by)
	}
	w.planIsEmpty()
	if secret := w.attribute("tidemark_api_key.this", "secret"); secret != "" {
		t.Error("the secret of an imported key is in the state")
	}
	w.destroy()
	if set := api(t, "GET", environment+"/budgets", nil)["set"].(map[string]any); len(set) != 0 {
		t.Errorf("the API has the budgets %v", set)
	}
}

func TestAnImportIdOfAnotherFormIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "everything", "environment="+fresh("form"))
	for address, id := range map[string]string{
		"tidemark_metric.requests": "production",
		"tidemark_resource.orders": "production/kafka",
		"tidemark_api_key.this":    "/",
	} {
		w.fails([]string{"import", "-no-color", "-input=false", "-var", w.variables[0], address, id}, "The import id has another form", "does not have the form <")
	}
}

func TestAnEnvironmentThatWasDeletedElsewhereIsRestored(t *testing.T) {
	t.Parallel()
	id := fresh("restored")
	w := newWorkspace(t, "slice", "environment="+id, "name=Restored")
	w.apply()
	environment := organization(t) + "/environments/" + id
	api(t, "DELETE", environment, nil)
	w.planShows(`state = "deleting" -> "active"`)
	w.apply()
	w.planIsEmpty()
	if state := api(t, "GET", environment, nil)["state"]; state != "active" {
		t.Errorf("the API has it %v", state)
	}
	api(t, "POST", environment+"/archive", nil)
	w.planShows(`state = "archived" -> "active"`)
	w.apply()
	w.planIsEmpty()
}

func TestAnEnvironmentIsArchived(t *testing.T) {
	t.Parallel()
	id := fresh("archived")
	w := newWorkspace(t, "slice")
	configuration := `resource "tidemark_environment" "this" {
  id           = "` + id + `"
  display_name = "Archived"
  state        = "archived"
}
`
	w.write(configuration)
	w.apply()
	w.planIsEmpty()
	if state := api(t, "GET", organization(t)+"/environments/"+id, nil)["state"]; state != "archived" {
		t.Errorf("the API has it %v", state)
	}
	w.write(strings.Replace(configuration, `"archived"`, `"active"`, 1))
	w.planShows("0 to add, 1 to change, 0 to destroy")
	w.apply()
	w.planIsEmpty()
}

func TestAKeyIsRotatedWithOverlap(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "rotation", "environment="+fresh("rotation"), "rotation=first", "overlap=24h")
	w.apply()
	first := w.output("key")
	w.variables[1] = "rotation=second"
	w.planShows("0 to add, 1 to change, 0 to destroy")
	w.apply()
	w.planIsEmpty()
	second := w.output("key")
	if first == second {
		t.Fatal("the key is the one before")
	}
	for name, key := range map[string]string{"first": first, "second": second} {
		if status, _ := try(t, "GET", "/api/v1/caller", nil, key); status != 200 {
			t.Errorf("within the overlap the %s key is answered %d", name, status)
		}
	}

	// The time of overlap is over when it is none.
	w.variables[2] = "overlap=0s"
	w.apply()
	w.planIsEmpty()
	await(t, "the first key is refused", func() bool {
		status, _ := try(t, "GET", "/api/v1/caller", nil, first)
		return status == 401
	})
	if status, _ := try(t, "GET", "/api/v1/caller", nil, second); status != 200 {
		t.Errorf("the second key is answered %d", status)
	}

	w.variables[1] = "rotation=third"
	w.apply()
	w.planIsEmpty()
	await(t, "the second key is refused at once", func() bool {
		status, _ := try(t, "GET", "/api/v1/caller", nil, second)
		return status == 401
	})
}

// await looks again until it is so, for ten seconds: a revoked key may still work for five.
func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if is() {
			return
		}
	}
	t.Fatalf("after ten seconds it was not so that %s", what)
}

func TestARoleIsGivenAndTakenBesideOthers(t *testing.T) {
	person := given(t, "TERRAFORM_PERSON")
	id := fresh("roles")
	w := newWorkspace(t, "slice")
	w.write(`resource "tidemark_environment" "this" {
  id           = "` + id + `"
  display_name = "Roles"
}

resource "tidemark_role_binding" "developer" {
  person_id      = "` + person + `"
  role           = "developer"
  environment_id = tidemark_environment.this.id
}

resource "tidemark_role_binding" "administrator" {
  person_id      = "` + person + `"
  role           = "environment_admin"
  environment_id = tidemark_environment.this.id
}
`)
	member := organization(t) + "/members/" + person
	before := api(t, "GET", member, nil)["grants"].([]any)
	w.apply()
	w.planIsEmpty()
	grants := api(t, "GET", member, nil)["grants"].([]any)
	if len(grants) != len(before)+2 {
		t.Fatalf("the API has %v", grants)
	}
	change(t, "PATCH", member, map[string]any{"grants": append(before, map[string]any{"role": "developer", "environment_id": id})})
	w.planShows("1 to add, 0 to change, 0 to destroy")
	w.apply()
	if code, told := w.run("state", "rm", "tidemark_role_binding.developer"); code != 0 {
		t.Fatal(told)
	}
	w.importing("tidemark_role_binding.developer", person+"/developer/"+id)
	w.planIsEmpty()
	w.destroy()
	if left := api(t, "GET", member, nil)["grants"].([]any); len(left) != len(before) {
		t.Errorf("the API has %v", left)
	}
}

func TestSettingsOfTheOrganisationStayWhenDestroyed(t *testing.T) {
	path := organization(t)
	before := api(t, "GET", path, nil)["display_name"].(string)
	w := newWorkspace(t, "slice")
	w.write(`resource "tidemark_organization_settings" "this" { display_name = "By Terraform" }`)
	w.apply()
	w.planIsEmpty()
	change(t, "PATCH", path, map[string]any{"display_name": "Elsewhere"})
	w.planShows(`"Elsewhere" -> "By Terraform"`)
	w.apply()
	w.destroy()
	if name := api(t, "GET", path, nil)["display_name"]; name != "By Terraform" {
		t.Errorf("the API has %v", name)
	}
	change(t, "PATCH", path, map[string]any{"display_name": before})
}

// A team's modules, with their own tests. Those of starter, alerting and dashboards apply for real.
func TestTheModulesPassTheirTests(t *testing.T) {
	t.Parallel()
	environment := fresh("module")
	api(t, "POST", organization(t)+"/environments", map[string]any{"id": environment, "display_name": "Modules"})
	for name, more := range map[string][]string{
		"tenant": nil, "retention": nil, "dashboards": nil, "starter": {"-var", "team=" + fresh("team")}, "alerting": {"-var", "environment=" + environment},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			if err := os.CopyFS(folder, os.DirFS(filepath.Join(provider, "..", "modules"))); err != nil {
				t.Fatal(err)
			}
			w := &workspace{t: t, folder: filepath.Join(folder, name)}
			if code, told := w.run("get"); code != 0 {
				t.Fatalf("get failed:\n%s", told)
			}
			code, told := w.run(append([]string{"test", "-no-color"}, more...)...)
			if code != 0 {
				t.Fatalf("the tests failed:\n%s", told)
			}
			w.has(told, " 0 failed")
			if code, told := w.run("fmt", "-check", "-recursive"); code != 0 {
				t.Errorf("not laid out by terraform fmt: %s", told)
			}
		})
	}
}

// The tables of their pages are what terraform-docs makes of variables and outputs; make terraform-docs writes them anew.
func TestThePagesOfTheModulesAreOfTheirVariables(t *testing.T) {
	t.Parallel()
	tool := documentation(t, "github.com/terraform-docs/terraform-docs")
	modules := filepath.Join(provider, "..", "modules")
	for _, name := range []string{"tenant", "retention", "alerting", "dashboards", "starter"} {
		check := exec.Command(tool, "-c", filepath.Join(modules, ".terraform-docs.yml"), "--output-check", filepath.Join(modules, name))
		if told, err := check.CombinedOutput(); err != nil {
			t.Errorf("terraform/modules/%s/README.md: %v\n%s", name, err, told)
		}
	}
}
