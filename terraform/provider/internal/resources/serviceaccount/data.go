package serviceaccount

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

var attributes = map[string]schema.Attribute{
	"id":           envelope.Told("The service account."),
	"display_name": envelope.Told("What people call it."),
	"role":         envelope.Told("What its keys may do at most."),
}

// DataSource is tidemark_service_account.
var DataSource = envelope.Data(envelope.DataDefinition[model]{
	Name: "service_account",
	Schema: schema.Schema{
		MarkdownDescription: "One service account of the organisation.",
		Attributes:          envelope.With(attributes, map[string]schema.Attribute{"id": envelope.Asked("The service account.")}),
	},
	Read: func(ctx context.Context, c *client.Client, config model) (model, error) {
		found, _, err := client.Get[client.ServiceAccount](ctx, c, client.OpGetServiceAccount, path(config.ID))
		return of(found), err
	},
})

type listed struct {
	ServiceAccounts []model `tfsdk:"service_accounts"`
}

// ListDataSource is tidemark_service_accounts.
var ListDataSource = envelope.Data(envelope.DataDefinition[listed]{
	Name: "service_accounts",
	Schema: schema.Schema{
		MarkdownDescription: "All service accounts of the organisation.",
		Attributes:          map[string]schema.Attribute{"service_accounts": envelope.ToldList("The service accounts.", attributes)},
	},
	Read: func(ctx context.Context, c *client.Client, _ listed) (listed, error) {
		all, err := envelope.Described(ctx, c, client.OpListServiceAccounts, nil, of)
		return listed{ServiceAccounts: all}, err
	},
})
