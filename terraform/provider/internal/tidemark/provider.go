// Package tidemark is the provider: its configuration, and the list of what it offers.
package tidemark

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"tidemark/terraform/provider/internal/client"
	"tidemark/terraform/provider/internal/envelope"
	"tidemark/terraform/provider/internal/functions"
	"tidemark/terraform/provider/internal/resources/alertpack"
	"tidemark/terraform/provider/internal/resources/alertrule"
	"tidemark/terraform/provider/internal/resources/apikey"
	"tidemark/terraform/provider/internal/resources/budgets"
	"tidemark/terraform/provider/internal/resources/dashboard"
	"tidemark/terraform/provider/internal/resources/environment"
	"tidemark/terraform/provider/internal/resources/integration"
	"tidemark/terraform/provider/internal/resources/invitation"
	"tidemark/terraform/provider/internal/resources/metric"
	"tidemark/terraform/provider/internal/resources/organization"
	"tidemark/terraform/provider/internal/resources/quotas"
	"tidemark/terraform/provider/internal/resources/registration"
	"tidemark/terraform/provider/internal/resources/retention"
	"tidemark/terraform/provider/internal/resources/rolebinding"
	"tidemark/terraform/provider/internal/resources/serviceaccount"
	"tidemark/terraform/provider/internal/resources/silence"
	"tidemark/terraform/provider/internal/resources/spendingbudget"
)

// New gives the provider of a version.
func New(version string) func() provider.Provider {
	return func() provider.Provider { return &tidemark{version: version} }
}

type tidemark struct{ version string }

type settings struct {
	URL            types.String `tfsdk:"url"`
	APIKey         types.String `tfsdk:"api_key"`
	APISecret      types.String `tfsdk:"api_secret"`
	OrganizationID types.String `tfsdk:"organization_id"`
	RetryFor       types.String `tfsdk:"retry_for"`
}

const defaultRetry = 90 * time.Second

func (p *tidemark) Metadata(_ context.Context, _ provider.MetadataRequest, response *provider.MetadataResponse) {
	response.TypeName = "tidemark"
	response.Version = p.version
}

func (p *tidemark) Schema(_ context.Context, _ provider.SchemaRequest, response *provider.SchemaResponse) {
	response.Schema = schema.Schema{
		MarkdownDescription: "Manages the environments of one Tidemark organisation, the one of the API key, and what belongs to them. " +
			"Requests that the API asks to repeat are repeated after the time it names, for `retry_for` at most.",
		Attributes: map[string]schema.Attribute{
			"url": schema.StringAttribute{
				MarkdownDescription: "Address of platform-api, as in `https://tidemark.example`. Else `TIDEMARK_URL`.",
				Optional:            true,
			},
			"api_key": schema.StringAttribute{
				MarkdownDescription: "Id of an API key, or, without `api_secret`, the whole key. Else `TIDEMARK_API_KEY`.",
				Optional:            true,
				Sensitive:           true,
			},
			"api_secret": schema.StringAttribute{
				MarkdownDescription: "Secret of the API key. Else `TIDEMARK_API_SECRET`.",
				Optional:            true,
				Sensitive:           true,
			},
			"organization_id": schema.StringAttribute{
				MarkdownDescription: "The organisation that the key must belong to. A key of another one is refused before anything changes.",
				Optional:            true,
			},
			"retry_for": schema.StringAttribute{
				MarkdownDescription: "How long a request is repeated when the API is busy or away, as in `2m`; `90s` unless set, `0s` never.",
				Optional:            true,
				Validators:          []validator.String{envelope.Duration()},
			},
		},
	}
}

func (p *tidemark) Configure(ctx context.Context, request provider.ConfigureRequest, response *provider.ConfigureResponse) {
	var config settings
	response.Diagnostics.Append(request.Config.Get(ctx, &config)...)
	if response.Diagnostics.HasError() {
		return
	}
	for name, value := range map[string]types.String{"url": config.URL, "api_key": config.APIKey, "api_secret": config.APISecret} {
		if value.IsUnknown() {
			response.Diagnostics.AddAttributeError(path.Root(name), "The value is not known yet",
				"The provider needs "+name+" to make a plan. Take it from a variable or the environment, or apply what it comes from first with -target.")
		}
	}
	found := client.Settings{
		URL:       given(config.URL, "TIDEMARK_URL"),
		APIKey:    given(config.APIKey, "TIDEMARK_API_KEY"),
		APISecret: given(config.APISecret, "TIDEMARK_API_SECRET"),
		UserAgent: "terraform-provider-tidemark/" + p.version,
		RetryFor:  defaultRetry,
	}
	if !config.RetryFor.IsNull() {
		found.RetryFor, _ = time.ParseDuration(config.RetryFor.ValueString())
	}
	checkPresence(found, &response.Diagnostics)
	if response.Diagnostics.HasError() {
		return
	}
	caller, err := client.New(found)
	if err != nil {
		response.Diagnostics.AddAttributeError(path.Root("url"), "The address of the API is wrong", err.Error())
		return
	}
	warnOfPlainText(found.URL, &response.Diagnostics)
	identify(ctx, caller, config, &response.Diagnostics)
	response.ResourceData = caller
	response.DataSourceData = caller
	response.EphemeralResourceData = caller
}

