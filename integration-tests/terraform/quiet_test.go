package terraform

import (
	"strings"
	"testing"
)

// A silence, a maintenance window and a pack of rules, from the first apply to the destruction.
func TestSilencesAndPacksAreMadeChangedImportedAndDestroyed(t *testing.T) {
	t.Parallel()
	id := fresh("quiet")
	w := newWorkspace(t, "quiet", "environment="+id, "comment=Restarts")
	w.apply()
	w.planIsEmpty()
	if told := w.output("told"); !strings.HasPrefix(told, "waiting true 2 true ") {
		t.Errorf("%s", told)
	}
	environment := organization(t) + "/environments/" + id
	if rules := api(t, "GET", environment+"/alert-rules", nil)["data"].([]any); len(rules) == 0 {
		t.Error("the pack has made no rules")
	}

	w.variables[1] = "comment=Longer restarts"
	w.planShows("0 to add, 2 to change, 0 to destroy")
	w.apply()
	w.planIsEmpty()

	// Changed elsewhere.
	once := environment + "/silences/" + w.attribute("tidemark_silence.once", "id")
	found := api(t, "GET", once, nil)
	change(t, "PUT", once, map[string]any{"comment": "Elsewhere", "matchers": found["matchers"], "ends_at": found["ends_at"]})
	api(t, "DELETE", environment+"/alert-packs/jvm", nil)
	w.planShows("1 to add, 1 to change, 0 to destroy", `"Elsewhere" -> "Longer restarts"`)
	w.apply()
	w.planIsEmpty()

	for address, by := range map[string]string{
		"tidemark_silence.weekly":  w.attribute("tidemark_silence.weekly", "id"),
		"tidemark_alert_pack.this": "jvm",
	} {
		if code, told := w.run("state", "rm", address); code != 0 {
			t.Fatal(told)
		}
		w.importing(address, id+"/"+by)
	}
	// Times that are the same moment are written as the API writes them after an import, and stay as written after the apply.
	if code, told := w.run("apply", "-auto-approve"); code != 0 {
		t.Fatal(told)
	}
	w.planIsEmpty()
	w.destroy()
	if rules := api(t, "GET", environment+"/alert-rules", nil)["data"].([]any); len(rules) != 0 {
		t.Errorf("the API has %v", rules)
	}
}

func TestASilenceThatCannotBeFailsInThePlan(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "slice")
	for times, text := range map[string]string{
		"  ends_at = \"tomorrow\"\n": "must be a time as in",
		"  starts_at = \"2030-01-02T00:00:00Z\"\n  ends_at = \"2030-01-01T00:00:00Z\"\n":               "ends_at must be after starts_at",
		"  ends_at = \"2030-01-01T00:00:00Z\"\n  repeat = { every = \"year\", time_zone = \"UTC\" }\n": "repeat.every value must be one of",
	} {
		w.write("resource \"tidemark_silence\" \"this\" {\n  environment_id = \"production\"\n  comment = \"x\"\n" +
			"  matchers = [{ label = \"severity\", operator = \"eq\", value = \"info\" }]\n" + times + "}\n")
		w.fails([]string{"plan"}, text)
	}
	environment := api(t, "GET", "/api/v1/caller", nil)["environment_id"].(string)
	w.write("resource \"tidemark_alert_pack\" \"this\" {\n  environment_id = \"" + environment + "\"\n  pack = \"nothing\"\n}\n")
	w.fails([]string{"plan"}, "There is no such pack", "tidemark_alert_packs lists the packs")
}
