package environment

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

type described struct {
	ID          types.String `tfsdk:"id"`
	DisplayName types.String `tfsdk:"display_name"`
	State       types.String `tfsdk:"state"`
	CreatedAt   types.String `tfsdk:"created_at"`
}

var attributes = map[string]schema.Attribute{
	"id":           envelope.Told("The environment."),
	"display_name": envelope.Told("What people call it."),
	"state":        envelope.Told("`active`, `archived` or `deleting`."),
	"created_at":   envelope.Told("When it was created."),
}

// DataSource is tidemark_environment.
var DataSource = envelope.Data(envelope.DataDefinition[described]{
	Name: "environment",
	Schema: schema.Schema{
		MarkdownDescription: "One environment of the organisation.",
		Attributes: envelope.With(attributes, map[string]schema.Attribute{
			"id": envelope.Asked("The environment.", envelope.Identifier()...),
		}),
	},
	Read: func(ctx context.Context, c *client.Client, config described) (described, error) {
		found, _, err := client.Get[client.Environment](ctx, c, client.OpGetEnvironment, path(config.ID))
		return describe(found), err
	},
})

type listed struct {
	Environments []described `tfsdk:"environments"`
}

// ListDataSource is tidemark_environments.
var ListDataSource = envelope.Data(envelope.DataDefinition[listed]{
	Name: "environments",
	Schema: schema.Schema{
		MarkdownDescription: "All environments of the organisation, by identifier; those whose deletion is final are left out.",
		Attributes:          map[string]schema.Attribute{"environments": envelope.ToldList("The environments.", attributes)},
	},
	Read: func(ctx context.Context, c *client.Client, _ listed) (listed, error) {
		all, err := envelope.Described(ctx, c, client.OpListEnvironments, nil, describe)
		return listed{Environments: all}, err
	},
})

func describe(found client.Environment) described {
	return described{
		ID:          types.StringValue(found.Id),
		DisplayName: types.StringValue(found.DisplayName),
		State:       types.StringValue(string(found.State)),
		CreatedAt:   types.StringValue(found.CreatedAt.Format(time.RFC3339)),
	}
}
