// Package alertrule is the resource and the data sources of alert rules.
package alertrule

import (
	"context"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/float64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

type model struct {
	ID            types.String `tfsdk:"id"`
	EnvironmentID types.String `tfsdk:"environment_id"`
	Name          types.String `tfsdk:"name"`
	Description   types.String `tfsdk:"description"`
	Enabled       types.Bool   `tfsdk:"enabled"`
	Severity      types.String `tfsdk:"severity"`
	Condition     types.Object `tfsdk:"condition"`
	Labels        types.Map    `tfsdk:"labels"`
	Annotations   types.Map    `tfsdk:"annotations"`
	RunbookURL    types.String `tfsdk:"runbook_url"`
	RequireMetric types.Bool   `tfsdk:"require_metric"`
}

var (
	aggregations = stringvalidator.OneOf("sum", "count", "min", "max", "avg", "last", "rate")
	labelName    = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,63}$`)
	field        = stringvalidator.RegexMatches(regexp.MustCompile(`^(metric|resource)\.\P{Cc}{1,246}$`), "must be metric.<attribute> or resource.<attribute>")
)

// Resource is tidemark_alert_rule.
var Resource = envelope.New(envelope.Definition[model]{
	Name:     "alert_rule",
	ImportBy: []string{"environment_id", "id"},
	Import:   envelope.ByIDOrName("rule-"),
	Schema: schema.Schema{
		MarkdownDescription: "A rule that decides every minute whether something is wrong, when the rows of that minute are complete, and opens " +
			"incidents. A change keeps incidents open, which go on or end by the changed rule; destroying the rule resolves them.",
		Attributes: map[string]schema.Attribute{
			"id":             envelope.DrawnID(),
			"environment_id": envelope.OfEnvironment(),
			"name": schema.StringAttribute{
				MarkdownDescription: "What people call it; 1 to 120 characters, no control characters.",
				Required:            true,
				Validators: []validator.String{stringvalidator.UTF8LengthBetween(1, 120),
					stringvalidator.RegexMatches(regexp.MustCompile(`^\P{Cc}*[^\s\p{Cc}]\P{Cc}*$`), "must have a character that is seen, and no control characters")},
			},
			"description": schema.StringAttribute{
				MarkdownDescription: "At most 1000 characters.",
				Optional:            true,
				Computed:            true,
				Default:             stringdefault.StaticString(""),
				Validators:          []validator.String{stringvalidator.UTF8LengthAtMost(1000)},
			},
			"enabled": schema.BoolAttribute{
				MarkdownDescription: "True unless set. A rule that is not enabled is not evaluated, and its incidents are resolved.",
				Optional:            true,
				Computed:            true,
				Default:             booldefault.StaticBool(true),
			},
			"severity": schema.StringAttribute{
				MarkdownDescription: "`critical`, `warning` or `info`.",
				Required:            true,
				Validators:          []validator.String{stringvalidator.OneOf("critical", "warning", "info")},
			},
			"condition":   conditionAttribute,
			"labels":      pairs("At most 32, copied to incidents; integrations choose incidents by them.", 32, 255),
			"annotations": pairs("At most 16 texts, copied to incidents. `{{value}}`, `{{threshold}}` and `{{labels.<label>}}` are replaced.", 16, 1000),
			"runbook_url": schema.StringAttribute{
				MarkdownDescription: "Where people read what to do; http or https, at most 1000 characters.",
				Optional:            true,
				Validators: []validator.String{stringvalidator.UTF8LengthAtMost(1000),
					stringvalidator.RegexMatches(regexp.MustCompile(`^https?://[^/\s]+`), "must be an http or https URL")},
			},
			"require_metric": schema.BoolAttribute{
				MarkdownDescription: "Whether the metrics of the condition must be declared or sent already, which finds names that are misspelled. " +
					"True unless set; needs `catalog:read`.",
				Optional: true,
				Computed: true,
				Default:  booldefault.StaticBool(true),
			},
		},
	},
	Create: create,
	Read:   read,
	Update: update,
	Delete: func(ctx context.Context, call *envelope.Call[model], state model) error {
		return client.Remove(ctx, call.Client, client.OpDeleteAlertRule, path(state))
	},
	Validate: validate,
	Review:   review,
})

