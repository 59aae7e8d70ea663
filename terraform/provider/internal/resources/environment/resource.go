// Package environment is the resource and the data sources of environments.
package environment

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

type model struct {
	ID                 types.String `tfsdk:"id"`
	DisplayName        types.String `tfsdk:"display_name"`
	State              types.String `tfsdk:"state"`
	DeletionProtection types.Bool   `tfsdk:"deletion_protection"`
}

const (
	active   = "active"
	archived = "archived"
	deleting = "deleting"
)

// Resource is tidemark_environment.
var Resource = envelope.New(envelope.Definition[model]{
	Name:     "environment",
	ImportBy: []string{"id"},
	Schema: schema.Schema{
		MarkdownDescription: "A part of the organisation, as in production or staging, that keys and points belong to.\n\n" +
			"Destroying it begins a deletion: keys stop working at once, and for 7 days the environment can be restored. " +
			"Its identifier is never free again. An environment that was sent metrics is not destroyed while `deletion_protection` is true. " +
			"One that was archived or deleted elsewhere shows as a change of `state`; applying restores it.",
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				MarkdownDescription: "1 to 63 of a-z, 0-9 and '-', not starting with '-'; part of its keys, unique within the organisation.",
				Required:            true,
				Validators:          envelope.Identifier(),
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"display_name": schema.StringAttribute{
				MarkdownDescription: "1 to 100 characters, no control characters.",
				Required:            true,
				Validators:          envelope.DisplayName(),
			},
			"state": schema.StringAttribute{
				MarkdownDescription: "`active`, or `archived`: keys are refused, metrics stay readable with keys of other environments.",
				Optional:            true,
				Computed:            true,
				Default:             stringdefault.StaticString(active),
				Validators:          []validator.String{stringvalidator.OneOf(active, archived)},
			},
			"deletion_protection": schema.BoolAttribute{
				MarkdownDescription: "Whether an environment that was sent metrics must not be destroyed. True unless set.",
				Optional:            true,
				Computed:            true,
				Default:             booldefault.StaticBool(true),
			},
		},
	},
	Create:  create,
	Read:    read,
	Update:  update,
	Delete:  remove,
	Taken:   taken,
	Leaving: leaving,
})

func path(id types.String) client.Path { return client.Path{"environment_id": id.ValueString()} }

func create(ctx context.Context, call *envelope.Call[model], plan model) (model, error) {
	draft := client.EnvironmentDraft{Id: plan.ID.ValueString(), DisplayName: plan.DisplayName.ValueString()}
	made, _, err := client.Create[client.Environment](ctx, call.Client, client.OpCreateEnvironment, nil, draft)
	if client.IsConflict(err) {
		if fault := taken(ctx, call, plan); fault != nil {
			return plan, fault
		}
	}
	if err != nil {
		return plan, err
	}
	call.Keep(of(made, plan))
	if plan.State.ValueString() == archived {
		if _, _, err := client.Change[client.Environment](ctx, call.Client, client.OpArchiveEnvironment, path(plan.ID), "", nil); err != nil {
			return plan, err
		}
	}
	return read(ctx, call, plan)
}

func read(ctx context.Context, call *envelope.Call[model], state model) (model, error) {
	found, err := envelope.Object(ctx, call, envelope.Source[client.Environment]{
		Get: client.OpGetEnvironment, List: client.OpListEnvironments, Path: path(state.ID),
		ID: func(each client.Environment) string { return each.Id }, Wanted: state.ID.ValueString(),
	})
	if err != nil {
		return state, err
	}
	return of(found, state), nil
}

func update(ctx context.Context, call *envelope.Call[model], plan, state model) (model, error) {
	if !plan.State.Equal(state.State) {
		action := client.OpRestoreEnvironment
		if plan.State.ValueString() == archived {
			action = client.OpArchiveEnvironment
		}
		moved, etag, err := client.Change[client.Environment](ctx, call.Client, action, path(plan.ID), call.ETag, nil)
		if err != nil {
			return plan, err
		}
		call.ETag = etag
		call.Keep(of(moved, plan))
	}
	change := client.EnvironmentChange{DisplayName: plan.DisplayName.ValueStringPointer()}
	if _, _, err := client.Change[client.Environment](ctx, call.Client, client.OpChangeEnvironment, path(plan.ID), call.ETag, change); err != nil {
		return plan, err
	}
	return read(ctx, call, plan)
}

func remove(ctx context.Context, call *envelope.Call[model], state model) error {
	return client.Remove(ctx, call.Client, client.OpDeleteEnvironment, path(state.ID))
}

// taken fails when the identifier is in use; one that was deleted for good only the API knows.
func taken(ctx context.Context, call *envelope.Call[model], plan model) error {
	found, err := read(ctx, call, plan)
	if client.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	detail := fmt.Sprintf("The organisation has an environment %s already, in state %s. Choose another id, or manage that one: terraform import ADDRESS %s",
		plan.ID.ValueString(), found.State.ValueString(), plan.ID.ValueString())
	if found.State.ValueString() == deleting {
		detail += ". The next apply restores it"
	}
	return &envelope.Fault{Attribute: "id", Summary: "The id is taken", Detail: detail + "."}
}

// leaving protects an environment that was sent metrics.
func leaving(ctx context.Context, call *envelope.Call[model], state model) error {
	if !state.DeletionProtection.ValueBool() {
		return nil
	}
	metrics, err := client.List[client.Metric](ctx, call.Client, client.OpListMetrics, path(state.ID))
	if client.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, metric := range metrics {
		if metric.Discovered != nil {
			return &envelope.Fault{
				Attribute: "deletion_protection",
				Summary:   "The environment has data",
				Detail: fmt.Sprintf("%s was sent to %s, last at %s. To destroy the environment with its data, set deletion_protection = false, apply, and destroy then.",
					metric.Name, state.ID.ValueString(), metric.Discovered.LastSeen.Format(time.RFC3339)),
			}
		}
	}
	return nil
}

func of(found client.Environment, before model) model {
	protection := before.DeletionProtection
	if protection.IsNull() {
		protection = types.BoolValue(true)
	}
	return model{
		ID:                 types.StringValue(found.Id),
		DisplayName:        types.StringValue(found.DisplayName),
		State:              types.StringValue(string(found.State)),
		DeletionProtection: protection,
	}
}
