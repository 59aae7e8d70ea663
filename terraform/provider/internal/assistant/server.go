// Package assistant serves Tidemark to coding assistants: tools of the Model Context Protocol over one key.
package assistant

import (
	"context"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/metricsquery"
)

// most bounds what one answer holds, because an assistant reads all of it.
const most = 500

type nothing struct{}

type queryInput struct {
	Metric      string                   `json:"metric" jsonschema:"name of the metric, as list_metrics gives it"`
	Aggregation string                   `json:"aggregation,omitempty" jsonschema:"SUM, MIN, MAX, COUNT, AVG, LAST, P50, P75, P90, P95 or P99; what suits the metric when absent"`
	GroupBy     []string                 `json:"group_by,omitempty" jsonschema:"labels, as in metric.topic or resource.kafka.id"`
	Where       []metricsquery.Condition `json:"where,omitempty" jsonschema:"conditions that all hold: a field has a value"`
	Last        string                   `json:"last,omitempty" jsonschema:"how far back from now, as in PT1H or P7D; PT1H when absent"`
	Interval    string                   `json:"interval,omitempty" jsonschema:"start/end instead of last, as in 2026-01-01T00:00:00Z/PT1H"`
	Granularity string                   `json:"granularity,omitempty" jsonschema:"PT1M, PT5M, PT15M, PT30M, PT1H, PT4H, PT6H, PT12H, P1D or ALL; PT5M when absent"`
	Limit       int                      `json:"limit,omitempty" jsonschema:"greatest number of groups; 20 when absent"`
}

type queryOutput struct {
	Rows         []map[string]any           `json:"rows"`
	Completeness *metricsquery.Completeness `json:"completeness,omitempty" jsonschema:"final, revised or provisional, and until when the rows are complete"`
	Cut          bool                       `json:"cut" jsonschema:"whether rows were left out"`
}

type metricsInput struct {
	ResourceType string `json:"resource_type,omitempty" jsonschema:"only metrics of resources of this type, as in kafka"`
}

type metricsOutput struct {
	Metrics []metricsquery.Metric `json:"metrics"`
}

type labelsInput struct {
	Metric   string   `json:"metric" jsonschema:"name of the metric"`
	Labels   []string `json:"labels" jsonschema:"one or more labels, as in metric.topic"`
	Interval string   `json:"interval,omitempty" jsonschema:"as in PT1H/now, which it is when absent"`
}

type labelsOutput struct {
	Combinations []map[string]any `json:"combinations"`
}

type environmentsOutput struct {
	Environments []client.Environment `json:"environments"`
}

type catalogInput struct {
	EnvironmentID string `json:"environment_id" jsonschema:"the environment"`
}

type catalogOutput struct {
	Metrics   []client.Metric   `json:"metrics"`
	Resources []client.Resource `json:"resources"`
}

type receiptInput struct {
	ReceiptID string `json:"receipt_id" jsonschema:"the header Tidemark-Receipt of the answer to the sender, or the batch's Idempotency-Key"`
}

type incidentsInput struct {
	EnvironmentID string `json:"environment_id" jsonschema:"the environment"`
	State         string `json:"state,omitempty" jsonschema:"open, resolved or retracted; all when absent"`
}

type incidentsOutput struct {
	Incidents []client.Incident `json:"incidents"`
}

type incidentInput struct {
	EnvironmentID string `json:"environment_id" jsonschema:"the environment"`
	IncidentID    string `json:"incident_id" jsonschema:"as list_incidents gives it"`
}

type rulesInput struct {
	EnvironmentID string `json:"environment_id" jsonschema:"the environment"`
}

type rulesOutput struct {
	Rules []client.AlertRule `json:"rules"`
}

