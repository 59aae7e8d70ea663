package alertrule

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

type condition struct {
	Kind                   types.String  `tfsdk:"kind"`
	Metric                 types.String  `tfsdk:"metric"`
	Aggregation            types.String  `tfsdk:"aggregation"`
	Matchers               types.List    `tfsdk:"matchers"`
	PerSeries              types.Bool    `tfsdk:"per_series"`
	GroupBy                types.Set     `tfsdk:"group_by"`
	WindowMinutes          types.Int64   `tfsdk:"window_minutes"`
	Operator               types.String  `tfsdk:"operator"`
	Threshold              types.Float64 `tfsdk:"threshold"`
	RecoveryThreshold      types.Float64 `tfsdk:"recovery_threshold"`
	ForMinutes             types.Int64   `tfsdk:"for_minutes"`
	RecoverAfterMinutes    types.Int64   `tfsdk:"recover_after_minutes"`
	NoDataAfterMinutes     types.Int64   `tfsdk:"no_data_after_minutes"`
	OffsetMinutes          types.Int64   `tfsdk:"offset_minutes"`
	Percent                types.Bool    `tfsdk:"percent"`
	DenominatorMetric      types.String  `tfsdk:"denominator_metric"`
	DenominatorAggregation types.String  `tfsdk:"denominator_aggregation"`
	Quantile               types.Float64 `tfsdk:"quantile"`
	Days                   types.Int64   `tfsdk:"days"`
	Limit                  types.Float64 `tfsdk:"limit"`
	Early                  types.Bool    `tfsdk:"early"`
}

type matcher struct {
	Label    types.String `tfsdk:"label"`
	Operator types.String `tfsdk:"operator"`
	Value    types.String `tfsdk:"value"`
}

var matcherType = types.ObjectType{AttrTypes: map[string]attr.Type{
	"label": types.StringType, "operator": types.StringType, "value": types.StringType,
}}

var conditionTypes = map[string]attr.Type{
	"kind": types.StringType, "metric": types.StringType, "aggregation": types.StringType,
	"matchers": types.ListType{ElemType: matcherType}, "per_series": types.BoolType,
	"group_by": types.SetType{ElemType: types.StringType}, "window_minutes": types.Int64Type,
	"operator": types.StringType, "threshold": types.Float64Type, "recovery_threshold": types.Float64Type,
	"for_minutes": types.Int64Type, "recover_after_minutes": types.Int64Type, "no_data_after_minutes": types.Int64Type,
	"offset_minutes": types.Int64Type, "percent": types.BoolType, "denominator_metric": types.StringType,
	"denominator_aggregation": types.StringType, "quantile": types.Float64Type, "days": types.Int64Type,
	"limit": types.Float64Type, "early": types.BoolType,
}

// conditionOf reads the condition of a model; there is none while all of it is unknown.
func conditionOf(ctx context.Context, object types.Object) (read condition, isKnown bool, err error) {
	if object.IsNull() || object.IsUnknown() {
		return read, false, nil
	}
	err = envelope.Failed(object.As(ctx, &read, basetypes.ObjectAsOptions{}))
	return read, err == nil, err
}

func conditionDraft(ctx context.Context, plan condition) (client.AlertCondition, error) {
	var matchers []matcher
	if err := envelope.Failed(plan.Matchers.ElementsAs(ctx, &matchers, false)); err != nil {
		return client.AlertCondition{}, err
	}
	sent := make([]client.LabelMatcher, len(matchers))
	for i, each := range matchers {
		sent[i] = client.LabelMatcher{
			Label: each.Label.ValueString(), Operator: client.LabelMatcherOperator(each.Operator.ValueString()), Value: each.Value.ValueString(),
		}
	}
	groups := envelope.Elements[string](plan.GroupBy)
	slices.Sort(groups)
	return client.AlertCondition{
		Kind:                   envelope.Text[client.AlertKind](plan.Kind),
		Metric:                 plan.Metric.ValueString(),
		Aggregation:            envelope.Text[client.AlertAggregation](plan.Aggregation),
		Matchers:               &sent,
		PerSeries:              plan.PerSeries.ValueBoolPointer(),
		GroupBy:                &groups,
		WindowMinutes:          envelope.Number[int32](plan.WindowMinutes),
		Operator:               client.AlertOperator(plan.Operator.ValueString()),
		Threshold:              plan.Threshold.ValueFloat64(),
		RecoveryThreshold:      plan.RecoveryThreshold.ValueFloat64Pointer(),
		ForMinutes:             envelope.Number[int32](plan.ForMinutes),
		RecoverAfterMinutes:    envelope.Number[int32](plan.RecoverAfterMinutes),
		NoDataAfterMinutes:     envelope.Number[int32](plan.NoDataAfterMinutes),
		OffsetMinutes:          envelope.Number[int32](plan.OffsetMinutes),
		Percent:                plan.Percent.ValueBoolPointer(),
		DenominatorMetric:      envelope.Text[string](plan.DenominatorMetric),
		DenominatorAggregation: envelope.Text[client.AlertAggregation](plan.DenominatorAggregation),
		Quantile:               plan.Quantile.ValueFloat64Pointer(),
		Days:                   envelope.Number[int32](plan.Days),
		Limit:                  plan.Limit.ValueFloat64Pointer(),
		Early:                  plan.Early.ValueBoolPointer(),
	}, nil
}

