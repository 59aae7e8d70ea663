// Package alertpack is the resource and the data source of packs of alert rules.
package alertpack

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	dataschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

type model struct {
	EnvironmentID types.String `tfsdk:"environment_id"`
	Pack          types.String `tfsdk:"pack"`
	Version       types.Int64  `tfsdk:"version"`
	Latest        types.Int64  `tfsdk:"latest_version"`
	RuleIDs       types.Map    `tfsdk:"rule_ids"`
}

// Resource is tidemark_alert_pack.
var Resource = envelope.New(envelope.Definition[model]{
	Name:     "alert_pack",
	ImportBy: []string{"environment_id", "pack"},
	Renamed:  map[string]string{"alert_pack_id": "pack"},
	Schema: schema.Schema{
		MarkdownDescription: "Alert rules that Tidemark ships, for an environment. A newer version of the pack shows as a change of `version`; applying " +
			"brings the rules to it, but for those that somebody changed. Destroying it deletes its rules, those too, and resolves their incidents.",
		Attributes: map[string]schema.Attribute{
			"environment_id": envelope.OfEnvironment(),
			"pack": schema.StringAttribute{
				MarkdownDescription: "The pack, as `tidemark_alert_packs` lists them.",
				Required:            true,
				Validators:          []validator.String{stringvalidator.UTF8LengthBetween(1, 63)},
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"version": schema.Int64Attribute{
				MarkdownDescription: "Version that the environment has.",
				Computed:            true,
			},
			"latest_version": schema.Int64Attribute{
				MarkdownDescription: "Version that Tidemark ships.",
				Computed:            true,
			},
			"rule_ids": schema.MapAttribute{
				MarkdownDescription: "Alert rules that came of it, by their keys in the pack.",
				ElementType:         types.StringType,
				Computed:            true,
			},
		},
	},
	Create: func(ctx context.Context, call *envelope.Call[model], plan model) (model, error) {
		if err := taken(ctx, call, plan); err != nil {
			return plan, err
		}
		return enable(ctx, call, plan, plan)
	},
	Read:   read,
	Update: enable,
	Delete: func(ctx context.Context, call *envelope.Call[model], state model) error {
		return client.Remove(ctx, call.Client, client.OpDisableAlertPack, path(state))
	},
	Taken: taken,
	Plan: func(_ context.Context, _ *envelope.Call[model], plan, state model) (model, error) {
		plan.Version, plan.Latest, plan.RuleIDs = state.Latest, state.Latest, state.RuleIDs
		if !state.Version.Equal(state.Latest) {
			plan.RuleIDs = types.MapUnknown(types.StringType)
		}
		return plan, nil
	},
})

func path(state model) client.Path {
	return client.Path{"environment_id": state.EnvironmentID.ValueString(), "alert_pack_id": state.Pack.ValueString()}
}

// taken fails when the pack is enabled already, and when there is none of the name.
func taken(ctx context.Context, call *envelope.Call[model], plan model) error {
	identified := func(each client.Environment) string { return each.Id }
	if _, err := client.ListedBefore(ctx, call.Client, client.OpListEnvironments, nil, identified, plan.EnvironmentID.ValueString()); client.IsNotFound(err) && !call.Afresh {
		return nil
	}
	found, _, err := client.Get[client.AlertPack](ctx, call.Client, client.OpGetAlertPack, path(plan))
	if client.IsNotFound(err) {
		return &envelope.Fault{Attribute: "pack", Summary: "There is no such pack",
			Detail: "There is no pack " + plan.Pack.ValueString() + ", or no environment " + plan.EnvironmentID.ValueString() +
				". The data source tidemark_alert_packs lists the packs."}
	}
	if err != nil {
		return err
	}
	if found.EnabledVersion != nil {
		return &envelope.Fault{Attribute: "pack", Summary: "The pack is enabled already",
			Detail: "Manage it: terraform import ADDRESS " + plan.EnvironmentID.ValueString() + "/" + plan.Pack.ValueString()}
	}
	return nil
}

func enable(ctx context.Context, call *envelope.Call[model], plan, _ model) (model, error) {
	enabled, _, err := client.Change[client.AlertPack](ctx, call.Client, client.OpEnableAlertPack, path(plan), "", nil)
	if err != nil {
		return plan, err
	}
	made := of(enabled, plan)
	call.Keep(made)
	return made, nil
}

func read(ctx context.Context, call *envelope.Call[model], state model) (model, error) {
	found, etag, err := client.Get[client.AlertPack](ctx, call.Client, client.OpGetAlertPack, path(state))
	if err != nil {
		return state, err
	}
	call.ETag = etag
	if found.EnabledVersion == nil {
		return state, client.NotFound("The pack is not enabled.")
	}
	return of(found, state), nil
}

func of(found client.AlertPack, state model) model {
	ids := map[string]string{}
	for _, rule := range found.Rules {
		if rule.AlertRuleId != nil {
			ids[rule.Key] = *rule.AlertRuleId
		}
	}
	return model{
		EnvironmentID: state.EnvironmentID,
		Pack:          types.StringValue(found.Id),
		Version:       envelope.Int64(found.EnabledVersion),
		Latest:        types.Int64Value(found.Version),
		RuleIDs:       envelope.Texts(ids),
	}
}

type described struct {
	ID          types.String `tfsdk:"id"`
	Title       types.String `tfsdk:"title"`
	Description types.String `tfsdk:"description"`
	Version     types.Int64  `tfsdk:"version"`
	Enabled     types.Int64  `tfsdk:"enabled_version"`
	RuleCount   types.Int64  `tfsdk:"rule_count"`
}

type listed struct {
	EnvironmentID types.String `tfsdk:"environment_id"`
	Packs         []described  `tfsdk:"packs"`
}

var attributes = map[string]dataschema.Attribute{
	"id":              envelope.Told("The pack."),
	"title":           envelope.Told("What people call it."),
	"description":     envelope.Told("What it watches."),
	"version":         envelope.ToldNumber("Version that Tidemark ships."),
	"enabled_version": envelope.ToldNumber("Version that the environment has; absent when the pack is not enabled."),
	"rule_count":      envelope.ToldNumber("How many rules it has."),
}

type one struct {
	EnvironmentID types.String `tfsdk:"environment_id"`
	described
}

// DataSource is tidemark_alert_pack.
var DataSource = envelope.Data(envelope.DataDefinition[one]{
	Name: "alert_pack",
	Schema: dataschema.Schema{
		MarkdownDescription: "A pack of alert rules that Tidemark ships, and whether an environment has it.",
		Attributes: envelope.With(attributes, map[string]dataschema.Attribute{
			"environment_id": envelope.Asked("The environment.", envelope.Identifier()...),
			"id":             envelope.Asked("The pack."),
		}),
	},
	Read: func(ctx context.Context, c *client.Client, config one) (one, error) {
		found, _, err := client.Get[client.AlertPack](ctx, c, client.OpGetAlertPack,
			client.Path{"environment_id": config.EnvironmentID.ValueString(), "alert_pack_id": config.ID.ValueString()})
		config.described = describe(found)
		return config, err
	},
})

func describe(found client.AlertPack) described {
	return described{
		ID:          types.StringValue(found.Id),
		Title:       types.StringValue(found.Title),
		Description: types.StringValue(found.Description),
		Version:     types.Int64Value(found.Version),
		Enabled:     envelope.Int64(found.EnabledVersion),
		RuleCount:   types.Int64Value(int64(len(found.Rules))),
	}
}

// ListDataSource is tidemark_alert_packs.
var ListDataSource func() datasource.DataSource = envelope.Data(envelope.DataDefinition[listed]{
	Name: "alert_packs",
	Schema: dataschema.Schema{
		MarkdownDescription: "Packs of alert rules that Tidemark ships, and which of them an environment has.",
		Attributes: map[string]dataschema.Attribute{
			"environment_id": envelope.Asked("The environment.", envelope.Identifier()...),
			"packs":          envelope.ToldList("The packs.", attributes),
		},
	},
	Read: func(ctx context.Context, c *client.Client, config listed) (listed, error) {
		var page client.AlertPackList
		request := client.Request{Operation: client.OpListAlertPacks, Path: client.Path{"environment_id": config.EnvironmentID.ValueString()}}
		_, err := c.Call(ctx, request, &page)
		config.Packs = []described{}
		for _, each := range page.Data {
			config.Packs = append(config.Packs, describe(each))
		}
		return config, err
	},
})
