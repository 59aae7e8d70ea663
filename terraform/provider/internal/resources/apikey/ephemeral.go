package apikey

import (
	"context"
	"encoding/json"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

// EphemeralResource is the ephemeral tidemark_api_key.
func EphemeralResource() ephemeral.EphemeralResource { return &passing{} }

// passing is a key that lives as long as Terraform needs it; nothing of it is kept.
type passing struct{ client *client.Client }

type passingModel struct {
	ServiceAccountID types.String `tfsdk:"service_account_id"`
	EnvironmentID    types.String `tfsdk:"environment_id"`
	Scopes           types.Set    `tfsdk:"scopes"`
	Lifetime         types.String `tfsdk:"lifetime"`
	ID               types.String `tfsdk:"id"`
	Secret           types.String `tfsdk:"secret"`
	BearerToken      types.String `tfsdk:"bearer_token"`
	ExpiresAt        types.String `tfsdk:"expires_at"`
}

const (
	defaultLifetime = time.Hour
	openedKey       = "opened"
)

func (p *passing) Metadata(_ context.Context, request ephemeral.MetadataRequest, response *ephemeral.MetadataResponse) {
	response.TypeName = request.ProviderTypeName + "_api_key"
}

func (p *passing) Schema(_ context.Context, _ ephemeral.SchemaRequest, response *ephemeral.SchemaResponse) {
	response.Schema = schema.Schema{
		MarkdownDescription: "A key for one run of Terraform: made when it is needed, revoked at the end, never in a plan or a state. It expires by " +
			"itself should Terraform be killed. It counts as one of the two live keys of the service account in the environment.",
		Attributes: map[string]schema.Attribute{
			"service_account_id": schema.StringAttribute{MarkdownDescription: "Whose key it is.", Required: true},
			"environment_id": schema.StringAttribute{
				MarkdownDescription: "The environment that the key belongs to.", Required: true, Validators: envelope.Identifier()},
			"scopes": schema.SetAttribute{
				MarkdownDescription: "One or more permissions, within those of the service account's role, as in `metrics:write`.",
				ElementType:         types.StringType,
				Required:            true,
				Validators:          []validator.Set{setvalidator.SizeAtLeast(1), setvalidator.ValueStringsAre(envelope.Permission())},
			},
			"lifetime": schema.StringAttribute{
				MarkdownDescription: "When the key expires should it not be revoked, as in `1h`, which it is unless set.",
				Optional:            true,
				Validators:          []validator.String{envelope.Duration()},
			},
			"id":           schema.StringAttribute{MarkdownDescription: "Public id of the key.", Computed: true},
			"secret":       schema.StringAttribute{MarkdownDescription: "Password of Basic credentials.", Computed: true, Sensitive: true},
			"bearer_token": schema.StringAttribute{MarkdownDescription: "The whole key, for Bearer.", Computed: true, Sensitive: true},
			"expires_at":   schema.StringAttribute{MarkdownDescription: "When the key expires.", Computed: true},
		},
	}
}

func (p *passing) Configure(_ context.Context, request ephemeral.ConfigureRequest, _ *ephemeral.ConfigureResponse) {
	if found, ok := request.ProviderData.(*client.Client); ok {
		p.client = found
	}
}

func (p *passing) Open(ctx context.Context, request ephemeral.OpenRequest, response *ephemeral.OpenResponse) {
	var config passingModel
	response.Diagnostics.Append(request.Config.Get(ctx, &config)...)
	draft := client.ApiKeyDraft{EnvironmentId: config.EnvironmentID.ValueString()}
	response.Diagnostics.Append(config.Scopes.ElementsAs(ctx, &draft.Scopes, false)...)
	if response.Diagnostics.HasError() {
		return
	}
	lifetime := defaultLifetime
	if !config.Lifetime.IsNull() {
		lifetime, _ = time.ParseDuration(config.Lifetime.ValueString())
	}
	expires := clock().UTC().Add(lifetime).Truncate(time.Second)
	draft.ExpiresAt = &expires
	created, err := Issue(ctx, p.client, config.ServiceAccountID.ValueString(), draft)
	if err != nil {
		p.diagnose(&response.Diagnostics, "open", err)
		return
	}
	config.ID = types.StringValue(created.ApiKey.Id)
	config.BearerToken = types.StringValue(*created.Secret)
	config.Secret = types.StringValue(SecretOf(*created.Secret))
	config.ExpiresAt = types.StringValue(expires.Format(time.RFC3339))
	response.Diagnostics.Append(response.Result.Set(ctx, &config)...)
	opened, _ := json.Marshal(client.Path{"service_account_id": config.ServiceAccountID.ValueString(), "api_key_id": created.ApiKey.Id})
	response.Diagnostics.Append(response.Private.SetKey(ctx, openedKey, opened)...)
}

func (p *passing) Close(ctx context.Context, request ephemeral.CloseRequest, response *ephemeral.CloseResponse) {
	opened, diagnostics := request.Private.GetKey(ctx, openedKey)
	response.Diagnostics.Append(diagnostics...)
	var path client.Path
	if json.Unmarshal(opened, &path) != nil {
		return
	}
	if err := client.Remove(ctx, p.client, client.OpRevokeApiKey, path); err != nil {
		p.diagnose(&response.Diagnostics, "close", err)
	}
}

func (p *passing) diagnose(diagnostics *diag.Diagnostics, verb string, err error) {
	attributes := map[string]bool{"environment_id": true, "scopes": true, "service_account_id": true}
	envelope.Diagnose(diagnostics, "Cannot "+verb+" the ephemeral tidemark_api_key", err, attributes, nil)
}
