// Package metricsquery asks the Metrics API.
package metricsquery

import (
	"context"
	"net/url"

	"tidemark/terraform/provider/internal/client"
)

// Query asks for one metric.
type Query struct {
	Dataset     string
	Metric      string
	Aggregation string
	By          []string
	Where       []Condition
	// Interval is start/end, start/duration or duration/end; empty means the Last before now.
	Interval    string
	Last        string
	Granularity string
	Limit       int
}

// Condition holds for series whose field has the value.
type Condition struct {
	Field string `json:"field"`
	Value string `json:"value"`
}

// Answer is what the API has, and how complete that is.
type Answer struct {
	Data []map[string]any `json:"data"`
	Meta Meta             `json:"meta"`
}

// Meta says how complete an answer is and what was cut from it.
type Meta struct {
	Pagination struct {
		NextPageToken string `json:"next_page_token,omitempty"`
	} `json:"pagination,omitzero"`
	Completeness *Completeness `json:"completeness,omitempty"`
	Truncated    []struct {
		What   string `json:"what"`
		Detail string `json:"detail"`
	} `json:"truncated,omitempty"`
}

// Completeness is final, revised or provisional, until a time.
type Completeness struct {
	State         string `json:"state"`
	Watermark     string `json:"watermark,omitempty"`
	CompleteUntil string `json:"complete_until,omitempty"`
	ReadUntil     string `json:"read_until,omitempty" jsonschema:"points received before this time are counted, whatever time they are of"`
	IsBehind      bool   `json:"is_behind,omitempty" jsonschema:"points received since read_until may be missing in any bucket"`
}

// Body is the query as the API takes it.
func (q Query) Body() map[string]any {
	interval := q.Interval
	if interval == "" {
		interval = q.Last + "/now"
	}
	aggregation := map[string]any{"metric": q.Metric}
	if q.Aggregation != "" {
		aggregation["agg"] = q.Aggregation
	}
	body := map[string]any{
		"aggregations": []any{aggregation},
		"granularity":  q.Granularity,
		"intervals":    []string{interval},
	}
	if len(q.By) > 0 {
		body["group_by"] = q.By
		body["limit"] = q.Limit
	}
	var filters []any
	for _, each := range q.Where {
		filters = append(filters, map[string]any{"field": each.Field, "op": "EQ", "value": each.Value})
	}
	switch len(filters) {
	case 0:
	case 1:
		body["filter"] = filters[0]
	default:
		body["filter"] = map[string]any{"op": "AND", "filters": filters}
	}
	return body
}

// Run asks, all pages of it.
func (q Query) Run(ctx context.Context, c *client.Client) (Answer, error) {
	whole := Answer{Data: []map[string]any{}}
	request := client.Request{Operation: client.OpQueryMetrics, Path: client.Path{"dataset": q.Dataset}, Body: q.Body(), Query: url.Values{}}
	for {
		var page Answer
		if _, err := c.Call(ctx, request, &page); err != nil {
			return whole, err
		}
		whole.Data = append(whole.Data, page.Data...)
		whole.Meta = page.Meta
		if page.Meta.Pagination.NextPageToken == "" {
			return whole, nil
		}
		request.Query.Set("page_token", page.Meta.Pagination.NextPageToken)
	}
}

// Metric is one that can be asked for.
type Metric struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Type        string   `json:"type"`
	Unit        string   `json:"unit"`
	Resources   []string `json:"resources"`
	Labels      []struct {
		Key string `json:"key"`
	} `json:"labels"`
}

// Metrics lists the metrics of a dataset; of resources of one type when that is given.
func Metrics(ctx context.Context, c *client.Client, dataset, resourceType string) ([]Metric, error) {
	all := []Metric{}
	query := url.Values{"page_size": {"1000"}}
	if resourceType != "" {
		query.Set("resource_type", resourceType)
	}
	for {
		var page struct {
			Data []Metric `json:"data"`
			Meta Meta     `json:"meta"`
		}
		request := client.Request{Operation: client.OpListMetricDescriptors, Path: client.Path{"dataset": dataset}, Query: query}
		if _, err := c.Call(ctx, request, &page); err != nil {
			return nil, err
		}
		all = append(all, page.Data...)
		if page.Meta.Pagination.NextPageToken == "" {
			return all, nil
		}
		query.Set("page_token", page.Meta.Pagination.NextPageToken)
	}
}

// LabelValues lists the combinations of labels that series of a metric have had within the interval.
func LabelValues(ctx context.Context, c *client.Client, dataset, metric string, labels []string, interval string) ([]map[string]any, error) {
	body := map[string]any{"metric": metric, "group_by": labels}
	if interval != "" {
		body["intervals"] = []string{interval}
	}
	var answer Answer
	_, err := c.Call(ctx, client.Request{Operation: client.OpQueryAttributes, Path: client.Path{"dataset": dataset}, Body: body}, &answer)
	return answer.Data, err
}