type usageInput struct {
	Meter         string `json:"meter,omitempty" jsonschema:"points or bytes; points when absent"`
	By            string `json:"by,omitempty" jsonschema:"environment, resource, metric, day or hour; metric when absent"`
	EnvironmentID string `json:"environment_id,omitempty" jsonschema:"only of this environment"`
	From          string `json:"from,omitempty" jsonschema:"start of the first hour, RFC 3339; start of the running month when absent"`
	To            string `json:"to,omitempty" jsonschema:"end of the last hour, RFC 3339; now when absent"`
}

type declareInput struct {
	EnvironmentID string `json:"environment_id" jsonschema:"the environment"`
	Name          string `json:"name" jsonschema:"name of the metric, as sent"`
	Unit          string `json:"unit,omitempty" jsonschema:"UCUM"`
	Description   string `json:"description,omitempty" jsonschema:"what it measures, for people"`
}

// New gives the server. Without writes every tool only reads.
func New(c *client.Client, version string, writes bool) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "tidemark", Title: "Tidemark", Version: version}, nil)
	closed := false
	reads := func(name, description string) *mcp.Tool {
		return &mcp.Tool{Name: name, Description: description,
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &closed}}
	}
	mcp.AddTool(server, reads("query_metrics", "Values of a metric over time, by group and bucket, and how complete they are. A bucket that is absent has no points; it is not zero."),
		func(ctx context.Context, _ *mcp.CallToolRequest, in queryInput) (*mcp.CallToolResult, queryOutput, error) {
			out, err := query(ctx, c, in)
			return nil, out, err
		})
	mcp.AddTool(server, reads("list_metrics", "Metrics that were received in the last week, with type, unit and labels."),
		func(ctx context.Context, _ *mcp.CallToolRequest, in metricsInput) (*mcp.CallToolResult, metricsOutput, error) {
			found, err := metricsquery.Metrics(ctx, c, "cloud", in.ResourceType)
			return nil, metricsOutput{found}, err
		})
	mcp.AddTool(server, reads("list_label_values", "Combinations of values that labels of a metric have had."),
		func(ctx context.Context, _ *mcp.CallToolRequest, in labelsInput) (*mcp.CallToolResult, labelsOutput, error) {
			found, err := metricsquery.LabelValues(ctx, c, "cloud", in.Metric, in.Labels, in.Interval)
			return nil, labelsOutput{orEmpty(found)}, err
		})
	mcp.AddTool(server, reads("list_environments", "Environments of the organisation."),
		func(ctx context.Context, _ *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, environmentsOutput, error) {
			found, err := client.List[client.Environment](ctx, c, client.OpListEnvironments, nil)
			return nil, environmentsOutput{orEmpty(found)}, err
		})
	mcp.AddTool(server, reads("read_catalog", "What is declared and discovered in an environment: metrics and what sends them."),
		func(ctx context.Context, _ *mcp.CallToolRequest, in catalogInput) (*mcp.CallToolResult, catalogOutput, error) {
			path := client.Path{"environment_id": in.EnvironmentID}
			metrics, err := client.List[client.Metric](ctx, c, client.OpListMetrics, path)
			if err != nil {
				return nil, catalogOutput{}, err
			}
			resources, err := client.List[client.Resource](ctx, c, client.OpListResources, path)
			return nil, catalogOutput{first(metrics), first(resources)}, err
		})
	mcp.AddTool(server, reads("read_receipt", "What became of a batch that was sent: how many points count, which do not and why."),
		func(ctx context.Context, _ *mcp.CallToolRequest, in receiptInput) (*mcp.CallToolResult, client.Receipt, error) {
			found, _, err := client.Get[client.Receipt](ctx, c, client.OpGetReceipt, client.Path{"receipt_id": in.ReceiptID})
			return nil, found, err
		})
	addAlerting(server, c, reads)
	mcp.AddTool(server, reads("read_usage", "What was used: sums of one meter. Quantities are whole numbers as text."),
		func(ctx context.Context, _ *mcp.CallToolRequest, in usageInput) (*mcp.CallToolResult, client.UsagePage, error) {
			asked := url.Values{"limit": {"200"}}
			for name, value := range map[string]string{"meter": in.Meter, "by": in.By, "environment_id": in.EnvironmentID, "from": in.From, "to": in.To} {
				if value != "" {
					asked.Set(name, value)
				}
			}
			var page client.UsagePage
			_, err := c.Call(ctx, client.Request{Operation: client.OpGetUsage, Query: asked}, &page)
			page.Data = orEmpty(page.Data)
			return nil, page, err
		})
	if writes {
		destructive := false
		mcp.AddTool(server, &mcp.Tool{Name: "declare_metric", Description: "Say what a metric is. Fails when it is declared already.",
			Annotations: &mcp.ToolAnnotations{DestructiveHint: &destructive, OpenWorldHint: &closed}},
			func(ctx context.Context, _ *mcp.CallToolRequest, in declareInput) (*mcp.CallToolResult, client.Metric, error) {
				draft := client.MetricDraft{Name: in.Name, Declaration: &client.MetricDeclaration{Unit: given(in.Unit), Description: given(in.Description)}}
				made, _, err := client.Create[client.Metric](ctx, c, client.OpDeclareMetric, client.Path{"environment_id": in.EnvironmentID}, draft)
				return nil, made, err
			})
	}
	return server
}

