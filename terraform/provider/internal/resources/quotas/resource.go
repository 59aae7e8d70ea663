// Package quotas is the resource of how much an environment, or all of an organisation's together, may send.
package quotas

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

type model struct {
	Holder            types.String `tfsdk:"holder"`
	RequestsPerSecond types.Int64  `tfsdk:"requests_per_second"`
	BytesPerSecond    types.Int64  `tfsdk:"bytes_per_second"`
	PointsPerSecond   types.Int64  `tfsdk:"points_per_second"`
}

func number(what string) schema.Int64Attribute {
	return schema.Int64Attribute{
		MarkdownDescription: what + ", 1 to the plan's. None beyond the one above when absent.",
		Optional:            true,
		Validators:          []validator.Int64{int64validator.AtLeast(1)},
	}
}

// Resource is tidemark_quotas.
var Resource = envelope.New(envelope.Definition[model]{
	Name:     "quotas",
	ImportBy: []string{"holder"},
	Schema: schema.Schema{
		MarkdownDescription: "What may be sent to one gateway in a second, by an environment or by all of the organisation's together; ten seconds' " +
			"worth at once after a silence. Who is over a quota gets 429. Destroying it takes all quotas back.",
		Attributes: map[string]schema.Attribute{
			"holder":              envelope.OfHolder(),
			"requests_per_second": number("Requests"),
			"bytes_per_second":    number("Bytes of bodies as they come, compressed"),
			"points_per_second":   number("Accepted points"),
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
	found, _, err := client.Get[client.Quotas](ctx, call.Client, client.OpGetOrganizationQuotas, nil)
	if err != nil || found.Maximum == nil {
		// Who may only manage an environment is told by the apply.
		return nil
	}
	maximum := found.Maximum
	return errors.Join(
		envelope.Within("requests_per_second", plan.RequestsPerSecond, maximum.RequestsPerSecond),
		envelope.Within("bytes_per_second", plan.BytesPerSecond, maximum.BytesPerSecond),
		envelope.Within("points_per_second", plan.PointsPerSecond, maximum.PointsPerSecond),
	)
}

func isEmpty(found model) bool {
	return found.RequestsPerSecond.IsNull() && found.BytesPerSecond.IsNull() && found.PointsPerSecond.IsNull()
}

func taken(ctx context.Context, call *envelope.Call[model], plan model) error {
	found, err := read(ctx, call, plan)
	if client.IsNotFound(err) || (err == nil && isEmpty(found)) {
		return nil
	}
	if err != nil {
		return err
	}
	return &envelope.Fault{Attribute: "holder", Summary: "Quotas are set already",
		Detail: "They would be overwritten. Manage those: terraform import ADDRESS " + plan.Holder.ValueString()}
}

func read(ctx context.Context, call *envelope.Call[model], state model) (model, error) {
	get, _, path := operations(state)
	found, etag, err := client.Get[client.Quotas](ctx, call.Client, get, path)
	call.ETag = etag
	return model{
		Holder:            state.Holder,
		RequestsPerSecond: envelope.Int64(found.Set.RequestsPerSecond),
		BytesPerSecond:    envelope.Int64(found.Set.BytesPerSecond),
		PointsPerSecond:   envelope.Int64(found.Set.PointsPerSecond),
	}, err
}

func update(ctx context.Context, call *envelope.Call[model], plan, _ model) (model, error) {
	if call.ETag == "" {
		if _, err := read(ctx, call, plan); err != nil {
			return plan, err
		}
	}
	draft := client.QuotasDraft{
		RequestsPerSecond: envelope.Number[int64](plan.RequestsPerSecond),
		BytesPerSecond:    envelope.Number[int64](plan.BytesPerSecond),
		PointsPerSecond:   envelope.Number[int64](plan.PointsPerSecond),
	}
	_, put, path := operations(plan)
	if _, _, err := client.Change[client.Quotas](ctx, call.Client, put, path, call.ETag, draft); err != nil {
		return plan, err
	}
	call.Keep(plan)
	return read(ctx, call, plan)
}

func operations(state model) (get, put client.Operation, path client.Path) {
	if environment := envelope.EnvironmentOf(state.Holder); environment != "" {
		return client.OpGetQuotas, client.OpChangeQuotas, client.Path{"environment_id": environment}
	}
	return client.OpGetOrganizationQuotas, client.OpChangeOrganizationQuotas, nil
}