// given is the configured value, else the one of the environment.
func given(value types.String, variable string) string {
	if !value.IsNull() {
		return value.ValueString()
	}
	return os.Getenv(variable)
}

func checkPresence(found client.Settings, diagnostics *diag.Diagnostics) {
	if found.URL == "" {
		diagnostics.AddAttributeError(path.Root("url"), "The address of the API is missing",
			"Set url, or the environment variable TIDEMARK_URL, as in https://tidemark.example.")
	}
	if found.APIKey == "" {
		diagnostics.AddAttributeError(path.Root("api_key"), "The API key is missing",
			"Set api_key and api_secret, or the environment variables TIDEMARK_API_KEY and TIDEMARK_API_SECRET.")
	}
}

func warnOfPlainText(address string, diagnostics *diag.Diagnostics) {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Scheme != "http" {
		return
	}
	ip := net.ParseIP(parsed.Hostname())
	if parsed.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		diagnostics.AddAttributeWarning(path.Root("url"), "The API key travels in plain text",
			"The address begins with http:// and is of another machine. Use https://.")
	}
}

// identify asks who the key is, so that wrong credentials fail once and at once.
func identify(ctx context.Context, caller *client.Client, config settings, diagnostics *diag.Diagnostics) {
	organization, err := caller.Organization(ctx)
	var refusal *client.Refusal
	var unreachable *client.Unreachable
	switch {
	case errors.As(err, &unreachable):
		diagnostics.AddAttributeError(path.Root("url"), "The API cannot be reached", err.Error())
	case errors.As(err, &refusal) && refusal.Code == "unauthenticated":
		diagnostics.AddAttributeError(path.Root("api_key"), "The API key is not valid",
			refusal.Detail+"\n\nUse a key that is live: api_key and api_secret, or TIDEMARK_API_KEY and TIDEMARK_API_SECRET.")
	case err != nil:
		diagnostics.AddError("The API cannot be used", err.Error())
	case !config.OrganizationID.IsNull() && !config.OrganizationID.IsUnknown() && config.OrganizationID.ValueString() != organization:
		diagnostics.AddAttributeError(path.Root("organization_id"), "The key belongs to another organisation",
			fmt.Sprintf("organization_id is %s, the key is of %s. Use a key of %s, or correct organization_id.",
				config.OrganizationID.ValueString(), organization, config.OrganizationID.ValueString()))
	}
}

func (p *tidemark) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{
		alertpack.Resource,
		alertrule.Resource,
		apikey.Resource,
		budgets.Resource,
		dashboard.Resource,
		environment.Resource,
		integration.Resource,
		invitation.Resource,
		metric.Resource,
		organization.Resource,
		quotas.Resource,
		registration.Resource,
		retention.Resource,
		rolebinding.Resource,
		serviceaccount.Resource,
		silence.Resource,
		spendingbudget.Resource,
	}
}

func (p *tidemark) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{
		alertpack.DataSource,
		alertpack.ListDataSource,
		alertrule.DataSource,
		alertrule.ListDataSource,
		apikey.DataSource,
		apikey.ListDataSource,
		budgets.DataSource,
		budgets.ListDataSource,
		dashboard.DataSource,
		dashboard.ListDataSource,
		environment.DataSource,
		environment.ListDataSource,
		integration.DataSource,
		integration.ListDataSource,
		invitation.DataSource,
		invitation.ListDataSource,
		metric.DataSource,
		metric.ListDataSource,
		organization.DataSource,
		organization.ListDataSource,
		quotas.DataSource,
		quotas.ListDataSource,
		registration.DataSource,
		registration.ListDataSource,
		retention.DataSource,
		retention.ListDataSource,
		rolebinding.DataSource,
		rolebinding.ListDataSource,
		rolebinding.MemberDataSource,
		rolebinding.MembersDataSource,
		serviceaccount.DataSource,
		serviceaccount.ListDataSource,
		silence.DataSource,
		silence.ListDataSource,
		spendingbudget.DataSource,
		spendingbudget.ListDataSource,
	}
}

func (p *tidemark) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{apikey.EphemeralResource, apikey.EphemeralSecret}
}

func (p *tidemark) Functions(context.Context) []func() function.Function {
	return []func() function.Function{functions.ParseResource, functions.ParseAPIKey, functions.FormatAPIKey}
}
