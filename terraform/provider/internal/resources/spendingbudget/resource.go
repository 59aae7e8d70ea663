// Package spendingbudget is the resource and the data source of what an organisation wants to spend in a month.
package spendingbudget

import (
	"context"
	"math/big"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	dataschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
)

type model struct {
	ID              types.String `tfsdk:"id"`
	Amount          types.String `tfsdk:"amount"`
	Thresholds      types.Set    `tfsdk:"thresholds"`
	PointsPerSecond types.Int64  `tfsdk:"points_per_second"`
	IntegrationIDs  types.Set    `tfsdk:"integration_ids"`
}

var usual = percents([]int32{50, 90, 100})

// Resource is tidemark_spending_budget.
var Resource = envelope.New(envelope.Definition[model]{
	Name:     "spending_budget",
	ImportBy: []string{"id"},
	Schema: schema.Schema{
		MarkdownDescription: "What the organisation of the provider's key wants to spend in a month. Each threshold is told once a month to the " +
			"integrations that are named. Destroying it takes the budget back.",
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				MarkdownDescription: "The organisation.",
				Computed:            true,
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"amount": schema.StringAttribute{
				MarkdownDescription: "Of a month, before tax, in the currency of its invoice, as in `\"250.00\"`; more than 0.",
				Required:            true,
				Validators: []validator.String{stringvalidator.UTF8LengthAtMost(64),
					stringvalidator.RegexMatches(regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`), "must be a decimal number as in 250.00"),
					stringvalidator.RegexMatches(regexp.MustCompile(`[1-9]`), "must be more than 0")},
			},
			"thresholds": schema.SetAttribute{
				MarkdownDescription: "Percent of the amount, 1 to 1000, at most 10; 50, 90 and 100 unless set.",
				ElementType:         types.Int64Type,
				Optional:            true,
				Computed:            true,
				Default:             setdefault.StaticValue(usual),
				Validators:          []validator.Set{setvalidator.SizeBetween(1, 10), setvalidator.ValueInt64sAre(int64validator.Between(1, 1000))},
			},
			"points_per_second": schema.Int64Attribute{
				MarkdownDescription: "Quota of the organisation once the amount is spent, until the month ends; the quota stays as it is when absent. " +
					"Needs `organization:write`.",
				Optional:   true,
				Validators: []validator.Int64{int64validator.AtLeast(1)},
			},
			"integration_ids": schema.SetAttribute{
				MarkdownDescription: "At most 20 integrations, of any environment, that are told.",
				ElementType:         types.StringType,
				Optional:            true,
				Computed:            true,
				Default:             setdefault.StaticValue(types.SetValueMust(types.StringType, nil)),
				Validators:          []validator.Set{setvalidator.SizeAtMost(20)},
			},
		},
	},
	Create: func(ctx context.Context, call *envelope.Call[model], plan model) (model, error) {
		if err := review(ctx, call, plan, nil); err != nil {
			return plan, err
		}
		return update(ctx, call, plan, plan)
	},
	Read:   read,
	Update: update,
	Delete: func(ctx context.Context, call *envelope.Call[model], state model) error {
		_, err := put(ctx, call, state, client.SpendingBudgetDraft{})
		return err
	},
	Review: review,
})

// review fails when the organisation has a budget already, which would be overwritten unseen.
func review(ctx context.Context, call *envelope.Call[model], _ model, state *model) error {
	if state != nil {
		return nil
	}
	found, _, err := client.Get[client.SpendingBudget](ctx, call.Client, client.OpGetSpendingBudget, nil)
	if err != nil {
		return err
	}
	if found.Budget.Amount == nil {
		return nil
	}
	organization, err := call.Client.Organization(ctx)
	if err != nil {
		return err
	}
	return &envelope.Fault{Attribute: "amount", Summary: "The organisation has a budget already",
		Detail: "It was set elsewhere and would be overwritten. Manage that one: terraform import ADDRESS " + organization}
}

func read(ctx context.Context, call *envelope.Call[model], state model) (model, error) {
	organization, err := call.Client.Organization(ctx)
	if err != nil {
		return state, err
	}
	if !state.ID.IsNull() && !state.ID.IsUnknown() && state.ID.ValueString() != organization {
		return state, &envelope.Fault{Attribute: "id", Summary: "Another organisation",
			Detail: "The provider's key belongs to " + organization + ", the budget is of " + state.ID.ValueString() + "."}
	}
	found, etag, err := client.Get[client.SpendingBudget](ctx, call.Client, client.OpGetSpendingBudget, nil)
	if err != nil {
		return state, err
	}
	call.ETag = etag
	if found.Budget.Amount == nil {
		return state, client.NotFound("The organisation has no budget.")
	}
	return of(found, organization, state), nil
}

func update(ctx context.Context, call *envelope.Call[model], plan, _ model) (model, error) {
	var thresholds []int32
	for _, each := range plan.Thresholds.Elements() {
		if number, isNumber := each.(types.Int64); isNumber {
			thresholds = append(thresholds, int32(number.ValueInt64()))
		}
	}
	integrations := envelope.Elements[string](plan.IntegrationIDs)
	changed, err := put(ctx, call, plan, client.SpendingBudgetDraft{
		Amount:          envelope.Text[string](plan.Amount),
		Thresholds:      &thresholds,
		PointsPerSecond: envelope.Number[int64](plan.PointsPerSecond),
		IntegrationIds:  &integrations,
	})
	if err != nil {
		return plan, err
	}
	organization, err := call.Client.Organization(ctx)
	if err != nil {
		return plan, err
	}
	made := of(changed, organization, plan)
	call.Keep(made)
	return made, nil
}

// put replaces the budget, of the version that is read when the call has none.
func put(ctx context.Context, call *envelope.Call[model], state model, draft client.SpendingBudgetDraft) (client.SpendingBudget, error) {
	if call.ETag == "" {
		var err error
		if _, call.ETag, err = client.Get[client.SpendingBudget](ctx, call.Client, client.OpGetSpendingBudget, nil); err != nil {
			return client.SpendingBudget{}, err
		}
	}
	changed, etag, err := client.Change[client.SpendingBudget](ctx, call.Client, client.OpChangeSpendingBudget, nil, call.ETag, draft)
	if err == nil {
		call.ETag = etag
	}
	return changed, err
}

func of(found client.SpendingBudget, organization string, state model) model {
	read := model{
		ID:              types.StringValue(organization),
		Amount:          sameAmount(state.Amount, found.Budget.Amount),
		Thresholds:      usual,
		PointsPerSecond: envelope.Int64(found.Budget.PointsPerSecond),
		IntegrationIDs:  types.SetValueMust(types.StringType, nil),
	}
	if found.Budget.Thresholds != nil {
		read.Thresholds = percents(*found.Budget.Thresholds)
	}
	if found.Budget.IntegrationIds != nil {
		read.IntegrationIDs = envelope.Set(*found.Budget.IntegrationIds)
	}
	return read
}

// sameAmount keeps the text of an amount as it was written, when it is the same number.
func sameAmount(written types.String, found *string) types.String {
	if found == nil {
		return types.StringNull()
	}
	one, isNumber := new(big.Rat).SetString(written.ValueString())
	other, isOther := new(big.Rat).SetString(*found)
	if isNumber && isOther && one.Cmp(other) == 0 {
		return written
	}
	return types.StringValue(*found)
}

func percents(numbers []int32) types.Set {
	values := make([]attr.Value, len(numbers))
	for i, each := range numbers {
		values[i] = types.Int64Value(int64(each))
	}
	return types.SetValueMust(types.Int64Type, values)
}

type standing struct {
	Amount         types.String `tfsdk:"amount"`
	Period         types.String `tfsdk:"period"`
	Currency       types.String `tfsdk:"currency"`
	Spent          types.String `tfsdk:"spent"`
	QuotaLoweredTo types.Int64  `tfsdk:"quota_lowered_to"`
}

var attributes = map[string]dataschema.Attribute{
	"amount":           envelope.Told("Of a month, before tax; absent for no budget."),
	"period":           envelope.Told("The running month, as in 2026-11."),
	"currency":         envelope.Told("ISO 4217."),
	"spent":            envelope.Told("Of the running month until now, before tax."),
	"quota_lowered_to": envelope.ToldNumber("Points per second; absent while the quota is not lowered."),
}

// DataSource is tidemark_spending_budget.
var DataSource = envelope.Data(envelope.DataDefinition[standing]{
	Name: "spending_budget",
	Schema: dataschema.Schema{
		MarkdownDescription: "The budget of the organisation, and how the running month stands.",
		Attributes:          attributes,
	},
	Read: func(ctx context.Context, c *client.Client, _ standing) (standing, error) { return describe(ctx, c) },
})

func describe(ctx context.Context, c *client.Client) (standing, error) {
	found, _, err := client.Get[client.SpendingBudget](ctx, c, client.OpGetSpendingBudget, nil)
	return standing{
		Amount:         envelope.String(found.Budget.Amount),
		Period:         types.StringValue(found.Period),
		Currency:       types.StringValue(found.Currency),
		Spent:          types.StringValue(found.Spent),
		QuotaLoweredTo: envelope.Int64(found.QuotaLoweredTo),
	}, err
}

type listed struct {
	SpendingBudgets []standing `tfsdk:"spending_budgets"`
}

// ListDataSource is tidemark_spending_budgets.
var ListDataSource = envelope.Data(envelope.DataDefinition[listed]{
	Name: "spending_budgets",
	Schema: dataschema.Schema{
		MarkdownDescription: "The spending budgets that the provider's key sees: that of its organisation, none while it has no budget.",
		Attributes:          map[string]dataschema.Attribute{"spending_budgets": envelope.ToldList("The budgets.", attributes)},
	},
	Read: func(ctx context.Context, c *client.Client, _ listed) (listed, error) {
		all := listed{SpendingBudgets: []standing{}}
		found, err := describe(ctx, c)
		if err == nil && !found.Amount.IsNull() {
			all.SpendingBudgets = append(all.SpendingBudgets, found)
		}
		return all, err
	},
})
