package envelope

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Within fails when a number is greater than what the API lets anybody set. What is not known yet passes.
func Within(attribute string, wanted types.Int64, maximum int64) error {
	if wanted.IsNull() || wanted.IsUnknown() || wanted.ValueInt64() <= maximum {
		return nil
	}
	return &Fault{Attribute: attribute, Summary: "More than the plan allows",
		Detail: fmt.Sprintf("%s must be 1 to %d, which is the plan's. Lower it, or leave it out for that of the one above.", attribute, maximum)}
}
