// Package invitation is the resource of invitations to the organisation.
package invitation

import (
	"context"
	"errors"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
	"tidemark/terraform/provider/internal/vocabulary"
)

// mailForm finds typing errors; whether there is such an address only a mail server knows.
var mailForm = regexp.MustCompile(`^[^@\s]+@[^@\s]+$`)

type model struct {
	ID         types.String `tfsdk:"id"`
	Mail       types.String `tfsdk:"mail"`
	Grants     types.Set    `tfsdk:"grants"`
	State      types.String `tfsdk:"state"`
	AcceptedBy types.String `tfsdk:"accepted_by"`
	Link       types.String `tfsdk:"link"`
}

type grant struct {
	Role          types.String `tfsdk:"role"`
	EnvironmentID types.String `tfsdk:"environment_id"`
}

var grantType = types.ObjectType{AttrTypes: map[string]attr.Type{"role": types.StringType, "environment_id": types.StringType}}

// Resource is tidemark_invitation.
var Resource = envelope.New(envelope.Definition[model]{
	Name:     "invitation",
	ImportBy: []string{"id"},
	Schema: schema.Schema{
		MarkdownDescription: "An invitation of a person by mail address. It is good for 7 days; one that expired or was revoked is made anew by the " +
			"next apply. Destroying it revokes it; who accepted it stays a member.",
		Attributes: map[string]schema.Attribute{
			"id": envelope.DrawnID(),
			"mail": schema.StringAttribute{
				MarkdownDescription: "Mail address that the person signs in with.",
				Required:            true,
				Validators:          []validator.String{stringvalidator.RegexMatches(mailForm, "must be a mail address")},
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"grants": schema.SetNestedAttribute{
				MarkdownDescription: "What the person is to be, 1 to 50.",
				Required:            true,
				Validators:          []validator.Set{setvalidator.SizeBetween(1, 50)},
				PlanModifiers:       []planmodifier.Set{setplanmodifier.RequiresReplace()},
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"role": schema.StringAttribute{
						MarkdownDescription: vocabulary.RoleNames() + ".",
						Required:            true,
						Validators:          []validator.String{envelope.Role()},
					},
					"environment_id": schema.StringAttribute{
						MarkdownDescription: "The environment that the role is for; the whole organisation when absent.",
						Optional:            true,
						Validators:          envelope.Identifier(),
					},
				}},
			},
			"state": schema.StringAttribute{
				MarkdownDescription: "`open` or `accepted`.",
				Computed:            true,
			},
			"accepted_by": schema.StringAttribute{
				MarkdownDescription: "Identifier of the person who joined with it.",
				Computed:            true,
			},
			"link": schema.StringAttribute{
				MarkdownDescription: "Where the person joins; absent when it was mailed, and after an import.",
				Computed:            true,
				Sensitive:           true,
			},
		},
	},
	Create: create,
	Read:   read,
	Delete: remove,
})

func path(state model) client.Path { return client.Path{"invitation_id": state.ID.ValueString()} }

func create(ctx context.Context, call *envelope.Call[model], plan model) (model, error) {
	draft := client.InvitationDraft{Mail: plan.Mail.ValueString()}
	var grants []grant
	if diagnostics := plan.Grants.ElementsAs(ctx, &grants, false); diagnostics.HasError() {
		return plan, errors.New(diagnostics[0].Detail())
	}
	for _, each := range grants {
		draft.Grants = append(draft.Grants, client.Grant{Role: client.Role(each.Role.ValueString()), EnvironmentId: envelope.Text[string](each.EnvironmentID)})
	}
	made, _, err := client.Create[client.CreatedInvitation](ctx, call.Client, client.OpInvite, nil, draft)
	if err != nil {
		return plan, err
	}
	plan.ID = types.StringValue(made.Invitation.Id)
	plan.State = types.StringValue(string(made.Invitation.State))
	plan.AcceptedBy = envelope.String(made.Invitation.AcceptedBy)
	plan.Link = envelope.String(made.Link)
	call.Keep(plan)
	return read(ctx, call, plan)
}

func read(ctx context.Context, call *envelope.Call[model], state model) (model, error) {
	found, err := envelope.Object(ctx, call, envelope.Source[client.Invitation]{
		Get: client.OpGetInvitation, List: client.OpListInvitations, Path: path(state),
		ID: func(each client.Invitation) string { return each.Id }, Wanted: state.ID.ValueString(),
	})
	if err != nil {
		return state, err
	}
	if found.State == "revoked" || found.State == "expired" {
		return state, client.NotFound("The invitation is " + string(found.State) + ".")
	}
	grants := make([]grant, len(found.Grants))
	for i, each := range found.Grants {
		grants[i] = grant{Role: types.StringValue(string(each.Role)), EnvironmentID: envelope.String(each.EnvironmentId)}
	}
	read, diagnostics := types.SetValueFrom(ctx, grantType, grants)
	if diagnostics.HasError() {
		return state, errors.New(diagnostics[0].Detail())
	}
	state.Mail = types.StringValue(found.Mail)
	state.Grants = read
	state.State = types.StringValue(string(found.State))
	state.AcceptedBy = envelope.String(found.AcceptedBy)
	return state, nil
}

// remove revokes the invitation, unless it was accepted.
func remove(ctx context.Context, call *envelope.Call[model], state model) error {
	err := client.Remove(ctx, call.Client, client.OpRevokeInvitation, path(state))
	if client.IsConflict(err) {
		call.Warn("The invitation was accepted", state.Mail.ValueString()+" stays a member of the organisation; remove the person there.")
		return nil
	}
	return err
}
