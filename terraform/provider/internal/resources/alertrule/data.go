package alertrule

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
	Name          types.String `tfsdk:"name"`
	Description   types.String `tfsdk:"description"`
	Enabled       types.Bool   `tfsdk:"enabled"`
	Severity      types.String `tfsdk:"severity"`
	Kind          types.String `tfsdk:"kind"`
	Metric        types.String `tfsdk:"metric"`
	Labels        types.Map    `tfsdk:"labels"`
	RunbookURL    types.String `tfsdk:"runbook_url"`
	State         types.String `tfsdk:"state"`
	EffectiveFrom types.String `tfsdk:"effective_from"`
}

type asked struct {
	EnvironmentID types.String `tfsdk:"environment_id"`
	described
}

type listed struct {
	EnvironmentID types.String `tfsdk:"environment_id"`
	Rules         []described  `tfsdk:"rules"`
}

var attributes = map[string]schema.Attribute{
	"id":             envelope.Told("The rule."),
	"name":           envelope.Told("What people call it."),
	"description":    envelope.Told("What it is for."),
	"enabled":        schema.BoolAttribute{MarkdownDescription: "Whether it is evaluated.", Computed: true},
	"severity":       envelope.Told("`critical`, `warning` or `info`."),
	"kind":           envelope.Told("What number its condition compares."),
	"metric":         envelope.Told("The metric of its condition."),
	"labels":         schema.MapAttribute{MarkdownDescription: "What is copied to incidents.", Computed: true, ElementType: types.StringType},
	"runbook_url":    envelope.Told("Where people read what to do."),
	"state":          envelope.Told("`normal`, `pending`, `firing`, `no_data` or `blind`: the most telling of its groups."),
	"effective_from": envelope.Told("Minutes that begin at or after it are decided by the rule as it is now."),
}

// DataSource is tidemark_alert_rule.
var DataSource = envelope.Data(envelope.DataDefinition[asked]{
	Name: "alert_rule",
	Schema: schema.Schema{
		MarkdownDescription: "One alert rule of an environment, by its name.",
		Attributes: envelope.With(attributes, map[string]schema.Attribute{
			"environment_id": envelope.Asked("The environment.", envelope.Identifier()...),
			"name":           envelope.Asked("What people call it; no other rule of the environment has the name."),
		}),
	},
	Read: func(ctx context.Context, c *client.Client, config asked) (asked, error) {
		all, err := client.List[client.AlertRule](ctx, c, client.OpListAlertRules, client.Path{"environment_id": config.EnvironmentID.ValueString()})
		if err != nil {
			return config, err
		}
		found, err := envelope.Named(all, name, id, config.Name.ValueString())
		if client.IsNotFound(err) {
			return config, &envelope.Fault{Attribute: "name", Summary: "There is no such rule",
				Detail: config.EnvironmentID.ValueString() + " has no alert rule " + config.Name.ValueString() + "."}
		}
		config.described = describe(found)
		return config, err
	},
})

// ListDataSource is tidemark_alert_rules.
var ListDataSource = envelope.Data(envelope.DataDefinition[listed]{
	Name: "alert_rules",
	Schema: schema.Schema{
		MarkdownDescription: "The alert rules of an environment.",
		Attributes: map[string]schema.Attribute{
			"environment_id": envelope.Asked("The environment.", envelope.Identifier()...),
			"rules":          envelope.ToldList("The rules.", attributes),
		},
	},
	Read: func(ctx context.Context, c *client.Client, config listed) (listed, error) {
		all, err := envelope.Described(ctx, c, client.OpListAlertRules, client.Path{"environment_id": config.EnvironmentID.ValueString()}, describe)
		config.Rules = all
		return config, err
	},
})

func describe(found client.AlertRule) described {
	return described{
		ID:            types.StringValue(found.Id),
		Name:          types.StringValue(found.Name),
		Description:   types.StringValue(found.Description),
		Enabled:       types.BoolValue(found.Enabled),
		Severity:      types.StringValue(string(found.Severity)),
		Kind:          or(envelope.String(found.Condition.Kind), "threshold"),
		Metric:        types.StringValue(found.Condition.Metric),
		Labels:        envelope.Texts(found.Labels),
		RunbookURL:    envelope.String(found.RunbookUrl),
		State:         types.StringValue(string(found.State)),
		EffectiveFrom: types.StringValue(found.EffectiveFrom.Format(time.RFC3339)),
	}
}