var conditionAttribute = schema.SingleNestedAttribute{
	MarkdownDescription: "What is compared with what.",
	Required:            true,
	Attributes: map[string]schema.Attribute{
		"kind": schema.StringAttribute{
			MarkdownDescription: "What number is compared. `threshold`, which it is unless set: the value itself. `change`: its difference to " +
				"`offset_minutes` before. `absence`: minutes in a row without data. `ratio`: the value divided by that of `denominator_metric`. " +
				"`quantile`: of a histogram's observations. `anomaly`: the distance from the median of the same hour of `days` before, in robust " +
				"standard deviations. `forecast`: minutes until a line through the window reaches `limit`.",
			Optional:   true,
			Computed:   true,
			Default:    stringdefault.StaticString("threshold"),
			Validators: []validator.String{stringvalidator.OneOf("threshold", "change", "absence", "ratio", "quantile", "anomaly", "forecast")},
		},
		"metric": schema.StringAttribute{
			MarkdownDescription: "As sent; 1 to 255 characters.",
			Required:            true,
			Validators:          envelope.CatalogName(),
		},
		"aggregation": schema.StringAttribute{
			MarkdownDescription: "`sum`, which it is unless set, `count`, `min`, `max`, `avg`, `last` or `rate`: over rows of the group and minutes of the window.",
			Optional:            true,
			Computed:            true,
			Default:             stringdefault.StaticString("sum"),
			Validators:          []validator.String{aggregations},
		},
		"matchers": schema.ListNestedAttribute{
			MarkdownDescription: "At most 16; rows count that all of them fit.",
			Optional:            true,
			Computed:            true,
			Default:             listdefault.StaticValue(types.ListValueMust(matcherType, nil)),
			Validators:          []validator.List{listvalidator.SizeAtMost(16)},
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"label": schema.StringAttribute{
					MarkdownDescription: "`metric.<attribute>` or `resource.<attribute>`.",
					Required:            true,
					Validators:          []validator.String{field},
				},
				"operator": schema.StringAttribute{
					MarkdownDescription: "`eq`, `ne`, `regex` or `not_regex`.",
					Required:            true,
					Validators:          []validator.String{stringvalidator.OneOf("eq", "ne", "regex", "not_regex")},
				},
				"value": schema.StringAttribute{
					MarkdownDescription: "A value, or a regular expression of RE2; at most 1000 characters.",
					Required:            true,
					Validators:          []validator.String{stringvalidator.UTF8LengthAtMost(1000)},
				},
			}},
		},
		"per_series": schema.BoolAttribute{
			MarkdownDescription: "Whether each series is decided on its own; not together with `group_by`.",
			Optional:            true,
			Computed:            true,
			Default:             booldefault.StaticBool(false),
		},
		"group_by": schema.SetAttribute{
			MarkdownDescription: "At most 16 labels whose values make a group that is decided on its own; one group of all rows when empty.",
			ElementType:         types.StringType,
			Optional:            true,
			Computed:            true,
			Default:             setdefault.StaticValue(types.SetValueMust(types.StringType, nil)),
			Validators:          []validator.Set{setvalidator.SizeAtMost(16), setvalidator.ValueStringsAre(field)},
		},
		"window_minutes": minutes("Minutes that are looked at", 1, 1),
		"operator": schema.StringAttribute{
			MarkdownDescription: "`gt`, `gte`, `lt` or `lte`.",
			Required:            true,
			Validators:          []validator.String{stringvalidator.OneOf("gt", "gte", "lt", "lte")},
		},
		"threshold": schema.Float64Attribute{
			MarkdownDescription: "What the number is compared with.",
			Required:            true,
		},
		"recovery_threshold": schema.Float64Attribute{
			MarkdownDescription: "What it is compared with while firing, so that a value near the threshold does not flap; `threshold` when absent.",
			Optional:            true,
		},
		"for_minutes":           minutes("Minutes in a row until it fires", 0, 0),
		"recover_after_minutes": minutes("Minutes in a row until it is normal again", 0, 0),
		"no_data_after_minutes": minutes("Minutes in a row without a value until the state is `no_data`", 1, 5),
		"offset_minutes": schema.Int64Attribute{
			MarkdownDescription: "For `change`: how many minutes before, 1 to 1440.",
			Optional:            true,
			Validators:          []validator.Int64{int64validator.Between(1, 1440)},
		},
		"percent": schema.BoolAttribute{
			MarkdownDescription: "For `change`: whether the difference is a percentage of what was.",
			Optional:            true,
			Computed:            true,
			Default:             booldefault.StaticBool(false),
		},
		"denominator_metric": schema.StringAttribute{
			MarkdownDescription: "For `ratio`: what the value is divided by.",
			Optional:            true,
			Validators:          envelope.CatalogName(),
		},
		"denominator_aggregation": schema.StringAttribute{
			MarkdownDescription: "For `ratio`: as `aggregation`; `sum` when absent.",
			Optional:            true,
			Validators:          []validator.String{aggregations},
		},
		"quantile": schema.Float64Attribute{
			MarkdownDescription: "For `quantile`: more than 0 and less than 1, as in 0.99.",
			Optional:            true,
			Validators:          []validator.Float64{float64validator.Between(0.000001, 0.999999)},
		},
		"days": schema.Int64Attribute{
			MarkdownDescription: "For `anomaly`: how many days before are looked at, 2 to 14.",
			Optional:            true,
			Validators:          []validator.Int64{int64validator.Between(2, 14)},
		},
		"limit": schema.Float64Attribute{
			MarkdownDescription: "For `forecast`: the value that is looked out for.",
			Optional:            true,
		},
		"early": schema.BoolAttribute{
			MarkdownDescription: "Whether open minutes may raise an incident before they are complete; the complete minute confirms or retracts it. " +
				"Not for `absence`, not with more than 15 `window_minutes`; not for `sum`, `count` and `rate` with `lt` or `lte`.",
			Optional: true,
			Computed: true,
			Default:  booldefault.StaticBool(false),
		},
	},
}

