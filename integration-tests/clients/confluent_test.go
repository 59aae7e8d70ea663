package clients

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	metricsv2 "github.com/confluentinc/ccloud-sdk-go-v2/metrics/v2"
)

func confluent(t *testing.T) (stack, *metricsv2.APIClient, context.Context) {
	t.Helper()
	here := running(t)
	configuration := metricsv2.NewConfiguration()
	configuration.Servers = metricsv2.ServerConfigurations{{URL: here.url}}
	configuration.UserAgent = "tidemark-tests"
	ctx := context.WithValue(context.Background(), metricsv2.ContextBasicAuth,
		metricsv2.BasicAuth{UserName: here.keyID, Password: here.secret})
	return here, metricsv2.NewAPIClient(configuration), ctx
}

func interval(here stack) []string {
	return []string{here.begin.Format(time.RFC3339) + "/PT4M"}
}

func request(here stack, groupBy ...string) *metricsv2.QueryRequest {
	aggregation := metricsv2.NewAggregation(metric)
	aggregation.SetAgg(metricsv2.AggregationFunction("SUM"))
	query := metricsv2.NewQueryRequest([]metricsv2.Aggregation{*aggregation},
		metricsv2.Granularity("PT1M"), interval(here))
	query.SetGroupBy(groupBy)
	query.SetLimit(1000)
	return query
}

// Every body fits both schemas of the SDK's oneOf, which it calls an error; Confluent's own CLI reads the body itself then.
func flat(t *testing.T, client *metricsv2.APIClient, ctx context.Context, query *metricsv2.QueryRequest) []metricsv2.Point {
	t.Helper()
	var read metricsv2.FlatQueryResponse
	ask(t, client, ctx, query, &read)
	return read.Data
}

func ask(t *testing.T, client *metricsv2.APIClient, ctx context.Context, query *metricsv2.QueryRequest, answer any) {
	t.Helper()
	_, response, err := client.Version2Api.V2MetricsDatasetQueryPost(ctx, "cloud").QueryRequest(*query).Execute()
	text := body(response)
	if err != nil && !strings.Contains(err.Error(), "Data matches more than one schema") {
		t.Fatal(err, text)
	}
	if err := json.Unmarshal([]byte(text), answer); err != nil {
		t.Fatal(err, text)
	}
}

func body(response *http.Response) string {
	if response == nil {
		return ""
	}
	text, _ := io.ReadAll(response.Body)
	return string(text)
}

func TestTheSdkReadsFlatAnswers(t *testing.T) {
	here, client, ctx := confluent(t)
	sums := map[string]float32{}
	for _, point := range flat(t, client, ctx, request(here, "metric.route")) {
		minute := int(point.Timestamp.Sub(here.begin) / time.Minute)
		route := point.AdditionalProperties["metric.route"].(string)
		if float64(point.Value) != sent[route][minute] {
			t.Errorf("%s in minute %d: %v, sent %v", route, minute, point.Value, sent[route][minute])
		}
		sums[route] += point.Value
	}
	if sums["/a"] != 14 || sums["/b"] != 60 {
		t.Errorf("sums %v", sums)
	}
}

func TestTheSdkReadsGroupedAnswers(t *testing.T) {
	here, client, ctx := confluent(t)
	query := request(here, "metric.route")
	query.SetFormat(metricsv2.ResponseFormat("GROUPED"))
	var answer metricsv2.GroupedQueryResponse
	ask(t, client, ctx, query, &answer)
	groups := answer.Data
	if len(groups) != 2 || len(groups[1].Points) != 4 || groups[1].Points[3].Value != 19 {
		t.Errorf("groups %+v", groups)
	}
}

