package terraform

import "testing"

// One budget for an organisation: what is there is not overwritten, and what is destroyed is no budget.
func TestASpendingBudgetIsMadeChangedImportedAndDestroyed(t *testing.T) {
	w := newWorkspace(t, "slice")
	budget := func(more string) string {
		return "resource \"tidemark_spending_budget\" \"this\" {\n" + more + "}\n\ndata \"tidemark_spending_budget\" \"this\" {}\n\n" +
			"output \"spent\" { value = data.tidemark_spending_budget.this.spent }\n"
	}
	for configuration, text := range map[string]string{
		"  amount = \"0.00\"\n":                       "must be more than 0",
		"  amount = \"a lot\"\n":                      "must be a decimal number",
		"  amount = \"1\"\n  thresholds = [0]\n":      "must be between 1 and 1000",
		"  amount = \"1\"\n  points_per_second = 0\n": "must be at least 1",
	} {
		w.write(budget(configuration))
		w.fails([]string{"plan"}, text)
	}
	w.write(budget("  amount = \"250.00\"\n"))
	w.apply()
	w.planIsEmpty()
	path := organization(t) + "/spending-budget"
	if set := api(t, "GET", path, nil)["budget"].(map[string]any); len(set["thresholds"].([]any)) != 3 {
		t.Errorf("the API has %v", set)
	}
	w.write(budget("  amount = \"300\"\n  thresholds = [80, 100, 120]\n"))
	w.planShows("0 to add, 1 to change, 0 to destroy")
	w.apply()
	w.planIsEmpty()
	change(t, "PUT", path, map[string]any{"amount": "1"})
	w.planShows(`"1" -> "300"`)
	w.apply()
	w.planIsEmpty()

	if code, told := w.run("state", "rm", "tidemark_spending_budget.this"); code != 0 {
		t.Fatal(told)
	}
	w.fails([]string{"plan"}, "The organisation has a budget already", "terraform import ADDRESS")
	w.importing("tidemark_spending_budget.this", api(t, "GET", "/api/v1/caller", nil)["organization_id"].(string))
	w.planIsEmpty()
	w.write(budget("  amount = \"300\"\n  integration_ids = [\"int-nothing\"]\n"))
	w.has(w.mustFail("apply", "-auto-approve"), "Cannot change tidemark_spending_budget (invalid_request)", "integration_ids: the organisation has no integration")
	w.write(budget("  amount = \"300\"\n"))
	w.destroy()
	if set := api(t, "GET", path, nil)["budget"].(map[string]any); set["amount"] != nil {
		t.Errorf("the API has %v", set)
	}
}
