package client

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Operation is a method and a path of the contract.
type Operation struct {
	Method string
	Path   string
}

// Settings say where the API is and how to get in.
type Settings struct {
	URL string
	// APIKey is the id of an API key, or, without a secret, the whole key.
	APIKey    string
	APISecret string
	// Session is the cookie of a person's session, instead of a key.
	Session string
	// Organization is where a person works; needed by who belongs to more than one.
	Organization string
	UserAgent    string
	// RetryFor bounds how long a request is tried again; 0 tries once.
	RetryFor time.Duration
	// HTTP sends the requests; http.DefaultClient's transport when nil.
	HTTP *http.Client
}

// Client calls the control API for one organisation. It is safe for use by many goroutines.
type Client struct {
	settings Settings
	http     *http.Client
	lists    lists

	mutex    sync.Mutex
	heldBack time.Time

	formTokenOnce sync.Once
	formToken     string
	formTokenErr  error

	callerOnce sync.Once
	caller     CallerDescription
	callerErr  error
}

// New checks the settings and gives a client; it calls nothing.
func New(settings Settings) (*Client, error) {
	address, err := url.Parse(settings.URL)
	if err != nil || (address.Scheme != "http" && address.Scheme != "https") || address.Host == "" {
		return nil, fmt.Errorf("%q is not an address: write it as in https://tidemark.example", settings.URL)
	}
	settings.URL = strings.TrimSuffix(settings.URL, "/")
	if settings.APIKey == "" && settings.Session == "" {
		return nil, errors.New("there is no API key")
	}
	caller := settings.HTTP
	if caller == nil {
		caller = &http.Client{Timeout: 60 * time.Second}
	}
	return &Client{settings: settings, http: caller}, nil
}

// URL is the address of the API.
func (c *Client) URL() string { return c.settings.URL }

// Caller says who the key is; it is asked once.
func (c *Client) Caller(ctx context.Context) (CallerDescription, error) {
	c.callerOnce.Do(func() {
		_, c.callerErr = c.Call(ctx, Request{Operation: OpGetCaller}, &c.caller)
	})
	return c.caller, c.callerErr
}

// Organization is the organisation of the key.
func (c *Client) Organization(ctx context.Context) (string, error) {
	caller, err := c.Caller(ctx)
	if err != nil {
		return "", err
	}
	switch {
	case caller.OrganizationId != nil:
		return *caller.OrganizationId, nil
	case c.settings.Organization != "":
		return c.settings.Organization, nil
	case caller.Organizations != nil && len(*caller.Organizations) == 1:
		return (*caller.Organizations)[0].OrganizationId, nil
	case caller.Organizations != nil && len(*caller.Organizations) > 1:
		var names []string
		for _, each := range *caller.Organizations {
			names = append(names, each.OrganizationId)
		}
		return "", fmt.Errorf("you belong to %s; name one with --organization", strings.Join(names, ", "))
	default:
		return "", errors.New("the credentials belong to no organisation; use an API key")
	}
}

// token is what changes with a session have to bring along; it is asked once.
func (c *Client) token(ctx context.Context) (string, error) {
	c.formTokenOnce.Do(func() {
		var found Session
		_, c.formTokenErr = c.Call(ctx, Request{Operation: OpGetSession}, &found)
		c.formToken = found.CsrfToken
	})
	return c.formToken, c.formTokenErr
}

// Request is one call of an operation.
type Request struct {
	Operation Operation
	// Path gives the values of the path's parameters by name; organization_id is the caller's when absent.
	Path  map[string]string
	Query url.Values
	Body  any
	// IfMatch is the version that a change is meant for; empty sends none.
	IfMatch string
	// IdempotencyKey makes a POST safe to repeat; empty sends none.
	IdempotencyKey string
	Header         http.Header
}

// Meta is what an answer says besides its body.
type Meta struct {
	ETag string
	// Replayed says that an earlier request with the same Idempotency-Key had made the object.
	Replayed bool
	Header   http.Header
}

// NewIdempotencyKey draws a key for one object to be made.
func NewIdempotencyKey() string { return "terraform-" + rand.Text() }

// Call sends the request and decodes the answer into it, unless that is nil. It repeats what is safe to repeat: after
// Retry-After when the API asks for that, after a short while when there was no answer.
func (c *Client) Call(ctx context.Context, request Request, into any) (Meta, error) {
	path, err := c.path(ctx, request)
	if err != nil {
		return Meta{}, err
	}
	var body []byte
	if request.Body != nil {
		if body, err = json.Marshal(request.Body); err != nil {
			return Meta{}, err
		}
	}
	deadline := time.Now().Add(c.settings.RetryFor)
	for attempt := 1; ; attempt++ {
		if err := c.waitTurn(ctx); err != nil {
			return Meta{}, err
		}
		meta, wait, err := c.send(ctx, request, path, body, into)
		if err == nil || ctx.Err() != nil || !repeatable(request, err) {
			return meta, err
		}
		if wait == 0 {
			wait = min(time.Duration(attempt*attempt)*200*time.Millisecond, 5*time.Second)
		}
		if time.Now().Add(wait).After(deadline) {
			return meta, err
		}
		c.holdBack(wait, err)
		if err := sleep(ctx, wait); err != nil {
			return meta, err
		}
	}
}

