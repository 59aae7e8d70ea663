package terraform

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// Rules of every kind and two integrations, from the first apply to the destruction.
func TestAlertingIsMadeChangedImportedAndDestroyed(t *testing.T) {
	t.Parallel()
	id := fresh("alerting")
	w := newWorkspace(t, "alerting", "environment="+id, "threshold=10", "rotation=first", "key_version=1", "receiver=https://hooks.example.org/orders")
	w.apply()
	w.planIsEmpty()
	if told := w.output("told"); told != "critical kafka.consumer.lag 7 pagerduty 2" {
		t.Errorf("%s", told)
	}
	environment := organization(t) + "/environments/" + id
	rule := environment + "/alert-rules/" + w.attribute("tidemark_alert_rule.lag", "id")
	if condition := api(t, "GET", rule, nil)["condition"].(map[string]any); condition["threshold"] != 10.0 || condition["recovery_threshold"] != 5.5 || condition["window_minutes"] != 5.0 {
		t.Errorf("the API has the condition %v", condition)
	}
	secret := w.output("secret")
	if !strings.HasPrefix(secret, "whsec_") {
		t.Error("the signing secret is not known")
	}
	state, err := os.ReadFile(filepath.Join(w.folder, "terraform.tfstate"))
	if err != nil || strings.Contains(string(state), "routing-key-of") {
		t.Errorf("the routing key is in the state: %v", err)
	}

	// Changed in place, with another routing key and another secret.
	w.variables[1], w.variables[2], w.variables[3] = "threshold=20", "rotation=second", "key_version=2"
	w.planShows("0 to add, 3 to change, 0 to destroy", "threshold = 10 -> 20")
	w.apply()
	w.planIsEmpty()
	if other := w.output("secret"); other == secret || !strings.HasPrefix(other, "whsec_") {
		t.Error("the signing secret is the one before")
	}

	// Changed elsewhere.
	orders := environment + "/integrations/" + w.attribute("tidemark_notification_integration.orders", "id")
	change(t, "PUT", orders, map[string]any{"name": "Orders", "kind": "webhook", "url": "https://hooks.example.org/elsewhere", "enabled": false})
	api(t, "DELETE", rule, nil)
	w.planShows("1 to add, 1 to change, 0 to destroy", "https://hooks.example.org/elsewhere", "enabled = false -> true")
	w.apply()
	w.planIsEmpty()

	// Taken out of the state and imported, by id and by name.
	for address, by := range map[string]string{
		"tidemark_alert_rule.lag":                   "Orders lag",
		`tidemark_alert_rule.kinds["ratio"]`:        w.attribute(`tidemark_alert_rule.kinds["ratio"]`, "id"),
		"tidemark_notification_integration.on_call": "On call",
	} {
		if code, told := w.run("state", "rm", address); code != 0 {
			t.Fatalf("state rm %s failed:\n%s", address, told)
		}
		w.fails([]string{"import", "-no-color", "-input=false", "-var", w.variables[0], address, id}, "The import id has another form")
		w.importing(address, id+"/"+by)
	}
	w.planShows("0 to add, 1 to change, 0 to destroy", "routing_key_version")
	w.apply()
	w.planIsEmpty()
	w.destroy()
	if left := api(t, "GET", environment+"/alert-rules", nil)["data"].([]any); len(left) != 0 {
		t.Errorf("the API has %v", left)
	}
}

func TestARuleThatCannotBeFailsInThePlan(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "slice")
	head := "resource \"tidemark_alert_rule\" \"this\" {\n  environment_id = \"production\"\n  name = \"x\"\n  severity = \"info\"\n  condition = {\n" +
		"    metric = \"m\"\n    operator = \"gt\"\n    threshold = 1\n"
	for condition, text := range map[string]string{
		"    kind = \"ratio\"\n":                                     "condition.denominator_metric must be there when kind is ratio",
		"    days = 3\n":                                             `condition.days is for kind = "anomaly" only; this kind is threshold`,
		"    recovery_threshold = 2\n":                               "must be on the other side of threshold",
		"    window_minutes = 0\n":                                   "condition.window_minutes value must be between 1 and 1440",
		"    group_by = [\"topic\"]\n":                               "must be metric.<attribute> or resource.<attribute>",
		"    per_series = true\n    group_by = [\"metric.topic\"]\n": "condition.group_by must be empty when per_series is true",
		"    matchers = [{ label = \"metric.topic\", operator = \"regex\", value = \"(\" }]\n": "( is not a regular expression of RE2",
	} {
		w.write(head + condition + "  }\n}\n")
		w.fails([]string{"plan"}, text)
	}
	for arguments, text := range map[string]string{
		"  kind = \"pagerduty\"\n  url = \"https://x.example.org\"\n":                                         "routing_key must be there for pagerduty",
		"  kind = \"webhook\"\n  url = \"https://x.example.org\"\n  routing_key = \"k\"\n":                    "routing_key is for pagerduty and opsgenie only",
		"  kind = \"webhook\"\n  url = \"https://a:b@x.example.org\"\n":                                       "url must not have credentials",
		"  kind = \"webhook\"\n  url = \"https://x.example.org\"\n  severities = [\"fatal\"]\n":               `severities[Value("fatal")]`,
		"  kind = \"health_plus\"\n  url = \"https://x.example.org\"\n  group_messages = {}\n":                "group_messages must be absent for health_plus",
		"  kind = \"slack\"\n  url = \"https://x.example.org\"\n  group_messages = { max_transitions = 0 }\n": "must be between 1 and 100",
	} {
		w.write("resource \"tidemark_notification_integration\" \"this\" {\n  environment_id = \"production\"\n  name = \"x\"\n" + arguments + "}\n")
		w.fails([]string{"plan"}, text)
	}
}

