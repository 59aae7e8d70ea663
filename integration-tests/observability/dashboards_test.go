package observability

import (
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// Units as Grafana names them.
var units = []string{"short", "cps", "cpm", "reqps", "Bps", "bytes", "s", "ms", "percentunit"}

// The rules of Grafana's dashboard-linter that matter here, so that a dashboard works with any data source, job and interval.
func TestDashboardsWorkInAnyGrafana(t *testing.T) {
	ids, titles := map[string]bool{}, map[string]bool{}
	for _, one := range dashboards(t) {
		if ids[one.UID] || titles[one.Title] || one.UID != "tidemark-"+strings.TrimSuffix(one.file, ".json") {
			t.Errorf("%s: uid %q and title %q must be its own", one.file, one.UID, one.Title)
		}
		ids[one.UID], titles[one.Title] = true, true
		if one.Editable {
			t.Errorf("%s can be edited where it is shown, and differs from its file then", one.file)
		}
		for _, name := range []string{"job", "instance"} {
			at := slices.IndexFunc(one.Templating.List, func(v variable) bool { return v.Name == name })
			if at < 0 {
				t.Fatalf("%s has no variable %s", one.file, name)
			}
			v := one.Templating.List[at]
			if v.Type != "query" || v.Datasource.UID != "${datasource}" || !v.Multi || !v.IncludeAll || v.AllValue != ".+" || v.Refresh != 2 || !strings.HasPrefix(v.Query, "label_values(up{") {
				t.Errorf("%s: the variable %s cannot choose all, or is not asked again: %+v", one.file, name, v)
			}
		}
		if first := one.Templating.List[0]; first.Name != "datasource" || first.Type != "datasource" || first.Query != "prometheus" {
			t.Errorf("%s: the data source cannot be chosen", one.file)
		}
		if len(one.Panels) < 6 {
			t.Errorf("%s has %d panels", one.file, len(one.Panels))
		}
		for i, shown := range one.Panels {
			check(t, one.file+": "+shown.Title, shown)
			for _, other := range one.Panels[:i] {
				a, b := shown.GridPos, other.GridPos
				if shown.ID == other.ID || shown.Title == other.Title || a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H {
					t.Errorf("%s: the panels %q and %q have the same id, title or place", one.file, shown.Title, other.Title)
				}
			}
		}
	}
}

func check(t *testing.T, where string, shown panel) {
	t.Helper()
	if shown.Title == "" || shown.Description == "" || shown.ID == 0 {
		t.Errorf("%s has no title, description or id", where)
	}
	if !slices.Contains(units, shown.FieldConfig.Defaults.Unit) {
		t.Errorf("%s has no unit or another than its neighbours: %q", where, shown.FieldConfig.Defaults.Unit)
	}
	if shown.Datasource.UID != "${datasource}" {
		t.Errorf("%s asks another data source", where)
	}
	if len(shown.Targets) == 0 {
		t.Errorf("%s shows nothing", where)
	}
	for _, target := range shown.Targets {
		if target.LegendFormat == "" {
			t.Errorf("%s: nobody knows what line %s is", where, target.RefID)
		}
		node := parsed(t, where, target.Expr)
		for _, selector := range parser.ExtractSelectors(node) {
			for _, name := range []string{"job", "instance"} {
				if !slices.ContainsFunc(selector, func(m *labels.Matcher) bool {
					return m.Name == name && m.Type == labels.MatchRegexp && m.Value == "$"+name
				}) {
					t.Errorf("%s does not heed the choice of %s: %s", where, name, target.Expr)
				}
			}
		}
		parser.Inspect(node, func(at parser.Node, parents []parser.Node) error {
			switch one := at.(type) {
			case *parser.MatrixSelector:
				if one.Range.String() != rateInterval {
					t.Errorf("%s: a range that is not $__rate_interval is too short for some interval: %s", where, target.Expr)
				}
			case *parser.VectorSelector:
				if strings.HasSuffix(one.Name, "_total") && !isRated(parents) {
					t.Errorf("%s shows a counter since it began: %s", where, target.Expr)
				}
			}
			return nil
		})
	}
}

func isRated(parents []parser.Node) bool {
	return slices.ContainsFunc(parents, func(one parser.Node) bool {
		call, is := one.(*parser.Call)
		return is && (call.Func.Name == "rate" || call.Func.Name == "increase")
	})
}
