package assistant

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tidemark/terraform/provider/internal/client"
)

const incident = `{"id":"inc-1","rule_id":"rule-1","rule_name":"Lag","severity":"critical","state":"open","alert_state":"firing",
	"group":{"metric.topic":"orders"},"labels":{},"annotations":{},"started_at":"2026-01-01T00:00:00Z","opened_at":"2026-01-01T00:01:00Z","version":1,
	"timeline":[{"at":"2026-01-01T00:01:00Z","kind":"fired","value":7}]}`

// connected gives the reference client of the protocol, connected with a server over an API of hand-written answers.
func connected(t *testing.T, writes bool, asked *[]string) *mcp.ClientSession {
	t.Helper()
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r.Method+" "+r.URL.Path)
		switch {
		case r.URL.Path == "/api/v1/caller":
			fmt.Fprint(w, `{"kind":"api_key","organization_id":"org-test","permissions":[]}`)
		case r.URL.Path == "/v2/metrics/cloud/query":
			var body map[string]any
			if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body["granularity"] != "PT5M" || fmt.Sprint(body["intervals"]) != "[PT1H/now]" {
				t.Errorf("%v %v", body, err)
			}
			fmt.Fprint(w, `{"data":[{"timestamp":"2026-01-01T00:00:00Z","metric.topic":"orders","value":125.0}],
				"meta":{"completeness":{"state":"provisional","complete_until":"2026-01-01T00:01:00Z"}}}`)
		case strings.HasSuffix(r.URL.Path, "/descriptors/metrics"):
			fmt.Fprint(w, `{"data":[{"name":"kafka.bytes","type":"COUNTER_DOUBLE","unit":"By","description":"","resources":["kafka"],"labels":[{"key":"topic"}]}],"meta":{"pagination":{"page_size":1000}}}`)
		case strings.HasSuffix(r.URL.Path, "/environments"):
			fmt.Fprint(w, `{"data":[{"id":"production","display_name":"Production","state":"active","organization_id":"org-test","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z"}],"meta":{}}`)
		case strings.HasSuffix(r.URL.Path, "/incidents") && r.URL.Query().Get("state") == "open":
			fmt.Fprint(w, `{"data":[`+incident+`],"meta":{}}`)
		case strings.HasSuffix(r.URL.Path, "/incidents/inc-1"):
			fmt.Fprint(w, incident)
		case strings.HasSuffix(r.URL.Path, "/alert-rules"):
			fmt.Fprint(w, `{"data":[{"id":"rule-1","name":"Lag","description":"","enabled":true,"severity":"critical","state":"firing","groups":[],"labels":{},
				"annotations":{},"version":1,"created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z","effective_from":"2026-01-01T00:00:00Z",
				"condition":{"metric":"kafka.lag","operator":"gt","threshold":5}}],"meta":{}}`)
		case strings.HasSuffix(r.URL.Path, "/usage") && r.URL.Query().Get("by") == "day":
			fmt.Fprint(w, `{"meter":"points","unit":"point","from":"2026-01-01T00:00:00Z","to":"2026-01-02T00:00:00Z","by":"day","total":"12345678901234567890",
				"data":[{"start":"2026-01-01T00:00:00Z","quantity":"12345678901234567890"}],"meta":{}}`)
		case strings.HasSuffix(r.URL.Path, "/metrics"):
			w.WriteHeader(http.StatusCreated)
			fmt.Fprint(w, `{"id":"x","name":"kafka.bytes","lifecycle":"active"}`)
		default:
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"code":"not_found","status":404,"detail":"There is no such receipt.","next_step":"Check it.","errors":[]}`)
		}
	}))
	t.Cleanup(api.Close)
	c, err := client.New(client.Settings{URL: api.URL, APIKey: "KEY", APISecret: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	here, there := mcp.NewInMemoryTransports()
	if _, err := New(c, "test", writes).Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

func called(t *testing.T, session *mcp.ClientSession, name string, arguments map[string]any) (string, bool) {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	told, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	return string(told), result.IsError
}

func TestAnAssistantReadsValuesAndHowCompleteTheyAre(t *testing.T) {
	var asked []string
	session := connected(t, false, &asked)
	told, failed := called(t, session, "query_metrics", map[string]any{"metric": "kafka.bytes", "group_by": []string{"metric.topic"}})
	if failed || !strings.Contains(told, "orders") || !strings.Contains(told, "provisional") {
		t.Errorf("%s", told)
	}
	told, failed = called(t, session, "list_metrics", map[string]any{})
	if failed || !strings.Contains(told, "kafka.bytes") {
		t.Errorf("%s", told)
	}
	told, failed = called(t, session, "list_environments", map[string]any{})
	if failed || !strings.Contains(told, "production") {
		t.Errorf("%s", told)
	}
}

func TestAnAssistantReadsAlertsAndUsage(t *testing.T) {
	var asked []string
	session := connected(t, false, &asked)
	for name, arguments := range map[string]map[string]any{
		"list_alert_rules": {"environment_id": "production"},
		"list_incidents":   {"environment_id": "production", "state": "open"},
		"read_incident":    {"environment_id": "production", "incident_id": "inc-1"},
		"read_usage":       {"by": "day"},
	} {
		told, failed := called(t, session, name, arguments)
		wanted := map[string]string{"list_alert_rules": "kafka.lag", "list_incidents": "orders", "read_incident": "fired", "read_usage": "12345678901234567890"}[name]
		if failed || !strings.Contains(told, wanted) {
			t.Errorf("%s: %s", name, told)
		}
	}
}

func TestAnAssistantIsToldWhatIsWrong(t *testing.T) {
	var asked []string
	session := connected(t, false, &asked)
	told, failed := called(t, session, "read_receipt", map[string]any{"receipt_id": "none"})
	if !failed || !strings.Contains(told, "There is no such receipt.") || !strings.Contains(told, "Check it.") {
		t.Errorf("%s", told)
	}
}

func TestAnAssistantChangesNothingUnlessAllowed(t *testing.T) {
	for _, writes := range []bool{false, true} {
		var asked []string
		session := connected(t, writes, &asked)
		tools, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var offered []string
		for _, tool := range tools.Tools {
			if !tool.Annotations.ReadOnlyHint {
				offered = append(offered, tool.Name)
			}
		}
		if !writes && len(offered) > 0 || writes && (len(offered) != 1 || offered[0] != "declare_metric") {
			t.Errorf("writes %t: %v can change something", writes, offered)
		}
		_, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "declare_metric",
			Arguments: map[string]any{"environment_id": "production", "name": "kafka.bytes", "unit": "By"}})
		if made := strings.Contains(strings.Join(asked, " "), "POST /api/v1/organizations/org-test/environments/production/metrics"); made != writes {
			t.Errorf("writes %t: asked %v, %v", writes, asked, err)
		}
	}
}
