package cli

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/contexts"
)

// patience is how long a browser may take.
const patience = 5 * time.Minute

func loginCommand(s *session) *cobra.Command {
	var address, organization, key string
	var silent bool
	command := &cobra.Command{
		Use:   "login NAME",
		Short: "Sign in with a browser, or with a key, and keep it as a context",
		Long: "Sign in and keep it as the context NAME. A browser opens at the API; who is signed in there agrees, and tidemarkctl gets a session of\n" +
			"its own that ends like one of the console. Where no browser can reach this machine, the page shows a code to type in here.\n\n" +
			"  tidemarkctl login production --url https://tidemark.example\n\n" +
			"With --api-key it is a key instead, whose secret is read from the standard input.",
		Args: cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, arguments []string) error {
			if key != "" {
				return keepKey(command, arguments[0], address, key)
			}
			if _, err := client.New(client.Settings{URL: address, Session: "none"}); err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(command.Context(), patience)
			defer cancel()
			cookie, err := signIn(ctx, command, strings.TrimSuffix(address, "/"), "tidemarkctl/"+s.version, !silent)
			if err != nil {
				return err
			}
			next := contexts.Context{URL: address, Session: cookie, Organization: organization}
			if next.Organization == "" {
				if next.Organization, err = onlyOrganization(ctx, next, s.version); err != nil {
					return err
				}
			}
			file, err := contexts.Read()
			if err != nil {
				return err
			}
			file.Contexts[arguments[0]] = next
			file.Current = arguments[0]
			if err := file.Write(); err != nil {
				return err
			}
			_, err = fmt.Fprintf(command.ErrOrStderr(), "Signed in, in the organisation %s.\n", next.Organization)
			return err
		},
	}
	flags := command.Flags()
	flags.StringVar(&address, "url", "", "address of platform-api, as in https://tidemark.example")
	flags.StringVar(&organization, "organization", "", "the organisation to work in; needed by who belongs to more than one")
	flags.StringVar(&key, "api-key", "", "id of an API key to sign in with instead of a browser")
	flags.BoolVar(&silent, "no-browser", false, "open no browser; show the address only")
	_ = command.MarkFlagRequired("url")
	return command
}

func logoutCommand(s *session) *cobra.Command {
	return &cobra.Command{
		Use: "logout [NAME]", Short: "End the session of a context, and remove it from this machine", Args: cobra.MaximumNArgs(1), ValidArgsFunction: names,
		RunE: func(command *cobra.Command, arguments []string) error {
			file, err := contexts.Read()
			if err != nil {
				return err
			}
			name := file.Current
			if len(arguments) == 1 {
				name = arguments[0]
			}
			found, known := file.Contexts[name]
			if !known {
				return fmt.Errorf("there is no context %q; tidemarkctl context list shows those there are", name)
			}
			if found.Session != "" {
				err = end(command.Context(), found, s.version)
			}
			delete(file.Contexts, name)
			if file.Current == name {
				file.Current = ""
			}
			return errors.Join(file.Write(), err)
		},
	}
}

// end ends the session at the API; one that is over already is no error.
func end(ctx context.Context, found contexts.Context, version string) error {
	c, err := client.New(client.Settings{URL: found.URL, Session: found.Session, UserAgent: "tidemarkctl/" + version, HTTP: &http.Client{
		Timeout:       20 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}})
	if err != nil {
		return err
	}
	_, err = c.Call(ctx, client.Request{Operation: client.Operation{Method: http.MethodPost, Path: "/auth/sign-out"}}, nil)
	var refusal *client.Refusal
	if errors.As(err, &refusal) && (refusal.Status == http.StatusSeeOther || refusal.Code == "unauthenticated") {
		return nil
	}
	return err
}

// onlyOrganization is where a person works who belongs to one organisation.
func onlyOrganization(ctx context.Context, found contexts.Context, version string) (string, error) {
	c, err := client.New(client.Settings{URL: found.URL, Session: found.Session, UserAgent: "tidemarkctl/" + version})
	if err != nil {
		return "", err
	}
	return c.Organization(ctx)
}

// signIn shows the page of the API and waits for its code: the browser brings it to a port of this machine, or a person types it.
func signIn(ctx context.Context, command *cobra.Command, address, agent string, open bool) (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	state, verifier := rand.Text()+rand.Text(), rand.Text()+rand.Text()+rand.Text()
	sum := sha256.Sum256([]byte(verifier))
	page := address + "/auth/command-line?" + url.Values{
		"port":      {fmt.Sprint(listener.Addr().(*net.TCPAddr).Port)},
		"state":     {state},
		"challenge": {base64.RawURLEncoding.EncodeToString(sum[:])},
	}.Encode()
	codes := make(chan string, 2)
	server := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'")
		given := r.URL.Query().Get("state")
		if r.Method != http.MethodGet || r.URL.Path != "/" || subtle.ConstantTimeCompare([]byte(given), []byte(state)) != 1 {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		fmt.Fprint(w, "<!doctype html><title>Tidemark</title><p>tidemarkctl has the code. You can close this page.")
		select {
		case codes <- r.URL.Query().Get("code"):
		default:
		}
	})}
	go func() { _ = server.Serve(listener) }()
	defer server.Close()
	fmt.Fprintf(command.ErrOrStderr(), "Open this address and agree there:\n\n  %s\n\nThe browser brings the code here. Or type it in: ", page)
	if open {
		browse(page)
	}
	go func() {
		if typed, err := bufio.NewReader(command.InOrStdin()).ReadString('\n'); err == nil && strings.TrimSpace(typed) != "" {
			codes <- strings.TrimSpace(typed)
		}
	}()
	select {
	case <-ctx.Done():
		return "", fmt.Errorf("nobody agreed within %s: %w", patience, ctx.Err())
	case code := <-codes:
		fmt.Fprintln(command.ErrOrStderr())
		return redeem(ctx, address, agent, code, verifier)
	}
}

// browse opens a page with the program of BROWSER, or with that of the system; without one the person opens it.
func browse(page string) {
	program := os.Getenv("BROWSER")
	arguments := []string{page}
	if program == "" {
		switch runtime.GOOS {
		case "darwin":
			program = "open"
		case "windows":
			program, arguments = "rundll32", []string{"url.dll,FileProtocolHandler", page}
		default:
			program = "xdg-open"
		}
	}
	command := exec.Command(program, arguments...)
	if command.Start() == nil {
		go func() { _ = command.Wait() }()
	}
}

const sessionCookie = "__Host-tidemark-session"

// redeem gives the session that a code is good for.
func redeem(ctx context.Context, address, agent, code, verifier string) (string, error) {
	body, err := json.Marshal(map[string]string{"code": code, "verifier": verifier})
	if err != nil {
		return "", err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address+"/auth/command-line/session", bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/problem+json")
	request.Header.Set("User-Agent", agent)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, 64<<10))
	if err != nil {
		return "", err
	}
	if response.StatusCode != http.StatusNoContent {
		return "", client.RefusalOf(response, text)
	}
	for _, cookie := range response.Cookies() {
		if cookie.Name == sessionCookie && cookie.Value != "" {
			return cookie.Value, nil
		}
	}
	return "", errors.New("the answer has no session")
}
