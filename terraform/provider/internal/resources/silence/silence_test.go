package silence

import (
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func TestASilenceIsOverWhenItNeverComesAgain(t *testing.T) {
	clock = func() time.Time { return time.Date(2026, 1, 10, 0, 0, 0, 0, time.UTC) }
	t.Cleanup(func() { clock = time.Now })
	weekly := func(until types.String) types.Object {
		return types.ObjectValueMust(repeatTypes, map[string]attr.Value{
			"every": types.StringValue("week"), "time_zone": types.StringValue("UTC"), "until": until})
	}
	for name, each := range map[string]struct {
		ends   string
		repeat types.Object
		isOver bool
	}{
		"before":              {"2026-01-09T00:00:00Z", types.ObjectNull(repeatTypes), true},
		"after":               {"2026-01-11T00:00:00Z", types.ObjectNull(repeatTypes), false},
		"in another zone":     {"2026-01-10T01:00:00+02:00", types.ObjectNull(repeatTypes), true},
		"again for ever":      {"2026-01-02T00:00:00Z", weekly(types.StringNull()), false},
		"again until before":  {"2026-01-02T00:00:00Z", weekly(types.StringValue("2026-01-08T00:00:00Z")), true},
		"the last one is now": {"2026-01-02T00:00:00Z", weekly(types.StringValue("2026-01-09T12:00:00Z")), false},
	} {
		state := model{StartsAt: types.StringValue("2026-01-01T00:00:00Z"), EndsAt: types.StringValue(each.ends), Repeat: each.repeat}
		if is := isOver(t.Context(), state); is != each.isOver {
			t.Errorf("%s: %t", name, is)
		}
	}
}