// A misspelled name is found; what the same apply declares is not one.
func TestARuleOnAMetricThatNobodySentIsNotMade(t *testing.T) {
	t.Parallel()
	id := fresh("misspelled")
	w := newWorkspace(t, "slice", "environment="+id, "name=Misspelled")
	w.apply()
	rule := func(more string) string {
		return "\nresource \"tidemark_alert_rule\" \"this\" {\n  environment_id = \"" + id + "\"\n  name = \"Lag\"\n  severity = \"info\"\n" + more +
			"  condition = {\n    metric = \"kafka.consumer.lga\"\n    operator = \"gt\"\n    threshold = 1\n  }\n}\n"
	}
	w.append(rule(""))
	w.planShows("Nothing has sent or declared kafka.consumer.lga")
	told := w.mustFail("apply", "-auto-approve")
	w.has(told, "There is no such metric", "kafka.consumer.lga was neither sent nor declared in "+id)
	if rules := api(t, "GET", organization(t)+"/environments/"+id+"/alert-rules", nil)["data"].([]any); len(rules) != 0 {
		t.Errorf("the API has %v", rules)
	}
	w.append(rule("  require_metric = false\n"))
	w.apply()
	w.planIsEmpty()
}

// The API's own refusal is shown at the attribute of the condition; nothing half-made is in the state.
func TestWhatTheAPIRefusesOfAnAddressIsNamed(t *testing.T) {
	t.Parallel()
	id := fresh("private")
	w := newWorkspace(t, "alerting", "environment="+id, "threshold=10", "rotation=first", "key_version=1", "receiver=https://user@hooks.example.org/orders")
	w.fails([]string{"plan"}, "url must not have credentials")
	w.variables[4] = "receiver=https://169.254.169.254/latest"
	told := w.mustFail("apply", "-auto-approve")
	w.has(told, "Cannot create tidemark_notification_integration (invalid_request)", "url must not be an address that is private, local or reserved")
	if strings.Contains(strings.Join(w.resources(), " "), "tidemark_notification_integration.orders") {
		t.Error("the integration is in the state")
	}
	w.variables[4] = "receiver=https://hooks.example.org/orders"
	w.apply()
	w.planIsEmpty()
}

func TestARuleThatOthersChangedIsNotOverwritten(t *testing.T) {
	t.Parallel()
	id := fresh("rules")
	w := newWorkspace(t, "alerting", "environment="+id, "threshold=10", "rotation=first", "key_version=1", "receiver=https://hooks.example.org/orders")
	w.apply()
	p := newProxy(t)
	w.environment = []string{"TIDEMARK_URL=" + p.URL}
	rule := organization(t) + "/environments/" + id + "/alert-rules/" + w.attribute("tidemark_alert_rule.lag", "id")
	var once atomic.Bool
	p.set(func(r *http.Request) bool {
		if r.Method == "PUT" && r.URL.Path == rule && once.CompareAndSwap(false, true) {
			found := api(t, "GET", rule, nil)
			change(t, "PUT", rule, map[string]any{"name": "Elsewhere", "severity": "info", "condition": found["condition"]})
		}
		return false
	}, nil)
	w.variables[1] = "threshold=30"
	told := w.mustFail("apply", "-auto-approve")
	w.has(told, "Changed since the plan", "Somebody else changed name", "Nothing was overwritten")
	if name := api(t, "GET", rule, nil)["name"]; name != "Elsewhere" {
		t.Errorf("the API has %v", name)
	}
	w.environment = nil
	w.planShows(`"Elsewhere" -> "Orders lag"`)
	w.apply()
	w.planIsEmpty()
}

// The answer with the secret is lost: there is one integration in the end, and its secret is known.
func TestALostSecretOfAnIntegrationIsMadeAnew(t *testing.T) {
	t.Parallel()
	id := fresh("lost-secret")
	w := newWorkspace(t, "alerting", "environment="+id, "threshold=10", "rotation=first", "key_version=1", "receiver=https://hooks.example.org/orders")
	p := newProxy(t)
	w.environment = []string{"TIDEMARK_URL=" + p.URL}
	var lost atomic.Bool
	p.set(nil, func(r *http.Request) bool {
		return r.Method == "POST" && strings.HasSuffix(r.URL.Path, "/integrations") && lost.CompareAndSwap(false, true)
	})
	w.apply()
	w.environment = nil
	w.planIsEmpty()
	if !lost.Load() || !strings.HasPrefix(w.output("secret"), "whsec_") {
		t.Error("the signing secret is not known")
	}
	if made := api(t, "GET", organization(t)+"/environments/"+id+"/integrations", nil)["data"].([]any); len(made) != 2 {
		t.Errorf("the API has %v", made)
	}
}
