// Package budgets is the resource of what an environment, or all of an organisation's, may use of the pipeline.
package budgets

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

type model struct {
	Holder             types.String `tfsdk:"holder"`
	ActiveSeries       types.Int64  `tfsdk:"active_series"`
	NewSeriesPerMinute types.Int64  `tfsdk:"new_series_per_minute"`
	LabelsPerSeries    types.Int64  `tfsdk:"labels_per_series"`
	LabelKeysPerMetric types.Int64  `tfsdk:"label_keys_per_metric"`
	LabelValueLength   types.Int64  `tfsdk:"label_value_length"`
	WhenSeriesExceeded types.String `tfsdk:"when_series_exceeded"`
}

func number(what string, plan int64) schema.Int64Attribute {
	return schema.Int64Attribute{
		MarkdownDescription: fmt.Sprintf("%s; at most the installation's maximum, which is the plan's %d unless operators raised it. "+
			"The budget of the one above when absent.", what, plan),
		Optional:   true,
		Validators: []validator.Int64{int64validator.AtLeast(1)},
	}
}

// Resource is tidemark_budgets.
var Resource = envelope.New(envelope.Definition[model]{
	Name:     "budgets",
	ImportBy: []string{"holder"},
	Schema: schema.Schema{
		MarkdownDescription: "What an environment may use of the pipeline, or, for the organisation, each of its environments that has no budget " +
			"of its own. What exceeds a budget is folded into overflow series: totals stay right, detail is lost. Destroying it takes all " +
			"budgets back, to those of the one above.",
		Attributes: map[string]schema.Attribute{
			"holder":                envelope.OfHolder(),
			"active_series":         number("Series that have sent within the last two hours; those with cumulative points within the last day", 200_000),
			"new_series_per_minute": number("Series met for the first time, per minute", 50_000),
			"labels_per_series":     number("Point and resource attributes of one series", 64),
			"label_keys_per_metric": number("Different names of point attributes over all series of a metric", 64),
			"label_value_length":    number("Characters of one attribute value, name or unit", 1_024),
			"when_series_exceeded": schema.StringAttribute{
				MarkdownDescription: "`fold`: all batches are taken. `refuse`: batches get 429 while a budget of series is exceeded.",
				Optional:            true,
				Validators:          []validator.String{stringvalidator.OneOf("fold", "refuse")},
			},
		},
	},
	Create: func(ctx context.Context, call *envelope.Call[model], plan model) (model, error) {
		if err := taken(ctx, call, plan); err != nil {
			return plan, err
		}
		return update(ctx, call, plan, plan)
	},
	Read:   read,
	Update: update,
	Delete: func(ctx context.Context, call *envelope.Call[model], state model) error {
		_, err := update(ctx, call, model{Holder: state.Holder}, state)
		return err
	},
	Taken:  taken,
	Review: review,
})

// review fails when a number is above the maximum, which is the same for the organisation and its environments.
func review(ctx context.Context, call *envelope.Call[model], plan model, _ *model) error {
	found, _, err := client.Get[client.Budgets](ctx, call.Client, client.OpGetOrganizationBudgets, nil)
	if err != nil || found.Maximum == nil {
		// Who may only manage an environment is told by the apply.
		return nil
	}
	maximum := found.Maximum
	return errors.Join(
		envelope.Within("active_series", plan.ActiveSeries, maximum.ActiveSeries),
		envelope.Within("new_series_per_minute", plan.NewSeriesPerMinute, maximum.NewSeriesPerMinute),
		envelope.Within("labels_per_series", plan.LabelsPerSeries, int64(maximum.LabelsPerSeries)),
		envelope.Within("label_keys_per_metric", plan.LabelKeysPerMetric, int64(maximum.LabelKeysPerMetric)),
		envelope.Within("label_value_length", plan.LabelValueLength, int64(maximum.LabelValueLength)),
	)
}

func isEmpty(found model) bool {
	return found.ActiveSeries.IsNull() && found.NewSeriesPerMinute.IsNull() && found.LabelsPerSeries.IsNull() && found.LabelKeysPerMetric.IsNull() && found.LabelValueLength.IsNull() && found.WhenSeriesExceeded.IsNull()
}

func taken(ctx context.Context, call *envelope.Call[model], plan model) error {
	found, err := read(ctx, call, plan)
	if client.IsNotFound(err) || (err == nil && isEmpty(found)) {
		return nil
	}
	if err != nil {
		return err
	}
	return &envelope.Fault{Attribute: "holder", Summary: "Budgets are set already",
		Detail: "They would be overwritten. Manage those: terraform import ADDRESS " + plan.Holder.ValueString()}
}

func read(ctx context.Context, call *envelope.Call[model], state model) (model, error) {
	get, _, path := operations(state)
	found, etag, err := client.Get[client.Budgets](ctx, call.Client, get, path)
	call.ETag = etag
	return model{
		Holder:             state.Holder,
		ActiveSeries:       envelope.Int64(found.Set.ActiveSeries),
		NewSeriesPerMinute: envelope.Int64(found.Set.NewSeriesPerMinute),
		LabelsPerSeries:    envelope.Int64(found.Set.LabelsPerSeries),
		LabelKeysPerMetric: envelope.Int64(found.Set.LabelKeysPerMetric),
		LabelValueLength:   envelope.Int64(found.Set.LabelValueLength),
		WhenSeriesExceeded: envelope.String(found.Set.WhenSeriesExceeded),
	}, err
}

func update(ctx context.Context, call *envelope.Call[model], plan, _ model) (model, error) {
	if call.ETag == "" {
		if _, err := read(ctx, call, plan); err != nil {
			return plan, err
		}
	}
	draft := client.BudgetsDraft{
		ActiveSeries:       envelope.Number[int64](plan.ActiveSeries),
		NewSeriesPerMinute: envelope.Number[int64](plan.NewSeriesPerMinute),
		LabelsPerSeries:    envelope.Number[int32](plan.LabelsPerSeries),
		LabelKeysPerMetric: envelope.Number[int32](plan.LabelKeysPerMetric),
		LabelValueLength:   envelope.Number[int32](plan.LabelValueLength),
		WhenSeriesExceeded: envelope.Text[client.WhenSeriesExceeded](plan.WhenSeriesExceeded),
	}
	_, put, path := operations(plan)
	if _, _, err := client.Change[client.Budgets](ctx, call.Client, put, path, call.ETag, draft); err != nil {
		return plan, err
	}
	call.Keep(plan)
	return read(ctx, call, plan)
}

func operations(state model) (get, put client.Operation, path client.Path) {
	if environment := envelope.EnvironmentOf(state.Holder); environment != "" {
		return client.OpGetBudgets, client.OpChangeBudgets, client.Path{"environment_id": environment}
	}
	return client.OpGetOrganizationBudgets, client.OpChangeOrganizationBudgets, nil
}
