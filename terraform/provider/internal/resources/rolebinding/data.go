package rolebinding

import (
	"context"
	"slices"

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
		all, err := envelope.Described(ctx, c, client.OpListMembers, nil, describe)
		return listed{Members: all}, err
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

type binding struct {
	PersonID      types.String `tfsdk:"person_id"`
	Mail          types.String `tfsdk:"mail"`
	Role          types.String `tfsdk:"role"`
	EnvironmentID types.String `tfsdk:"environment_id"`
}

// DataSource is tidemark_role_binding.
var DataSource = envelope.Data(envelope.DataDefinition[binding]{
	Name: "role_binding",
	Schema: schema.Schema{
		MarkdownDescription: "One role of a member; fails when the member does not have it.",
		Attributes: map[string]schema.Attribute{
			"person_id": envelope.Asked("The member."),
			"mail":      envelope.Told("Mail address of the person."),
			"role":      envelope.Asked("The role.", envelope.Role()),
			"environment_id": schema.StringAttribute{
				MarkdownDescription: "The environment that the role is for; the whole organisation when absent.",
				Optional:            true,
				Validators:          envelope.Identifier(),
			},
		},
	},
	Read: func(ctx context.Context, c *client.Client, config binding) (binding, error) {
		wanted := model{PersonID: config.PersonID, Role: config.Role, EnvironmentID: config.EnvironmentID}
		member, _, err := client.Get[client.Member](ctx, c, client.OpGetMember, path(wanted))
		if err == nil && !slices.ContainsFunc(member.Grants, same(wanted.grant())) {
			err = &envelope.Fault{Attribute: "role", Summary: "There is no such role binding",
				Detail: config.PersonID.ValueString() + " is not " + config.Role.ValueString() + " there. The data source tidemark_role_bindings lists what there is."}
		}
		config.Mail = envelope.String(member.Mail)
		return config, err
	},
})

type bindings struct {
	EnvironmentID types.String `tfsdk:"environment_id"`
	RoleBindings  []binding    `tfsdk:"role_bindings"`
}

// ListDataSource is tidemark_role_bindings.
var ListDataSource = envelope.Data(envelope.DataDefinition[bindings]{
	Name: "role_bindings",
	Schema: schema.Schema{
		MarkdownDescription: "All roles of all members, or those for one environment.",
		Attributes: map[string]schema.Attribute{
			"environment_id": schema.StringAttribute{
				MarkdownDescription: "Only roles for this environment; roles in the whole organisation, which hold there too, are left out.",
				Optional:            true,
				Validators:          envelope.Identifier(),
			},
			"role_bindings": envelope.ToldList("The role bindings.", map[string]schema.Attribute{
				"person_id":      envelope.Told("The member."),
				"mail":           envelope.Told("Mail address of the person."),
				"role":           envelope.Told("The role."),
				"environment_id": envelope.Told("The environment that the role is for; the whole organisation when absent."),
			}),
		},
	},
	Read: func(ctx context.Context, c *client.Client, config bindings) (bindings, error) {
		members, err := client.List[client.Member](ctx, c, client.OpListMembers, nil)
		config.RoleBindings = []binding{}
		for _, member := range members {
			for _, each := range member.Grants {
				environment := envelope.String(each.EnvironmentId)
				if config.EnvironmentID.IsNull() || config.EnvironmentID.Equal(environment) {
					config.RoleBindings = append(config.RoleBindings,
						binding{types.StringValue(member.PersonId), envelope.String(member.Mail), types.StringValue(string(each.Role)), environment})
				}
			}
		}
		return config, err
	},
})
