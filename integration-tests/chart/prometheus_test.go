package chart

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// watched has a Prometheus operator, for which everything that can show metrics does.
func watched(over values) values {
	given := values{
		"platformApi":        values{"scrape": values{"enabled": true}},
		"flink":              values{"scrape": values{"enabled": true}},
		"prometheusOperator": values{"podMonitors": values{"enabled": true, "labels": values{"release": "prometheus"}}, "rules": values{"enabled": true, "labels": values{"release": "rules"}}},
	}
	for key, value := range over {
		given[key] = value
	}
	return given
}

// Each pod that shows metrics is scraped once, at the port that it opens for it, under the name that rules and dashboards ask for.
func TestPodMonitorsFindWhatIsShown(t *testing.T) {
	roles := watched(nil)
	roles["platformApi"].(values)["roles"] = apart
	for what, over := range map[string]values{"one process": watched(nil), "roles apart": roles, "a second region": second(watched(nil))} {
		objects := rendered(t, "standard", over)
		monitors := of(objects, "PodMonitor")
		if len(monitors) != 2 {
			t.Errorf("%s: %d monitors", what, len(monitors))
		}
		asked := found(t, "infra/observability/README.md", `- job_name: ([a-z-]+)`)
		for _, one := range workloads(objects) {
			shows := entry(dig(spec(one.object), "containers", 0, "ports"), "scrape")
			scraped := 0
			for _, monitor := range monitors {
				if !selects(dig(monitor, "spec", "selector"), one.labels) {
					continue
				}
				scraped++
				endpoints := dig(monitor, "spec", "podMetricsEndpoints").([]any)
				if len(endpoints) != 1 || dig(endpoints[0], "port") != "scrape" || dig(endpoints[0], "path") != "/metrics" || dig(endpoints[0], "interval") != "30s" {
					t.Errorf("%s is scraped at %v", one.name, endpoints)
				}
				if job := dig(endpoints[0], "relabelings", 0, "replacement"); dig(endpoints[0], "relabelings", 0, "targetLabel") != "job" || !slices.Contains(asked, fmt.Sprint(job)) {
					t.Errorf("%s is scraped as %v; rules ask for %v", one.name, job, asked)
				}
				if dig(monitor, "metadata", "labels", "release") != "prometheus" {
					t.Errorf("%s is chosen by %v", monitor.name(), dig(monitor, "metadata", "labels"))
				}
			}
			if wanted := map[bool]int{true: 1, false: 0}[shows != nil]; scraped != wanted {
				t.Errorf("%s: %s is scraped by %d monitors and shows metrics: %v", what, one.name, scraped, shows != nil)
			}
		}
	}
}

// alerts of a file of infra/observability, or of a rendered rule.
func alerts(t *testing.T, groups any) map[string]values {
	t.Helper()
	all := map[string]values{}
	for _, group := range groups.([]any) {
		for _, one := range dig(group, "rules").([]any) {
			job, _ := dig(one, "labels", "job_name").(string)
			all[fmt.Sprint(dig(one, "alert"), " ", job)] = one.(values)
		}
	}
	return all
}

// The rules are those of infra/observability. Where a job does not belong, nobody is told that it is away.
func TestRulesAreThoseOfInfra(t *testing.T) {
	for what, over := range map[string]values{"first": watched(nil), "second": second(watched(nil))} {
		objects := rendered(t, "standard", over)
		for name, file := range map[string]string{"platform-api": "alerts", "flink": "flink-alerts"} {
			var content values
			if err := yaml.Unmarshal([]byte(text(t, "infra/observability/"+file+".yaml")), &content); err != nil {
				t.Fatal(err)
			}
			rule := the(t, objects, "PrometheusRule", release+"-"+name)
			wanted, got := alerts(t, content["groups"]), alerts(t, dig(rule, "spec", "groups"))
			if name == "flink" {
				for job := range jobs(t) {
					absent := wanted["TidemarkJobAbsent "+job]
					if !strings.Contains(fmt.Sprint(absent["expr"]), fmt.Sprintf("job_name=%q", job)) {
						t.Errorf("nobody is told that job %s is away", job)
					}
					if what == "second" && (job == "alert" || job == "usage") {
						delete(wanted, "TidemarkJobAbsent "+job)
					}
				}
			}
			if len(wanted) < 15 || len(got) != len(wanted) {
				t.Errorf("%s region: %d rules of %d", what, len(got), len(wanted))
			}
			for alert, one := range wanted {
				if !same(got[alert], one) {
					t.Errorf("%s region: %s is %v, not %v", what, alert, got[alert], one)
				}
			}
			if dig(rule, "metadata", "labels", "release") != "rules" {
				t.Errorf("%s is chosen by %v", rule.name(), dig(rule, "metadata", "labels"))
			}
		}
	}
}

// A cluster without the operator takes the chart; what would watch nothing is refused; a part that is not shown has no object.
func TestPrometheusOperatorIsAsked(t *testing.T) {
	watches := regexp.MustCompile(`^(PodMonitor|ServiceMonitor|PrometheusRule)$`)
	scraped := watched(values{"prometheusOperator": values{}})
	for _, one := range rendered(t, "standard", scraped) {
		if watches.MatchString(one.kind()) {
			t.Errorf("%s %s is there unasked", one.kind(), one.name())
		}
	}
	for _, one := range rendered(t, "standard", watched(values{"flink": values{}})) {
		if watches.MatchString(one.kind()) && one.component() != "platform-api" {
			t.Errorf("%s %s watches what shows nothing", one.kind(), one.name())
		}
	}
	for because, over := range map[string]values{
		"prometheusOperator.podMonitors.enabled is true, but nothing shows its metrics: set platformApi.scrape.enabled": {"prometheusOperator": values{"podMonitors": values{"enabled": true}}},
		"prometheusOperator.rules.enabled is true, but nothing shows its metrics: set platformApi.scrape.enabled":       {"prometheusOperator": values{"rules": values{"enabled": true}}},
		"at '/prometheusOperator/podMonitors/interval': '30' does not match pattern":                                    watched(values{"prometheusOperator": values{"podMonitors": values{"interval": "30"}}}),
	} {
		if _, err := template(loaded(t), over); err == nil || !strings.Contains(err.Error(), because) {
			t.Errorf("not refused for %q: %v", because, err)
		}
	}
}

// A release is kept in a secret with all files of its chart: what no template reads does not go with it.
func TestTheChartCarriesRulesAlone(t *testing.T) {
	var carried []string
	for _, file := range loaded(t).Files {
		if strings.HasPrefix(file.Name, "files/observability/") && !strings.HasSuffix(file.Name, ".md") {
			carried = append(carried, file.Name)
		}
	}
	if slices.Sort(carried); !slices.Equal(carried, []string{"files/observability/alerts.yaml", "files/observability/flink-alerts.yaml"}) {
		t.Errorf("the chart carries %v", carried)
	}
}
