package terraform

import (
	"crypto/rand"
	"strings"
	"testing"
)

// fresh gives an identifier that no environment had before: they are never free again.
func fresh(prefix string) string { return prefix + "-" + strings.ToLower(rand.Text()[:12]) }

// An environment, a service account with a key, a retention policy: from the first apply to the destruction.
func TestFirstApplyToDestroy(t *testing.T) {
	t.Parallel()
	id := fresh("slice")
	w := newWorkspace(t, "slice", "environment="+id, "name=First")
	w.apply()
	w.planIsEmpty()

	environment := organization(t) + "/environments/" + id
	if found := api(t, "GET", environment, nil); found["display_name"] != "First" || found["state"] != "active" {
		t.Fatalf("the API has %v", found)
	}
	policy := api(t, "GET", environment+"/retention", nil)["policy"].(map[string]any)
	if policy["raw_days"] != 7.0 || policy["rollup_1h_days"] != 400.0 || policy["metrics"].([]any)[0].(map[string]any)["pattern"] != "debug.*" {
		t.Fatalf("the API has the policy %v", policy)
	}
	if status, caller := try(t, "GET", "/api/v1/caller", nil, w.output("key")); status != 200 || caller["environment_id"] != id {
		t.Fatalf("the key is answered %d: %v", status, caller)
	}

	change(t, "PATCH", environment, map[string]any{"display_name": "Changed elsewhere"})
	change(t, "PUT", environment+"/retention", map[string]any{"raw_days": 1})
	w.planShows(`"Changed elsewhere" -> "First"`, `raw_days = 1 -> 7`, "0 to add, 2 to change, 0 to destroy")
	w.apply()
	w.planIsEmpty()

	w.variables[1] = "name=Second"
	w.planShows(`"First" -> "Second"`, "0 to add, 2 to change, 0 to destroy")
	w.apply()
	w.planIsEmpty()

	key := w.output("key")
	w.destroy()
	if status, _ := try(t, "GET", "/api/v1/caller", nil, key); status != 401 {
		t.Errorf("the key of a destroyed account is answered %d", status)
	}
	if found := api(t, "GET", environment, nil); found["state"] != "deleting" {
		t.Errorf("the API has %v", found)
	}
}
