package metric

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

type described struct {
	ID        types.String `tfsdk:"id"`
	Name      types.String `tfsdk:"name"`
	Type      types.String `tfsdk:"type"`
	Unit      types.String `tfsdk:"unit"`
	Lifecycle types.String `tfsdk:"lifecycle_state"`
	Declared  types.Bool   `tfsdk:"declared"`
	Labels    []string     `tfsdk:"labels"`
	LastSeen  types.String `tfsdk:"last_seen"`
}

type asked struct {
	EnvironmentID types.String `tfsdk:"environment_id"`
	described
}

type listed struct {
	EnvironmentID types.String `tfsdk:"environment_id"`
	Metrics       []described  `tfsdk:"metrics"`
}

var attributes = map[string]schema.Attribute{
	"id":              envelope.Told("Opaque; the same for the same name everywhere."),
	"name":            envelope.Told("As sent."),
	"type":            envelope.Told("As declared, else as sent."),
	"unit":            envelope.Told("As declared, else as sent."),
	"lifecycle_state": envelope.Told("`active`, `deprecated` or `retired`."),
	"declared":        schema.BoolAttribute{MarkdownDescription: "Whether it is declared.", Computed: true},
	"labels":          envelope.ToldTexts("Names of point attributes that were sent."),
	"last_seen":       envelope.Told("Minute of the latest point, up to ten minutes behind; absent when it was never sent."),
}

// DataSource is tidemark_metric.
var DataSource = envelope.Data(envelope.DataDefinition[asked]{
	Name: "metric",
	Schema: schema.Schema{
		MarkdownDescription: "A metric of an environment, declared or discovered.",
		Attributes: envelope.With(attributes, map[string]schema.Attribute{
			"environment_id": envelope.Asked("The environment.", envelope.Identifier()...),
			"name":           envelope.Asked("As sent.", envelope.CatalogName()...),
		}),
	},
	Read: func(ctx context.Context, c *client.Client, config asked) (asked, error) {
		path := client.Path{"environment_id": config.EnvironmentID.ValueString()}
		found, err := client.Listed(ctx, c, client.OpListMetrics, path, named, config.Name.ValueString())
		if client.IsNotFound(err) {
			return config, &envelope.Fault{Attribute: "name", Summary: "There is no such metric",
				Detail: config.Name.ValueString() + " was neither sent nor declared in " + config.EnvironmentID.ValueString() + "."}
		}
		config.described = describe(found)
		return config, err
	},
})

// ListDataSource is tidemark_metrics.
var ListDataSource = envelope.Data(envelope.DataDefinition[listed]{
	Name: "metrics",
	Schema: schema.Schema{
		MarkdownDescription: "The metrics of an environment that were declared or discovered, by name.",
		Attributes: map[string]schema.Attribute{
			"environment_id": envelope.Asked("The environment.", envelope.Identifier()...),
			"metrics":        envelope.ToldList("The metrics.", attributes),
		},
	},
	Read: func(ctx context.Context, c *client.Client, config listed) (listed, error) {
		all, err := envelope.Described(ctx, c, client.OpListMetrics, client.Path{"environment_id": config.EnvironmentID.ValueString()}, describe)
		config.Metrics = all
		return config, err
	},
})

func describe(found client.Metric) described {
	read := described{
		ID:        types.StringValue(found.Id),
		Name:      types.StringValue(found.Name),
		Type:      envelope.String(found.Type),
		Unit:      envelope.String(found.Unit),
		Lifecycle: types.StringValue(string(found.Lifecycle)),
		Declared:  types.BoolValue(found.Declared != nil),
		Labels:    []string{},
	}
	if found.Discovered != nil {
		read.Labels = found.Discovered.Labels
		read.LastSeen = types.StringValue(found.Discovered.LastSeen.Format(time.RFC3339))
	}
	return read
}