// shown is a condition of the API with what the API leaves out when it is as it would be anyway.
func shown(ctx context.Context, found client.AlertCondition) (types.Object, error) {
	matchers := []matcher{}
	if found.Matchers != nil {
		for _, each := range *found.Matchers {
			matchers = append(matchers, matcher{
				Label: types.StringValue(each.Label), Operator: types.StringValue(string(each.Operator)), Value: types.StringValue(each.Value)})
		}
	}
	var groups []string
	if found.GroupBy != nil {
		groups = *found.GroupBy
	}
	list, diagnostics := types.ListValueFrom(ctx, matcherType, matchers)
	if err := envelope.Failed(diagnostics); err != nil {
		return types.ObjectNull(conditionTypes), err
	}
	object, diagnostics := types.ObjectValueFrom(ctx, conditionTypes, condition{
		Kind:                   or(envelope.String(found.Kind), "threshold"),
		Metric:                 types.StringValue(found.Metric),
		Aggregation:            or(envelope.String(found.Aggregation), "sum"),
		Matchers:               list,
		PerSeries:              types.BoolValue(found.PerSeries != nil && *found.PerSeries),
		GroupBy:                envelope.Set(groups),
		WindowMinutes:          orNumber(envelope.Int64(found.WindowMinutes), 1),
		Operator:               types.StringValue(string(found.Operator)),
		Threshold:              types.Float64Value(found.Threshold),
		RecoveryThreshold:      types.Float64PointerValue(found.RecoveryThreshold),
		ForMinutes:             orNumber(envelope.Int64(found.ForMinutes), 0),
		RecoverAfterMinutes:    orNumber(envelope.Int64(found.RecoverAfterMinutes), 0),
		NoDataAfterMinutes:     orNumber(envelope.Int64(found.NoDataAfterMinutes), 5),
		OffsetMinutes:          envelope.Int64(found.OffsetMinutes),
		Percent:                types.BoolValue(found.Percent != nil && *found.Percent),
		DenominatorMetric:      envelope.String(found.DenominatorMetric),
		DenominatorAggregation: envelope.String(found.DenominatorAggregation),
		Quantile:               types.Float64PointerValue(found.Quantile),
		Days:                   envelope.Int64(found.Days),
		Limit:                  types.Float64PointerValue(found.Limit),
		Early:                  types.BoolValue(found.Early != nil && *found.Early),
	})
	return object, envelope.Failed(diagnostics)
}

func or(value types.String, absent string) types.String {
	if value.IsNull() {
		return types.StringValue(absent)
	}
	return value
}

func orNumber(value types.Int64, absent int64) types.Int64 {
	if value.IsNull() {
		return types.Int64Value(absent)
	}
	return value
}

// kinds says which kind an attribute is for, and whether that kind needs it.
var kinds = []struct {
	kind, attribute string
	isNeeded        bool
	value           func(condition) attr.Value
}{
	{"change", "offset_minutes", true, func(c condition) attr.Value { return c.OffsetMinutes }},
	{"change", "percent", false, func(c condition) attr.Value { return c.Percent }},
	{"ratio", "denominator_metric", true, func(c condition) attr.Value { return c.DenominatorMetric }},
	{"ratio", "denominator_aggregation", false, func(c condition) attr.Value { return c.DenominatorAggregation }},
	{"quantile", "quantile", true, func(c condition) attr.Value { return c.Quantile }},
	{"anomaly", "days", true, func(c condition) attr.Value { return c.Days }},
	{"forecast", "limit", true, func(c condition) attr.Value { return c.Limit }},
}

