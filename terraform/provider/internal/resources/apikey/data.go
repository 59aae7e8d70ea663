package apikey

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

type described struct {
	ID            types.String `tfsdk:"id"`
	EnvironmentID types.String `tfsdk:"environment_id"`
	Scopes        []string     `tfsdk:"scopes"`
	State         types.String `tfsdk:"state"`
	ExpiresAt     types.String `tfsdk:"expires_at"`
	LastUsedAt    types.String `tfsdk:"last_used_at"`
}

type listed struct {
	ServiceAccountID types.String `tfsdk:"service_account_id"`
	APIKeys          []described  `tfsdk:"api_keys"`
}

var attributes = map[string]schema.Attribute{
	"id":             envelope.Told("Public id of the key."),
	"environment_id": envelope.Told("The environment that the key belongs to."),
	"scopes":         envelope.ToldTexts("Permissions of the key."),
	"state":          envelope.Told("`live`, `expired` or `revoked`."),
	"expires_at":     envelope.Told("When the key stops working; never when absent."),
	"last_used_at":   envelope.Told("When the key was last used, to the minute; absent when it never was."),
}

// ListDataSource is tidemark_api_keys.
var ListDataSource = envelope.Data(envelope.DataDefinition[listed]{
	Name: "api_keys",
	Schema: schema.Schema{
		MarkdownDescription: "The keys of a service account, revoked and expired ones too; never their secrets.",
		Attributes: map[string]schema.Attribute{
			"service_account_id": envelope.Asked("Whose keys."),
			"api_keys":           envelope.ToldList("The keys.", attributes),
		},
	},
	Read: func(ctx context.Context, c *client.Client, config listed) (listed, error) {
		all, err := envelope.Described(ctx, c, client.OpListApiKeys, client.Path{"service_account_id": config.ServiceAccountID.ValueString()}, describe)
		config.APIKeys = all
		return config, err
	},
})

type one struct {
	ServiceAccountID types.String `tfsdk:"service_account_id"`
	described
}

// DataSource is tidemark_api_key.
var DataSource = envelope.Data(envelope.DataDefinition[one]{
	Name: "api_key",
	Schema: schema.Schema{
		MarkdownDescription: "A key of a service account, a revoked or expired one too; never its secret.",
		Attributes: envelope.With(attributes, map[string]schema.Attribute{
			"service_account_id": envelope.Asked("Whose key."),
			"id":                 envelope.Asked("Public id of the key."),
		}),
	},
	Read: func(ctx context.Context, c *client.Client, config one) (one, error) {
		found, _, err := client.Get[client.ApiKey](ctx, c, client.OpGetApiKey,
			client.Path{"service_account_id": config.ServiceAccountID.ValueString(), "api_key_id": config.ID.ValueString()})
		config.described = describe(found)
		return config, err
	},
})

func describe(found client.ApiKey) described {
	return described{
		ID:            types.StringValue(found.Id),
		EnvironmentID: types.StringValue(found.EnvironmentId),
		Scopes:        found.Scopes,
		State:         types.StringValue(string(found.State)),
		ExpiresAt:     envelope.Moment(found.ExpiresAt),
		LastUsedAt:    envelope.Moment(found.LastUsedAt),
	}
}
