package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// testingAPI answers a caller of org-test, and everything else with the handler.
func testingAPI(t *testing.T, handler http.HandlerFunc) *Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == OpGetCaller.Path {
			fmt.Fprint(w, `{"kind":"api_key","organization_id":"org-test","permissions":[]}`)
			return
		}
		handler(w, r)
	}))
	t.Cleanup(server.Close)
	c, err := New(Settings{URL: server.URL + "/", APIKey: "KEY", APISecret: "secret", RetryFor: 3 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func problem(w http.ResponseWriter, status int, code string, faults ...string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	items := make([]string, len(faults))
	for i, fault := range faults {
		items[i] = fmt.Sprintf(`{"detail":%q}`, fault)
	}
	fmt.Fprintf(w, `{"type":"urn:tidemark:error:%s","title":"t","status":%d,"detail":%q,"instance":"i","code":%q,"next_step":"Do it.","errors":[%s]}`,
		code, status, strings.Join(faults, " "), code, strings.Join(items, ","))
}

var production = Path{"environment_id": "production"}

func TestAnObjectComesWithItsVersion(t *testing.T) {
	c := testingAPI(t, func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "KEY" || password != "secret" {
			t.Errorf("credentials %s:%s", user, password)
		}
		if r.URL.Path != "/api/v1/organizations/org-test/environments/production" {
			t.Errorf("path %s", r.URL.Path)
		}
		w.Header().Set("ETag", `"7"`)
		fmt.Fprint(w, `{"id":"production","display_name":"Production","state":"active"}`)
	})
	found, etag, err := Get[Environment](t.Context(), c, OpGetEnvironment, production)
	if err != nil || etag != `"7"` || found.DisplayName != "Production" {
		t.Fatalf("%v %s %v", found, etag, err)
	}
}

func TestAPathParameterIsEscaped(t *testing.T) {
	c := testingAPI(t, func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.EscapedPath(), "/metrics/a%2Fb") {
			t.Errorf("path %s", r.URL.EscapedPath())
		}
		fmt.Fprint(w, `{}`)
	})
	if _, _, err := Get[Metric](t.Context(), c, OpGetMetric, Path{"environment_id": "production", "metric_id": "a/b"}); err != nil {
		t.Fatal(err)
	}
}

func TestARefusalNamesEveryFault(t *testing.T) {
	c := testingAPI(t, func(w http.ResponseWriter, r *http.Request) {
		problem(w, 400, "invalid_request", "id must be short.", "display_name must be there.")
	})
	_, _, err := Create[Environment](t.Context(), c, OpCreateEnvironment, nil, EnvironmentDraft{})
	var refusal *Refusal
	if !errors.As(err, &refusal) || len(refusal.Faults()) != 2 || refusal.Code != "invalid_request" {
		t.Fatalf("%v", err)
	}
	if !strings.Contains(err.Error(), "id must be short. display_name must be there.\nDo it.") {
		t.Errorf("%s", err)
	}
}

func TestAnAnswerOfAnotherProgramIsNamedAsSuch(t *testing.T) {
	c := testingAPI(t, func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "<html>Bad Gateway</html>", http.StatusBadGateway)
	})
	_, _, err := Get[Environment](t.Context(), c, OpGetEnvironment, production)
	if err == nil || !strings.Contains(err.Error(), "502 Bad Gateway, which is not an answer of Tidemark") {
		t.Fatalf("%v", err)
	}
}

func TestARequestIsRepeatedAfterTheTimeTheAPINames(t *testing.T) {
	var calls atomic.Int32
	c := testingAPI(t, func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) == 1 {
			w.Header().Set("Retry-After", "1")
			problem(w, 429, "rate_limited", "Too many.")
			return
		}
		fmt.Fprint(w, `{"id":"production"}`)
	})
	began := time.Now()
	if _, _, err := Get[Environment](t.Context(), c, OpGetEnvironment, production); err != nil {
		t.Fatal(err)
	}
	if waited := time.Since(began); calls.Load() != 2 || waited < time.Second {
		t.Errorf("%d calls in %s", calls.Load(), waited)
	}
}

func TestRepetitionEndsWhenTheTimeIsOver(t *testing.T) {
	var calls atomic.Int32
	c := testingAPI(t, func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		w.Header().Set("Retry-After", "60")
		problem(w, 503, "control_plane_unavailable", "The database is away.")
	})
	if _, _, err := Get[Environment](t.Context(), c, OpGetEnvironment, production); err == nil || calls.Load() != 1 {
		t.Fatalf("%d calls, %v", calls.Load(), err)
	}
}

func TestWhatWasRefusedIsNotRepeated(t *testing.T) {
	for _, status := range []int{400, 401, 403, 404, 409, 412, 422, 500} {
		var calls atomic.Int32
		c := testingAPI(t, func(w http.ResponseWriter, r *http.Request) {
			calls.Add(1)
			problem(w, status, "some_code", "No.")
		})
		if _, _, err := Get[Environment](t.Context(), c, OpGetEnvironment, production); err == nil || calls.Load() != 1 {
			t.Errorf("%d: %d calls, %v", status, calls.Load(), err)
		}
	}
}

