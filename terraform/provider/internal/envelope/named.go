package envelope

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"tidemark/terraform/provider/internal/client"
)

// Named finds the one object of a list that has the name. The API allows a name twice; then nothing is found, and the fault
// gives the ids.
func Named[T any](all []T, name, id func(T) string, wanted string) (T, error) {
	var found []T
	var ids []string
	for _, each := range all {
		if name(each) == wanted {
			found, ids = append(found, each), append(ids, id(each))
		}
	}
	var none T
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return none, client.NotFound("There is no " + wanted + ".")
	default:
		return none, &Fault{Attribute: "name", Summary: "The name is not of one object",
			Detail: fmt.Sprintf("%s is the name of %s. Use the id.", wanted, strings.Join(ids, " and "))}
	}
}

// ByIDOrName reads an import id <environment_id>/<id> or <environment_id>/<name>; ids begin with the prefix.
func ByIDOrName(prefix string) func(string) (map[string]string, error) {
	return func(id string) (map[string]string, error) {
		environment, rest, isPair := strings.Cut(id, "/")
		if !isPair || environment == "" || rest == "" {
			return nil, fmt.Errorf("%q does not have the form <environment_id>/<id> or <environment_id>/<name>.", id)
		}
		if strings.HasPrefix(rest, prefix) {
			return map[string]string{"environment_id": environment, "id": rest}, nil
		}
		return map[string]string{"environment_id": environment, "name": rest}, nil
	}
}

// Texts is a map of texts of the API.
func Texts(pairs map[string]string) types.Map {
	values := map[string]attr.Value{}
	for name, value := range pairs {
		values[name] = types.StringValue(value)
	}
	return types.MapValueMust(types.StringType, values)
}

// Pairs is a map of texts for the API.
func Pairs(values types.Map) *map[string]string {
	pairs := map[string]string{}
	for name, value := range values.Elements() {
		if text, isText := value.(basetypes.StringValue); isText {
			pairs[name] = text.ValueString()
		}
	}
	return &pairs
}

// Set is a set of texts of the API.
func Set[S ~string](texts []S) types.Set {
	values := make([]attr.Value, len(texts))
	for i, each := range texts {
		values[i] = types.StringValue(string(each))
	}
	return types.SetValueMust(types.StringType, values)
}

// Elements are the texts of a set for the API.
func Elements[S ~string](set types.Set) []S {
	texts := []S{}
	for _, value := range set.Elements() {
		if text, isText := value.(basetypes.StringValue); isText && !text.IsUnknown() {
			texts = append(texts, S(text.ValueString()))
		}
	}
	return texts
}

// Failed is the error of the first diagnostic; nil when there is none that is an error.
func Failed(diagnostics diag.Diagnostics) error {
	for _, each := range diagnostics.Errors() {
		return fmt.Errorf("%s: %s", each.Summary(), each.Detail())
	}
	return nil
}
