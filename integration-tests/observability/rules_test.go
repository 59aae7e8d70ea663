package observability

import (
	"os"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestEveryAlertHasARunbookEntry(t *testing.T) {
	sections := strings.Split(text(t, root+"/docs/runbooks/alerts.md"), "\n## ")[1:]
	entries := map[string]string{}
	for _, section := range sections {
		name, content, _ := strings.Cut(section, "\n")
		entries[name] = content
	}
	known, kinds := map[string]bool{}, map[string]bool{}
	for _, one := range rules(t) {
		// An alert may have a rule for each job.
		kind := strings.TrimSpace(one.Alert + " " + one.Labels["job_name"])
		if kinds[kind] || kinds[one.Alert] {
			t.Errorf("%s is there twice", kind)
		}
		known[one.Alert], kinds[kind] = true, true
		if link := "docs/runbooks/alerts.md#" + strings.ToLower(one.Alert); one.Annotations["runbook"] != link {
			t.Errorf("%s links %s, not %s", one.Alert, one.Annotations["runbook"], link)
		}
		if severity := one.Labels["severity"]; severity != "page" && severity != "ticket" {
			t.Errorf("%s is neither a page nor a ticket but %q", one.Alert, severity)
		}
		if one.Annotations["summary"] == "" {
			t.Errorf("%s does not say what is wrong", one.Alert)
		}
		for _, part := range []string{"**What it means.** ", "**What to do.** ", "**It is over** when "} {
			if !strings.Contains(entries[one.Alert], part) {
				t.Errorf("the runbook's entry %s has no %q", one.Alert, part)
			}
		}
	}
	for name := range entries {
		if !known[name] {
			t.Errorf("the runbook has an entry %s for no alert", name)
		}
	}
}

// promtool runs the tests; that each rule has both kinds is seen here.
func TestEveryAlertIsTestedToRingAndToStayQuiet(t *testing.T) {
	rings, quiet := map[string]bool{}, map[string]bool{}
	for _, file := range found(t, "*alerts_test.yaml") {
		var content struct {
			Tests []struct {
				AlertRuleTest []struct {
					Alertname string
					ExpAlerts []any `yaml:"exp_alerts"`
				} `yaml:"alert_rule_test"`
			}
		}
		if err := yaml.Unmarshal([]byte(text(t, file)), &content); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, one := range content.Tests {
			for _, check := range one.AlertRuleTest {
				if len(check.ExpAlerts) > 0 {
					rings[check.Alertname] = true
				} else {
					quiet[check.Alertname] = true
				}
			}
		}
		if _, err := os.Stat(strings.Replace(file, "_test", "", 1)); err != nil {
			t.Error(err)
		}
	}
	for _, one := range rules(t) {
		if !rings[one.Alert] || !quiet[one.Alert] {
			t.Errorf("%s is tested to ring: %t, to stay quiet: %t", one.Alert, rings[one.Alert], quiet[one.Alert])
		}
	}
}
