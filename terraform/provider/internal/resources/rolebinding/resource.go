// Package rolebinding is the resource of one role of one member.
package rolebinding

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
	"tidemark/terraform/provider/internal/vocabulary"
)

type model struct {
	PersonID      types.String `tfsdk:"person_id"`
	Role          types.String `tfsdk:"role"`
	EnvironmentID types.String `tfsdk:"environment_id"`
}

// Resource is tidemark_role_binding.
var Resource = envelope.New(envelope.Definition[model]{
	Name:     "role_binding",
	ImportBy: []string{"person_id", "role"},
	Schema: schema.Schema{
		MarkdownDescription: "One role of a member, in the whole organisation or in one environment, beside the other roles of the person. " +
			"Destroying the last role of a person removes the person from the organisation. Import by `<person_id>/<role>` or " +
			"`<person_id>/<role>/<environment_id>`.",
		Attributes: map[string]schema.Attribute{
			"person_id": schema.StringAttribute{
				MarkdownDescription: "The member.",
				Required:            true,
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"role": schema.StringAttribute{
				MarkdownDescription: vocabulary.RoleNames() + ".",
				Required:            true,
				Validators:          []validator.String{envelope.Role()},
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"environment_id": schema.StringAttribute{
				MarkdownDescription: "The environment that the role is for; the whole organisation when absent.",
				Optional:            true,
				Validators:          envelope.Identifier(),
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
		},
	},
	Create: create,
	Read:   read,
	Delete: remove,
	Taken: func(ctx context.Context, call *envelope.Call[model], plan model) error {
		if plan.EnvironmentID.IsUnknown() {
			return nil
		}
		return taken(ctx, call, plan)
	},
	Import: func(id string) (map[string]string, error) {
		parts := strings.Split(id, "/")
		if len(parts) < 2 || len(parts) > 3 || slices.Contains(parts, "") {
			return nil, fmt.Errorf("%q does not have the form <person_id>/<role> or <person_id>/<role>/<environment_id>", id)
		}
		values := map[string]string{"person_id": parts[0], "role": parts[1]}
		if len(parts) == 3 {
			values["environment_id"] = parts[2]
		}
		return values, nil
	},
})

func path(state model) client.Path { return client.Path{"person_id": state.PersonID.ValueString()} }

func (m model) grant() client.Grant {
	return client.Grant{Role: client.Role(m.Role.ValueString()), EnvironmentId: envelope.Text[string](m.EnvironmentID)}
}

func same(a client.Grant) func(client.Grant) bool {
	return func(b client.Grant) bool {
		return a.Role == b.Role && envelope.String(a.EnvironmentId).Equal(envelope.String(b.EnvironmentId))
	}
}

func taken(ctx context.Context, call *envelope.Call[model], plan model) error {
	_, err := read(ctx, call, plan)
	if client.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	id := plan.PersonID.ValueString() + "/" + plan.Role.ValueString()
	if !plan.EnvironmentID.IsNull() {
		id += "/" + plan.EnvironmentID.ValueString()
	}
	return &envelope.Fault{Attribute: "role", Summary: "The person has the role already",
		Detail: "Manage that binding: terraform import ADDRESS " + id}
}

// attempts is how often the roles are sent when others change them at the same time.
const attempts = 6

// change replaces the roles of a member by what edit makes of them; nil removes the member.
func change(ctx context.Context, call *envelope.Call[model], state model, edit func([]client.Grant) []client.Grant) error {
	var err error
	for range attempts {
		member, etag, missing := client.Get[client.Member](ctx, call.Client, client.OpGetMember, path(state))
		if missing != nil {
			return missing
		}
		if grants := edit(slices.Clone(member.Grants)); len(grants) == 0 {
			_, _, err = client.Change[struct{}](ctx, call.Client, client.OpRemoveMember, path(state), etag, nil)
		} else {
			_, _, err = client.Change[client.Member](ctx, call.Client, client.OpChangeMember, path(state), etag, client.MemberChange{Grants: grants})
		}
		if !client.IsChanged(err) {
			return err
		}
	}
	return err
}

func create(ctx context.Context, call *envelope.Call[model], plan model) (model, error) {
	err := change(ctx, call, plan, func(grants []client.Grant) []client.Grant {
		if slices.ContainsFunc(grants, same(plan.grant())) {
			return grants
		}
		return append(grants, plan.grant())
	})
	if client.IsNotFound(err) {
		return plan, &envelope.Fault{Attribute: "person_id", Summary: "There is no such member",
			Detail: plan.PersonID.ValueString() + " does not belong to the organisation. Invite the person first (tidemark_invitation)."}
	}
	if err != nil {
		return plan, err
	}
	call.Keep(plan)
	return read(ctx, call, plan)
}

func read(ctx context.Context, call *envelope.Call[model], state model) (model, error) {
	member, err := envelope.Object(ctx, call, envelope.Source[client.Member]{
		Get: client.OpGetMember, List: client.OpListMembers, Path: path(state),
		ID: func(each client.Member) string { return each.PersonId }, Wanted: state.PersonID.ValueString(),
	})
	if err != nil {
		return state, err
	}
	if !slices.ContainsFunc(member.Grants, same(state.grant())) {
		return state, client.NotFound("The person does not have the role.")
	}
	return state, nil
}

func remove(ctx context.Context, call *envelope.Call[model], state model) error {
	return change(ctx, call, state, func(grants []client.Grant) []client.Grant {
		return slices.DeleteFunc(grants, same(state.grant()))
	})
}
