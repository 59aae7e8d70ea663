// Package silence is the resource and the data source of silences and maintenance windows.
package silence

import (
	"context"
	"regexp"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

type model struct {
	ID            types.String `tfsdk:"id"`
	EnvironmentID types.String `tfsdk:"environment_id"`
	Comment       types.String `tfsdk:"comment"`
	Matchers      types.List   `tfsdk:"matchers"`
	StartsAt      types.String `tfsdk:"starts_at"`
	EndsAt        types.String `tfsdk:"ends_at"`
	Repeat        types.Object `tfsdk:"repeat"`
}

type matcher struct {
	Label    types.String `tfsdk:"label"`
	Operator types.String `tfsdk:"operator"`
	Value    types.String `tfsdk:"value"`
}

type repeat struct {
	Every    types.String `tfsdk:"every"`
	TimeZone types.String `tfsdk:"time_zone"`
	Until    types.String `tfsdk:"until"`
}

var matcherType = types.ObjectType{AttrTypes: map[string]attr.Type{
	"label": types.StringType, "operator": types.StringType, "value": types.StringType,
}}

var repeatTypes = map[string]attr.Type{"every": types.StringType, "time_zone": types.StringType, "until": types.StringType}

// clock says whether a silence is over.
var clock = time.Now

// Resource is tidemark_silence.
var Resource = envelope.New(envelope.Definition[model]{
	Name:     "silence",
	ImportBy: []string{"environment_id", "id"},
	Schema: schema.Schema{
		MarkdownDescription: "Nobody is told of incidents that every matcher fits while the silence is active. With `repeat` it is a maintenance " +
			"window. One that is over is left as it is; destroying one that is active ends it at once, and what is still open is told.",
		Attributes: map[string]schema.Attribute{
			"id":             envelope.DrawnID(),
			"environment_id": envelope.OfEnvironment(),
			"comment": schema.StringAttribute{
				MarkdownDescription: "Why; 1 to 1000 characters.",
				Required:            true,
				Validators: []validator.String{stringvalidator.UTF8LengthBetween(1, 1000),
					stringvalidator.RegexMatches(regexp.MustCompile(`\S`), "must have a character that is seen")},
			},
			"matchers": schema.ListNestedAttribute{
				MarkdownDescription: "1 to 16; every one must fit.",
				Required:            true,
				Validators:          []validator.List{listvalidator.SizeBetween(1, 16)},
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"label": schema.StringAttribute{
						MarkdownDescription: "`rule_id`, `rule_name`, `severity`, `labels.<label of the rule>`, `metric.<attribute>` or `resource.<attribute>`.",
						Required:            true,
						Validators: []validator.String{stringvalidator.UTF8LengthAtMost(255), stringvalidator.RegexMatches(
							regexp.MustCompile(`^(rule_id|rule_name|severity|(labels|metric|resource)\.\P{Cc}+)$`),
							"must be rule_id, rule_name, severity, labels.<label>, metric.<attribute> or resource.<attribute>")},
					},
					"operator": schema.StringAttribute{
						MarkdownDescription: "`eq`, `ne`, `regex` or `not_regex`.",
						Required:            true,
						Validators:          []validator.String{stringvalidator.OneOf("eq", "ne", "regex", "not_regex")},
					},
					"value": schema.StringAttribute{
						MarkdownDescription: "A value, or a regular expression of RE2 that fits the whole value; at most 1000 characters.",
						Required:            true,
						Validators:          []validator.String{stringvalidator.UTF8LengthAtMost(1000)},
					},
				}},
			},
			"starts_at": schema.StringAttribute{
				MarkdownDescription: "When it begins, RFC 3339; when it is made, unless set.",
				Optional:            true,
				Computed:            true,
				Validators:          []validator.String{envelope.Time()},
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"ends_at": schema.StringAttribute{
				MarkdownDescription: "When it ends, RFC 3339; at most 366 days after `starts_at`, with `repeat` at most one period.",
				Required:            true,
				Validators:          []validator.String{envelope.Time()},
			},
			"repeat": schema.SingleNestedAttribute{
				MarkdownDescription: "How it comes again, at the same time of the clocks of a place; once when absent.",
				Optional:            true,
				Attributes: map[string]schema.Attribute{
					"every": schema.StringAttribute{
						MarkdownDescription: "`day` or `week`.",
						Required:            true,
						Validators:          []validator.String{stringvalidator.OneOf("day", "week")},
					},
					"time_zone": schema.StringAttribute{
						MarkdownDescription: "As in `Europe/Berlin`.",
						Required:            true,
						Validators:          []validator.String{stringvalidator.UTF8LengthBetween(1, 64)},
					},
					"until": schema.StringAttribute{
						MarkdownDescription: "No repetition begins at or after it, RFC 3339; without end when absent.",
						Optional:            true,
						Validators:          []validator.String{envelope.Time()},
					},
				},
			},
		},
	},
	Create: create,
	Read:   read,
	Update: update,
	Delete: func(ctx context.Context, call *envelope.Call[model], state model) error {
		return client.Remove(ctx, call.Client, client.OpDeleteSilence, path(state))
	},
	Validate: validate,
})

func environment(state model) client.Path {
	return client.Path{"environment_id": state.EnvironmentID.ValueString()}
}

func path(state model) client.Path {
	return client.Path{"environment_id": state.EnvironmentID.ValueString(), "silence_id": state.ID.ValueString()}
}

