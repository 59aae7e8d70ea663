package observability

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// ScrapeIT of platform-api compares the list with a real scrape; what rules and dashboards look at is in the list.
func TestMetricsOfPlatformApiAreListed(t *testing.T) {
	var list struct {
		Metrics []struct{ Metric, Type, Unit, Desc string }
	}
	if err := yaml.Unmarshal([]byte(text(t, folder+"/own-metrics.yaml")), &list); err != nil {
		t.Fatal(err)
	}
	suffixes := map[string]string{"s": "_seconds", "By": "_bytes", "{spans}": "_spans"}
	listed := map[string]bool{}
	for _, one := range list.Metrics {
		name := strings.ReplaceAll(one.Metric, ".", "_")
		if suffix := suffixes[one.Unit]; !strings.HasSuffix(name, suffix) {
			name += suffix
		}
		if one.Type == "counter" {
			name += "_total"
		} else if one.Type != "gauge" {
			t.Errorf("%s is neither a counter nor a gauge", one.Metric)
		}
		if listed[name] || one.Desc == "" {
			t.Errorf("%s is listed twice or says nothing", one.Metric)
		}
		listed[name] = true
	}
	looked := 0
	for metric, where := range named(t) {
		if strings.HasPrefix(metric, "tidemark_") {
			looked++
			if !listed[metric] {
				t.Errorf("%s looks at %s, which infra/observability/own-metrics.yaml does not have", where, metric)
			}
		}
	}
	if looked < 15 {
		t.Errorf("only %d metrics of platform-api are looked at", looked)
	}
}
