package integration

import (
	"reflect"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

// What the API gives back is what was planned, so that the next plan is empty.
func TestGroupingComesBackAsItWasPlanned(t *testing.T) {
	for name, plan := range map[string]types.Object{
		"nothing": types.ObjectNull(groupingTypes),
		"all": types.ObjectValueMust(groupingTypes, map[string]attr.Value{
			"by": envelope.Set([]string{"rule_id", "labels.team"}), "wait_seconds": types.Int64Value(0), "max_transitions": types.Int64Value(20),
		}),
		"one": types.ObjectValueMust(groupingTypes, map[string]attr.Value{
			"by": types.SetNull(types.StringType), "wait_seconds": types.Int64Null(), "max_transitions": types.Int64Value(1),
		}),
	} {
		if again := groupingFrom(groupingOf(plan)); !again.Equal(plan) {
			t.Errorf("%s: %v is read as %v", name, plan, again)
		}
	}
}

func TestAnEmptyListOfLabelsIsNone(t *testing.T) {
	wait := int32(3)
	found := groupingFrom(&client.MessageGrouping{By: &[]string{}, WaitSeconds: &wait})
	if by := found.Attributes()["by"]; !by.IsNull() {
		t.Errorf("by is %v", by)
	}
	if sent := groupingOf(found); sent.By != nil || !reflect.DeepEqual(*sent.WaitSeconds, wait) {
		t.Errorf("%+v is sent", sent)
	}
}

func TestServicesThatGroupThemselvesAreRefused(t *testing.T) {
	grouping := types.ObjectValueMust(groupingTypes, map[string]attr.Value{
		"by": types.SetNull(types.StringType), "wait_seconds": types.Int64Null(), "max_transitions": types.Int64Value(9),
	})
	for kind, isRefused := range map[string]bool{"pagerduty": true, "opsgenie": true, "health_plus": true, "slack": false, "webhook": false} {
		faults := validate(model{Kind: types.StringValue(kind), URL: types.StringValue("https://example.org/"), GroupMessages: grouping})
		if (len(faults) == 1) != isRefused {
			t.Errorf("%s: %d faults", kind, len(faults))
		}
	}
}
