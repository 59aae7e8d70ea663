package apikey

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// EphemeralSecret is the ephemeral tidemark_api_key_secret.
func EphemeralSecret() ephemeral.EphemeralResource { return drawing{} }

// drawing is a secret that nobody has yet; the API is not asked.
type drawing struct{}

type drawnModel struct {
	Secret types.String `tfsdk:"secret"`
}

func (drawing) Metadata(_ context.Context, request ephemeral.MetadataRequest, response *ephemeral.MetadataResponse) {
	response.TypeName = request.ProviderTypeName + "_api_key_secret"
}

func (drawing) Schema(_ context.Context, _ ephemeral.SchemaRequest, response *ephemeral.SchemaResponse) {
	response.Schema = schema.Schema{
		MarkdownDescription: "A secret for `secret_wo` of `tidemark_api_key`, drawn on the machine that runs Terraform, another one in every run. Keep it " +
			"where it is used in the same apply, in a write-only attribute of a store of secrets.",
		Attributes: map[string]schema.Attribute{
			"secret": schema.StringAttribute{
				MarkdownDescription: "40 random characters of 0-9, A-Z and a-z.",
				Computed:            true,
				Sensitive:           true,
			},
		},
	}
}

func (drawing) Open(ctx context.Context, _ ephemeral.OpenRequest, response *ephemeral.OpenResponse) {
	secret, err := draw()
	if err != nil {
		response.Diagnostics.AddError("No secret can be drawn", err.Error())
		return
	}
	response.Diagnostics.Append(response.Result.Set(ctx, &drawnModel{Secret: types.StringValue(secret)})...)
}
