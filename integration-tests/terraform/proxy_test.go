package terraform

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"sync"
	"testing"
)

// proxy stands between Terraform and the API, counts requests and breaks what a test wants broken.
type proxy struct {
	*httptest.Server
	mutex sync.Mutex
	// before is asked about each request; what it answers true for gets no answer.
	before func(*http.Request) (drop bool)
	// after is asked about each request that the API has served; what it answers true for gets no answer.
	after    func(*http.Request) (drop bool)
	requests int
	refused  int
}

func newProxy(t *testing.T) *proxy {
	t.Helper()
	target, err := url.Parse(os.Getenv("TIDEMARK_URL"))
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{}
	forward := httputil.NewSingleHostReverseProxy(target)
	forward.ModifyResponse = func(answer *http.Response) error {
		p.mutex.Lock()
		if answer.StatusCode == http.StatusTooManyRequests {
			p.refused++
		}
		after := p.after
		p.mutex.Unlock()
		if after != nil && after(answer.Request) {
			panic(http.ErrAbortHandler)
		}
		return nil
	}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mutex.Lock()
		p.requests++
		before := p.before
		p.mutex.Unlock()
		if before != nil && before(r) {
			panic(http.ErrAbortHandler)
		}
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(p.Close)
	return p
}

// set changes what the proxy breaks.
func (p *proxy) set(before, after func(*http.Request) bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.before, p.after = before, after
}

// counted gives the requests, and those refused with 429, since it was last asked.
func (p *proxy) counted() (requests, refused int) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	requests, refused = p.requests, p.refused
	p.requests, p.refused = 0, 0
	return requests, refused
}
