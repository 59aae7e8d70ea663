package terraform

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

func TestADashboardIsMadeChangedImportedAndDestroyed(t *testing.T) {
	t.Parallel()
	title := fresh("Dashboard")
	w := newWorkspace(t, "dashboards", "title="+title, "agg=RATE")
	w.apply()
	w.planIsEmpty()
	if told := w.output("told"); told != "3 true true 3" {
		t.Errorf("%s", told)
	}
	id := w.attribute("tidemark_dashboard.orders", "id")
	dashboard := organization(t) + "/dashboards/" + id
	definition := api(t, "GET", dashboard, nil)["definition"].(map[string]any)
	if panels := definition["panels"].([]any); len(panels) != 3 || panels[0].(map[string]any)["agg"] != "RATE" || panels[2].(map[string]any)["text"] != "Two\nlines" {
		t.Errorf("the API has %v", definition)
	}
	if variables := definition["variables"].([]any); len(variables) != 2 || variables[0].(map[string]any)["multi"] != true || variables[1].(map[string]any)["name"] != "client" {
		t.Errorf("the API has %v", definition)
	}

	w.variables[1] = "agg=SUM"
	w.planShows("0 to add, 2 to change, 0 to destroy", `"RATE" -> "SUM"`)
	w.apply()
	w.planIsEmpty()

	// Changed elsewhere, which the list tells by its version.
	definition["title"] = "Elsewhere"
	change(t, "PUT", dashboard, definition)
	w.planShows(`"Elsewhere" -> "` + title + `"`)
	w.apply()
	w.planIsEmpty()

	if code, told := w.run("state", "rm", "tidemark_dashboard.orders"); code != 0 {
		t.Fatal(told)
	}
	w.importing("tidemark_dashboard.orders", id)
	w.planIsEmpty()

	api(t, "DELETE", dashboard, nil)
	w.planShows("to add")
	w.apply()
	w.planIsEmpty()
	w.destroy()
}

func TestADashboardThatCannotBeFailsInThePlan(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "slice")
	for panel, text := range map[string]string{
		`{ type = "stat", agg = "SUM" }`:                          "panels[0].metric must be there when type is stat",
		`{ type = "stat", metric = "m" }`:                         "panels[0].agg must be there when type is stat",
		`{ type = "pie", metric = "m", agg = "SUM" }`:             "panels[0].type value must be one of",
		`{ type = "stat", metric = "m", agg = "SUM", width = 3 }`: "panels[0].width value must be between 1 and 2",
		`{ type = "stat", metric = "m", agg = "MEDIAN" }`:         "panels[0].agg value must be one of",
	} {
		w.write("resource \"tidemark_dashboard\" \"this\" {\n  title = \"x\"\n  panels = [" + panel + "]\n}\n")
		w.fails([]string{"plan"}, text)
	}
}

func TestADashboardThatOthersChangedIsNotOverwritten(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "dashboards", "title="+fresh("Concurrent"), "agg=RATE")
	w.apply()
	p := newProxy(t)
	w.environment = []string{"TIDEMARK_URL=" + p.URL}
	dashboard := organization(t) + "/dashboards/" + w.attribute("tidemark_dashboard.orders", "id")
	var once atomic.Bool
	p.set(func(r *http.Request) bool {
		if r.Method == "PUT" && strings.HasSuffix(r.URL.Path, dashboard) && once.CompareAndSwap(false, true) {
			definition := api(t, "GET", dashboard, nil)["definition"].(map[string]any)
			definition["description"] = "Somebody else's"
			change(t, "PUT", dashboard, definition)
		}
		return false
	}, nil)
	w.variables[1] = "agg=SUM"
	told := w.mustFail("apply", "-auto-approve")
	w.has(told, "Changed since the plan", "description", "Nothing was overwritten")
	if found := api(t, "GET", dashboard, nil)["definition"].(map[string]any); found["description"] != "Somebody else's" {
		t.Errorf("the API has %v", found)
	}
	w.environment = nil
	w.apply()
	w.planIsEmpty()
}
