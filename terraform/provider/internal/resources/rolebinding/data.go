package rolebinding

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

type described struct {
	PersonID    types.String `tfsdk:"person_id"`
	Mail        types.String `tfsdk:"mail"`
	DisplayName types.String `tfsdk:"display_name"`
	State       types.String `tfsdk:"state"`
	Grants      []granted    `tfsdk:"grants"`
}

type granted struct {
	Role          types.String `tfsdk:"role"`
	EnvironmentID types.String `tfsdk:"environment_id"`
}

type listed struct {
	Members []described `tfsdk:"members"`
}

var attributes = map[string]schema.Attribute{
	"person_id":    envelope.Told("The person."),
	"mail":         envelope.Told("Mail address of the person."),
	"display_name": envelope.Told("What people call the person."),
	"state":        envelope.Told("`active` or `disabled`."),
	"grants": envelope.ToldList("Roles of the person.", map[string]schema.Attribute{
		"role":           envelope.Told("The role."),
		"environment_id": envelope.Told("The environment that the role is for; the whole organisation when absent."),
	}),
}

// MemberDataSource is tidemark_member.
var MemberDataSource = envelope.Data(envelope.DataDefinition[described]{
	Name: "member",
	Schema: schema.Schema{
		MarkdownDescription: "A member of the organisation, by mail address.",
		Attributes:          envelope.With(attributes, map[string]schema.Attribute{"mail": envelope.Asked("Mail address of the person.")}),
	},
	Read: func(ctx context.Context, c *client.Client, config described) (described, error) {
		found, err := client.List[client.Member](ctx, c, client.OpListMembers, nil)
		for _, each := range found {
			if each.Mail != nil && *each.Mail == config.Mail.ValueString() {
				return describe(each), nil
			}
		}
		if err == nil {
			err = &envelope.Fault{Attribute: "mail", Summary: "There is no such member",
				Detail: config.Mail.ValueString() + " does not belong to the organisation. Invite the person first (tidemark_invitation)."}
		}
		return config, err
	},
})

// MembersDataSource is tidemark_members.
var MembersDataSource = envelope.Data(envelope.DataDefinition[listed]{
	Name: "members",
	Schema: schema.Schema{
		MarkdownDescription: "All members of the organisation.",
		Attributes:          map[string]schema.Attribute{"members": envelope.ToldList("The members.", attributes)},
	},
	Read: func(ctx context.Context, c *client.Client, _ listed) (listed, error) {
		found, err := client.List[client.Member](ctx, c, client.OpListMembers, nil)
		all := listed{Members: []described{}}
		for _, each := range found {
			all.Members = append(all.Members, describe(each))
		}
		return all, err
	},
})

func describe(found client.Member) described {
	read := described{
		PersonID:    types.StringValue(found.PersonId),
		Mail:        envelope.String(found.Mail),
		DisplayName: types.StringValue(found.DisplayName),
		State:       types.StringValue(string(found.State)),
		Grants:      []granted{},
	}
	for _, each := range found.Grants {
		read.Grants = append(read.Grants, granted{types.StringValue(string(each.Role)), envelope.String(each.EnvironmentId)})
	}
	return read
}
