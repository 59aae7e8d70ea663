// Package dashboard is the resource and the data sources of dashboards.
package dashboard

import (
	"context"
	"fmt"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listdefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

type model struct {
	ID           types.String `tfsdk:"id"`
	Title        types.String `tfsdk:"title"`
	Description  types.String `tfsdk:"description"`
	ResourceType types.String `tfsdk:"resource_type"`
	Variables    types.List   `tfsdk:"variables"`
	Panels       types.List   `tfsdk:"panels"`
	Version      types.Int64  `tfsdk:"version"`
}

type variable struct {
	Name    types.String `tfsdk:"name"`
	Label   types.String `tfsdk:"label"`
	Default types.List   `tfsdk:"default"`
	Multi   types.Bool   `tfsdk:"multi"`
}

type panel struct {
	Title  types.String `tfsdk:"title"`
	Type   types.String `tfsdk:"type"`
	Metric types.String `tfsdk:"metric"`
	Agg    types.String `tfsdk:"agg"`
	By     types.List   `tfsdk:"by"`
	Where  types.List   `tfsdk:"where"`
	Width  types.Int64  `tfsdk:"width"`
	Text   types.String `tfsdk:"text"`
}

type condition struct {
	Label types.String `tfsdk:"label"`
	Op    types.String `tfsdk:"op"`
	Value types.String `tfsdk:"value"`
}

var conditionType = types.ObjectType{AttrTypes: map[string]attr.Type{
	"label": types.StringType, "op": types.StringType, "value": types.StringType,
}}

var variableType = types.ObjectType{AttrTypes: map[string]attr.Type{
	"name": types.StringType, "label": types.StringType, "default": types.ListType{ElemType: types.StringType}, "multi": types.BoolType,
}}

var panelType = types.ObjectType{AttrTypes: map[string]attr.Type{
	"title": types.StringType, "type": types.StringType, "metric": types.StringType, "agg": types.StringType,
	"by": types.ListType{ElemType: types.StringType}, "where": types.ListType{ElemType: conditionType},
	"width": types.Int64Type, "text": types.StringType,
}}

const isText = "text"

// Resource is tidemark_dashboard.
var Resource = envelope.New(envelope.Definition[model]{
	Name:     "dashboard",
	ImportBy: []string{"id"},
	Schema: schema.Schema{
		MarkdownDescription: "A dashboard of the organisation, in the form that the console exports: `panels = jsondecode(file(\"orders.json\")).panels`. " +
			"What was before a change stays as a version, which people can restore; destroying the dashboard removes its versions too.",
		Attributes: map[string]schema.Attribute{
			"id": envelope.DrawnID(),
			"title": schema.StringAttribute{
				MarkdownDescription: "1 to 100 characters, no control characters.",
				Required:            true,
				Validators:          envelope.DisplayName(),
			},
			"description": schema.StringAttribute{
				MarkdownDescription: "At most 1000 characters.",
				Optional:            true,
				Validators:          []validator.String{stringvalidator.UTF8LengthAtMost(1000)},
			},
			"resource_type": schema.StringAttribute{
				MarkdownDescription: "The type of resource that it is of, as in `kafka`; absent for one of the whole environment.",
				Optional:            true,
				Validators:          envelope.CatalogName(),
			},
			"variables": schema.ListNestedAttribute{
				MarkdownDescription: "At most 10 labels that readers choose values of, in the order in which they are offered; a condition with the value `$topic` " +
					"takes what they choose of `topic`, and does not count while nothing is chosen.",
				Optional:     true,
				Validators:   []validator.List{listvalidator.SizeBetween(1, 10)},
				NestedObject: schema.NestedAttributeObject{Attributes: variableAttributes},
			},
			"panels": schema.ListNestedAttribute{
				MarkdownDescription: "At most 60 pictures, in their order.",
				Required:            true,
				Validators:          []validator.List{listvalidator.SizeAtMost(60)},
				NestedObject:        schema.NestedAttributeObject{Attributes: panelAttributes},
			},
			"version": schema.Int64Attribute{
				MarkdownDescription: "Counts up with every change.",
				Computed:            true,
			},
		},
	},
	Create: create,
	Read:   read,
	Update: update,
	Delete: func(ctx context.Context, call *envelope.Call[model], state model) error {
		return client.Remove(ctx, call.Client, client.OpDeleteDashboard, path(state.ID))
	},
	Validate: validate,
	Plan: func(_ context.Context, _ *envelope.Call[model], plan, state model) (model, error) {
		if plan.Title.Equal(state.Title) && plan.Description.Equal(state.Description) && plan.ResourceType.Equal(state.ResourceType) &&
			plan.Variables.Equal(state.Variables) && plan.Panels.Equal(state.Panels) {
			plan.Version = state.Version
		}
		return plan, nil
	},
})

var line = stringvalidator.RegexMatches(regexp.MustCompile(`^\P{Cc}*$`), "must not have control characters")

var variableAttributes = map[string]schema.Attribute{
	"name": schema.StringAttribute{
		MarkdownDescription: "A letter or `_`, then letters, digits or `_`; at most 64 characters. Each once.",
		Required:            true,
		Validators: []validator.String{stringvalidator.RegexMatches(regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`),
			"must be a letter or _, then letters, digits or _; at most 64 characters")},
	},
	"label": schema.StringAttribute{
		MarkdownDescription: "Whose values are offered, as in `metric.topic`.",
		Required:            true,
		Validators:          []validator.String{stringvalidator.UTF8LengthBetween(1, 512), line},
	},
	"default": schema.ListAttribute{
		MarkdownDescription: "What is chosen at first, at most 20 values, one unless `multi`; every value unless set.",
		ElementType:         types.StringType,
		Optional:            true,
		Computed:            true,
		Default:             listdefault.StaticValue(types.ListValueMust(types.StringType, nil)),
		Validators:          []validator.List{listvalidator.SizeAtMost(20), listvalidator.ValueStringsAre(stringvalidator.UTF8LengthBetween(1, 1024))},
	},
	"multi": schema.BoolAttribute{
		MarkdownDescription: "Whether several values may be chosen; `false` unless set.",
		Optional:            true,
		Computed:            true,
		Default:             booldefault.StaticBool(false),
	},
}

var panelAttributes = map[string]schema.Attribute{
	"title": schema.StringAttribute{
		MarkdownDescription: "At most 100 characters; the metric's name when absent.",
		Optional:            true,
		Validators:          []validator.String{stringvalidator.UTF8LengthAtMost(100), line},
	},
	"type": schema.StringAttribute{
		MarkdownDescription: "`time_series`, `stat`, `table`, `bar`, `heat_map` (of a histogram without `by` its values over time, else a row a series) or `text`.",
		Required:            true,
		Validators:          []validator.String{stringvalidator.OneOf("time_series", "stat", "table", "bar", "heat_map", isText)},
	},
	"metric": schema.StringAttribute{
		MarkdownDescription: "As sent; needed but for `text`.",
		Optional:            true,
		Validators:          envelope.CatalogName(),
	},
	"agg": schema.StringAttribute{
		MarkdownDescription: "What is made of the points of a bucket: `SUM`, `RATE`, `AVG`, `MIN`, `MAX`, `COUNT`, `LAST`, `P50`, `P75`, `P90`, `P95` or " +
			"`P99`; needed but for `text`.",
		Optional:   true,
		Validators: []validator.String{stringvalidator.OneOf("SUM", "RATE", "AVG", "MIN", "MAX", "COUNT", "LAST", "P50", "P75", "P90", "P95", "P99")},
	},
	"by": schema.ListAttribute{
		MarkdownDescription: "At most 20 labels that make a series each, as in `metric.topic`.",
		ElementType:         types.StringType,
		Optional:            true,
		Computed:            true,
		Default:             listdefault.StaticValue(types.ListValueMust(types.StringType, nil)),
		Validators:          []validator.List{listvalidator.SizeAtMost(20), listvalidator.ValueStringsAre(stringvalidator.UTF8LengthBetween(1, 512), line)},
	},
	"where": schema.ListNestedAttribute{
		MarkdownDescription: "At most 20 conditions. Those of one label that ask for equality are alternatives; all others hold.",
		Optional:            true,
		Computed:            true,
		Default:             listdefault.StaticValue(types.ListValueMust(conditionType, nil)),
		Validators:          []validator.List{listvalidator.SizeAtMost(20)},
		NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"label": schema.StringAttribute{
				MarkdownDescription: "As in `metric.topic`.",
				Required:            true,
				Validators:          []validator.String{stringvalidator.UTF8LengthBetween(1, 512), line},
			},
			"op": schema.StringAttribute{
				MarkdownDescription: "`EQ` or `NE`.",
				Required:            true,
				Validators:          []validator.String{stringvalidator.OneOf("EQ", "NE")},
			},
			"value": schema.StringAttribute{
				MarkdownDescription: "At most 1024 characters.",
				Required:            true,
				Validators:          []validator.String{stringvalidator.UTF8LengthAtMost(1024)},
			},
		}},
	},
	"width": schema.Int64Attribute{
		MarkdownDescription: "Columns of two; 1 unless set.",
		Optional:            true,
		Computed:            true,
		Default:             int64default.StaticInt64(1),
		Validators:          []validator.Int64{int64validator.Between(1, 2)},
	},
	"text": schema.StringAttribute{
		MarkdownDescription: "What a panel of type `text` says, at most 4000 characters, shown as written.",
		Optional:            true,
		Validators:          []validator.String{stringvalidator.UTF8LengthAtMost(4000)},
	},
}

func path(id types.String) client.Path { return client.Path{"dashboard_id": id.ValueString()} }

// validate finds panels that ask for nothing, and conditions that name no variable; their place counts from 0, as in panels[0].
func validate(config model) []*envelope.Fault {
	var panels []panel
	faults, names := validateVariables(config)
	if config.Panels.IsNull() || config.Panels.IsUnknown() || config.Panels.ElementsAs(context.Background(), &panels, false).HasError() {
		return faults
	}
	for i, each := range panels {
		if each.Type.IsUnknown() || each.Type.ValueString() == isText {
			continue
		}
		for attribute, value := range map[string]types.String{"metric": each.Metric, "agg": each.Agg} {
			if value.IsNull() {
				faults = append(faults, &envelope.Fault{Attribute: "panels", Summary: "The panel cannot be",
					Detail: fmt.Sprintf("panels[%d].%s must be there when type is %s.", i, attribute, each.Type.ValueString())})
			}
		}
		var conditions []condition
		if names == nil || each.Where.IsNull() || each.Where.IsUnknown() || each.Where.ElementsAs(context.Background(), &conditions, false).HasError() {
			continue
		}
		for j, one := range conditions {
			if found := reference.FindStringSubmatch(one.Value.ValueString()); found != nil && !names[found[1]] {
				faults = append(faults, &envelope.Fault{Attribute: "panels", Summary: "The panel cannot be",
					Detail: fmt.Sprintf("panels[%d].where[%d].value names %s, which is no variable of the dashboard.", i, j, found[0])})
			}
		}
	}
	return faults
}

var reference = regexp.MustCompile(`^\$([A-Za-z_][A-Za-z0-9_]{0,63})$`)

// validateVariables gives the names of variables too; nil when there are none, or not all are known yet.
func validateVariables(config model) ([]*envelope.Fault, map[string]bool) {
	var variables []variable
	if config.Variables.IsNull() || config.Variables.IsUnknown() || config.Variables.ElementsAs(context.Background(), &variables, false).HasError() {
		return nil, nil
	}
	var faults []*envelope.Fault
	names, known := map[string]bool{}, true
	for i, each := range variables {
		fault := func(text string) {
			faults = append(faults, &envelope.Fault{Attribute: "variables", Summary: "The variable cannot be", Detail: fmt.Sprintf(text, i)})
		}
		if each.Name.IsUnknown() {
			known = false
		} else if names[each.Name.ValueString()] {
			fault("variables[%d].name is that of another variable.")
		} else {
			names[each.Name.ValueString()] = true
		}
		if !each.Multi.IsUnknown() && !each.Multi.ValueBool() && !each.Default.IsUnknown() && len(each.Default.Elements()) > 1 {
			fault("variables[%d].default has several values; set multi, or leave one.")
		}
	}
	if !known {
		return faults, nil
	}
	return faults, names
}

func create(ctx context.Context, call *envelope.Call[model], plan model) (model, error) {
	draft, err := draftOf(ctx, plan)
	if err != nil {
		return plan, err
	}
	made, _, err := client.Create[client.Dashboard](ctx, call.Client, client.OpCreateDashboard, nil, draft)
	if err != nil {
		return plan, err
	}
	plan.ID, plan.Version = types.StringValue(made.Id), types.Int64Value(made.Version)
	call.Keep(plan)
	return read(ctx, call, plan)
}

// read reads a dashboard that has another version than the state: the list, which is read once for all dashboards, has no
// panels, but the versions.
func read(ctx context.Context, call *envelope.Call[model], state model) (model, error) {
	if !call.Afresh && !state.Version.IsNull() {
		identified := func(each client.DashboardSummary) string { return each.Id }
		listed, err := client.Listed(ctx, call.Client, client.OpListDashboards, nil, identified, state.ID.ValueString())
		if err != nil {
			return state, err
		}
		if listed.Version == state.Version.ValueInt64() {
			call.ETag = ""
			return state, nil
		}
	}
	found, etag, err := client.Get[client.Dashboard](ctx, call.Client, client.OpGetDashboard, path(state.ID))
	if err != nil {
		return state, err
	}
	call.ETag = etag
	return of(ctx, found)
}

func update(ctx context.Context, call *envelope.Call[model], plan, state model) (model, error) {
	draft, err := draftOf(ctx, plan)
	if err != nil {
		return plan, err
	}
	if _, _, err := client.Change[client.Dashboard](ctx, call.Client, client.OpChangeDashboard, path(state.ID), call.ETag, draft); err != nil {
		return plan, err
	}
	return read(ctx, call, state)
}

func draftOf(ctx context.Context, plan model) (client.DashboardDefinition, error) {
	draft := client.DashboardDefinition{
		Version:      1,
		Title:        plan.Title.ValueString(),
		Description:  envelope.Text[string](plan.Description),
		ResourceType: envelope.Text[string](plan.ResourceType),
		Panels:       []client.DashboardPanel{},
	}
	var variables []variable
	if err := envelope.Failed(plan.Variables.ElementsAs(ctx, &variables, false)); err != nil {
		return draft, err
	}
	if len(variables) > 0 {
		all := []client.DashboardVariable{}
		for _, each := range variables {
			values := []string{}
			if err := envelope.Failed(each.Default.ElementsAs(ctx, &values, false)); err != nil {
				return draft, err
			}
			multi := each.Multi.ValueBool()
			all = append(all, client.DashboardVariable{Name: each.Name.ValueString(), Label: each.Label.ValueString(), Default: &values, Multi: &multi})
		}
		draft.Variables = &all
	}
	var panels []panel
	if err := envelope.Failed(plan.Panels.ElementsAs(ctx, &panels, false)); err != nil {
		return draft, err
	}
	for _, each := range panels {
		by, where := []string{}, []client.DashboardCondition{}
		var conditions []condition
		diagnostics := each.By.ElementsAs(ctx, &by, false)
		diagnostics.Append(each.Where.ElementsAs(ctx, &conditions, false)...)
		if err := envelope.Failed(diagnostics); err != nil {
			return draft, err
		}
		for _, one := range conditions {
			where = append(where, client.DashboardCondition{
				Label: one.Label.ValueString(), Op: client.DashboardComparison(one.Op.ValueString()), Value: one.Value.ValueString()})
		}
		draft.Panels = append(draft.Panels, client.DashboardPanel{
			Title:  envelope.Text[string](each.Title),
			Type:   client.DashboardPanelType(each.Type.ValueString()),
			Metric: envelope.Text[string](each.Metric),
			Agg:    envelope.Text[client.DashboardFunction](each.Agg),
			By:     &by,
			Where:  &where,
			Width:  envelope.Number[int32](each.Width),
			Text:   envelope.Text[string](each.Text),
		})
	}
	return draft, nil
}

func of(ctx context.Context, found client.Dashboard) (model, error) {
	panels := []panel{}
	for _, each := range found.Definition.Panels {
		by, conditions := []string{}, []condition{}
		if each.By != nil {
			by = *each.By
		}
		if each.Where != nil {
			for _, one := range *each.Where {
				conditions = append(conditions, condition{
					types.StringValue(one.Label), types.StringValue(string(one.Op)), types.StringValue(one.Value)})
			}
		}
		labels, diagnostics := types.ListValueFrom(ctx, types.StringType, by)
		where, more := types.ListValueFrom(ctx, conditionType, conditions)
		diagnostics.Append(more...)
		if err := envelope.Failed(diagnostics); err != nil {
			return model{}, err
		}
		width := envelope.Int64(each.Width)
		if width.IsNull() {
			width = types.Int64Value(1)
		}
		panels = append(panels, panel{
			Title: envelope.String(each.Title), Type: types.StringValue(string(each.Type)), Metric: envelope.String(each.Metric),
			Agg: envelope.String(each.Agg), By: labels, Where: where, Width: width, Text: envelope.String(each.Text),
		})
	}
	list, diagnostics := types.ListValueFrom(ctx, panelType, panels)
	variables, more := variablesOf(ctx, found.Definition.Variables)
	diagnostics.Append(more...)
	return model{
		ID:           types.StringValue(found.Id),
		Title:        types.StringValue(found.Definition.Title),
		Description:  envelope.String(found.Definition.Description),
		ResourceType: envelope.String(found.Definition.ResourceType),
		Variables:    variables,
		Panels:       list,
		Version:      types.Int64Value(found.Version),
	}, envelope.Failed(diagnostics)
}

// variablesOf gives null where there are none, as when they are not set.
func variablesOf(ctx context.Context, found *[]client.DashboardVariable) (types.List, diag.Diagnostics) {
	if found == nil || len(*found) == 0 {
		return types.ListNull(variableType), nil
	}
	var diagnostics diag.Diagnostics
	variables := []variable{}
	for _, each := range *found {
		values := []string{}
		if each.Default != nil {
			values = *each.Default
		}
		list, more := types.ListValueFrom(ctx, types.StringType, values)
		diagnostics.Append(more...)
		variables = append(variables, variable{
			Name: types.StringValue(each.Name), Label: types.StringValue(each.Label), Default: list,
			Multi: types.BoolValue(each.Multi != nil && *each.Multi),
		})
	}
	all, more := types.ListValueFrom(ctx, variableType, variables)
	diagnostics.Append(more...)
	return all, diagnostics
}
