package retention

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

// DataSource is tidemark_retention_policy.
var DataSource = envelope.Data(envelope.DataDefinition[model]{
	Name: "retention_policy",
	Schema: schema.Schema{
		MarkdownDescription: "How long the data of an environment are kept; a level that is absent is kept without a limit.",
		Attributes: map[string]schema.Attribute{
			"environment_id": envelope.Asked("The environment.", envelope.Identifier()...),
			"raw_days":       envelope.ToldNumber("Days that points as sent are kept."),
			"rollup_1m_days": envelope.ToldNumber("Days that rows of a minute are kept."),
			"rollup_1h_days": envelope.ToldNumber("Days that rows of an hour are kept."),
			"rollup_1d_days": envelope.ToldNumber("Days that rows of a day are kept."),
			"metrics": schema.SetNestedAttribute{
				MarkdownDescription: "Exceptions.",
				Computed:            true,
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"pattern":        envelope.Told("Name of a metric, or the beginning of names followed by '*'."),
					"raw_days":       envelope.ToldNumber("Days that points as sent are kept."),
					"rollup_1m_days": envelope.ToldNumber("Days that rows of a minute are kept."),
					"rollup_1h_days": envelope.ToldNumber("Days that rows of an hour are kept."),
					"rollup_1d_days": envelope.ToldNumber("Days that rows of a day are kept."),
				}},
			},
		},
	},
	Read: func(ctx context.Context, c *client.Client, config model) (model, error) {
		found, _, err := client.Get[client.Retention](ctx, c, client.OpGetRetention, path(config))
		if err != nil {
			return config, err
		}
		return of(ctx, found.Policy, config)
	},
})
