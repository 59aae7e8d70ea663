package functions

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func run(t *testing.T, f function.Function, text string) function.RunResponse {
	t.Helper()
	response := function.RunResponse{Result: function.NewResultData(types.ObjectUnknown(f.(parser).types()))}
	f.Run(t.Context(), function.RunRequest{Arguments: function.NewArgumentsData([]attr.Value{types.StringValue(text)})}, &response)
	return response
}

func part(t *testing.T, response function.RunResponse, name string) string {
	t.Helper()
	if response.Error != nil {
		t.Fatal(response.Error)
	}
	return response.Result.Value().(types.Object).Attributes()[name].(types.String).ValueString()
}

func TestAResourceIsTakenApart(t *testing.T) {
	response := run(t, ParseResource(), "production/kafka/lkc/orders")
	if part(t, response, "environment_id") != "production" || part(t, response, "type") != "kafka" || part(t, response, "name") != "lkc/orders" {
		t.Errorf("%v", response.Result.Value())
	}
	for _, text := range []string{"", "production", "production/kafka", "production/kafka/", "/kafka/x"} {
		if response := run(t, ParseResource(), text); response.Error == nil || !strings.Contains(response.Error.Text, "<environment_id>/<type>/<name>") {
			t.Errorf("%q: %v", text, response.Error)
		}
	}
}

func TestAKeyIsTakenApartAndNeverRepeated(t *testing.T) {
	secret := strings.Repeat("s", 46)
	response := run(t, ParseAPIKey(), "tdm_my-env_AAAAAAAAAAAAAAAA_"+secret)
	if part(t, response, "environment_id") != "my-env" || part(t, response, "id") != "AAAAAAAAAAAAAAAA" || part(t, response, "secret") != secret {
		t.Errorf("%v", response.Result.Value())
	}
	response = run(t, ParseAPIKey(), "tdm_my-env_AAAA_"+secret)
	if response.Error == nil || strings.Contains(response.Error.Text, secret) {
		t.Errorf("%v", response.Error)
	}
}

// The checksums are those of the platform's own keys.
func TestAKeyIsPutTogether(t *testing.T) {
	for text, sum := range map[string]string{"123456789": "3jZRME", "": "000000"} {
		if found := checksum(text); found != sum {
			t.Errorf("the checksum of %q is %s", text, found)
		}
	}
	secret := strings.Repeat("s", 20) + strings.Repeat("7", 20)
	put := func(environment, id, secret string) function.RunResponse {
		response := function.RunResponse{Result: function.NewResultData(types.StringUnknown())}
		arguments := []attr.Value{types.StringValue(environment), types.StringValue(id), types.StringValue(secret)}
		FormatAPIKey().Run(t.Context(), function.RunRequest{Arguments: function.NewArgumentsData(arguments)}, &response)
		return response
	}
	whole := put("my-env", "AAAAAAAAAAAAAAAA", secret).Result.Value().(types.String).ValueString()
	if response := run(t, ParseAPIKey(), whole); !strings.HasPrefix(part(t, response, "secret"), secret) {
		t.Errorf("%s", whole)
	}
	for argument, given := range [][3]string{{"My", "AAAAAAAAAAAAAAAA", secret}, {"my-env", "a", secret}, {"my-env", "AAAAAAAAAAAAAAAA", "s"}} {
		response := put(given[0], given[1], given[2])
		if response.Error == nil || *response.Error.FunctionArgument != int64(argument) || strings.Contains(response.Error.Text, secret) {
			t.Errorf("%v: %v", given, response.Error)
		}
	}
}
