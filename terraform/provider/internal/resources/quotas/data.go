package quotas

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

// DataSource is tidemark_quotas.
var DataSource = envelope.Data(envelope.DataDefinition[model]{
	Name: "quotas",
	Schema: schema.Schema{
		MarkdownDescription: "The quotas in force: the least of what is set, of what the organisation has, and of the plan.",
		Attributes: map[string]schema.Attribute{
			"holder":              envelope.Asked("`organization`, or `environment/<id>`.", envelope.Holder()),
			"requests_per_second": envelope.ToldNumber("Requests."),
			"bytes_per_second":    envelope.ToldNumber("Bytes of bodies as they come, compressed."),
			"points_per_second":   envelope.ToldNumber("Accepted points."),
		},
	},
	Read: func(ctx context.Context, c *client.Client, config model) (model, error) {
		get, _, path := operations(config)
		found, _, err := client.Get[client.Quotas](ctx, c, get, path)
		return model{
			Holder:            config.Holder,
			RequestsPerSecond: types.Int64Value(found.InForce.RequestsPerSecond),
			BytesPerSecond:    types.Int64Value(found.InForce.BytesPerSecond),
			PointsPerSecond:   types.Int64Value(found.InForce.PointsPerSecond),
		}, err
	},
})
