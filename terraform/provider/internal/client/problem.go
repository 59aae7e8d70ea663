package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// Refusal is an answer that is not a success: RFC 9457 problem details, or what could be read of another body.
type Refusal struct {
	Operation string
	Problem
}

// Error says what was wrong and what to do next.
func (r *Refusal) Error() string {
	text := r.Detail
	if r.NextStep != "" && !strings.Contains(text, r.NextStep) {
		text += "\n" + r.NextStep
	}
	return text
}

// Faults gives every fault that the API found; at least one.
func (r *Refusal) Faults() []string {
	faults := make([]string, 0, len(r.Errors))
	for _, item := range r.Errors {
		faults = append(faults, item.Detail)
	}
	if len(faults) == 0 {
		faults = append(faults, r.Detail)
	}
	return faults
}

// Unreachable is a request without an answer.
type Unreachable struct {
	URL   string
	Cause error
}

func (u *Unreachable) Error() string {
	return fmt.Sprintf("%s does not answer: %v.\nCheck the address (TIDEMARK_URL) and that the API is up, then run the command again; "+
		"what was made so far is kept in the state.", u.URL, u.Cause)
}

func (u *Unreachable) Unwrap() error { return u.Cause }

// IsNotFound says that there is nothing at the path, or nothing that the caller can see.
func IsNotFound(err error) bool { return hasStatus(err, http.StatusNotFound) }

// IsConflict says that the state of the object, or another object, stands against the request.
func IsConflict(err error) bool { return hasStatus(err, http.StatusConflict) }

// IsForbidden says that the caller lacks a permission.
func IsForbidden(err error) bool { return hasStatus(err, http.StatusForbidden) }

// IsChanged says that the object changed since the version that the request names.
func IsChanged(err error) bool { return hasStatus(err, http.StatusPreconditionFailed) }

// IsPassing says that the same request may succeed later.
func IsPassing(err error) bool {
	var unreachable *Unreachable
	return errors.As(err, &unreachable) || hasStatus(err, http.StatusTooManyRequests) || hasStatus(err, http.StatusServiceUnavailable)
}

func hasStatus(err error, status int32) bool {
	var refusal *Refusal
	return errors.As(err, &refusal) && refusal.Status == status
}

// RefusalOf reads the problem of an answer that another program than this client asked for.
func RefusalOf(response *http.Response, body []byte) *Refusal {
	return refusal(Operation{Method: response.Request.Method, Path: response.Request.URL.Path}, response, body)
}

// refusal reads the problem of an answer, of the control API or of the Metrics API. An answer of a proxy or of another program has no code.
func refusal(operation Operation, response *http.Response, body []byte) *Refusal {
	read := Refusal{Operation: operation.Method + " " + operation.Path}
	var ofMetrics struct {
		Errors []struct{ Code, Detail string }
	}
	if json.Unmarshal(body, &ofMetrics) == nil && len(ofMetrics.Errors) > 0 && ofMetrics.Errors[0].Code != "" {
		details := make([]string, len(ofMetrics.Errors))
		for i, each := range ofMetrics.Errors {
			details[i] = each.Detail
			read.Errors = append(read.Errors, ProblemItem{Detail: each.Detail})
		}
		read.Code, read.Title, read.Detail = ofMetrics.Errors[0].Code, http.StatusText(response.StatusCode), strings.Join(details, " ")
	} else if err := json.Unmarshal(body, &read.Problem); err != nil || read.Code == "" {
		read.Problem = Problem{
			Title:    http.StatusText(response.StatusCode),
			Code:     "unexpected_answer",
			Detail:   fmt.Sprintf("%s answered %s, which is not an answer of Tidemark.", response.Request.URL.Host, response.Status),
			NextStep: "Check that TIDEMARK_URL is the address of platform-api, without a path.",
		}
	}
	read.Status = int32(response.StatusCode)
	return &read
}