func addAlerting(server *mcp.Server, c *client.Client, reads func(name, description string) *mcp.Tool) {
	mcp.AddTool(server, reads("list_alert_rules", "Alert rules of an environment: what they compare, and the state they are in."),
		func(ctx context.Context, _ *mcp.CallToolRequest, in rulesInput) (*mcp.CallToolResult, rulesOutput, error) {
			found, err := client.List[client.AlertRule](ctx, c, client.OpListAlertRules, client.Path{"environment_id": in.EnvironmentID})
			return nil, rulesOutput{first(found)}, err
		})
	mcp.AddTool(server, reads("list_incidents", "The latest incidents of an environment, newest first, at most 200."),
		func(ctx context.Context, _ *mcp.CallToolRequest, in incidentsInput) (*mcp.CallToolResult, incidentsOutput, error) {
			asked := url.Values{"limit": {"200"}}
			if in.State != "" {
				asked.Set("state", in.State)
			}
			var page client.IncidentPage
			_, err := c.Call(ctx, client.Request{Operation: client.OpListIncidents, Path: client.Path{"environment_id": in.EnvironmentID}, Query: asked}, &page)
			return nil, incidentsOutput{orEmpty(page.Data)}, err
		})
	mcp.AddTool(server, reads("read_incident", "An incident with its timeline."),
		func(ctx context.Context, _ *mcp.CallToolRequest, in incidentInput) (*mcp.CallToolResult, client.Incident, error) {
			found, _, err := client.Get[client.Incident](ctx, c, client.OpGetIncident,
				client.Path{"environment_id": in.EnvironmentID, "incident_id": in.IncidentID})
			return nil, found, err
		})
}

func query(ctx context.Context, c *client.Client, in queryInput) (queryOutput, error) {
	asked := metricsquery.Query{
		Dataset: "cloud", Metric: in.Metric, Aggregation: in.Aggregation, By: in.GroupBy, Where: in.Where,
		Interval: in.Interval, Last: in.Last, Granularity: in.Granularity, Limit: in.Limit,
	}
	if asked.Last == "" {
		asked.Last = "PT1H"
	}
	if asked.Granularity == "" {
		asked.Granularity = "PT5M"
	}
	if asked.Limit == 0 {
		asked.Limit = 20
	}
	answer, err := asked.Run(ctx, c)
	return queryOutput{
		Rows:         first(answer.Data),
		Completeness: answer.Meta.Completeness,
		Cut:          len(answer.Data) > most || len(answer.Meta.Truncated) > 0,
	}, err
}

func first[T any](all []T) []T { return orEmpty(all)[:min(len(all), most)] }

func orEmpty[T any](all []T) []T {
	if all == nil {
		return []T{}
	}
	return all
}

func given(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