func minutes(what string, least, absent int64) schema.Int64Attribute {
	return schema.Int64Attribute{
		MarkdownDescription: what + ", at most 1440.",
		Optional:            true,
		Computed:            true,
		Default:             int64default.StaticInt64(absent),
		Validators:          []validator.Int64{int64validator.Between(least, 1440)},
	}
}

func pairs(what string, most, longest int) schema.MapAttribute {
	return schema.MapAttribute{
		MarkdownDescription: what,
		ElementType:         types.StringType,
		Optional:            true,
		Computed:            true,
		Default:             mapdefault.StaticValue(types.MapValueMust(types.StringType, nil)),
		Validators: []validator.Map{
			mapvalidator.SizeAtMost(most),
			mapvalidator.KeysAre(stringvalidator.RegexMatches(labelName, "must be 1 to 63 letters, digits, _, . and -")),
			mapvalidator.ValueStringsAre(stringvalidator.UTF8LengthAtMost(longest)),
		},
	}
}

func environment(state model) client.Path {
	return client.Path{"environment_id": state.EnvironmentID.ValueString()}
}

func path(state model) client.Path {
	return client.Path{"environment_id": state.EnvironmentID.ValueString(), "alert_rule_id": state.ID.ValueString()}
}

func id(each client.AlertRule) string { return each.Id }

func name(each client.AlertRule) string { return each.Name }

func validate(config model) []*envelope.Fault {
	written, isKnown, err := conditionOf(context.Background(), config.Condition)
	if err != nil || !isKnown {
		return nil
	}
	return written.faults(context.Background())
}

// review warns of metrics that nobody declared or sent: what the same apply declares is not there yet. An environment that the
// same apply makes has none.
func review(ctx context.Context, call *envelope.Call[model], plan model, _ *model) error {
	planned, isKnown, err := conditionOf(ctx, plan.Condition)
	if err != nil || !isKnown || plan.EnvironmentID.IsUnknown() || !plan.RequireMetric.ValueBool() {
		return err
	}
	identified := func(each client.Environment) string { return each.Id }
	if _, err := client.ListedBefore(ctx, call.Client, client.OpListEnvironments, nil, identified, plan.EnvironmentID.ValueString()); client.IsNotFound(err) {
		return nil
	}
	for _, metric := range planned.metrics() {
		_, err := client.ListedBefore(ctx, call.Client, client.OpListMetrics, environment(plan), metricName, metric)
		switch {
		case client.IsForbidden(err):
			return nil
		case client.IsNotFound(err):
			call.Warn("Nothing has sent or declared "+metric,
				"The apply fails unless it declares the metric before: refer to a tidemark_metric, as in metric = tidemark_metric.this.name. "+
					"With require_metric = false the rule is made all the same.")
		case err != nil:
			return err
		}
	}
	return nil
}

