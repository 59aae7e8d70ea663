package registration

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

type described struct {
	ID          types.String `tfsdk:"id"`
	Type        types.String `tfsdk:"type"`
	Name        types.String `tfsdk:"name"`
	DisplayName types.String `tfsdk:"display_name"`
	State       types.String `tfsdk:"state"`
	LastSeen    types.String `tfsdk:"last_seen"`
}

type asked struct {
	EnvironmentID types.String `tfsdk:"environment_id"`
	described
}

type listed struct {
	EnvironmentID types.String `tfsdk:"environment_id"`
	Resources     []described  `tfsdk:"resources"`
}

var attributes = map[string]schema.Attribute{
	"id":           envelope.Told("Opaque; the same for the same type and name everywhere."),
	"type":         envelope.Told("As in what is sent."),
	"name":         envelope.Told("As in what is sent."),
	"display_name": envelope.Told("What people call it."),
	"state":        envelope.Told("`discovered` or `confirmed`."),
	"last_seen":    envelope.Told("Minute of its latest point, up to ten minutes behind; absent when it never sent."),
}

// DataSource is tidemark_resource.
var DataSource = envelope.Data(envelope.DataDefinition[asked]{
	Name: "resource",
	Schema: schema.Schema{
		MarkdownDescription: "Something that sends metrics, discovered or confirmed.",
		Attributes: envelope.With(attributes, map[string]schema.Attribute{
			"environment_id": envelope.Asked("The environment.", envelope.Identifier()...),
			"type":           envelope.Asked("As in what is sent.", envelope.CatalogName()...),
			"name":           envelope.Asked("As in what is sent.", envelope.CatalogName()...),
		}),
	},
	Read: func(ctx context.Context, c *client.Client, config asked) (asked, error) {
		path := client.Path{"environment_id": config.EnvironmentID.ValueString()}
		wanted := config.Type.ValueString() + "/" + config.Name.ValueString()
		found, err := client.Listed(ctx, c, client.OpListResources, path, named, wanted)
		if client.IsNotFound(err) {
			return config, &envelope.Fault{Attribute: "name", Summary: "There is no such resource",
				Detail: wanted + " neither sent nor was it registered in " + config.EnvironmentID.ValueString() + "."}
		}
		config.described = describe(found)
		return config, err
	},
})

// ListDataSource is tidemark_resources.
var ListDataSource = envelope.Data(envelope.DataDefinition[listed]{
	Name: "resources",
	Schema: schema.Schema{
		MarkdownDescription: "What sends metrics of an environment, by type and name.",
		Attributes: map[string]schema.Attribute{
			"environment_id": envelope.Asked("The environment.", envelope.Identifier()...),
			"resources":      envelope.ToldList("The resources.", attributes),
		},
	},
	Read: func(ctx context.Context, c *client.Client, config listed) (listed, error) {
		all, err := envelope.Described(ctx, c, client.OpListResources, client.Path{"environment_id": config.EnvironmentID.ValueString()}, describe)
		config.Resources = all
		return config, err
	},
})

func describe(found client.Resource) described {
	return described{
		ID:          types.StringValue(found.Id),
		Type:        types.StringValue(found.Type),
		Name:        types.StringValue(found.Name),
		DisplayName: types.StringValue(found.DisplayName),
		State:       types.StringValue(string(found.State)),
		LastSeen:    envelope.Moment(found.LastSeen),
	}
}
