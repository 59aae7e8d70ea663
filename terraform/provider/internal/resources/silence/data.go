package silence

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

type described struct {
	ID        types.String `tfsdk:"id"`
	Comment   types.String `tfsdk:"comment"`
	StartsAt  types.String `tfsdk:"starts_at"`
	EndsAt    types.String `tfsdk:"ends_at"`
	State     types.String `tfsdk:"state"`
	CreatedBy types.String `tfsdk:"created_by"`
}

type listed struct {
	EnvironmentID types.String `tfsdk:"environment_id"`
	Silences      []described  `tfsdk:"silences"`
}

var attributes = map[string]schema.Attribute{
	"id":         envelope.Told("The silence."),
	"comment":    envelope.Told("Why."),
	"starts_at":  envelope.Told("When it begins."),
	"ends_at":    envelope.Told("When it ends, the first time when it comes again."),
	"state":      envelope.Told("`waiting`, `active` or `over`."),
	"created_by": envelope.Told("Who made it."),
}

type one struct {
	EnvironmentID types.String `tfsdk:"environment_id"`
	described
}

// DataSource is tidemark_silence.
var DataSource = envelope.Data(envelope.DataDefinition[one]{
	Name: "silence",
	Schema: schema.Schema{
		MarkdownDescription: "A silence of an environment.",
		Attributes: envelope.With(attributes, map[string]schema.Attribute{
			"environment_id": envelope.Asked("The environment.", envelope.Identifier()...),
			"id":             envelope.Asked("The silence."),
		}),
	},
	Read: func(ctx context.Context, c *client.Client, config one) (one, error) {
		found, _, err := client.Get[client.Silence](ctx, c, client.OpGetSilence,
			client.Path{"environment_id": config.EnvironmentID.ValueString(), "silence_id": config.ID.ValueString()})
		config.described = describe(found)
		return config, err
	},
})

func describe(found client.Silence) described {
	return described{
		ID:        types.StringValue(found.Id),
		Comment:   types.StringValue(found.Comment),
		StartsAt:  types.StringValue(found.StartsAt.Format(time.RFC3339)),
		EndsAt:    types.StringValue(found.EndsAt.Format(time.RFC3339)),
		State:     types.StringValue(string(found.State)),
		CreatedBy: types.StringValue(found.CreatedBy),
	}
}

// ListDataSource is tidemark_silences.
var ListDataSource = envelope.Data(envelope.DataDefinition[listed]{
	Name: "silences",
	Schema: schema.Schema{
		MarkdownDescription: "The silences of an environment, newest first; those that are over for 30 days.",
		Attributes: map[string]schema.Attribute{
			"environment_id": envelope.Asked("The environment.", envelope.Identifier()...),
			"silences":       envelope.ToldList("The silences.", attributes),
		},
	},
	Read: func(ctx context.Context, c *client.Client, config listed) (listed, error) {
		all, err := envelope.Described(ctx, c, client.OpListSilences, client.Path{"environment_id": config.EnvironmentID.ValueString()}, describe)
		config.Silences = all
		return config, err
	},
})