func metricName(each client.Metric) string { return each.Name }

// demand fails for a metric that nobody declared or sent. What was there before is asked of one list for all rules.
func demand(ctx context.Context, c *client.Client, plan model, condition condition) error {
	if !plan.RequireMetric.ValueBool() {
		return nil
	}
	for attribute, metric := range condition.metrics() {
		_, err := client.ListedBefore(ctx, c, client.OpListMetrics, environment(plan), metricName, metric)
		if client.IsNotFound(err) {
			_, err = client.Listed(ctx, c, client.OpListMetrics, environment(plan), metricName, metric)
		}
		if client.IsForbidden(err) {
			return nil
		}
		if client.IsNotFound(err) {
			return &envelope.Fault{Attribute: "condition." + attribute, Summary: "There is no such metric",
				Detail: metric + " was neither sent nor declared in " + plan.EnvironmentID.ValueString() +
					". Correct the name, declare it with a tidemark_metric, or set require_metric = false."}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func create(ctx context.Context, call *envelope.Call[model], plan model) (model, error) {
	draft, err := draftOf(ctx, call.Client, plan)
	if err != nil {
		return plan, err
	}
	made, _, err := client.Create[client.AlertRule](ctx, call.Client, client.OpCreateAlertRule, environment(plan), draft)
	if err != nil {
		return plan, err
	}
	plan.ID = types.StringValue(made.Id)
	call.Keep(plan)
	return read(ctx, call, plan)
}

func read(ctx context.Context, call *envelope.Call[model], state model) (model, error) {
	if state.ID.IsNull() {
		all, err := client.List[client.AlertRule](ctx, call.Client, client.OpListAlertRules, environment(state))
		if err != nil {
			return state, err
		}
		found, err := envelope.Named(all, name, id, state.Name.ValueString())
		if err != nil {
			return state, err
		}
		state.ID = types.StringValue(found.Id)
	}
	found, err := envelope.Object(ctx, call, envelope.Source[client.AlertRule]{
		Get: client.OpGetAlertRule, List: client.OpListAlertRules, Path: path(state), ID: id, Wanted: state.ID.ValueString(),
	})
	if err != nil {
		return state, err
	}
	return of(ctx, found, state)
}

func update(ctx context.Context, call *envelope.Call[model], plan, state model) (model, error) {
	draft, err := draftOf(ctx, call.Client, plan)
	if err != nil {
		return plan, err
	}
	if _, _, err := client.Change[client.AlertRule](ctx, call.Client, client.OpChangeAlertRule, path(state), call.ETag, draft); err != nil {
		return plan, err
	}
	return read(ctx, call, plan)
}

func draftOf(ctx context.Context, c *client.Client, plan model) (client.AlertRuleDraft, error) {
	planned, _, err := conditionOf(ctx, plan.Condition)
	if err != nil {
		return client.AlertRuleDraft{}, err
	}
	if err := demand(ctx, c, plan, planned); err != nil {
		return client.AlertRuleDraft{}, err
	}
	sent, err := conditionDraft(ctx, planned)
	return client.AlertRuleDraft{
		Name:        plan.Name.ValueString(),
		Description: envelope.Text[string](plan.Description),
		Enabled:     plan.Enabled.ValueBoolPointer(),
		Severity:    client.AlertSeverity(plan.Severity.ValueString()),
		Condition:   sent,
		Labels:      envelope.Pairs(plan.Labels),
		Annotations: envelope.Pairs(plan.Annotations),
		RunbookUrl:  envelope.Text[string](plan.RunbookURL),
	}, err
}

func of(ctx context.Context, found client.AlertRule, state model) (model, error) {
	object, err := shown(ctx, found.Condition)
	read := model{
		ID:            types.StringValue(found.Id),
		EnvironmentID: state.EnvironmentID,
		Name:          types.StringValue(found.Name),
		Description:   types.StringValue(found.Description),
		Enabled:       types.BoolValue(found.Enabled),
		Severity:      types.StringValue(string(found.Severity)),
		Condition:     object,
		Labels:        envelope.Texts(found.Labels),
		Annotations:   envelope.Texts(found.Annotations),
		RunbookURL:    envelope.String(found.RunbookUrl),
		RequireMetric: state.RequireMetric,
	}
	if read.RequireMetric.IsNull() {
		read.RequireMetric = types.BoolValue(true)
	}
	return read, err
}