func validate(config model) []*envelope.Fault {
	var faults []*envelope.Fault
	starts, hasStart := moment(config.StartsAt)
	ends, hasEnd := moment(config.EndsAt)
	if hasStart && hasEnd && !starts.Before(ends) {
		faults = append(faults, &envelope.Fault{Attribute: "ends_at", Summary: "The silence cannot be", Detail: "ends_at must be after starts_at."})
	}
	var matchers []matcher
	if config.Matchers.IsNull() || config.Matchers.IsUnknown() || config.Matchers.ElementsAs(context.Background(), &matchers, false).HasError() {
		return faults
	}
	for _, each := range matchers {
		if each.Value.IsUnknown() || (each.Operator.ValueString() != "regex" && each.Operator.ValueString() != "not_regex") {
			continue
		}
		if _, err := regexp.Compile(each.Value.ValueString()); err != nil {
			faults = append(faults, &envelope.Fault{Attribute: "matchers", Summary: "The silence cannot be",
				Detail: each.Value.ValueString() + " is not a regular expression of RE2: " + err.Error() + "."})
		}
	}
	return faults
}

func moment(text types.String) (time.Time, bool) {
	when, err := time.Parse(time.RFC3339, text.ValueString())
	return when, err == nil
}

func create(ctx context.Context, call *envelope.Call[model], plan model) (model, error) {
	draft, err := draftOf(ctx, plan)
	if err != nil {
		return plan, err
	}
	made, _, err := client.Create[client.Silence](ctx, call.Client, client.OpCreateSilence, environment(plan), draft)
	if err != nil {
		return plan, err
	}
	plan.ID, plan.StartsAt = types.StringValue(made.Id), envelope.SameTime(plan.StartsAt, &made.StartsAt)
	call.Keep(plan)
	return read(ctx, call, plan)
}

// read leaves a silence that is over and not there any more as it is: there is nothing to make again.
func read(ctx context.Context, call *envelope.Call[model], state model) (model, error) {
	found, err := envelope.Object(ctx, call, envelope.Source[client.Silence]{
		Get: client.OpGetSilence, List: client.OpListSilences, Path: path(state),
		ID: func(each client.Silence) string { return each.Id }, Wanted: state.ID.ValueString(),
	})
	if client.IsNotFound(err) && isOver(ctx, state) {
		return state, nil
	}
	if err != nil {
		return state, err
	}
	return of(ctx, found, state)
}

func isOver(ctx context.Context, state model) bool {
	ends, isKnown := moment(state.EndsAt)
	if !state.Repeat.IsNull() {
		var again repeat
		if state.Repeat.As(ctx, &again, basetypes.ObjectAsOptions{}).HasError() {
			return false
		}
		starts, _ := moment(state.StartsAt)
		until, hasEnd := moment(again.Until)
		ends, isKnown = until.Add(ends.Sub(starts)), isKnown && hasEnd
	}
	return isKnown && ends.Before(clock())
}

func update(ctx context.Context, call *envelope.Call[model], plan, state model) (model, error) {
	draft, err := draftOf(ctx, plan)
	if err != nil {
		return plan, err
	}
	if _, _, err := client.Change[client.Silence](ctx, call.Client, client.OpChangeSilence, path(state), call.ETag, draft); err != nil {
		return plan, err
	}
	return read(ctx, call, plan)
}

func draftOf(ctx context.Context, plan model) (client.SilenceDraft, error) {
	draft := client.SilenceDraft{Comment: plan.Comment.ValueString(), Matchers: []client.IncidentMatcher{}}
	var matchers []matcher
	if err := envelope.Failed(plan.Matchers.ElementsAs(ctx, &matchers, false)); err != nil {
		return draft, err
	}
	for _, each := range matchers {
		draft.Matchers = append(draft.Matchers, client.IncidentMatcher{
			Label: each.Label.ValueString(), Operator: client.LabelMatcherOperator(each.Operator.ValueString()), Value: each.Value.ValueString()})
	}
	if starts, isSet := moment(plan.StartsAt); isSet {
		draft.StartsAt = &starts
	}
	draft.EndsAt, _ = moment(plan.EndsAt)
	if plan.Repeat.IsNull() {
		return draft, nil
	}
	var again repeat
	if err := envelope.Failed(plan.Repeat.As(ctx, &again, basetypes.ObjectAsOptions{})); err != nil {
		return draft, err
	}
	draft.Repeat = &client.SilenceRepeat{Every: client.SilencePeriod(again.Every.ValueString()), TimeZone: again.TimeZone.ValueString()}
	if until, isSet := moment(again.Until); isSet {
		draft.Repeat.Until = &until
	}
	return draft, nil
}

func of(ctx context.Context, found client.Silence, state model) (model, error) {
	matchers := []matcher{}
	for _, each := range found.Matchers {
		matchers = append(matchers, matcher{types.StringValue(each.Label), types.StringValue(string(each.Operator)), types.StringValue(each.Value)})
	}
	list, diagnostics := types.ListValueFrom(ctx, matcherType, matchers)
	read := model{
		ID:            types.StringValue(found.Id),
		EnvironmentID: state.EnvironmentID,
		Comment:       types.StringValue(found.Comment),
		Matchers:      list,
		StartsAt:      envelope.SameTime(state.StartsAt, &found.StartsAt),
		EndsAt:        envelope.SameTime(state.EndsAt, &found.EndsAt),
		Repeat:        types.ObjectNull(repeatTypes),
	}
	if found.Repeat != nil {
		var before repeat
		if !state.Repeat.IsNull() {
			diagnostics.Append(state.Repeat.As(ctx, &before, basetypes.ObjectAsOptions{})...)
		}
		object, more := types.ObjectValueFrom(ctx, repeatTypes, repeat{
			Every:    types.StringValue(string(found.Repeat.Every)),
			TimeZone: types.StringValue(found.Repeat.TimeZone),
			Until:    envelope.SameTime(before.Until, found.Repeat.Until),
		})
		diagnostics.Append(more...)
		read.Repeat = object
	}
	return read, envelope.Failed(diagnostics)
}
