// Package organization is the resource and the data source of the organisation's own settings.
package organization

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
	ID          types.String `tfsdk:"id"`
	DisplayName types.String `tfsdk:"display_name"`
}

// Resource is tidemark_organization_settings.
var Resource = envelope.New(envelope.Definition[model]{
	Name:     "organization_settings",
	ImportBy: []string{"id"},
	Schema: schema.Schema{
		MarkdownDescription: "Settings of the organisation that the provider's key belongs to. There is one for each organisation; " +
			"creating it takes the settings over, destroying it leaves them as they are.",
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				MarkdownDescription: "The organisation.",
				Computed:            true,
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"display_name": schema.StringAttribute{
				MarkdownDescription: "1 to 100 characters, no control characters.",
				Required:            true,
				Validators:          envelope.DisplayName(),
			},
		},
	},
	Create: func(ctx context.Context, call *envelope.Call[model], plan model) (model, error) {
		if _, err := read(ctx, call, plan); err != nil {
			return plan, err
		}
		return update(ctx, call, plan, plan)
	},
	Read:   read,
	Update: update,
	Delete: func(context.Context, *envelope.Call[model], model) error { return nil },
})

func read(ctx context.Context, call *envelope.Call[model], state model) (model, error) {
	organization, err := call.Client.Organization(ctx)
	if err != nil {
		return state, err
	}
	if !state.ID.IsNull() && !state.ID.IsUnknown() && state.ID.ValueString() != organization {
		return state, &envelope.Fault{Attribute: "id", Summary: "Another organisation",
			Detail: "The provider's key belongs to " + organization + ", the settings are of " + state.ID.ValueString() + "."}
	}
	found, etag, err := client.Get[client.Organization](ctx, call.Client, client.OpGetOrganization, nil)
	call.ETag = etag
	return model{ID: types.StringValue(found.Id), DisplayName: types.StringValue(found.DisplayName)}, err
}

func update(ctx context.Context, call *envelope.Call[model], plan, _ model) (model, error) {
	change := client.OrganizationChange{DisplayName: plan.DisplayName.ValueStringPointer()}
	if _, _, err := client.Change[client.Organization](ctx, call.Client, client.OpChangeOrganization, nil, call.ETag, change); err != nil {
		return plan, err
	}
	return read(ctx, call, plan)
}
