package budgets

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

// DataSource is tidemark_budgets.
var DataSource = envelope.Data(envelope.DataDefinition[model]{
	Name: "budgets",
	Schema: schema.Schema{
		MarkdownDescription: "The budgets in force: what is set, else what the organisation has set, else the plan's.",
		Attributes: map[string]schema.Attribute{
			"holder":                envelope.Asked("`organization`, or `environment/<id>`.", envelope.Holder()),
			"active_series":         envelope.ToldNumber("Series that have sent within the last two hours."),
			"new_series_per_minute": envelope.ToldNumber("Series met for the first time, per minute."),
			"labels_per_series":     envelope.ToldNumber("Point and resource attributes of one series."),
			"label_keys_per_metric": envelope.ToldNumber("Different names of point attributes over all series of a metric."),
			"label_value_length":    envelope.ToldNumber("Characters of one attribute value, name or unit."),
			"when_series_exceeded":  envelope.Told("`fold` or `refuse`."),
		},
	},
	Read: func(ctx context.Context, c *client.Client, config model) (model, error) {
		get, _, path := operations(config)
		found, _, err := client.Get[client.Budgets](ctx, c, get, path)
		return model{
			Holder:             config.Holder,
			ActiveSeries:       types.Int64Value(found.InForce.ActiveSeries),
			NewSeriesPerMinute: types.Int64Value(found.InForce.NewSeriesPerMinute),
			LabelsPerSeries:    types.Int64Value(int64(found.InForce.LabelsPerSeries)),
			LabelKeysPerMetric: types.Int64Value(int64(found.InForce.LabelKeysPerMetric)),
			LabelValueLength:   types.Int64Value(int64(found.InForce.LabelValueLength)),
			WhenSeriesExceeded: types.StringValue(string(found.InForce.WhenSeriesExceeded)),
		}, err
	},
})