// faults finds what the API would refuse, and what it would take and never use.
func (c condition) faults(ctx context.Context) []*envelope.Fault {
	var faults []*envelope.Fault
	add := func(attribute, text string) {
		faults = append(faults, &envelope.Fault{Attribute: "condition." + attribute, Summary: "The condition cannot be", Detail: "condition." + attribute + " " + text})
	}
	kind := c.Kind.ValueString()
	if c.Kind.IsNull() {
		kind = "threshold"
	}
	for _, each := range kinds {
		value := each.value(c)
		switch {
		case c.Kind.IsUnknown() || value.IsUnknown():
		case each.kind == kind && each.isNeeded && value.IsNull():
			add(each.attribute, "must be there when kind is "+kind+".")
		case each.kind != kind && !value.IsNull() && !value.Equal(types.BoolValue(false)):
			add(each.attribute, fmt.Sprintf("is for kind = %q only; this kind is %s.", each.kind, kind))
		}
	}
	isPerSeries := c.PerSeries.ValueBool()
	if isPerSeries && len(c.GroupBy.Elements()) > 0 {
		add("group_by", "must be empty when per_series is true.")
	}
	if isPerSeries && kind == "ratio" {
		add("per_series", "must be false for a ratio: series of two metrics are never the same. Use group_by.")
	}
	if kind == "forecast" && !c.WindowMinutes.IsUnknown() && c.WindowMinutes.ValueInt64() < 3 {
		add("window_minutes", "must be at least 3 for a forecast.")
	}
	if !c.RecoveryThreshold.IsNull() && !c.RecoveryThreshold.IsUnknown() && !c.Threshold.IsUnknown() && !c.Operator.IsUnknown() {
		recovery, threshold := c.RecoveryThreshold.ValueFloat64(), c.Threshold.ValueFloat64()
		isUpper := strings.HasPrefix(c.Operator.ValueString(), "g")
		if (isUpper && recovery > threshold) || (!isUpper && recovery < threshold) {
			add("recovery_threshold", "must be on the other side of threshold, or equal to it: beyond it an alert would end while it fires.")
		}
	}
	if fault := c.earlyFault(kind); fault != "" {
		add("early", fault)
	}
	return append(faults, c.expressionFaults(ctx)...)
}

// earlyFault says why open minutes cannot raise; empty when they can, or when that is not known yet.
func (c condition) earlyFault(kind string) string {
	if !c.Early.ValueBool() || c.Kind.IsUnknown() || c.Operator.IsUnknown() || c.Aggregation.IsUnknown() {
		return ""
	}
	aggregation := c.Aggregation.ValueString()
	isGrowing := c.Aggregation.IsNull() || slices.Contains([]string{"sum", "count", "rate"}, aggregation)
	switch {
	case c.WindowMinutes.ValueInt64() > 15:
		return "must be false when window_minutes is more than 15."
	case kind == "absence":
		return "must be false for absence: it is known when a minute is complete."
	case kind == "forecast" && isGrowing:
		return "must be false for a forecast of sum, count or rate: those of an unfinished minute are too small."
	case slices.Contains([]string{"threshold", "change", "anomaly"}, kind) && isGrowing && strings.HasPrefix(c.Operator.ValueString(), "l"):
		return "must be false for sum, count or rate with lt or lte: those of an unfinished minute are below any threshold at first."
	}
	return ""
}

func (c condition) expressionFaults(ctx context.Context) []*envelope.Fault {
	var matchers []matcher
	if c.Matchers.IsNull() || c.Matchers.IsUnknown() || c.Matchers.ElementsAs(ctx, &matchers, false).HasError() {
		return nil
	}
	var faults []*envelope.Fault
	for _, each := range matchers {
		if each.Value.IsUnknown() || !strings.HasSuffix(each.Operator.ValueString(), "regex") {
			continue
		}
		if _, err := regexp.Compile(each.Value.ValueString()); err != nil {
			faults = append(faults, &envelope.Fault{Attribute: "condition.matchers", Summary: "The condition cannot be",
				Detail: each.Value.ValueString() + " is not a regular expression of RE2: " + err.Error() + "."})
		}
	}
	return faults
}

// metrics are those that the condition reads, by attribute; without those that are not known yet.
func (c condition) metrics() map[string]string {
	read := map[string]string{}
	for attribute, name := range map[string]types.String{"metric": c.Metric, "denominator_metric": c.DenominatorMetric} {
		if !name.IsNull() && !name.IsUnknown() {
			read[attribute] = name.ValueString()
		}
	}
	return read
}