func (c *Client) send(ctx context.Context, request Request, path string, body []byte, into any) (Meta, time.Duration, error) {
	address := c.settings.URL + path
	if len(request.Query) > 0 {
		address += "?" + request.Query.Encode()
	}
	call, err := http.NewRequestWithContext(ctx, request.Operation.Method, address, bytes.NewReader(body))
	if err != nil {
		return Meta{}, 0, err
	}
	if err := c.header(call, request, body != nil); err != nil {
		return Meta{}, 0, err
	}
	response, err := c.http.Do(call)
	if err != nil {
		return Meta{}, 0, &Unreachable{URL: c.settings.URL, Cause: withoutURL(err)}
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return Meta{}, 0, &Unreachable{URL: c.settings.URL, Cause: err}
	}
	meta := Meta{
		ETag:     response.Header.Get("ETag"),
		Replayed: response.Header.Get("Idempotency-Replayed") == "true",
		Header:   response.Header,
	}
	if response.StatusCode >= 300 {
		return meta, retryAfter(response), refusal(request.Operation, response, content)
	}
	if into != nil && len(content) > 0 {
		if err := json.Unmarshal(content, into); err != nil {
			return meta, 0, fmt.Errorf("%s %s answered what cannot be read: %w", request.Operation.Method, path, err)
		}
	}
	return meta, 0, nil
}

func (c *Client) header(call *http.Request, request Request, hasBody bool) error {
	for name, values := range request.Header {
		call.Header[name] = values
	}
	call.Header.Set("User-Agent", c.settings.UserAgent)
	if call.Header.Get("Accept") == "" {
		call.Header.Set("Accept", "application/json, application/problem+json")
	}
	if c.settings.Session != "" {
		call.Header.Set("Cookie", "__Host-tidemark-session="+c.settings.Session)
		if c.settings.Organization != "" {
			call.Header.Set("Tidemark-Organization", c.settings.Organization)
		}
		if call.Method != http.MethodGet {
			token, err := c.token(call.Context())
			if err != nil {
				return err
			}
			call.Header.Set("X-CSRF-TOKEN", token)
		}
	} else if c.settings.APISecret == "" {
		call.Header.Set("Authorization", "Bearer "+c.settings.APIKey)
	} else {
		call.SetBasicAuth(c.settings.APIKey, c.settings.APISecret)
	}
	if hasBody {
		call.Header.Set("Content-Type", "application/json")
	}
	if request.IfMatch != "" {
		call.Header.Set("If-Match", request.IfMatch)
	}
	if request.IdempotencyKey != "" {
		call.Header.Set("Idempotency-Key", request.IdempotencyKey)
	}
	return nil
}

func (c *Client) path(ctx context.Context, request Request) (string, error) {
	path := request.Operation.Path
	if strings.Contains(path, "{organization_id}") && request.Path["organization_id"] == "" {
		organization, err := c.Organization(ctx)
		if err != nil {
			return "", err
		}
		path = strings.ReplaceAll(path, "{organization_id}", url.PathEscape(organization))
	}
	for name, value := range request.Path {
		if value == "" {
			return "", fmt.Errorf("%s is empty", name)
		}
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(value))
	}
	if strings.Contains(path, "{") {
		return "", fmt.Errorf("%s lacks a parameter", path)
	}
	return path, nil
}

// repeatable says whether the same request may be sent again after this error.
func repeatable(request Request, err error) bool {
	var unreachable *Unreachable
	if errors.As(err, &unreachable) {
		return request.Operation.Method != http.MethodPost || request.IdempotencyKey != ""
	}
	return hasStatus(err, http.StatusTooManyRequests) || hasStatus(err, http.StatusServiceUnavailable)
}

// waitTurn waits while the API has asked for patience: one 429 slows all requests down, not each for itself.
func (c *Client) waitTurn(ctx context.Context) error {
	c.mutex.Lock()
	wait := time.Until(c.heldBack)
	c.mutex.Unlock()
	if wait <= 0 {
		return ctx.Err()
	}
	return sleep(ctx, wait)
}

func (c *Client) holdBack(wait time.Duration, err error) {
	if hasStatus(err, http.StatusTooManyRequests) {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		if until := time.Now().Add(wait); until.After(c.heldBack) {
			c.heldBack = until
		}
	}
}

func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// retryAfter reads Retry-After, in seconds or as a time of the API's clock; 0 when there is none.
func retryAfter(response *http.Response) time.Duration {
	text := response.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil && seconds >= 0 {
		return max(time.Duration(seconds)*time.Second, shortest)
	}
	when, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(response.Header.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return max(when.Sub(now), shortest)
}

// shortest is the least time before a request that was refused for the moment is sent again.
const shortest = 100 * time.Millisecond

// withoutURL takes the repeated method and address off an error of net/http.
func withoutURL(err error) error {
	var told *url.Error
	if errors.As(err, &told) {
		return told.Err
	}
	return err
}
