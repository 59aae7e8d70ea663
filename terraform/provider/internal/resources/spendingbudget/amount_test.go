package spendingbudget

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// The API may write the same number with other zeros; that is no change.
func TestAnAmountIsTheSameWithOtherZeros(t *testing.T) {
	for written, wanted := range map[string]string{"250": "250", "250.0": "250.0", "251": "250.00"} {
		found := "250.00"
		if is := sameAmount(types.StringValue(written), &found).ValueString(); is != wanted {
			t.Errorf("%s became %s", written, is)
		}
	}
	if !sameAmount(types.StringValue("1"), nil).IsNull() {
		t.Error("there is an amount")
	}
}
