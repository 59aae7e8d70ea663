package integration

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

type described struct {
	ID             types.String `tfsdk:"id"`
	Name           types.String `tfsdk:"name"`
	Kind           types.String `tfsdk:"kind"`
	URL            types.String `tfsdk:"url"`
	Enabled        types.Bool   `tfsdk:"enabled"`
	DisabledReason types.String `tfsdk:"disabled_reason"`
	FailingSince   types.String `tfsdk:"failing_since"`
	Severities     types.Set    `tfsdk:"severities"`
	Labels         types.Map    `tfsdk:"labels"`
}

type asked struct {
	EnvironmentID types.String `tfsdk:"environment_id"`
	described
}

type listed struct {
	EnvironmentID types.String `tfsdk:"environment_id"`
	Integrations  []described  `tfsdk:"integrations"`
}

var attributes = map[string]schema.Attribute{
	"id":              envelope.Told("The integration."),
	"name":            envelope.Told("What people call it."),
	"kind":            envelope.Told("`webhook`, `health_plus`, `slack`, `teams`, `pagerduty`, `opsgenie` or `email`."),
	"url":             envelope.Told("Where messages go."),
	"enabled":         schema.BoolAttribute{MarkdownDescription: "Whether messages are sent.", Computed: true},
	"disabled_reason": envelope.Told("Why deliveries stopped by themselves; absent when they did not."),
	"failing_since":   envelope.Told("Since when no delivery has succeeded; absent when one did."),
	"severities":      envelope.ToldTexts("Incidents of these severities; of all when empty."),
	"labels":          schema.MapAttribute{MarkdownDescription: "Incidents whose rule has all of these labels.", Computed: true, ElementType: types.StringType},
}

// DataSource is tidemark_notification_integration.
var DataSource = envelope.Data(envelope.DataDefinition[asked]{
	Name: "notification_integration",
	Schema: schema.Schema{
		MarkdownDescription: "One notification integration of an environment, by its name.",
		Attributes: envelope.With(attributes, map[string]schema.Attribute{
			"environment_id": envelope.Asked("The environment.", envelope.Identifier()...),
			"name":           envelope.Asked("What people call it; no other integration of the environment has the name."),
		}),
	},
	Read: func(ctx context.Context, c *client.Client, config asked) (asked, error) {
		all, err := client.List[client.Integration](ctx, c, client.OpListIntegrations, client.Path{"environment_id": config.EnvironmentID.ValueString()})
		if err != nil {
			return config, err
		}
		found, err := envelope.Named(all, name, id, config.Name.ValueString())
		if client.IsNotFound(err) {
			return config, &envelope.Fault{Attribute: "name", Summary: "There is no such integration",
				Detail: config.EnvironmentID.ValueString() + " has no integration " + config.Name.ValueString() + "."}
		}
		config.described = describe(found)
		return config, err
	},
})

// ListDataSource is tidemark_notification_integrations.
var ListDataSource = envelope.Data(envelope.DataDefinition[listed]{
	Name: "notification_integrations",
	Schema: schema.Schema{
		MarkdownDescription: "The notification integrations of an environment, without their secrets.",
		Attributes: map[string]schema.Attribute{
			"environment_id": envelope.Asked("The environment.", envelope.Identifier()...),
			"integrations":   envelope.ToldList("The integrations.", attributes),
		},
	},
	Read: func(ctx context.Context, c *client.Client, config listed) (listed, error) {
		all, err := envelope.Described(ctx, c, client.OpListIntegrations, client.Path{"environment_id": config.EnvironmentID.ValueString()}, describe)
		config.Integrations = all
		return config, err
	},
})

func describe(found client.Integration) described {
	return described{
		ID:             types.StringValue(found.Id),
		Name:           types.StringValue(found.Name),
		Kind:           types.StringValue(string(found.Kind)),
		URL:            types.StringValue(found.Url),
		Enabled:        types.BoolValue(found.Enabled),
		DisabledReason: envelope.String(found.DisabledReason),
		FailingSince:   envelope.Moment(found.FailingSince),
		Severities:     envelope.Set(found.Severities),
		Labels:         envelope.Texts(found.Labels),
	}
}
