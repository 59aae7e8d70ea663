package envelope

import (
	"errors"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"tidemark/terraform/provider/internal/client"
)

// Fault is an error about one attribute; condition.metric is the attribute metric of the attribute condition.
type Fault struct {
	Attribute string
	Summary   string
	Detail    string
}

func (f *Fault) Error() string { return f.Summary + ": " + f.Detail }

// Diagnose turns an error into diagnostics. A fault that the API begins with the name of an attribute is shown at that
// attribute; renamed maps the API's names to others.
func Diagnose(diagnostics *diag.Diagnostics, summary string, err error, attributes map[string]bool, renamed map[string]string) {
	if joined, isJoined := err.(interface{ Unwrap() []error }); isJoined {
		for _, each := range joined.Unwrap() {
			Diagnose(diagnostics, summary, each, attributes, renamed)
		}
		return
	}
	var fault *Fault
	if errors.As(err, &fault) {
		if fault.Attribute == "" {
			diagnostics.AddError(fault.Summary, fault.Detail)
		} else {
			diagnostics.AddAttributeError(at(fault.Attribute), fault.Summary, fault.Detail)
		}
		return
	}
	var refusal *client.Refusal
	if !errors.As(err, &refusal) {
		diagnostics.AddError(summary, err.Error())
		return
	}
	summary += " (" + refusal.Code + ")"
	for _, text := range refusal.Faults() {
		detail := text
		if advice := advice(refusal); advice != "" {
			detail += "\n\n" + advice
		}
		name := firstWord(text)
		if other, known := renamed[name]; known {
			name = other
		}
		for !attributes[name] && strings.Contains(name, ".") {
			name = name[:strings.LastIndex(name, ".")]
		}
		if attributes[name] {
			diagnostics.AddAttributeError(at(name), summary, detail)
		} else {
			diagnostics.AddError(summary, detail)
		}
	}
}

// advice is the next step, in Terraform's words where these are more to the point.
func advice(refusal *client.Refusal) string {
	switch refusal.Code {
	case "unauthenticated":
		return "Set api_key and api_secret of the provider, or TIDEMARK_API_KEY and TIDEMARK_API_SECRET, to a key that is live."
	case "forbidden":
		return "The key of the provider lacks a permission. " + refusal.NextStep
	case "precondition_failed":
		return "Run terraform plan again to see what changed."
	default:
		return refusal.NextStep
	}
}

// at is the path of an attribute, whose name has dots when it is one of another.
func at(attribute string) path.Path {
	names := strings.Split(attribute, ".")
	found := path.Root(names[0])
	for _, name := range names[1:] {
		found = found.AtName(name)
	}
	return found
}

func firstWord(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool { return r != '_' && r != '.' && (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	if end < 0 {
		end = len(text)
	}
	return strings.TrimRight(text[:end], ".")
}