func TestTheSdkFiltersAndAddsUp(t *testing.T) {
	here, client, ctx := confluent(t)
	query := request(here)
	query.Granularity = metricsv2.Granularity("ALL")
	equal := func(field, value string) metricsv2.Filter {
		filter := metricsv2.NewFieldFilter("EQ", metricsv2.StringAsFieldFilterValue(&value))
		filter.SetField(field)
		return metricsv2.FieldFilterAsFilter(filter)
	}
	not := metricsv2.NewUnaryFilter("NOT", equal("metric.route", "/a"))
	filter := metricsv2.CompoundFilterAsFilter(metricsv2.NewCompoundFilter("AND",
		[]metricsv2.Filter{equal("resource.kafka.id", "lkc-clients"), metricsv2.UnaryFilterAsFilter(not)}))
	query.SetFilter(filter)
	points := flat(t, client, ctx, query)
	if len(points) != 1 || points[0].Value != 60 {
		t.Errorf("points %+v", points)
	}
}

func TestTheSdkListsAttributesAndDescriptors(t *testing.T) {
	here, client, ctx := confluent(t)
	attributes := metricsv2.NewAttributesRequest([]string{"metric.route"})
	attributes.SetMetric(metric)
	attributes.SetIntervals(interval(here))
	listed, response, err := client.Version2Api.V2MetricsDatasetAttributesPost(ctx, "cloud").AttributesRequest(*attributes).Execute()
	if err != nil {
		t.Fatal(err, body(response))
	}
	if len(listed.Data) != 2 || listed.Data[0]["metric.route"] != "/a" {
		t.Errorf("attributes %+v", listed.Data)
	}
	descriptors, response, err := client.Version2Api.V2MetricsDatasetDescriptorsMetricsGet(ctx, "cloud").PageSize(1000).ResourceType("kafka").Execute()
	if err != nil {
		t.Fatal(err, body(response))
	}
	found := false
	for _, each := range descriptors.Data {
		found = found || (each.Name == metric && each.Type == "COUNTER_DOUBLE")
	}
	if !found {
		t.Errorf("no descriptor of %s", metric)
	}
	resources, response, err := client.Version2Api.V2MetricsDatasetDescriptorsResourcesGet(ctx, "cloud").Execute()
	if err != nil {
		t.Fatal(err, body(response))
	}
	if len(resources.Data) == 0 {
		t.Error("no descriptor of a resource")
	}
}

// An export is refused for some seconds while a task of the store is replaced, which other tests cause.
func export(t *testing.T, client *metricsv2.APIClient, ctx context.Context) string {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		text, response, err := client.Version2Api.V2MetricsDatasetExportGet(ctx, "cloud").ResourceKafkaId([]string{"lkc-clients"}).Execute()
		if err == nil {
			return text
		}
		if response == nil || response.StatusCode != http.StatusServiceUnavailable || time.Now().After(deadline) {
			t.Fatal(err, body(response))
		}
		wait, problem := strconv.Atoi(response.Header.Get("Retry-After"))
		if problem != nil {
			t.Fatalf("a refusal that does not say when to try again: %v", response.Header)
		}
		time.Sleep(time.Duration(wait) * time.Second)
	}
}

func TestTheSdkReadsExportsAndErrors(t *testing.T) {
	_, client, ctx := confluent(t)
	text := export(t, client, ctx)
	if !strings.Contains(text, `confluent_scrape_resource_access_error{resource_id="lkc-clients",resource_type="kafka"} 0`) {
		t.Errorf("export %s", text)
	}
	bad := metricsv2.NewQueryRequest([]metricsv2.Aggregation{}, metricsv2.Granularity("PT1M"), []string{"yesterday"})
	_, response, err := client.Version2Api.V2MetricsDatasetQueryPost(ctx, "cloud").QueryRequest(*bad).Execute()
	if response == nil || response.StatusCode != http.StatusBadRequest {
		t.Fatalf("a wrong query is answered %v", response)
	}
	var known *metricsv2.GenericOpenAPIError
	if !errors.As(err, &known) {
		t.Fatalf("an error of another kind: %T", err)
	}
	failure, isErrors := known.Model().(metricsv2.ErrorResponse)
	if !isErrors || len(failure.Errors) == 0 || failure.Errors[0].GetDetail() == "" {
		t.Errorf("the SDK does not read the errors: %s", known.Body())
	}
}
