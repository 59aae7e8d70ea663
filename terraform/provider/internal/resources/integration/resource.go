// Package integration is the resource and the data sources of where incidents are told to.
package integration

import (
	"context"
	"errors"
	"net/url"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

type model struct {
	ID                types.String `tfsdk:"id"`
	EnvironmentID     types.String `tfsdk:"environment_id"`
	Name              types.String `tfsdk:"name"`
	Kind              types.String `tfsdk:"kind"`
	URL               types.String `tfsdk:"url"`
	RoutingKey        types.String `tfsdk:"routing_key"`
	RoutingKeyVersion types.String `tfsdk:"routing_key_version"`
	Enabled           types.Bool   `tfsdk:"enabled"`
	Severities        types.Set    `tfsdk:"severities"`
	Labels            types.Map    `tfsdk:"labels"`
	HeartbeatMinutes  types.Int64  `tfsdk:"heartbeat_minutes"`
	GroupMessages     types.Object `tfsdk:"group_messages"`
	SendTest          types.Bool   `tfsdk:"send_test"`
	Rotation          types.String `tfsdk:"rotation"`
	Secret            types.String `tfsdk:"secret"`
}

var groupingTypes = map[string]attr.Type{
	"by": types.SetType{ElemType: types.StringType}, "wait_seconds": types.Int64Type, "max_transitions": types.Int64Type,
}

var labelName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,63}$`)

var groupLabel = regexp.MustCompile(`^(rule_id|rule_name|severity|(labels|metric|resource)\..{1,240})$`)

// Resource is tidemark_notification_integration.
var Resource = envelope.New(envelope.Definition[model]{
	Name:     "notification_integration",
	ImportBy: []string{"environment_id", "id"},
	Import:   envelope.ByIDOrName("int-"),
	Schema: schema.Schema{
		MarkdownDescription: "Where the incidents of an environment are told to.\n\n" +
			"Tidemark shows the signing secret once; it is kept in the state. A change of `rotation` replaces it: for 24 hours messages are " +
			"signed with the secret before, too, and it cannot be replaced again. A receiver that says 410 or fails for days is not sent to " +
			"any more, which shows as a change of `enabled`; applying begins again. Destroying it ends what was not delivered yet.",
		Attributes: map[string]schema.Attribute{
			"id":             envelope.DrawnID(),
			"environment_id": envelope.OfEnvironment(),
			"name": schema.StringAttribute{
				MarkdownDescription: "What people call it; 1 to 120 characters, no control characters.",
				Required:            true,
				Validators: []validator.String{stringvalidator.UTF8LengthBetween(1, 120),
					stringvalidator.RegexMatches(regexp.MustCompile(`^\P{Cc}*[^\s\p{Cc}]\P{Cc}*$`), "must have a character that is seen, and no control characters")},
			},
			"kind": schema.StringAttribute{
				MarkdownDescription: "`webhook`: Standard Webhooks. `health_plus`: the same with the payload of Confluent's Health+. `slack`, `teams`, " +
					"`pagerduty`, `opsgenie`: the payloads of these services. `email`: plain text, where Tidemark has a mail server.",
				Required:      true,
				Validators:    []validator.String{stringvalidator.OneOf("webhook", "health_plus", "slack", "teams", "pagerduty", "opsgenie", "email")},
				PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"url": schema.StringAttribute{
				MarkdownDescription: "Where messages go: https, without credentials and fragment, at most 2000 characters, of a public address. For `email`: `mailto:` and one address.",
				Required:            true,
				Validators:          []validator.String{stringvalidator.UTF8LengthAtMost(2000)},
			},
			"routing_key": schema.StringAttribute{
				MarkdownDescription: "For `pagerduty` and `opsgenie`: the key that the service gave. It is in neither plan nor state; it is sent when the " +
					"integration is made and when `routing_key_version` changes.",
				Optional:   true,
				Sensitive:  true,
				WriteOnly:  true,
				Validators: []validator.String{stringvalidator.RegexMatches(regexp.MustCompile(`^[!-~]{1,255}$`), "must be 1 to 255 visible ASCII characters")},
			},
			"routing_key_version": schema.StringAttribute{
				MarkdownDescription: "Any text. A change sends `routing_key` again.",
				Optional:            true,
			},
			"enabled": schema.BoolAttribute{
				MarkdownDescription: "Whether messages are sent. True unless set.",
				Optional:            true,
				Computed:            true,
				Default:             booldefault.StaticBool(true),
			},
			"severities": schema.SetAttribute{
				MarkdownDescription: "Incidents of these severities, `critical`, `warning` and `info`; of all when empty.",
				ElementType:         types.StringType,
				Optional:            true,
				Computed:            true,
				Default:             setdefault.StaticValue(types.SetValueMust(types.StringType, nil)),
				Validators:          []validator.Set{setvalidator.ValueStringsAre(stringvalidator.OneOf("critical", "warning", "info"))},
			},
			"labels": schema.MapAttribute{
				MarkdownDescription: "At most 16; incidents whose rule has all of these labels.",
				ElementType:         types.StringType,
				Optional:            true,
				Computed:            true,
				Default:             mapdefault.StaticValue(types.MapValueMust(types.StringType, nil)),
				Validators: []validator.Map{
					mapvalidator.SizeAtMost(16),
					mapvalidator.KeysAre(stringvalidator.RegexMatches(labelName, "must be 1 to 63 letters, digits, _, . and -")),
					mapvalidator.ValueStringsAre(stringvalidator.UTF8LengthAtMost(255)),
				},
			},
			"heartbeat_minutes": schema.Int64Attribute{
				MarkdownDescription: "1 to 1440: how often a message `heartbeat` says that alerts are decided, as long as they are. Absent: never. Not for `pagerduty` " +
					"and `opsgenie`.",
				Optional:   true,
				Validators: []validator.Int64{int64validator.Between(1, 1440)},
			},
			"group_messages": schema.SingleNestedAttribute{
				MarkdownDescription: "Transitions that belong together share a message. Absent: `slack`, `teams` and `email` are grouped by rule, for 5 seconds, " +
					"up to 50; `webhook` has a message for each. Not for `health_plus`, `pagerduty` and `opsgenie`, which group themselves.",
				Optional: true,
				Attributes: map[string]schema.Attribute{
					"by": schema.SetAttribute{
						MarkdownDescription: "At most 16 labels that must be the same: `rule_id`, `rule_name`, `severity`, `labels.<label of the rule>`, " +
							"`metric.<attribute>` or `resource.<attribute>`. Absent: `rule_id`.",
						ElementType: types.StringType,
						Optional:    true,
						Validators: []validator.Set{setvalidator.SizeBetween(1, 16), setvalidator.ValueStringsAre(stringvalidator.RegexMatches(groupLabel,
							"must be rule_id, rule_name, severity, labels.<label>, metric.<attribute> or resource.<attribute>"))},
					},
					"wait_seconds": schema.Int64Attribute{
						MarkdownDescription: "0 to 300: how long the first transition of a message waits for others. Absent: 5.",
						Optional:            true,
						Validators:          []validator.Int64{int64validator.Between(0, 300)},
					},
					"max_transitions": schema.Int64Attribute{
						MarkdownDescription: "1 to 100 in one message; 1 sends each by itself. Absent: 50.",
						Optional:            true,
						Validators:          []validator.Int64{int64validator.Between(1, 100)},
					},
				},
			},
			"send_test": schema.BoolAttribute{
				MarkdownDescription: "Whether a test message is sent when the integration is made. True unless set.",
				Optional:            true,
				Computed:            true,
				Default:             booldefault.StaticBool(true),
			},
			"rotation": schema.StringAttribute{
				MarkdownDescription: "Any text, as in `2026-Q4`. A change replaces the signing secret.",
				Optional:            true,
			},
			"secret": schema.StringAttribute{
				MarkdownDescription: "What messages are signed with: `whsec_` and the key in Base64. Absent after an import.",
				Computed:            true,
				Sensitive:           true,
			},
		},
	},
	Create: create,
	Read:   read,
	Update: update,
	Delete: func(ctx context.Context, call *envelope.Call[model], state model) error {
		return client.Remove(ctx, call.Client, client.OpDeleteIntegration, path(state))
	},
	Validate: validate,
	Review:   review,
	Plan:     plan,
})

func environment(state model) client.Path {
	return client.Path{"environment_id": state.EnvironmentID.ValueString()}
}

func path(state model) client.Path {
	return client.Path{"environment_id": state.EnvironmentID.ValueString(), "integration_id": state.ID.ValueString()}
}

func id(each client.Integration) string { return each.Id }

func name(each client.Integration) string { return each.Name }

// hasKey says whether a kind of service wants a routing key.
func hasKey(kind string) bool { return kind == "pagerduty" || kind == "opsgenie" }

// groupsItself are the kinds of services that are told of each transition.
var groupsItself = map[string]bool{"health_plus": true, "pagerduty": true, "opsgenie": true}

func validate(config model) []*envelope.Fault {
	var faults []*envelope.Fault
	if !config.RoutingKey.IsNull() && !config.Kind.IsUnknown() && !hasKey(config.Kind.ValueString()) {
		faults = append(faults, &envelope.Fault{Attribute: "routing_key", Summary: "There is no use for a routing key",
			Detail: "routing_key is for pagerduty and opsgenie only."})
	}
	if !config.GroupMessages.IsNull() && groupsItself[config.Kind.ValueString()] {
		faults = append(faults, &envelope.Fault{Attribute: "group_messages", Summary: "The service groups messages itself",
			Detail: "group_messages must be absent for " + config.Kind.ValueString() + ": it is told of each transition."})
	}
	if config.URL.IsNull() || config.URL.IsUnknown() {
		return faults
	}
	if text := addressFault(config.URL.ValueString()); text != "" {
		faults = append(faults, &envelope.Fault{Attribute: "url", Summary: "The address cannot be sent to", Detail: "url " + text})
	}
	return faults
}

// addressFault says what is wrong with an address; empty when the API decides. An API for tests takes http, too.
func addressFault(text string) string {
	address, err := url.Parse(text)
	switch {
	case err != nil:
		return "is not a URL."
	case address.Scheme != "https" && address.Scheme != "http":
		return "must begin with https://."
	case address.Hostname() == "":
		return "must have a host."
	case address.User != nil:
		return "must not have credentials: they would be shown to whoever may see it."
	case address.Fragment != "":
		return "must not have a fragment."
	default:
		return ""
	}
}

// review demands the routing key of what would be made, and of what gets another one; an imported integration has its own.
func review(_ context.Context, call *envelope.Call[model], plan model, state *model) error {
	isSent := state == nil || !plan.RoutingKeyVersion.Equal(state.RoutingKeyVersion)
	if isSent && hasKey(plan.Kind.ValueString()) && call.Config.RoutingKey.IsNull() {
		return &envelope.Fault{Attribute: "routing_key", Summary: "The routing key is missing",
			Detail: "routing_key must be there for " + plan.Kind.ValueString() + "."}
	}
	return nil
}

// plan keeps the secret but for a rotation.
func plan(_ context.Context, _ *envelope.Call[model], plan, state model) (model, error) {
	if plan.Rotation.Equal(state.Rotation) {
		plan.Secret = state.Secret
	} else {
		plan.Secret = types.StringUnknown()
	}
	return plan, nil
}

func create(ctx context.Context, call *envelope.Call[model], plan model) (model, error) {
	draft := draftOf(plan)
	draft.RoutingKey = envelope.Text[string](call.Config.RoutingKey)
	draft.SendTest = plan.SendTest.ValueBoolPointer()
	created, err := issue(ctx, call.Client, environment(plan), draft)
	if err != nil {
		return plan, err
	}
	plan.ID, plan.Secret, plan.RoutingKey = types.StringValue(created.Integration.Id), types.StringPointerValue(created.Secret), types.StringNull()
	call.Keep(plan)
	return read(ctx, call, plan)
}

// issue makes an integration and gives it with its secret. One whose secret was lost on the way is deleted and made anew.
func issue(ctx context.Context, c *client.Client, environment client.Path, draft client.IntegrationDraft) (client.CreatedIntegration, error) {
	for range 2 {
		created, _, err := client.Create[client.CreatedIntegration](ctx, c, client.OpCreateIntegration, environment, draft)
		if err != nil || created.Secret != nil {
			return created, err
		}
		lost := client.Path{"environment_id": environment["environment_id"], "integration_id": created.Integration.Id}
		if err := client.Remove(ctx, c, client.OpDeleteIntegration, lost); err != nil {
			return created, err
		}
	}
	return client.CreatedIntegration{}, errors.New("the answer with the secret was lost twice; the integrations without it are deleted")
}

func read(ctx context.Context, call *envelope.Call[model], state model) (model, error) {
	if state.ID.IsNull() {
		all, err := client.List[client.Integration](ctx, call.Client, client.OpListIntegrations, environment(state))
		if err != nil {
			return state, err
		}
		found, err := envelope.Named(all, name, id, state.Name.ValueString())
		if err != nil {
			return state, err
		}
		state.ID = types.StringValue(found.Id)
	}
	found, err := envelope.Object(ctx, call, envelope.Source[client.Integration]{
		Get: client.OpGetIntegration, List: client.OpListIntegrations, Path: path(state), ID: id, Wanted: state.ID.ValueString(),
	})
	if err != nil {
		return state, err
	}
	return of(found, state), nil
}

func update(ctx context.Context, call *envelope.Call[model], plan, state model) (model, error) {
	draft := draftOf(plan)
	if !plan.RoutingKeyVersion.Equal(state.RoutingKeyVersion) {
		draft.RoutingKey = envelope.Text[string](call.Config.RoutingKey)
	}
	if _, _, err := client.Change[client.Integration](ctx, call.Client, client.OpChangeIntegration, path(state), call.ETag, draft); err != nil {
		return plan, err
	}
	changed := plan
	changed.RoutingKey = types.StringNull()
	if !plan.Rotation.Equal(state.Rotation) {
		before := changed
		before.Rotation, before.Secret = state.Rotation, state.Secret
		call.Keep(before)
		rotated, _, err := client.Change[client.CreatedIntegration](ctx, call.Client, client.OpRotateIntegrationSecret, path(state), "", nil)
		if err != nil {
			return before, err
		}
		changed.Secret = types.StringPointerValue(rotated.Secret)
		call.Keep(changed)
	}
	return read(ctx, call, changed)
}

func draftOf(plan model) client.IntegrationDraft {
	severities := envelope.Elements[client.AlertSeverity](plan.Severities)
	return client.IntegrationDraft{
		Name:       plan.Name.ValueString(),
		Kind:       client.IntegrationKind(plan.Kind.ValueString()),
		Url:        plan.URL.ValueString(),
		Enabled:    plan.Enabled.ValueBoolPointer(),
		Severities: &severities,
		Labels:     envelope.Pairs(plan.Labels),

		HeartbeatMinutes: envelope.Number[int32](plan.HeartbeatMinutes),
		GroupMessages:    groupingOf(plan.GroupMessages),
	}
}

func groupingOf(plan types.Object) *client.MessageGrouping {
	if plan.IsNull() || plan.IsUnknown() {
		return nil
	}
	grouping := &client.MessageGrouping{}
	if by, isSet := plan.Attributes()["by"].(types.Set); isSet && !by.IsNull() {
		labels := envelope.Elements[string](by)
		grouping.By = &labels
	}
	if wait, isNumber := plan.Attributes()["wait_seconds"].(types.Int64); isNumber {
		grouping.WaitSeconds = envelope.Number[int32](wait)
	}
	if most, isNumber := plan.Attributes()["max_transitions"].(types.Int64); isNumber {
		grouping.MaxTransitions = envelope.Number[int32](most)
	}
	return grouping
}

func groupingFrom(found *client.MessageGrouping) types.Object {
	if found == nil {
		return types.ObjectNull(groupingTypes)
	}
	by := types.SetNull(types.StringType)
	if found.By != nil && len(*found.By) > 0 {
		by = envelope.Set(*found.By)
	}
	return types.ObjectValueMust(groupingTypes, map[string]attr.Value{
		"by": by, "wait_seconds": envelope.Int64(found.WaitSeconds), "max_transitions": envelope.Int64(found.MaxTransitions),
	})
}

func of(found client.Integration, state model) model {
	read := state
	read.ID = types.StringValue(found.Id)
	read.Name = types.StringValue(found.Name)
	read.Kind = types.StringValue(string(found.Kind))
	read.URL = types.StringValue(found.Url)
	read.RoutingKey = types.StringNull()
	read.Enabled = types.BoolValue(found.Enabled)
	read.Severities = envelope.Set(found.Severities)
	read.Labels = envelope.Texts(found.Labels)
	read.HeartbeatMinutes = envelope.Int64(found.HeartbeatMinutes)
	read.GroupMessages = groupingFrom(found.GroupMessages)
	if read.SendTest.IsNull() {
		read.SendTest = types.BoolValue(true)
	}
	return read
}
