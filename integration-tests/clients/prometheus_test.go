package clients

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
)

type withKey struct{ key string }

func (authorized withKey) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Authorization", "Bearer "+authorized.key)
	return http.DefaultTransport.RoundTrip(request)
}

func prometheus(t *testing.T) (stack, v1.API) {
	t.Helper()
	here := running(t)
	client, err := api.NewClient(api.Config{Address: here.url + "/prometheus", RoundTripper: withKey{here.bearer}})
	if err != nil {
		t.Fatal(err)
	}
	return here, v1.NewAPI(client)
}

func TestPrometheusClientReadsValuesAtATime(t *testing.T) {
	here, client := prometheus(t)
	value, _, infos, err := client.Query(context.Background(),
		`sum by (route) (increase(clients_requests_total{kafka_id="lkc-clients"}[4m]))`, here.begin.Add(minutes(4)))
	if err != nil {
		t.Fatal(err)
	}
	vector := value.(model.Vector)
	got := map[model.LabelValue]model.SampleValue{}
	for _, sample := range vector {
		got[sample.Metric["route"]] = sample.Value
	}
	if len(got) != 2 || got["/a"] != 14 || got["/b"] != 60 {
		t.Errorf("got %v", vector)
	}
	if len(infos) == 0 || !strings.HasPrefix(infos[0], "completeness: state=") {
		t.Errorf("infos %v", infos)
	}
}

func TestPrometheusClientReadsRanges(t *testing.T) {
	here, client := prometheus(t)
	value, _, _, err := client.QueryRange(context.Background(), `60 * rate(clients_requests_total[1m])`,
		v1.Range{Start: here.begin.Add(minutes(1)), End: here.begin.Add(minutes(4)), Step: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	matrix := value.(model.Matrix)
	if len(matrix) != 2 {
		t.Fatalf("got %v", matrix)
	}
	for _, series := range matrix {
		expected := sent[string(series.Metric["route"])]
		for _, pair := range series.Values {
			minute := int(pair.Timestamp.Time().Sub(here.begin)/time.Minute) - 1
			if difference := float64(pair.Value) - expected[minute]; difference > 1e-9 || difference < -1e-9 {
				t.Errorf("%s in minute %d: %v, sent %v", series.Metric, minute, pair.Value, expected[minute])
			}
		}
		if len(series.Values) < 3 {
			t.Errorf("%s has %d values", series.Metric, len(series.Values))
		}
	}
}

func TestPrometheusClientBrowses(t *testing.T) {
	here, client := prometheus(t)
	ctx := context.Background()
	from, to := here.begin, here.begin.Add(minutes(4))
	names, _, _, err := client.LabelValues(ctx, "__name__", nil, from, to)
	if err != nil {
		t.Fatal(err)
	}
	if !contains(names, "clients_requests_total") {
		t.Errorf("no name among %v", names)
	}
	routes, _, _, err := client.LabelValues(ctx, "route", []string{"clients_requests_total"}, from, to)
	if err != nil || len(routes) != 2 || routes[0] != "/a" {
		t.Errorf("routes %v %v", routes, err)
	}
	labels, _, _, err := client.LabelNames(ctx, []string{`clients_requests_total{route=~"/[a]"}`}, from, to)
	if err != nil || fmt.Sprint(labels) != "__name__, environment_id, kafka_id, route" {
		t.Errorf("labels %v %v", labels, err)
	}
	series, _, _, err := client.Series(ctx, []string{`{__name__="clients_requests_total",route!="/a"}`}, from, to)
	if err != nil || len(series) != 1 || series[0]["kafka_id"] != "lkc-clients" {
		t.Errorf("series %v %v", series, err)
	}
	metadata, err := client.Metadata(ctx, "clients_requests_total", "")
	if err != nil || metadata["clients_requests_total"][0].Type != v1.MetricTypeCounter {
		t.Errorf("metadata %v %v", metadata, err)
	}
	build, err := client.Buildinfo(ctx)
	if err != nil || build.Version == "" {
		t.Errorf("build %v %v", build, err)
	}
}

func contains(values model.LabelValues, wanted model.LabelValue) bool {
	for _, value := range values {
		if value == wanted {
			return true
		}
	}
	return false
}

func TestPrometheusClientReadsErrors(t *testing.T) {
	here, client := prometheus(t)
	for query, kind := range map[string]v1.ErrorType{
		"sum(":            v1.ErrBadData,
		"limitk(1, up)":   v1.ErrExec,
		"changes(up[5m])": v1.ErrExec,
		"rate(up[5m:1m])": v1.ErrExec,
	} {
		_, _, _, err := client.Query(context.Background(), query, here.begin)
		var failure *v1.Error
		if !errors.As(err, &failure) || failure.Type != kind {
			t.Errorf("%s: %v", query, err)
		}
		if err != nil && kind == v1.ErrExec && !strings.Contains(err.Error(), "not supported: ") {
			t.Errorf("%s: %v", query, err)
		}
	}
}
