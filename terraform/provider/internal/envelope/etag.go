package envelope

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Private state is JSON.
func etagValue(etag string) []byte {
	text, _ := json.Marshal(etag)
	return text
}

func etagOf(value []byte) string {
	var etag string
	if json.Unmarshal(value, &etag) != nil {
		return ""
	}
	return etag
}

// setIdentity copies the attributes of the identity from the model; older Terraform has none.
func (r *defined[M]) setIdentity(ctx context.Context, identity *tfsdk.ResourceIdentity, model M, diagnostics *diag.Diagnostics) {
	if identity == nil {
		return
	}
	value := reflect.ValueOf(model)
	for i := range value.NumField() {
		name := value.Type().Field(i).Tag.Get("tfsdk")
		for _, wanted := range r.definition.ImportBy {
			if text, isText := value.Field(i).Interface().(types.String); isText && name == wanted {
				diagnostics.Append(identity.SetAttribute(ctx, path.Root(name), text)...)
			}
		}
	}
}

func (r *defined[M]) call(diagnostics *diag.Diagnostics, keep func(M)) *Call[M] {
	if keep == nil {
		keep = func(M) {}
	}
	return &Call[M]{
		Client: r.client,
		keep:   keep,
		warn:   func(summary, detail string) { diagnostics.AddWarning(summary, detail) },
	}
}

func (r *defined[M]) diagnose(diagnostics *diag.Diagnostics, verb string, err error) {
	if err == nil {
		return
	}
	attributes := map[string]bool{}
	named(attributes, "", r.definition.Schema.Attributes)
	Diagnose(diagnostics, "Cannot "+verb+" tidemark_"+r.definition.Name, err, attributes, r.definition.Renamed)
}

// named collects the names of attributes, with those of their attributes.
func named(names map[string]bool, prefix string, attributes map[string]schema.Attribute) {
	for name, attribute := range attributes {
		names[prefix+name] = true
		if nested, isNested := attribute.(schema.SingleNestedAttribute); isNested {
			named(names, prefix+name+".", nested.Attributes)
		}
	}
}
