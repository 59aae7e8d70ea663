package terraform

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Data sources, a function and a key that lives for one run.
func TestWhatThereIsCanBeRead(t *testing.T) {
	w := newWorkspace(t, "data", "environment="+fresh("data"))
	w.apply()
	if told := w.output("told"); told != "active true 1 1 confirmed 1 developer true fold true true true lkc/orders"+
		" true 9 fold organization true true open live" {
		t.Errorf("%s", told)
	}
	keys := api(t, "GET", organization(t)+"/service-accounts/"+w.attribute("tidemark_service_account.this", "id")+"/api-keys", nil)["data"].([]any)
	if len(keys) == 0 {
		t.Error("there was no ephemeral key")
	}
	state, err := os.ReadFile(filepath.Join(w.folder, "terraform.tfstate"))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		found := key.(map[string]any)
		if found["state"] != "revoked" {
			t.Errorf("a key is %v after the run", found["state"])
		}
		if strings.Contains(string(state), found["id"].(string)) {
			t.Error("the ephemeral key is in the state")
		}
	}
	w.planIsEmpty()
}

func TestWhatThereIsNotIsNamed(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "slice")
	environment := api(t, "GET", "/api/v1/caller", nil)["environment_id"].(string)
	for configuration, text := range map[string]string{
		"data \"tidemark_environment\" \"this\" { id = \"nowhere\" }":                                                          "There is no such environment.",
		"data \"tidemark_metric\" \"this\" {\n  environment_id = \"" + environment + "\"\n  name = \"nothing\"\n}":             "nothing was neither sent nor declared",
		"data \"tidemark_member\" \"this\" { mail = \"nobody@example.org\" }":                                                  "nobody@example.org does not belong to the organisation",
		"output \"x\" { value = provider::tidemark::parse_resource(\"production\") }\ndata \"tidemark_organization\" \"x\" {}": "does not have the form <environment_id>/<type>/<name>",
	} {
		w.write(configuration)
		w.fails([]string{"plan"}, text)
	}
}
