// Package retention is the resource and the data source of how long an environment's data are kept.
package retention

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

type model struct {
	EnvironmentID types.String `tfsdk:"environment_id"`
	RawDays       types.Int64  `tfsdk:"raw_days"`
	Rollup1mDays  types.Int64  `tfsdk:"rollup_1m_days"`
	Rollup1hDays  types.Int64  `tfsdk:"rollup_1h_days"`
	Rollup1dDays  types.Int64  `tfsdk:"rollup_1d_days"`
	Metrics       types.Set    `tfsdk:"metrics"`
}

type exception struct {
	Pattern      types.String `tfsdk:"pattern"`
	RawDays      types.Int64  `tfsdk:"raw_days"`
	Rollup1mDays types.Int64  `tfsdk:"rollup_1m_days"`
	Rollup1hDays types.Int64  `tfsdk:"rollup_1h_days"`
	Rollup1dDays types.Int64  `tfsdk:"rollup_1d_days"`
}

var exceptionType = types.ObjectType{AttrTypes: map[string]attr.Type{
	"pattern":        types.StringType,
	"raw_days":       types.Int64Type,
	"rollup_1m_days": types.Int64Type,
	"rollup_1h_days": types.Int64Type,
	"rollup_1d_days": types.Int64Type,
}}

func days(what string) schema.Int64Attribute {
	return schema.Int64Attribute{
		MarkdownDescription: "Days that " + what + " are kept, 1 to 36500; without a limit when absent.",
		Optional:            true,
		Validators:          []validator.Int64{int64validator.Between(1, 36500)},
	}
}

// Resource is tidemark_retention_policy.
var Resource = envelope.New(envelope.Definition[model]{
	Name:     "retention_policy",
	ImportBy: []string{"environment_id"},
	Schema: schema.Schema{
		MarkdownDescription: "How long the data of an environment are kept. Rows that expire are not shown any more within seconds, and are " +
			"removed from the stores within a day, for good. Destroying the policy keeps everything from then on.",
		Attributes: map[string]schema.Attribute{
			"environment_id": envelope.OfEnvironment(),
			"raw_days":       days("points as sent"),
			"rollup_1m_days": days("rows of a minute"),
			"rollup_1h_days": days("rows of an hour"),
			"rollup_1d_days": days("rows of a day"),
			"metrics": schema.SetNestedAttribute{
				MarkdownDescription: "Exceptions. For a metric the one whose name it is holds, else the one with the longest beginning of its name.",
				Optional:            true,
				Validators:          []validator.Set{setvalidator.SizeBetween(1, 100)},
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"pattern": schema.StringAttribute{
						MarkdownDescription: "Name of a metric, or the beginning of names followed by '*'; 1 to 255 characters.",
						Required:            true,
						Validators:          []validator.String{stringvalidator.UTF8LengthBetween(1, 255)},
					},
					"raw_days":       days("points as sent"),
					"rollup_1m_days": days("rows of a minute"),
					"rollup_1h_days": days("rows of an hour"),
					"rollup_1d_days": days("rows of a day"),
				}},
			},
		},
	},
	Create: create,
	Read:   read,
	Update: update,
	Delete: func(ctx context.Context, call *envelope.Call[model], state model) error {
		_, err := put(ctx, call, state, client.RetentionDraft{})
		return err
	},
	Taken: taken,
})

func path(state model) client.Path {
	return client.Path{"environment_id": state.EnvironmentID.ValueString()}
}

func create(ctx context.Context, call *envelope.Call[model], plan model) (model, error) {
	if err := taken(ctx, call, plan); err != nil {
		return plan, err
	}
	return update(ctx, call, plan, plan)
}

// taken fails when the environment has a policy already, which would be overwritten unseen.
func taken(ctx context.Context, call *envelope.Call[model], plan model) error {
	found, _, err := client.Get[client.Retention](ctx, call.Client, client.OpGetRetention, path(plan))
	if client.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if !isEmpty(found.Policy) {
		return &envelope.Fault{
			Attribute: "environment_id",
			Summary:   "The environment has a retention policy",
			Detail:    "It was set elsewhere and would be overwritten. Manage that one: terraform import ADDRESS " + plan.EnvironmentID.ValueString(),
		}
	}
	return nil
}

