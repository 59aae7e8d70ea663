package envelope

import (
	"context"
	"regexp"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
)

// Source is where an object is read: by itself, or in a list of its kind.
type Source[T any] struct {
	Get  client.Operation
	List client.Operation
	Path client.Path
	// ID gives the name of an object of the list, Wanted that of the one looked for.
	ID     func(T) string
	Wanted string
}

// Object reads an object: itself after a change, from the list when many are refreshed.
func Object[M, T any](ctx context.Context, call *Call[M], source Source[T]) (T, error) {
	var object T
	var err error
	if call.Afresh {
		object, call.ETag, err = client.Get[T](ctx, call.Client, source.Get, source.Path)
	} else {
		object, call.ETag, err = client.Find(ctx, call.Client, source.Get, source.Path, source.List, source.ID, source.Wanted)
	}
	return object, err
}

// DisplayName checks a name that people read.
func DisplayName() []validator.String {
	return []validator.String{
		stringvalidator.UTF8LengthBetween(1, 100),
		stringvalidator.RegexMatches(regexp.MustCompile(`^\P{Cc}*$`), "must not have control characters"),
	}
}

// CatalogName checks a name of a metric or resource.
func CatalogName() []validator.String {
	return []validator.String{
		stringvalidator.UTF8LengthBetween(1, 255),
		stringvalidator.RegexMatches(regexp.MustCompile(`^\P{Cc}*$`), "must not have control characters"),
	}
}

// Identifier checks the form of an environment's identifier.
func Identifier() []validator.String {
	return []validator.String{stringvalidator.RegexMatches(
		regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,62}$`), "must be 1 to 63 of a-z, 0-9 and '-', not starting with '-'")}
}

// Int64 is a number of the API, null when absent.
func Int64[N int32 | int64](value *N) types.Int64 {
	if value == nil {
		return types.Int64Null()
	}
	return types.Int64Value(int64(*value))
}

// Number is a number for the API, absent when null.
func Number[N int32 | int64](value types.Int64) *N {
	if value.IsNull() || value.IsUnknown() {
		return nil
	}
	number := N(value.ValueInt64())
	return &number
}

// Text is a text for the API, absent when null.
func Text[S ~string](value types.String) *S {
	if value.IsNull() || value.IsUnknown() {
		return nil
	}
	text := S(value.ValueString())
	return &text
}

// String is a text of the API, null when absent.
func String[S ~string](value *S) types.String {
	if value == nil {
		return types.StringNull()
	}
	return types.StringValue(string(*value))
}

// SameTime keeps the text of a time as it was written, when it is the same moment.
func SameTime(written types.String, found *time.Time) types.String {
	if found == nil {
		return types.StringNull()
	}
	if when, err := time.Parse(time.RFC3339, written.ValueString()); err == nil && when.Equal(*found) {
		return written
	}
	return types.StringValue(found.Format(time.RFC3339Nano))
}
