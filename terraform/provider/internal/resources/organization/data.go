package organization

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

type described struct {
	ID          types.String `tfsdk:"id"`
	DisplayName types.String `tfsdk:"display_name"`
	State       types.String `tfsdk:"state"`
	APIKeyID    types.String `tfsdk:"api_key_id"`
	Environment types.String `tfsdk:"environment_id"`
	Permissions []string     `tfsdk:"permissions"`
}

// DataSource is tidemark_organization.
var DataSource = envelope.Data(envelope.DataDefinition[described]{
	Name: "organization",
	Schema: schema.Schema{
		MarkdownDescription: "The organisation of the provider's key, and what the key is.",
		Attributes: map[string]schema.Attribute{
			"id":             envelope.Told("The organisation."),
			"display_name":   envelope.Told("What people call it."),
			"state":          envelope.Told("`active`, `archived` or `deleting`."),
			"api_key_id":     envelope.Told("The provider's key."),
			"environment_id": envelope.Told("The environment that the provider's key belongs to."),
			"permissions":    envelope.ToldTexts("What the provider's key may do."),
		},
	},
	Read: func(ctx context.Context, c *client.Client, _ described) (described, error) {
		caller, err := c.Caller(ctx)
		if err != nil {
			return described{}, err
		}
		found, _, err := client.Get[client.Organization](ctx, c, client.OpGetOrganization, nil)
		return described{
			ID:          types.StringValue(found.Id),
			DisplayName: types.StringValue(found.DisplayName),
			State:       types.StringValue(string(found.State)),
			APIKeyID:    envelope.String(caller.ApiKeyId),
			Environment: envelope.String(caller.EnvironmentId),
			Permissions: caller.Permissions,
		}, err
	},
})

type summarized struct {
	ID          types.String `tfsdk:"id"`
	DisplayName types.String `tfsdk:"display_name"`
	State       types.String `tfsdk:"state"`
}

type listed struct {
	Organizations []summarized `tfsdk:"organizations"`
}

// ListDataSource is tidemark_organizations.
var ListDataSource = envelope.Data(envelope.DataDefinition[listed]{
	Name: "organizations",
	Schema: schema.Schema{
		MarkdownDescription: "The organisations that the provider's key sees: its own, and of a reseller its tenants too.",
		Attributes: map[string]schema.Attribute{
			"organizations": envelope.ToldList("The organisations.", map[string]schema.Attribute{
				"id":           envelope.Told("The organisation."),
				"display_name": envelope.Told("What people call it."),
				"state":        envelope.Told("`active`, `archived` or `deleting`."),
			}),
		},
	},
	Read: func(ctx context.Context, c *client.Client, _ listed) (listed, error) {
		found, err := client.List[client.Organization](ctx, c, client.OpListOrganizations, nil)
		all := listed{Organizations: []summarized{}}
		for _, each := range found {
			all.Organizations = append(all.Organizations,
				summarized{types.StringValue(each.Id), types.StringValue(each.DisplayName), types.StringValue(string(each.State))})
		}
		return all, err
	},
})
