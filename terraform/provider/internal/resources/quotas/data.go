package quotas

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

var attributes = map[string]schema.Attribute{
	"requests_per_second": envelope.ToldNumber("Requests."),
	"bytes_per_second":    envelope.ToldNumber("Bytes of bodies as they come, compressed."),
	"points_per_second":   envelope.ToldNumber("Accepted points."),
}

// DataSource is tidemark_quotas.
var DataSource = envelope.Data(envelope.DataDefinition[model]{
	Name: "quotas",
	Schema: schema.Schema{
		MarkdownDescription: "The quotas in force: the least of what is set, of what the organisation has, and of the plan.",
		Attributes: envelope.With(attributes,
			map[string]schema.Attribute{"holder": envelope.Asked("`organization`, or `environment/<id>`.", envelope.Holder())}),
	},
	Read: func(ctx context.Context, c *client.Client, config model) (model, error) {
		return inForce(ctx, c, config.Holder)
	},
})

func inForce(ctx context.Context, c *client.Client, holder types.String) (model, error) {
	get, _, path := operations(model{Holder: holder})
	found, _, err := client.Get[client.Quotas](ctx, c, get, path)
	return model{
		Holder:            holder,
		RequestsPerSecond: types.Int64Value(found.InForce.RequestsPerSecond),
		BytesPerSecond:    types.Int64Value(found.InForce.BytesPerSecond),
		PointsPerSecond:   types.Int64Value(found.InForce.PointsPerSecond),
	}, err
}

type listed struct {
	Holders []model `tfsdk:"holders"`
}

// ListDataSource is tidemark_quotas_by_holder.
var ListDataSource = envelope.Data(envelope.DataDefinition[listed]{
	Name: "quotas_by_holder",
	Schema: schema.Schema{
		MarkdownDescription: "The quotas in force of the organisation and of each of its environments. Asks once for each.",
		Attributes: map[string]schema.Attribute{
			"holders": envelope.ToldList("The organisation first, then its environments.", envelope.With(attributes,
				map[string]schema.Attribute{"holder": envelope.Told("`organization`, or `environment/<id>`.")})),
		},
	},
	Read: func(ctx context.Context, c *client.Client, _ listed) (listed, error) {
		holders, err := envelope.OfEachHolder(ctx, c, inForce)
		return listed{Holders: holders}, err
	},
})
