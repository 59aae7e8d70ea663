// Package serviceaccount is the resource and the data sources of service accounts.
package serviceaccount

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
	"tidemark/terraform/provider/internal/vocabulary"
)

type model struct {
	ID          types.String `tfsdk:"id"`
	DisplayName types.String `tfsdk:"display_name"`
	Role        types.String `tfsdk:"role"`
}

// Resource is tidemark_service_account.
var Resource = envelope.New(envelope.Definition[model]{
	Name:     "service_account",
	ImportBy: []string{"id"},
	Schema: schema.Schema{
		MarkdownDescription: "A machine that calls Tidemark with API keys. Its role bounds what its keys may do. Destroying it revokes its keys.",
		Attributes: map[string]schema.Attribute{
			"id": envelope.DrawnID(),
			"display_name": schema.StringAttribute{
				MarkdownDescription: "1 to 100 characters, no control characters.",
				Required:            true,
				Validators:          envelope.DisplayName(),
			},
			"role": schema.StringAttribute{
				MarkdownDescription: "What its keys may do at most: " + vocabulary.RoleNames() + ".",
				Required:            true,
				Validators:          []validator.String{envelope.Role()},
			},
		},
	},
	Create: create,
	Read:   read,
	Update: update,
	Delete: func(ctx context.Context, call *envelope.Call[model], state model) error {
		return client.Remove(ctx, call.Client, client.OpDeleteServiceAccount, path(state.ID))
	},
})

func path(id types.String) client.Path { return client.Path{"service_account_id": id.ValueString()} }

func create(ctx context.Context, call *envelope.Call[model], plan model) (model, error) {
	draft := client.ServiceAccountDraft{DisplayName: plan.DisplayName.ValueString(), Role: client.Role(plan.Role.ValueString())}
	made, _, err := client.Create[client.ServiceAccount](ctx, call.Client, client.OpCreateServiceAccount, nil, draft)
	if err != nil {
		return plan, err
	}
	call.Keep(of(made))
	return read(ctx, call, of(made))
}

func read(ctx context.Context, call *envelope.Call[model], state model) (model, error) {
	found, err := envelope.Object(ctx, call, envelope.Source[client.ServiceAccount]{
		Get: client.OpGetServiceAccount, List: client.OpListServiceAccounts, Path: path(state.ID),
		ID: func(each client.ServiceAccount) string { return each.Id }, Wanted: state.ID.ValueString(),
	})
	return of(found), err
}

func update(ctx context.Context, call *envelope.Call[model], plan, state model) (model, error) {
	change := client.ServiceAccountChange{
		DisplayName: plan.DisplayName.ValueStringPointer(),
		Role:        envelope.Text[client.Role](plan.Role),
	}
	if _, _, err := client.Change[client.ServiceAccount](ctx, call.Client, client.OpChangeServiceAccount, path(state.ID), call.ETag, change); err != nil {
		return plan, err
	}
	return read(ctx, call, state)
}

func of(found client.ServiceAccount) model {
	return model{
		ID:          types.StringValue(found.Id),
		DisplayName: types.StringValue(found.DisplayName),
		Role:        types.StringValue(string(found.Role)),
	}
}
