package observability

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
	"go.yaml.in/yaml/v3"
)

const (
	root   = "../.."
	folder = root + "/infra/observability"
)

type rule struct {
	Alert, Expr, For    string
	Labels, Annotations map[string]string
}

type dashboard struct {
	file       string
	Title, UID string
	Editable   bool
	Templating struct{ List []variable }
	Panels     []panel
}

type variable struct {
	Name, Label, Type, Query, AllValue string
	Refresh                            int
	Multi, IncludeAll                  bool
	Datasource                         struct{ UID string }
}

type panel struct {
	ID                       int
	Type, Title, Description string
	Datasource               struct{ UID string }
	GridPos                  struct{ H, W, X, Y int }
	FieldConfig              struct{ Defaults struct{ Unit string } }
	Targets                  []struct{ RefID, Expr, LegendFormat string }
}

func text(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func found(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", pattern, len(files), err)
	}
	return files
}

func rules(t *testing.T) []rule {
	t.Helper()
	var all []rule
	for _, file := range found(t, "*alerts.yaml") {
		var content struct{ Groups []struct{ Rules []rule } }
		if err := yaml.Unmarshal([]byte(text(t, file)), &content); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, group := range content.Groups {
			all = append(all, group.Rules...)
		}
	}
	return all
}

func dashboards(t *testing.T) []dashboard {
	t.Helper()
	var all []dashboard
	for _, file := range found(t, "dashboards/*.json") {
		one := dashboard{file: filepath.Base(file)}
		if err := json.Unmarshal([]byte(text(t, file)), &one); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, one)
	}
	return all
}

// rateInterval stands for Grafana's variable, which is no duration of PromQL.
const rateInterval = "4m4s"

func parsed(t *testing.T, where, expression string) parser.Expr {
	t.Helper()
	node, err := parser.NewParser(parser.Options{}).ParseExpr(strings.ReplaceAll(expression, "$__rate_interval", rateInterval))
	if err != nil {
		t.Fatalf("%s: %v: %s", where, err, expression)
	}
	return node
}

// named are the metrics that rules and dashboards look at, each with a place that does.
func named(t *testing.T) map[string]string {
	t.Helper()
	places := map[string]string{}
	look := func(where, expression string) {
		for _, selector := range parser.ExtractSelectors(parsed(t, where, expression)) {
			at := slices.IndexFunc(selector, func(m *labels.Matcher) bool { return m.Name == labels.MetricName })
			if at < 0 {
				t.Errorf("%s: a selector without a metric: %s", where, expression)
				continue
			}
			places[selector[at].Value] = where
		}
	}
	for _, one := range rules(t) {
		look(one.Alert, one.Expr)
	}
	for _, one := range dashboards(t) {
		for _, shown := range one.Panels {
			for _, target := range shown.Targets {
				look(one.file+": "+shown.Title, target.Expr)
			}
		}
	}
	return places
}

func matches(t *testing.T, pattern, path string) []string {
	t.Helper()
	var all []string
	for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(text(t, path), -1) {
		all = append(all, match[1])
	}
	return all
}
