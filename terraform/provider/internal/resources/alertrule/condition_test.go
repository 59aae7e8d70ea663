package alertrule

import (
	"encoding/json"
	"strings"
	"testing"

	"tidemark/terraform/provider/internal/client"
)

// parsed gives the condition that the API tells in JSON, as the model holds it.
func parsed(t *testing.T, text string) condition {
	t.Helper()
	var found client.AlertCondition
	if err := json.Unmarshal([]byte(text), &found); err != nil {
		t.Fatal(err)
	}
	object, err := shown(t.Context(), found)
	if err != nil {
		t.Fatal(err)
	}
	model, isKnown, err := conditionOf(t.Context(), object)
	if err != nil || !isKnown {
		t.Fatalf("%t %v", isKnown, err)
	}
	return model
}

func TestFaultsOfAConditionAreFound(t *testing.T) {
	for text, wanted := range map[string]string{
		`"threshold":1`: "",
		`"threshold":1,"kind":"ratio","denominator_metric":"n","group_by":["metric.a"]`:      "",
		`"threshold":1,"kind":"change","offset_minutes":5,"percent":true`:                    "",
		`"threshold":1,"kind":"ratio"`:                                                       "condition.denominator_metric must be there",
		`"threshold":1,"kind":"anomaly"`:                                                     "condition.days must be there",
		`"threshold":1,"kind":"ratio","denominator_metric":"n","per_series":true`:            "condition.per_series must be false for a ratio",
		`"threshold":1,"percent":true`:                                                       "condition.percent is for kind",
		`"threshold":1,"limit":3`:                                                            "condition.limit is for kind",
		`"threshold":1,"kind":"forecast","limit":3,"window_minutes":2`:                       "condition.window_minutes must be at least 3",
		`"threshold":1,"recovery_threshold":2`:                                               "condition.recovery_threshold must be on the other side",
		`"threshold":1,"early":true`:                                                         "",
		`"threshold":1,"early":true,"kind":"absence"`:                                        "condition.early must be false for absence",
		`"threshold":1,"early":true,"window_minutes":16`:                                     "condition.early must be false when window_minutes",
		`"threshold":1,"early":true,"kind":"forecast","limit":3,"window_minutes":5`:          "condition.early must be false for a forecast",
		`"threshold":1,"recovery_threshold":1`:                                               "",
		`"threshold":1,"per_series":true,"group_by":["metric.a"]`:                            "condition.group_by must be empty",
		`"threshold":1,"matchers":[{"label":"metric.a","operator":"not_regex","value":"["}]`: "[ is not a regular expression",
		`"threshold":1,"matchers":[{"label":"metric.a","operator":"eq","value":"["}]`:        "",
	} {
		faults := parsed(t, `{"metric":"m","operator":"gt",`+text+`}`).faults(t.Context())
		var told []string
		for _, fault := range faults {
			told = append(told, fault.Detail)
		}
		if all := strings.Join(told, " "); (wanted == "") != (len(told) == 0) || !strings.Contains(all, wanted) {
			t.Errorf("%s: %q", text, all)
		}
	}
}

// What the API leaves out is what it would be anyway, and what is sent is what was read.
func TestAConditionIsSentAsItWasRead(t *testing.T) {
	model := parsed(t, `{"metric":"m","operator":"lt","threshold":0.1,"group_by":["metric.b","metric.a"],"days":3,"kind":"anomaly"}`)
	sent, err := conditionDraft(t.Context(), model)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(sent)
	if err != nil {
		t.Fatal(err)
	}
	const wanted = `{"aggregation":"sum","days":3,"early":false,"for_minutes":0,"group_by":["metric.a","metric.b"],"kind":"anomaly","matchers":[],"metric":"m",` +
		`"no_data_after_minutes":5,"operator":"lt","per_series":false,"percent":false,"recover_after_minutes":0,"threshold":0.1,"window_minutes":1}`
	if string(text) != wanted {
		t.Errorf("%s", text)
	}
	if names := model.metrics(); len(names) != 1 || names["metric"] != "m" {
		t.Errorf("%v", names)
	}
}
