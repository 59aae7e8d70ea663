package tidemark

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// served gives the provider as Terraform calls it.
func served(t *testing.T) tfprotov6.ProviderServer {
	t.Helper()
	server, err := providerserver.NewProtocol6WithError(New("test")())()
	if err != nil {
		t.Fatal(err)
	}
	return server
}

func none(t *testing.T, diagnostics []*tfprotov6.Diagnostic) {
	t.Helper()
	for _, each := range diagnostics {
		t.Fatalf("%s: %s", each.Summary, each.Detail)
	}
}

func TestEverySchemaIsValidAndDescribed(t *testing.T) {
	schemas, err := served(t).GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	none(t, schemas.Diagnostics)
	if len(schemas.ResourceSchemas) < 17 || len(schemas.DataSourceSchemas) < 36 || len(schemas.EphemeralResourceSchemas) < 2 {
		t.Errorf("%d resources, %d data sources, %d ephemeral", len(schemas.ResourceSchemas), len(schemas.DataSourceSchemas), len(schemas.EphemeralResourceSchemas))
	}
	for name, schema := range schemas.ResourceSchemas {
		described(t, name, schema)
	}
	for name, schema := range schemas.DataSourceSchemas {
		described(t, "data "+name, schema)
	}
	for name, schema := range schemas.EphemeralResourceSchemas {
		described(t, "ephemeral "+name, schema)
	}
}

func described(t *testing.T, name string, schema *tfprotov6.Schema) {
	t.Helper()
	if schema.Block.Description == "" {
		t.Errorf("%s has no description", name)
	}
	for _, attribute := range schema.Block.Attributes {
		if attribute.Description == "" {
			t.Errorf("%s.%s has no description", name, attribute.Name)
		}
	}
}

// Secrets are nowhere but where they are marked.
func TestSecretsAreSensitive(t *testing.T) {
	schemas, err := served(t).GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for name, schema := range schemas.ResourceSchemas {
		for _, attribute := range schema.Block.Attributes {
			secret := attribute.Name == "secret" || attribute.Name == "bearer_token" || attribute.Name == "link" || attribute.Name == "secret_wo" || attribute.Name == "routing_key"
			if secret != attribute.Sensitive {
				t.Errorf("%s.%s is sensitive: %t", name, attribute.Name, attribute.Sensitive)
			}
		}
	}
}

// Newer versions of Terraform import by the attributes that name an object.
func TestAnObjectIsImportedByIdentity(t *testing.T) {
	server := served(t)
	identities, err := server.GetResourceIdentitySchemas(t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		t.Fatal(err)
	}
	none(t, identities.Diagnostics)
	if len(identities.IdentitySchemas) < 17 {
		t.Errorf("%d resources have an identity", len(identities.IdentitySchemas))
	}
	configure(t, server)
	kind := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"environment_id": tftypes.String, "type": tftypes.String, "name": tftypes.String}}
	value, err := tfprotov6.NewDynamicValue(kind, tftypes.NewValue(kind, map[string]tftypes.Value{
		"environment_id": tftypes.NewValue(tftypes.String, "production"),
		"type":           tftypes.NewValue(tftypes.String, "kafka"),
		"name":           tftypes.NewValue(tftypes.String, "lkc/orders"),
	}))
	if err != nil {
		t.Fatal(err)
	}
	imported, err := server.ImportResourceState(t.Context(), &tfprotov6.ImportResourceStateRequest{
		TypeName: "tidemark_resource", Identity: &tfprotov6.ResourceIdentityData{IdentityData: &value}})
	if err != nil {
		t.Fatal(err)
	}
	none(t, imported.Diagnostics)
	read, err := server.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{TypeName: "tidemark_resource",
		CurrentState: imported.ImportedResources[0].State, CurrentIdentity: imported.ImportedResources[0].Identity, Private: imported.ImportedResources[0].Private})
	if err != nil {
		t.Fatal(err)
	}
	none(t, read.Diagnostics)
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	state, err := read.NewState.Unmarshal(schemas.ResourceSchemas["tidemark_resource"].ValueType())
	if err != nil {
		t.Fatal(err)
	}
	if text := state.String(); !strings.Contains(text, "Orders") {
		t.Errorf("the state is %s", text)
	}
}

// configure connects the provider with an API that has one resource.
func configure(t *testing.T, server tfprotov6.ProviderServer) {
	t.Helper()
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/api/v1/caller":
			fmt.Fprint(w, `{"kind":"api_key","organization_id":"org-test","permissions":[]}`)
		case strings.HasSuffix(r.URL.Path, "/environments/production/resources"):
			fmt.Fprint(w, `{"data":[{"id":"opaque","type":"kafka","name":"lkc/orders","display_name":"Orders","state":"confirmed"}],"meta":{}}`)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(api.Close)
	kind := tftypes.Object{AttributeTypes: map[string]tftypes.Type{}}
	values := map[string]tftypes.Value{}
	for name, value := range map[string]any{"url": api.URL, "api_key": "KEY", "api_secret": "secret", "organization_id": nil, "retry_for": "0s"} {
		kind.AttributeTypes[name] = tftypes.String
		values[name] = tftypes.NewValue(tftypes.String, value)
	}
	config, err := tfprotov6.NewDynamicValue(kind, tftypes.NewValue(kind, values))
	if err != nil {
		t.Fatal(err)
	}
	configured, err := server.ConfigureProvider(context.Background(), &tfprotov6.ConfigureProviderRequest{Config: &config})
	if err != nil {
		t.Fatal(err)
	}
	none(t, configured.Diagnostics)
}

// What an identity names is in the state that the read begins with, of every kind.
func TestEveryKindIsImportedByIdentity(t *testing.T) {
	server := served(t)
	identities, err := server.GetResourceIdentitySchemas(t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for name, identity := range identities.IdentitySchemas {
		kind := tftypes.Object{AttributeTypes: map[string]tftypes.Type{}}
		values := map[string]tftypes.Value{}
		for _, attribute := range identity.IdentityAttributes {
			kind.AttributeTypes[attribute.Name] = attribute.Type
			values[attribute.Name] = tftypes.NewValue(tftypes.String, "value-of-"+attribute.Name)
		}
		value, err := tfprotov6.NewDynamicValue(kind, tftypes.NewValue(kind, values))
		if err != nil {
			t.Fatal(err)
		}
		imported, err := server.ImportResourceState(t.Context(), &tfprotov6.ImportResourceStateRequest{
			TypeName: name, Identity: &tfprotov6.ResourceIdentityData{IdentityData: &value}})
		if err != nil {
			t.Fatal(err)
		}
		none(t, imported.Diagnostics)
		state, err := imported.ImportedResources[0].State.Unmarshal(schemas.ResourceSchemas[name].ValueType())
		if err != nil {
			t.Fatal(err)
		}
		for attribute := range values {
			if !strings.Contains(state.String(), "value-of-"+attribute) {
				t.Errorf("the state of %s has no %s: %s", name, attribute, state)
			}
		}
	}
}
