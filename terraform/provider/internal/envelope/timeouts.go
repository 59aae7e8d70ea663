package envelope

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// limits is the attribute that every resource has beside those of its definition. Models do not know it: it is taken off
// before a value is read into one, and put back when one is written.
const limits = "timeouts"

// usual is how long an operation may take unless the configuration says otherwise.
var usual = map[string]time.Duration{"create": 5 * time.Minute, "read": 2 * time.Minute, "update": 5 * time.Minute, "delete": 5 * time.Minute}

// timed is a schema with the timeouts.
func timed(ctx context.Context, defined schema.Schema) schema.Schema {
	attributes := maps.Clone(defined.Attributes)
	told := func(operation string) string {
		return fmt.Sprintf("As in `30s` or `2m`; `%s` unless set.", text(usual[operation]))
	}
	nested, _ := timeouts.Attributes(ctx, timeouts.Opts{
		Create: true, Read: true, Update: true, Delete: true,
		CreateDescription: told("create"), ReadDescription: told("read"), UpdateDescription: told("update"), DeleteDescription: told("delete"),
	}).(schema.SingleNestedAttribute)
	nested.MarkdownDescription = "How long operations may take, with all requests that are repeated. What was made until then is in the state."
	attributes[limits] = nested
	defined.Attributes = attributes
	return defined
}

// text is a length of time as people write it.
func text(length time.Duration) string {
	if length%time.Minute == 0 {
		return fmt.Sprintf("%dm", length/time.Minute)
	}
	return length.String()
}

// model reads a value of Terraform into a model.
func (r *defined[M]) model(ctx context.Context, raw tftypes.Value, into *M) diag.Diagnostics {
	kind := r.definition.Schema.Type().TerraformType(ctx)
	value := tftypes.NewValue(kind, nil)
	if raw.IsKnown() && !raw.IsNull() {
		attributes, err := attributesOf(raw)
		if err != nil {
			return diag.Diagnostics{diag.NewErrorDiagnostic("The value cannot be read", err.Error())}
		}
		delete(attributes, limits)
		value = tftypes.NewValue(kind, attributes)
	}
	return tfsdk.State{Raw: value, Schema: r.definition.Schema}.Get(ctx, into)
}

// written is a model as a value of Terraform, with the timeouts of another one.
func (r *defined[M]) written(ctx context.Context, model M, beside tftypes.Value) (tftypes.Value, diag.Diagnostics) {
	state := tfsdk.State{Raw: tftypes.NewValue(r.definition.Schema.Type().TerraformType(ctx), nil), Schema: r.definition.Schema}
	diagnostics := state.Set(ctx, &model)
	if diagnostics.HasError() {
		return beside, diagnostics
	}
	attributes, err := attributesOf(state.Raw)
	others, failed := attributesOf(beside)
	if err = errors.Join(err, failed); err != nil {
		diagnostics.AddError("The value cannot be written", err.Error())
		return beside, diagnostics
	}
	attributes[limits] = others[limits]
	return tftypes.NewValue(beside.Type(), attributes), diagnostics
}

func attributesOf(raw tftypes.Value) (map[string]tftypes.Value, error) {
	attributes := map[string]tftypes.Value{}
	err := raw.As(&attributes)
	return maps.Clone(attributes), err
}

// within bounds an operation by the timeouts of a value.
func within(ctx context.Context, raw tftypes.Value, operation string) (context.Context, context.CancelFunc) {
	length := usual[operation]
	if attributes, err := attributesOf(raw); err == nil {
		if set := attributes[limits]; set.IsKnown() && !set.IsNull() {
			var written string
			if each, err := attributesOf(set); err == nil && each[operation].IsKnown() && !each[operation].IsNull() && each[operation].As(&written) == nil {
				if parsed, err := time.ParseDuration(written); err == nil {
					length = parsed
				}
			}
		}
	}
	return context.WithTimeoutCause(ctx, length, &Fault{Attribute: limits, Summary: "It took too long",
		Detail: fmt.Sprintf("The operation was given %s. What was made until then is in the state: run terraform apply again, or give more time.", text(length))})
}

// orTimeout is the fault of a timeout when that is why an operation failed, else the error.
func orTimeout(ctx context.Context, err error) error {
	var fault *Fault
	if err != nil && errors.As(context.Cause(ctx), &fault) {
		return fault
	}
	return err
}

func isTimeout(err error) bool {
	var fault *Fault
	return errors.As(err, &fault) && fault.Attribute == limits
}
