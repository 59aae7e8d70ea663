package dashboard

import (
	"context"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
)

var ctx = context.Background()

func list[T any](t *testing.T, of attr.Type, items []T) types.List {
	t.Helper()
	found, diagnostics := types.ListValueFrom(ctx, of, items)
	if diagnostics.HasError() {
		t.Fatal(diagnostics)
	}
	return found
}

func stat(t *testing.T, value string) panel {
	return panel{Type: types.StringValue("stat"), Metric: types.StringValue("m"), Agg: types.StringValue("SUM"), By: types.ListNull(types.StringType),
		Where: list(t, conditionType, []condition{{types.StringValue("metric.topic"), types.StringValue("EQ"), types.StringValue(value)}})}
}

func named(t *testing.T, name string, multi bool, values ...string) variable {
	return variable{Name: types.StringValue(name), Label: types.StringValue("metric." + name), Multi: types.BoolValue(multi),
		Default: list(t, types.StringType, values)}
}

func TestConditionsNameVariablesOfTheDashboard(t *testing.T) {
	for text, config := range map[string]model{
		"": {Variables: list(t, variableType, []variable{named(t, "topic", true, "a", "b")}), Panels: list(t, panelType, []panel{stat(t, "$topic"), stat(t, "$5")})},
		"panels[1].where[0].value names $other": {Variables: list(t, variableType, []variable{named(t, "topic", false)}),
			Panels: list(t, panelType, []panel{stat(t, "$topic"), stat(t, "$other")})},
		"variables[1].name is that": {Variables: list(t, variableType, []variable{named(t, "topic", false), named(t, "topic", false)}),
			Panels: list(t, panelType, []panel{})},
		"variables[0].default has several": {Variables: list(t, variableType, []variable{named(t, "topic", false, "a", "b")}), Panels: list(t, panelType, []panel{})},
	} {
		faults := validate(config)
		if text == "" && len(faults) != 0 || text != "" && (len(faults) != 1 || !strings.Contains(faults[0].Detail, text)) {
			t.Errorf("%q: %v", text, faults)
		}
	}
	// Without variables it is text.
	if faults := validate(model{Variables: types.ListNull(variableType), Panels: list(t, panelType, []panel{stat(t, "$topic")})}); len(faults) != 0 {
		t.Errorf("%v", faults)
	}
}

func TestVariablesAreSentAndReadAsTheSame(t *testing.T) {
	config := model{Title: types.StringValue("x"), Panels: list(t, panelType, []panel{}),
		Variables: list(t, variableType, []variable{named(t, "topic", true, "a"), named(t, "client", false)})}
	draft, err := draftOf(ctx, config)
	if err != nil {
		t.Fatal(err)
	}
	found, err := of(ctx, client.Dashboard{Definition: draft})
	if err != nil || !found.Variables.Equal(config.Variables) {
		t.Errorf("%v %v", found.Variables, err)
	}
	config.Variables = types.ListNull(variableType)
	draft, err = draftOf(ctx, config)
	if err != nil || draft.Variables != nil {
		t.Errorf("%v %v", draft.Variables, err)
	}
	if found, err = of(ctx, client.Dashboard{Definition: draft}); err != nil || !found.Variables.IsNull() {
		t.Errorf("%v %v", found.Variables, err)
	}
}
