// Package metric is the resource and the data sources of declared metrics.
package metric

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

type model struct {
	ID                    types.String `tfsdk:"id"`
	EnvironmentID         types.String `tfsdk:"environment_id"`
	Name                  types.String `tfsdk:"name"`
	Type                  types.String `tfsdk:"type"`
	Unit                  types.String `tfsdk:"unit"`
	Description           types.String `tfsdk:"description"`
	HighCardinalityLabels types.Set    `tfsdk:"high_cardinality_labels"`
	Lifecycle             types.String `tfsdk:"lifecycle_state"`
}

// Resource is tidemark_metric.
var Resource = envelope.New(envelope.Definition[model]{
	Name:     "metric",
	ImportBy: []string{"environment_id", "name"},
	Renamed:  map[string]string{"lifecycle": "lifecycle_state"},
	Schema: schema.Schema{
		MarkdownDescription: "What a metric of an environment is, whether it was sent already or not, and the policy of its labels. " +
			"Destroying it withdraws the declaration; the metric's data stay.",
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				MarkdownDescription: "Opaque; the same for the same name everywhere.",
				Computed:            true,
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"environment_id": envelope.OfEnvironment(),
			"name": schema.StringAttribute{
				MarkdownDescription: "As sent; 1 to 255 characters, no control characters.",
				Required:            true,
				Validators:          envelope.CatalogName(),
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"type": schema.StringAttribute{
				MarkdownDescription: "`gauge`, `counter`, `updown_counter`, `histogram`, `exponential_histogram` or `summary`; as sent when absent.",
				Optional:            true,
				Validators: []validator.String{stringvalidator.OneOf(
					"gauge", "counter", "updown_counter", "histogram", "exponential_histogram", "summary")},
			},
			"unit": schema.StringAttribute{
				MarkdownDescription: "UCUM, at most 63 characters; as sent when absent.",
				Optional:            true,
				Validators:          []validator.String{stringvalidator.UTF8LengthBetween(1, 63)},
			},
			"description": schema.StringAttribute{
				MarkdownDescription: "At most 1000 characters.",
				Optional:            true,
				Validators:          []validator.String{stringvalidator.UTF8LengthBetween(1, 1000)},
			},
			"high_cardinality_labels": schema.SetAttribute{
				MarkdownDescription: "At most 32 names of point attributes, as sent, that are summed away in the ordinary rows. " +
					"Absent: the metric is split when it is measured to be large.",
				ElementType: types.StringType,
				Optional:    true,
				Validators:  []validator.Set{setvalidator.SizeBetween(1, 32)},
			},
			"lifecycle_state": schema.StringAttribute{
				MarkdownDescription: "`active`, `deprecated` (still sent, not to be used for new things) or `retired` (not shown any more).",
				Optional:            true,
				Computed:            true,
				Default:             stringdefault.StaticString("active"),
				Validators:          []validator.String{stringvalidator.OneOf("active", "deprecated", "retired")},
			},
		},
	},
	Create: create,
	Read:   read,
	Update: update,
	Delete: func(ctx context.Context, call *envelope.Call[model], state model) error {
		return client.Remove(ctx, call.Client, client.OpWithdrawMetric, path(state))
	},
	Taken: taken,
})

func environment(state model) client.Path {
	return client.Path{"environment_id": state.EnvironmentID.ValueString()}
}

func path(state model) client.Path {
	return client.Path{"environment_id": state.EnvironmentID.ValueString(), "metric_id": state.ID.ValueString()}
}

func named(each client.Metric) string { return each.Name }

func taken(ctx context.Context, call *envelope.Call[model], plan model) error {
	found, err := client.ListedBefore(ctx, call.Client, client.OpListMetrics, environment(plan), named, plan.Name.ValueString())
	if client.IsNotFound(err) || (err == nil && found.Declared == nil) {
		return nil
	}
	if err != nil {
		return err
	}
	address := plan.EnvironmentID.ValueString() + "/" + plan.Name.ValueString()
	return &envelope.Fault{Attribute: "name", Summary: "The metric is declared already",
		Detail: "Manage that declaration: terraform import ADDRESS '" + address + "'"}
}

func create(ctx context.Context, call *envelope.Call[model], plan model) (model, error) {
	declaration, err := declarationOf(ctx, plan)
	if err != nil {
		return plan, err
	}
	draft := client.MetricDraft{Name: plan.Name.ValueString(), Declaration: &declaration}
	made, _, err := client.Create[client.Metric](ctx, call.Client, client.OpDeclareMetric, environment(plan), draft)
	if err != nil {
		return plan, err
	}
	plan.ID = types.StringValue(made.Id)
	call.Keep(plan)
	return read(ctx, call, plan)
}

func read(ctx context.Context, call *envelope.Call[model], state model) (model, error) {
	var found client.Metric
	var err error
	if state.ID.IsNull() {
		found, err = client.Listed(ctx, call.Client, client.OpListMetrics, environment(state), named, state.Name.ValueString())
	} else if call.Afresh {
		found, call.ETag, err = client.Get[client.Metric](ctx, call.Client, client.OpGetMetric, path(state))
	} else {
		found, call.ETag, err = client.Find(ctx, call.Client, client.OpGetMetric, path(state), client.OpListMetrics, named, state.Name.ValueString())
	}
	if err != nil {
		return state, err
	}
	if found.Declared == nil {
		return state, client.NotFound("The metric is not declared.")
	}
	return of(ctx, found, state.EnvironmentID)
}

func update(ctx context.Context, call *envelope.Call[model], plan, _ model) (model, error) {
	declaration, err := declarationOf(ctx, plan)
	if err != nil {
		return plan, err
	}
	if _, _, err := client.Change[client.Metric](ctx, call.Client, client.OpChangeMetric, path(plan), call.ETag, declaration); err != nil {
		return plan, err
	}
	return read(ctx, call, plan)
}

func declarationOf(ctx context.Context, plan model) (client.MetricDeclaration, error) {
	declaration := client.MetricDeclaration{
		Type:        envelope.Text[client.MetricType](plan.Type),
		Unit:        envelope.Text[string](plan.Unit),
		Description: envelope.Text[string](plan.Description),
		Lifecycle:   envelope.Text[client.MetricLifecycle](plan.Lifecycle),
	}
	if plan.HighCardinalityLabels.IsNull() {
		return declaration, nil
	}
	var labels []string
	if diagnostics := plan.HighCardinalityLabels.ElementsAs(ctx, &labels, false); diagnostics.HasError() {
		return declaration, errors.New(diagnostics[0].Detail())
	}
	declaration.HighCardinalityLabels = &labels
	return declaration, nil
}

func of(ctx context.Context, found client.Metric, environment types.String) (model, error) {
	declared := *found.Declared
	read := model{
		ID:                    types.StringValue(found.Id),
		EnvironmentID:         environment,
		Name:                  types.StringValue(found.Name),
		Type:                  envelope.String(declared.Type),
		Unit:                  envelope.String(declared.Unit),
		Description:           envelope.String(declared.Description),
		HighCardinalityLabels: types.SetNull(types.StringType),
		Lifecycle:             types.StringValue(string(found.Lifecycle)),
	}
	if declared.HighCardinalityLabels != nil && len(*declared.HighCardinalityLabels) > 0 {
		labels, diagnostics := types.SetValueFrom(ctx, types.StringType, *declared.HighCardinalityLabels)
		if diagnostics.HasError() {
			return read, errors.New(diagnostics[0].Detail())
		}
		read.HighCardinalityLabels = labels
	}
	return read, nil
}
