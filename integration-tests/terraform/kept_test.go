package terraform

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A state that the previous version of the provider wrote (testdata/kept): the objects are made by hand, the state is given their
// identifiers, and this version reads it, plans no change, and changes it in place.
func TestAStateOfThePreviousVersionIsRead(t *testing.T) {
	t.Parallel()
	id := fresh("kept")
	w := newWorkspace(t, "kept", "environment="+id, "text=Kept")
	names := restored(t, id)
	text, err := os.ReadFile(filepath.Join("testdata", "kept", "terraform.tfstate.txt"))
	if err != nil {
		t.Fatal(err)
	}
	state := string(text)
	for name, value := range names {
		state = strings.ReplaceAll(state, "{"+name+"}", value)
	}
	if err := os.WriteFile(filepath.Join(w.folder, "terraform.tfstate"), []byte(state), 0o600); err != nil {
		t.Fatal(err)
	}
	w.planIsEmpty()
	w.variables[1] = "text=Changed"
	w.planShows("0 to add, 7 to change, 0 to destroy")
	w.apply()
	w.planIsEmpty()
	w.destroy()
}

// restored makes what the kept state has, and gives the identifiers that are drawn.
func restored(t *testing.T, id string) map[string]string {
	t.Helper()
	names := map[string]string{"environment": id}
	made := func(path string, body any) map[string]any { return api(t, "POST", organization(t)+path, body) }
	environment := "/environments/" + id
	made("/environments", map[string]any{"id": id, "display_name": "Kept"})
	made(environment+"/metrics", map[string]any{"name": "requests", "declaration": map[string]any{
		"type": "counter", "unit": "1", "description": "Kept", "high_cardinality_labels": []string{"client_id"}}})
	made(environment+"/resources", map[string]any{"type": "kafka", "name": "lkc/orders", "display_name": "Kept"})
	change(t, "PUT", organization(t)+environment+"/retention", map[string]any{"raw_days": 7, "metrics": []any{map[string]any{"pattern": "debug.*", "rollup_1m_days": 3}}})
	change(t, "PUT", organization(t)+environment+"/budgets", map[string]any{"active_series": 1000, "when_series_exceeded": "refuse"})
	change(t, "PUT", organization(t)+environment+"/quotas", map[string]any{"requests_per_second": 10})
	account := fmt.Sprint(made("/service-accounts", map[string]any{"display_name": "Kept", "role": "developer"})["id"])
	names["account"] = account
	key := made("/service-accounts/"+account+"/api-keys", map[string]any{"environment_id": id, "scopes": []string{"metrics:read"}})
	names["key"], names["bearer"] = key["api_key"].(map[string]any)["id"].(string), key["secret"].(string)
	names["secret"] = names["bearer"][strings.LastIndex(names["bearer"], "_")+1:]
	names["rule"] = fmt.Sprint(made(environment+"/alert-rules", map[string]any{"name": "Requests", "description": "Kept", "severity": "info",
		"condition": map[string]any{"metric": "requests", "operator": "gt", "threshold": 10}})["id"])
	integration := made(environment+"/integrations", map[string]any{"name": "Kept", "kind": "webhook", "url": "https://hooks.example.org/kept", "send_test": false})
	names["integration"], names["signing"] = integration["integration"].(map[string]any)["id"].(string), integration["secret"].(string)
	return names
}
