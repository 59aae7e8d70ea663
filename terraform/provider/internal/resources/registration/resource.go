// Package registration is the resource and the data sources of what sends metrics: clusters, connectors, services.
package registration

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

type model struct {
	ID            types.String `tfsdk:"id"`
	EnvironmentID types.String `tfsdk:"environment_id"`
	Type          types.String `tfsdk:"type"`
	Name          types.String `tfsdk:"name"`
	DisplayName   types.String `tfsdk:"display_name"`
}

// Resource is tidemark_resource.
var Resource = envelope.New(envelope.Definition[model]{
	Name:     "resource",
	ImportBy: []string{"environment_id", "type", "name"},
	Schema: schema.Schema{
		MarkdownDescription: "Something that sends metrics and is meant to be there: a cluster, a connector, a service. One that was discovered " +
			"already becomes confirmed. Destroying it leaves its data; it comes back as discovered when it sends again.",
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				MarkdownDescription: "Opaque; the same for the same type and name everywhere.",
				Computed:            true,
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"environment_id": envelope.OfEnvironment(),
			"type": schema.StringAttribute{
				MarkdownDescription: "As in what is sent (`tidemark.resource.type`), as in `kafka` or `service`.",
				Required:            true,
				Validators:          envelope.CatalogName(),
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"name": schema.StringAttribute{
				MarkdownDescription: "As in what is sent (`tidemark.resource.id` or `service.name`).",
				Required:            true,
				Validators:          envelope.CatalogName(),
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"display_name": schema.StringAttribute{
				MarkdownDescription: "1 to 100 characters, no control characters; the beginning of `name` when absent.",
				Optional:            true,
				Computed:            true,
				Validators:          envelope.DisplayName(),
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
		},
	},
	Create: create,
	Read:   read,
	Update: update,
	Delete: func(ctx context.Context, call *envelope.Call[model], state model) error {
		return client.Remove(ctx, call.Client, client.OpDeleteResource, path(state))
	},
	Taken: taken,
})

func environment(state model) client.Path {
	return client.Path{"environment_id": state.EnvironmentID.ValueString()}
}

func path(state model) client.Path {
	return client.Path{"environment_id": state.EnvironmentID.ValueString(), "resource_id": state.ID.ValueString()}
}

func named(each client.Resource) string { return each.Type + "/" + each.Name }

func (m model) named() string { return m.Type.ValueString() + "/" + m.Name.ValueString() }

func taken(ctx context.Context, call *envelope.Call[model], plan model) error {
	found, err := client.ListedBefore(ctx, call.Client, client.OpListResources, environment(plan), named, plan.named())
	if client.IsNotFound(err) || (err == nil && found.State != client.ResourceStateConfirmed) {
		return nil
	}
	if err != nil {
		return err
	}
	return &envelope.Fault{Attribute: "name", Summary: "The resource is confirmed already",
		Detail: "Manage that one: terraform import ADDRESS '" + plan.EnvironmentID.ValueString() + "/" + plan.named() + "'"}
}

func create(ctx context.Context, call *envelope.Call[model], plan model) (model, error) {
	draft := client.ResourceDraft{
		Type:        plan.Type.ValueString(),
		Name:        plan.Name.ValueString(),
		DisplayName: envelope.Text[string](plan.DisplayName),
	}
	made, _, err := client.Create[client.Resource](ctx, call.Client, client.OpRegisterResource, environment(plan), draft)
	if err != nil {
		return plan, err
	}
	call.Keep(of(made, plan.EnvironmentID))
	return read(ctx, call, of(made, plan.EnvironmentID))
}

func read(ctx context.Context, call *envelope.Call[model], state model) (model, error) {
	var found client.Resource
	var err error
	if state.ID.IsNull() {
		found, err = client.Listed(ctx, call.Client, client.OpListResources, environment(state), named, state.named())
	} else if call.Afresh {
		found, call.ETag, err = client.Get[client.Resource](ctx, call.Client, client.OpGetResource, path(state))
	} else {
		found, call.ETag, err = client.Find(ctx, call.Client, client.OpGetResource, path(state), client.OpListResources, named, state.named())
	}
	if err != nil {
		return state, err
	}
	if found.State != client.ResourceStateConfirmed {
		return state, client.NotFound("The resource is not confirmed.")
	}
	return of(found, state.EnvironmentID), nil
}

func update(ctx context.Context, call *envelope.Call[model], plan, _ model) (model, error) {
	change := client.ResourceChange{DisplayName: envelope.Text[string](plan.DisplayName)}
	if _, _, err := client.Change[client.Resource](ctx, call.Client, client.OpChangeResource, path(plan), call.ETag, change); err != nil {
		return plan, err
	}
	return read(ctx, call, plan)
}

func of(found client.Resource, environment types.String) model {
	return model{
		ID:            types.StringValue(found.Id),
		EnvironmentID: environment,
		Type:          types.StringValue(found.Type),
		Name:          types.StringValue(found.Name),
		DisplayName:   types.StringValue(found.DisplayName),
	}
}