// The API takes the request and dies before it answers.
func TestACreationWhoseAnswerIsLostIsRepeatedWithTheSameKey(t *testing.T) {
	keys := make(chan string, 2)
	c := testingAPI(t, func(w http.ResponseWriter, r *http.Request) {
		keys <- r.Header.Get("Idempotency-Key")
		if len(keys) == 1 {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Idempotency-Replayed", "true")
		fmt.Fprint(w, `{"id":"production"}`)
	})
	_, meta, err := Create[Environment](t.Context(), c, OpCreateEnvironment, nil, EnvironmentDraft{})
	if err != nil || !meta.Replayed {
		t.Fatalf("%v %v", meta, err)
	}
	if first, second := <-keys, <-keys; first == "" || first != second {
		t.Errorf("keys %q and %q", first, second)
	}
}

func TestAnActionWithoutAKeyIsNotRepeatedWhenItsAnswerIsLost(t *testing.T) {
	var calls atomic.Int32
	c := testingAPI(t, func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		panic(http.ErrAbortHandler)
	})
	_, _, err := Change[Environment](t.Context(), c, OpArchiveEnvironment, production, `"1"`, nil)
	var unreachable *Unreachable
	if !errors.As(err, &unreachable) || calls.Load() != 1 {
		t.Fatalf("%d calls, %v", calls.Load(), err)
	}
}

func TestAnAPIThatIsAwayIsNamedWithItsAddress(t *testing.T) {
	c, err := New(Settings{URL: "http://127.0.0.1:1", APIKey: "KEY"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Caller(t.Context())
	if err == nil || !strings.Contains(err.Error(), "http://127.0.0.1:1 does not answer") || strings.Contains(err.Error(), "/api/v1") {
		t.Fatalf("%v", err)
	}
}

func TestAnAddressIsChecked(t *testing.T) {
	for _, address := range []string{"", "tidemark.example", "ftp://tidemark.example", "https://"} {
		if _, err := New(Settings{URL: address, APIKey: "KEY"}); err == nil {
			t.Errorf("%q was taken", address)
		}
	}
}

func TestWhatIsGoneIsRemoved(t *testing.T) {
	c := testingAPI(t, func(w http.ResponseWriter, r *http.Request) { problem(w, 404, "not_found", "There is none.") })
	if err := Remove(t.Context(), c, OpDeleteEnvironment, production); err != nil {
		t.Fatal(err)
	}
}

// pages answers a list of count environments in pages of 200, and single ones.
func pages(calls *atomic.Int32, count int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		if !strings.HasSuffix(r.URL.Path, "/environments") {
			w.Header().Set("ETag", `"1"`)
			fmt.Fprintf(w, `{"id":%q}`, r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:])
			return
		}
		var from int
		fmt.Sscanf(r.URL.Query().Get("cursor"), "c%d", &from)
		var items []string
		for i := from; i < min(from+200, count); i++ {
			items = append(items, fmt.Sprintf(`{"id":"env-%d"}`, i))
		}
		meta := `{}`
		if from+200 < count {
			meta = fmt.Sprintf(`{"next_cursor":"c%d"}`, from+200)
		}
		fmt.Fprintf(w, `{"data":[%s],"meta":%s}`, strings.Join(items, ","), meta)
	}
}

func find(ctx context.Context, c *Client, id string) (Environment, string, error) {
	return Find(ctx, c, OpGetEnvironment, Path{"environment_id": id}, OpListEnvironments, func(e Environment) string { return e.Id }, id)
}

func TestAListIsReadToItsEnd(t *testing.T) {
	var calls atomic.Int32
	c := testingAPI(t, pages(&calls, 450))
	found, err := List[Environment](t.Context(), c, OpListEnvironments, nil)
	if err != nil || len(found) != 450 || calls.Load() != 3 {
		t.Fatalf("%d in %d calls, %v", len(found), calls.Load(), err)
	}
}

func TestManyObjectsAreReadFromTheirList(t *testing.T) {
	var calls atomic.Int32
	c := testingAPI(t, pages(&calls, 500))
	for i := range 500 {
		if found, _, err := find(t.Context(), c, fmt.Sprintf("env-%d", i)); err != nil || found.Id != fmt.Sprintf("env-%d", i) {
			t.Fatalf("%v %v", found, err)
		}
	}
	if calls.Load() != singly+3 {
		t.Errorf("%d requests for 500 objects", calls.Load())
	}
	if _, _, err := find(t.Context(), c, "env-none"); !IsNotFound(err) {
		t.Errorf("%v", err)
	}
}

func TestAChangeForgetsTheLists(t *testing.T) {
	var calls atomic.Int32
	c := testingAPI(t, pages(&calls, 20))
	for i := range 20 {
		find(t.Context(), c, fmt.Sprintf("env-%d", i))
	}
	if _, etag, _ := find(t.Context(), c, "env-1"); etag != "" {
		t.Fatal("env-1 was read by itself")
	}
	if _, _, err := Change[Environment](t.Context(), c, OpChangeEnvironment, Path{"environment_id": "env-1"}, `"1"`, EnvironmentChange{}); err != nil {
		t.Fatal(err)
	}
	if _, etag, _ := find(t.Context(), c, "env-1"); etag != `"1"` {
		t.Error("env-1 was read from a list of before")
	}
}

func TestRetryAfterIsANumberOrATime(t *testing.T) {
	for text, wanted := range map[string]time.Duration{
		"2": 2 * time.Second, "0": shortest, "": 0, "-1": 0, "soon": 0,
		"Thu, 01 Jan 2026 00:00:07 GMT": 7 * time.Second, "Wed, 31 Dec 2025 00:00:00 GMT": shortest,
	} {
		response := &http.Response{Header: http.Header{"Retry-After": {text}, "Date": {"Thu, 01 Jan 2026 00:00:00 GMT"}}}
		if found := retryAfter(response); found != wanted {
			t.Errorf("%q is %s", text, found)
		}
	}
}
