package invitation

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

type described struct {
	ID    types.String `tfsdk:"id"`
	Mail  types.String `tfsdk:"mail"`
	State types.String `tfsdk:"state"`
}

type listed struct {
	Invitations []described `tfsdk:"invitations"`
}

var attributes = map[string]schema.Attribute{
	"id":    envelope.Told("The invitation."),
	"mail":  envelope.Told("Who is invited."),
	"state": envelope.Told("`open`, `accepted`, `revoked` or `expired`."),
}

// DataSource is tidemark_invitation.
var DataSource = envelope.Data(envelope.DataDefinition[described]{
	Name: "invitation",
	Schema: schema.Schema{
		MarkdownDescription: "An invitation to the organisation; never its link.",
		Attributes:          envelope.With(attributes, map[string]schema.Attribute{"id": envelope.Asked("The invitation.")}),
	},
	Read: func(ctx context.Context, c *client.Client, config described) (described, error) {
		found, _, err := client.Get[client.Invitation](ctx, c, client.OpGetInvitation, client.Path{"invitation_id": config.ID.ValueString()})
		return describe(found), err
	},
})

func describe(found client.Invitation) described {
	return described{types.StringValue(found.Id), types.StringValue(found.Mail), types.StringValue(string(found.State))}
}

// ListDataSource is tidemark_invitations.
var ListDataSource = envelope.Data(envelope.DataDefinition[listed]{
	Name: "invitations",
	Schema: schema.Schema{
		MarkdownDescription: "All invitations to the organisation; never their links.",
		Attributes: map[string]schema.Attribute{
			"invitations": envelope.ToldList("The invitations.", attributes),
		},
	},
	Read: func(ctx context.Context, c *client.Client, _ listed) (listed, error) {
		all, err := envelope.Described(ctx, c, client.OpListInvitations, nil, describe)
		return listed{Invitations: all}, err
	},
})