func isEmpty(policy client.RetentionDraft) bool {
	return policy.RawDays == nil && policy.Rollup1mDays == nil && policy.Rollup1hDays == nil && policy.Rollup1dDays == nil &&
		(policy.Metrics == nil || len(*policy.Metrics) == 0)
}

func read(ctx context.Context, call *envelope.Call[model], state model) (model, error) {
	found, etag, err := client.Get[client.Retention](ctx, call.Client, client.OpGetRetention, path(state))
	if err != nil {
		return state, err
	}
	call.ETag = etag
	return of(ctx, found.Policy, state)
}

func update(ctx context.Context, call *envelope.Call[model], plan, _ model) (model, error) {
	draft, err := draftOf(ctx, plan)
	if err != nil {
		return plan, err
	}
	if _, err := put(ctx, call, plan, draft); err != nil {
		return plan, err
	}
	call.Keep(plan)
	return read(ctx, call, plan)
}

// put replaces the policy, of the version that was read when the call has none.
func put(ctx context.Context, call *envelope.Call[model], state model, draft client.RetentionDraft) (client.Retention, error) {
	if call.ETag == "" {
		if _, err := read(ctx, call, state); err != nil {
			return client.Retention{}, err
		}
	}
	changed, etag, err := client.Change[client.Retention](ctx, call.Client, client.OpChangeRetention, path(state), call.ETag, draft)
	if err == nil {
		call.ETag = etag
	}
	return changed, err
}

func draftOf(ctx context.Context, plan model) (client.RetentionDraft, error) {
	draft := client.RetentionDraft{
		RawDays:      envelope.Number[int32](plan.RawDays),
		Rollup1mDays: envelope.Number[int32](plan.Rollup1mDays),
		Rollup1hDays: envelope.Number[int32](plan.Rollup1hDays),
		Rollup1dDays: envelope.Number[int32](plan.Rollup1dDays),
	}
	if plan.Metrics.IsNull() {
		return draft, nil
	}
	var exceptions []exception
	if diagnostics := plan.Metrics.ElementsAs(ctx, &exceptions, false); diagnostics.HasError() {
		return draft, errors.New(diagnostics[0].Detail())
	}
	metrics := make([]client.MetricRetention, len(exceptions))
	for i, each := range exceptions {
		metrics[i] = client.MetricRetention{
			Pattern:      each.Pattern.ValueString(),
			RawDays:      envelope.Number[int32](each.RawDays),
			Rollup1mDays: envelope.Number[int32](each.Rollup1mDays),
			Rollup1hDays: envelope.Number[int32](each.Rollup1hDays),
			Rollup1dDays: envelope.Number[int32](each.Rollup1dDays),
		}
	}
	draft.Metrics = &metrics
	return draft, nil
}

func of(ctx context.Context, policy client.RetentionDraft, state model) (model, error) {
	read := model{
		EnvironmentID: state.EnvironmentID,
		RawDays:       envelope.Int64(policy.RawDays),
		Rollup1mDays:  envelope.Int64(policy.Rollup1mDays),
		Rollup1hDays:  envelope.Int64(policy.Rollup1hDays),
		Rollup1dDays:  envelope.Int64(policy.Rollup1dDays),
		Metrics:       types.SetNull(exceptionType),
	}
	if policy.Metrics == nil || len(*policy.Metrics) == 0 {
		return read, nil
	}
	exceptions := make([]exception, len(*policy.Metrics))
	for i, each := range *policy.Metrics {
		exceptions[i] = exception{
			Pattern:      types.StringValue(each.Pattern),
			RawDays:      envelope.Int64(each.RawDays),
			Rollup1mDays: envelope.Int64(each.Rollup1mDays),
			Rollup1hDays: envelope.Int64(each.Rollup1hDays),
			Rollup1dDays: envelope.Int64(each.Rollup1dDays),
		}
	}
	metrics, diagnostics := types.SetValueFrom(ctx, exceptionType, exceptions)
	if diagnostics.HasError() {
		return read, errors.New(diagnostics[0].Detail())
	}
	read.Metrics = metrics
	return read, nil
}
