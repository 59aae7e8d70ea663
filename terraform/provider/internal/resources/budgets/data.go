package budgets

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

var attributes = map[string]schema.Attribute{
	"active_series":         envelope.ToldNumber("Series that have sent within the last two hours."),
	"new_series_per_minute": envelope.ToldNumber("Series met for the first time, per minute."),
	"labels_per_series":     envelope.ToldNumber("Point and resource attributes of one series."),
	"label_keys_per_metric": envelope.ToldNumber("Different names of point attributes over all series of a metric."),
	"label_value_length":    envelope.ToldNumber("Characters of one attribute value, name or unit."),
	"when_series_exceeded":  envelope.Told("`fold` or `refuse`."),
}

// DataSource is tidemark_budgets.
var DataSource = envelope.Data(envelope.DataDefinition[model]{
	Name: "budgets",
	Schema: schema.Schema{
		MarkdownDescription: "The budgets in force: what is set, else what the organisation has set, else the plan's.",
		Attributes: envelope.With(attributes,
			map[string]schema.Attribute{"holder": envelope.Asked("`organization`, or `environment/<id>`.", envelope.Holder())}),
	},
	Read: func(ctx context.Context, c *client.Client, config model) (model, error) {
		return inForce(ctx, c, config.Holder)
	},
})

func inForce(ctx context.Context, c *client.Client, holder types.String) (model, error) {
	get, _, path := operations(model{Holder: holder})
	found, _, err := client.Get[client.Budgets](ctx, c, get, path)
	return model{
		Holder:             holder,
		ActiveSeries:       types.Int64Value(found.InForce.ActiveSeries),
		NewSeriesPerMinute: types.Int64Value(found.InForce.NewSeriesPerMinute),
		LabelsPerSeries:    types.Int64Value(int64(found.InForce.LabelsPerSeries)),
		LabelKeysPerMetric: types.Int64Value(int64(found.InForce.LabelKeysPerMetric)),
		LabelValueLength:   types.Int64Value(int64(found.InForce.LabelValueLength)),
		WhenSeriesExceeded: types.StringValue(string(found.InForce.WhenSeriesExceeded)),
	}, err
}

type listed struct {
	Holders []model `tfsdk:"holders"`
}

// ListDataSource is tidemark_budgets_by_holder.
var ListDataSource = envelope.Data(envelope.DataDefinition[listed]{
	Name: "budgets_by_holder",
	Schema: schema.Schema{
		MarkdownDescription: "The budgets in force of the organisation and of each of its environments. Asks once for each.",
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
