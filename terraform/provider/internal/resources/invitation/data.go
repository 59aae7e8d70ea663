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

// ListDataSource is tidemark_invitations.
var ListDataSource = envelope.Data(envelope.DataDefinition[listed]{
	Name: "invitations",
	Schema: schema.Schema{
		MarkdownDescription: "All invitations to the organisation; never their links.",
		Attributes: map[string]schema.Attribute{
			"invitations": envelope.ToldList("The invitations.", map[string]schema.Attribute{
				"id":    envelope.Told("The invitation."),
				"mail":  envelope.Told("Who is invited."),
				"state": envelope.Told("`open`, `accepted`, `revoked` or `expired`."),
			}),
		},
	},
	Read: func(ctx context.Context, c *client.Client, _ listed) (listed, error) {
		found, err := client.List[client.Invitation](ctx, c, client.OpListInvitations, nil)
		all := listed{Invitations: []described{}}
		for _, each := range found {
			all.Invitations = append(all.Invitations, described{types.StringValue(each.Id), types.StringValue(each.Mail), types.StringValue(string(each.State))})
		}
		return all, err
	},
})
