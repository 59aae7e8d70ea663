package retention

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

var toldDays = map[string]schema.Attribute{
	"raw_days":       envelope.ToldNumber("Days that points as sent are kept."),
	"rollup_1m_days": envelope.ToldNumber("Days that rows of a minute are kept."),
	"rollup_1h_days": envelope.ToldNumber("Days that rows of an hour are kept."),
	"rollup_1d_days": envelope.ToldNumber("Days that rows of a day are kept."),
}

var attributes = envelope.With(toldDays, map[string]schema.Attribute{
	"metrics": schema.SetNestedAttribute{
		MarkdownDescription: "Exceptions.",
		Computed:            true,
		NestedObject: schema.NestedAttributeObject{Attributes: envelope.With(toldDays, map[string]schema.Attribute{
			"pattern": envelope.Told("Name of a metric, or the beginning of names followed by '*'."),
		})},
	},
})

// DataSource is tidemark_retention_policy.
var DataSource = envelope.Data(envelope.DataDefinition[model]{
	Name: "retention_policy",
	Schema: schema.Schema{
		MarkdownDescription: "How long the data of an environment are kept; a level that is absent is kept without a limit.",
		Attributes: envelope.With(attributes,
			map[string]schema.Attribute{"environment_id": envelope.Asked("The environment.", envelope.Identifier()...)}),
	},
	Read: func(ctx context.Context, c *client.Client, config model) (model, error) {
		found, _, err := client.Get[client.Retention](ctx, c, client.OpGetRetention, path(config))
		if err != nil {
			return config, err
		}
		return of(ctx, found.Policy, config)
	},
})

type listed struct {
	Policies []model `tfsdk:"retention_policies"`
}

// ListDataSource is tidemark_retention_policies.
var ListDataSource = envelope.Data(envelope.DataDefinition[listed]{
	Name: "retention_policies",
	Schema: schema.Schema{
		MarkdownDescription: "The retention policies of all environments, those that keep everything left out. Asks once for each environment.",
		Attributes: map[string]schema.Attribute{
			"retention_policies": envelope.ToldList("The policies.", envelope.With(attributes,
				map[string]schema.Attribute{"environment_id": envelope.Told("The environment.")})),
		},
	},
	Read: func(ctx context.Context, c *client.Client, _ listed) (listed, error) {
		all := listed{Policies: []model{}}
		environments, err := client.List[client.Environment](ctx, c, client.OpListEnvironments, nil)
		for _, each := range environments {
			policy := model{EnvironmentID: types.StringValue(each.Id)}
			found, _, err := client.Get[client.Retention](ctx, c, client.OpGetRetention, path(policy))
			if client.IsNotFound(err) || (err == nil && isEmpty(found.Policy)) {
				continue
			}
			if err == nil {
				policy, err = of(ctx, found.Policy, policy)
			}
			if err != nil {
				return all, err
			}
			all.Policies = append(all.Policies, policy)
		}
		return all, err
	},
})
