package envelope

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/vocabulary"
)

// Role checks that a text names a role.
func Role() validator.String {
	return checked("must be one of "+vocabulary.RoleNames(), func(text string) bool {
		_, known := vocabulary.RoleNamed(text)
		return known
	})
}

// Permission checks that a text names a permission.
func Permission() validator.String {
	return checked("must be one of "+vocabulary.PermissionNames(), func(text string) bool {
		_, known := vocabulary.PermissionNamed(text)
		return known
	})
}

// Time checks that a text is a time of RFC 3339.
func Time() validator.String {
	return checked("must be a time as in 2026-12-31T23:59:59Z", func(text string) bool {
		_, err := time.Parse(time.RFC3339, text)
		return err == nil
	})
}

// Duration checks that a text is a length of time that is not negative.
func Duration() validator.String {
	return checked("must be a length of time as in 30m or 24h", func(text string) bool {
		length, err := time.ParseDuration(text)
		return err == nil && length >= 0
	})
}

type check struct {
	rule string
	good func(string) bool
}

func checked(rule string, good func(string) bool) validator.String { return check{rule, good} }

func (c check) Description(context.Context) string         { return c.rule }
func (c check) MarkdownDescription(context.Context) string { return c.rule }

func (c check) ValidateString(_ context.Context, request validator.StringRequest, response *validator.StringResponse) {
	if request.ConfigValue.IsNull() || request.ConfigValue.IsUnknown() || c.good(request.ConfigValue.ValueString()) {
		return
	}
	response.Diagnostics.AddAttributeError(request.Path, "Invalid Attribute Value",
		fmt.Sprintf("%s %s, got: %s", request.Path, c.rule, request.ConfigValue.ValueString()))
}

var holder = regexp.MustCompile(`^(organization|environment/[a-z0-9][a-z0-9-]{0,62})$`)

// Holder checks that a text names the organisation or one of its environments.
func Holder() validator.String {
	return checked("must be organization or environment/<id>", holder.MatchString)
}

// EnvironmentOf is the environment that a holder names; empty for the organisation.
func EnvironmentOf(holder types.String) string {
	_, environment, _ := strings.Cut(holder.ValueString(), "/")
	return environment
}
