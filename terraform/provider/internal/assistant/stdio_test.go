package assistant

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The program itself, started by the reference client as an assistant starts it.
func TestTheProgramServesTheReferenceClientOverStdio(t *testing.T) {
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "KEY" || password != "secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		switch {
		case r.URL.Path == "/api/v1/caller":
			fmt.Fprint(w, `{"kind":"api_key","organization_id":"org-test","permissions":[]}`)
		case strings.HasSuffix(r.URL.Path, "/environments"):
			fmt.Fprint(w, `{"data":[{"id":"production","display_name":"Production","state":"active","organization_id":"org-test","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z"}],"meta":{}}`)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(api.Close)
	program := filepath.Join(t.TempDir(), "tidemarkctl")
	if told, err := exec.Command("go", "build", "-o", program, "../../cmd/tidemarkctl").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, told)
	}
	command := exec.Command(program, "mcp")
	command.Env = append(os.Environ(), "TIDEMARK_URL="+api.URL, "TIDEMARK_API_KEY=KEY", "TIDEMARK_API_SECRET=secret",
		"TIDEMARK_CONFIG="+filepath.Join(t.TempDir(), "config.json"))
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: command}, nil)
	if err != nil {
		t.Fatal(err)
	}
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.Tools {
		if !tool.Annotations.ReadOnlyHint {
			t.Errorf("%s can change something", tool.Name)
		}
	}
	if told, failed := called(t, session, "list_environments", map[string]any{}); failed || !strings.Contains(told, "production") {
		t.Errorf("%s", told)
	}
	if err := session.Close(); err != nil {
		t.Errorf("the program did not end well: %v", err)
	}
}
