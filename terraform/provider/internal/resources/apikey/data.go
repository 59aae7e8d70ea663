package apikey

import (
	"context"
	"time"

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

// ListDataSource is tidemark_api_keys.
var ListDataSource = envelope.Data(envelope.DataDefinition[listed]{
	Name: "api_keys",
	Schema: schema.Schema{
		MarkdownDescription: "The keys of a service account, revoked and expired ones too; never their secrets.",
		Attributes: map[string]schema.Attribute{
			"service_account_id": envelope.Asked("Whose keys."),
			"api_keys": envelope.ToldList("The keys.", map[string]schema.Attribute{
				"id":             envelope.Told("Public id of the key."),
				"environment_id": envelope.Told("The environment that the key belongs to."),
				"scopes":         envelope.ToldTexts("Permissions of the key."),
				"state":          envelope.Told("`live`, `expired` or `revoked`."),
				"expires_at":     envelope.Told("When the key stops working; never when absent."),
				"last_used_at":   envelope.Told("When the key was last used, to the minute; absent when it never was."),
			}),
		},
	},
	Read: func(ctx context.Context, c *client.Client, config listed) (listed, error) {
		found, err := client.List[client.ApiKey](ctx, c, client.OpListApiKeys, client.Path{"service_account_id": config.ServiceAccountID.ValueString()})
		config.APIKeys = []described{}
		for _, each := range found {
			config.APIKeys = append(config.APIKeys, described{
				ID:            types.StringValue(each.Id),
				EnvironmentID: types.StringValue(each.EnvironmentId),
				Scopes:        each.Scopes,
				State:         types.StringValue(string(each.State)),
				ExpiresAt:     when(each.ExpiresAt),
				LastUsedAt:    when(each.LastUsedAt),
			})
		}
		return config, err
	},
})

func when(moment *time.Time) types.String {
	if moment == nil {
		return types.StringNull()
	}
	return types.StringValue(moment.Format(time.RFC3339))
}
