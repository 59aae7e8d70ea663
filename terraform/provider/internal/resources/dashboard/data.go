package dashboard

import (
	"context"
	"encoding/json"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

type described struct {
	ID           types.String `tfsdk:"id"`
	Title        types.String `tfsdk:"title"`
	Description  types.String `tfsdk:"description"`
	ResourceType types.String `tfsdk:"resource_type"`
	PanelCount   types.Int64  `tfsdk:"panel_count"`
	Version      types.Int64  `tfsdk:"version"`
	UpdatedAt    types.String `tfsdk:"updated_at"`
}

type asked struct {
	ID           types.String `tfsdk:"id"`
	Title        types.String `tfsdk:"title"`
	Description  types.String `tfsdk:"description"`
	ResourceType types.String `tfsdk:"resource_type"`
	PanelCount   types.Int64  `tfsdk:"panel_count"`
	Version      types.Int64  `tfsdk:"version"`
	UpdatedAt    types.String `tfsdk:"updated_at"`
	Definition   types.String `tfsdk:"definition"`
}

type listed struct {
	Dashboards []described `tfsdk:"dashboards"`
}

var attributes = map[string]schema.Attribute{
	"id":            envelope.Told("The dashboard."),
	"title":         envelope.Told("What people call it."),
	"description":   envelope.Told("What it is for."),
	"resource_type": envelope.Told("The type of resource that it is of; absent for one of the whole environment."),
	"panel_count":   envelope.ToldNumber("How many panels it has."),
	"version":       envelope.ToldNumber("Counts up with every change."),
	"updated_at":    envelope.Told("When it was last changed."),
}

// DataSource is tidemark_dashboard.
var DataSource = envelope.Data(envelope.DataDefinition[asked]{
	Name: "dashboard",
	Schema: schema.Schema{
		MarkdownDescription: "One dashboard of the organisation.",
		Attributes: envelope.With(attributes, map[string]schema.Attribute{
			"id":         envelope.Asked("The dashboard."),
			"definition": envelope.Told("JSON that the console imports."),
		}),
	},
	Read: func(ctx context.Context, c *client.Client, config asked) (asked, error) {
		found, _, err := client.Get[client.Dashboard](ctx, c, client.OpGetDashboard, path(config.ID))
		if err != nil {
			return config, err
		}
		text, err := json.Marshal(found.Definition)
		return asked{
			ID:           types.StringValue(found.Id),
			Title:        types.StringValue(found.Definition.Title),
			Description:  envelope.String(found.Definition.Description),
			ResourceType: envelope.String(found.Definition.ResourceType),
			PanelCount:   types.Int64Value(int64(len(found.Definition.Panels))),
			Version:      types.Int64Value(found.Version),
			UpdatedAt:    types.StringValue(found.UpdatedAt.Format(time.RFC3339)),
			Definition:   types.StringValue(string(text)),
		}, err
	},
})

// ListDataSource is tidemark_dashboards.
var ListDataSource = envelope.Data(envelope.DataDefinition[listed]{
	Name: "dashboards",
	Schema: schema.Schema{
		MarkdownDescription: "The dashboards of the organisation.",
		Attributes:          map[string]schema.Attribute{"dashboards": envelope.ToldList("The dashboards.", attributes)},
	},
	Read: func(ctx context.Context, c *client.Client, _ listed) (listed, error) {
		found, err := client.List[client.DashboardSummary](ctx, c, client.OpListDashboards, nil)
		all := listed{Dashboards: []described{}}
		for _, each := range found {
			all.Dashboards = append(all.Dashboards, described{
				ID:           types.StringValue(each.Id),
				Title:        types.StringValue(each.Title),
				Description:  envelope.String(each.Description),
				ResourceType: envelope.String(each.ResourceType),
				PanelCount:   types.Int64Value(int64(each.PanelCount)),
				Version:      types.Int64Value(each.Version),
				UpdatedAt:    types.StringValue(each.UpdatedAt.Format(time.RFC3339)),
			})
		}
		return all, err
	},
})
