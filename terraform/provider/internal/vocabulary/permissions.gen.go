// Code generated from platform-api/contracts/vocabulary/permissions.yaml; DO NOT EDIT.

package vocabulary

import "slices"

// Permission is what a caller may do.
type Permission string

const (
	// Send metrics of the key's organisation and environment (OTLP).
	MetricsWrite Permission = "metrics:write"
	// Query the metrics of the key's organisation (dataset cloud).
	MetricsRead Permission = "metrics:read"
	// Query Tidemark's own metrics (dataset self).
	PlatformMetricsRead Permission = "platform-metrics:read"
	// See the organisation.
	OrganizationRead Permission = "organization:read"
	// Rename, archive, restore and delete the organisation.
	OrganizationWrite Permission = "organization:write"
	// See the organisation's environments.
	EnvironmentsRead Permission = "environments:read"
	// Create, rename, archive, restore and delete environments.
	EnvironmentsWrite Permission = "environments:write"
	// See what environments may use of the pipeline.
	BudgetsRead Permission = "budgets:read"
	// Change what environments may use of the pipeline.
	BudgetsWrite Permission = "budgets:write"
	// See which metrics and resources there are and what is declared of them.
	CatalogRead Permission = "catalog:read"
	// Declare metrics, register, confirm and rename resources.
	CatalogWrite Permission = "catalog:write"
	// See how long data are kept, and what a change would remove.
	RetentionRead Permission = "retention:read"
	// Change how long data are kept, and delete data.
	RetentionWrite Permission = "retention:write"
	// See alert rules and incidents.
	AlertsRead Permission = "alerts:read"
	// Create, change and delete alert rules; acknowledge, assign and comment incidents.
	AlertsWrite Permission = "alerts:write"
	// See where notifications go and what was delivered, never secrets.
	IntegrationsRead Permission = "integrations:read"
	// Create, change, test and delete integrations; deliver again.
	IntegrationsWrite Permission = "integrations:write"
	// See dashboards and their versions.
	DashboardsRead Permission = "dashboards:read"
	// Create, change, restore and delete dashboards.
	DashboardsWrite Permission = "dashboards:write"
	// See what was used, down to the receipts of batches.
	UsageRead Permission = "usage:read"
	// See the plan, invoices and the reconciliation.
	BillingRead Permission = "billing:read"
	// Choose the plan.
	BillingWrite Permission = "billing:write"
	// Read, export and verify the audit log.
	AuditRead Permission = "audit:read"
	// See who belongs to the organisation, and who is invited.
	MembersRead Permission = "members:read"
	// Invite people, change their roles and remove them.
	MembersWrite Permission = "members:write"
	// See service accounts.
	ServiceAccountsRead Permission = "service-accounts:read"
	// Create, change and delete service accounts.
	ServiceAccountsWrite Permission = "service-accounts:write"
	// See keys of service accounts, never their secrets.
	ApiKeysRead Permission = "api-keys:read"
	// Create and revoke keys of service accounts.
	ApiKeysWrite Permission = "api-keys:write"
)

var permissions = []struct {
	name    Permission
	meaning string
}{
	{MetricsWrite, "Send metrics of the key's organisation and environment (OTLP)."},
	{MetricsRead, "Query the metrics of the key's organisation (dataset cloud)."},
	{PlatformMetricsRead, "Query Tidemark's own metrics (dataset self)."},
	{OrganizationRead, "See the organisation."},
	{OrganizationWrite, "Rename, archive, restore and delete the organisation."},
	{EnvironmentsRead, "See the organisation's environments."},
	{EnvironmentsWrite, "Create, rename, archive, restore and delete environments."},
	{BudgetsRead, "See what environments may use of the pipeline."},
	{BudgetsWrite, "Change what environments may use of the pipeline."},
	{CatalogRead, "See which metrics and resources there are and what is declared of them."},
	{CatalogWrite, "Declare metrics, register, confirm and rename resources."},
	{RetentionRead, "See how long data are kept, and what a change would remove."},
	{RetentionWrite, "Change how long data are kept, and delete data."},
	{AlertsRead, "See alert rules and incidents."},
	{AlertsWrite, "Create, change and delete alert rules; acknowledge, assign and comment incidents."},
	{IntegrationsRead, "See where notifications go and what was delivered, never secrets."},
	{IntegrationsWrite, "Create, change, test and delete integrations; deliver again."},
	{DashboardsRead, "See dashboards and their versions."},
	{DashboardsWrite, "Create, change, restore and delete dashboards."},
	{UsageRead, "See what was used, down to the receipts of batches."},
	{BillingRead, "See the plan, invoices and the reconciliation."},
	{BillingWrite, "Choose the plan."},
	{AuditRead, "Read, export and verify the audit log."},
	{MembersRead, "See who belongs to the organisation, and who is invited."},
	{MembersWrite, "Invite people, change their roles and remove them."},
	{ServiceAccountsRead, "See service accounts."},
	{ServiceAccountsWrite, "Create, change and delete service accounts."},
	{ApiKeysRead, "See keys of service accounts, never their secrets."},
	{ApiKeysWrite, "Create and revoke keys of service accounts."},
}

// Permissions lists all there are, in the contract's order.
func Permissions() []Permission {
	names := make([]Permission, len(permissions))
	for i, permission := range permissions {
		names[i] = permission.name
	}
	return names
}

// PermissionNamed finds the permission of that name; false for a name that this version does not know.
func PermissionNamed(name string) (Permission, bool) {
	return Permission(name), slices.Contains(Permissions(), Permission(name))
}

// Meaning says what the permission allows.
func (p Permission) Meaning() string {
	for _, permission := range permissions {
		if permission.name == p {
			return permission.meaning
		}
	}
	return ""
}

// Role is what somebody is for.
type Role string

const (
	// Everything in the organisation.
	OrganizationAdmin Role = "organization_admin"
	// Environments, their budgets and their keys.
	EnvironmentAdmin Role = "environment_admin"
	// Sends and queries metrics, sees how environments are set up.
	Developer Role = "developer"
	// Queries metrics.
	MetricsViewer Role = "metrics_viewer"
	// Sees what is used, allowed and invoiced, not the metrics.
	BillingViewer Role = "billing_viewer"
)

var roles = []struct {
	name        Role
	meaning     string
	permissions []Permission
}{
	{OrganizationAdmin, "Everything in the organisation.", []Permission{
		MetricsWrite,
		MetricsRead,
		OrganizationRead,
		OrganizationWrite,
		EnvironmentsRead,
		EnvironmentsWrite,
		BudgetsRead,
		BudgetsWrite,
		CatalogRead,
		CatalogWrite,
		RetentionRead,
		RetentionWrite,
		AlertsRead,
		AlertsWrite,
		IntegrationsRead,
		IntegrationsWrite,
		DashboardsRead,
		DashboardsWrite,
		UsageRead,
		BillingRead,
		BillingWrite,
		AuditRead,
		MembersRead,
		MembersWrite,
		ServiceAccountsRead,
		ServiceAccountsWrite,
		ApiKeysRead,
		ApiKeysWrite,
	}},
	{EnvironmentAdmin, "Environments, their budgets and their keys.", []Permission{
		MetricsWrite,
		MetricsRead,
		OrganizationRead,
		EnvironmentsRead,
		EnvironmentsWrite,
		BudgetsRead,
		BudgetsWrite,
		CatalogRead,
		CatalogWrite,
		RetentionRead,
		RetentionWrite,
		AlertsRead,
		AlertsWrite,
		IntegrationsRead,
		IntegrationsWrite,
		DashboardsRead,
		DashboardsWrite,
		UsageRead,
		MembersRead,
		ServiceAccountsRead,
		ServiceAccountsWrite,
		ApiKeysRead,
		ApiKeysWrite,
	}},
	{Developer, "Sends and queries metrics, sees how environments are set up.", []Permission{
		MetricsWrite,
		MetricsRead,
		OrganizationRead,
		EnvironmentsRead,
		BudgetsRead,
		CatalogRead,
		CatalogWrite,
		RetentionRead,
		AlertsRead,
		AlertsWrite,
		IntegrationsRead,
		DashboardsRead,
		DashboardsWrite,
		UsageRead,
		ServiceAccountsRead,
		ApiKeysRead,
	}},
	{MetricsViewer, "Queries metrics.", []Permission{
		MetricsRead,
		OrganizationRead,
		EnvironmentsRead,
		CatalogRead,
		AlertsRead,
		DashboardsRead,
	}},
	{BillingViewer, "Sees what is used, allowed and invoiced, not the metrics.", []Permission{
		OrganizationRead,
		EnvironmentsRead,
		BudgetsRead,
		UsageRead,
		BillingRead,
	}},
}

// Roles lists all there are, in the contract's order.
func Roles() []Role {
	names := make([]Role, len(roles))
	for i, role := range roles {
		names[i] = role.name
	}
	return names
}

// RoleNamed finds the role of that name; false for a name that this version does not know.
func RoleNamed(name string) (Role, bool) {
	return Role(name), slices.Contains(Roles(), Role(name))
}

// Meaning says who the role is for.
func (r Role) Meaning() string {
	for _, role := range roles {
		if role.name == r {
			return role.meaning
		}
	}
	return ""
}

// Permissions lists what the role allows.
func (r Role) Permissions() []Permission {
	for _, role := range roles {
		if role.name == r {
			return slices.Clone(role.permissions)
		}
	}
	return nil
}

// Allows tells whether the role allows it. Permissions do not imply one another.
func (r Role) Allows(permission Permission) bool {
	return slices.Contains(r.Permissions(), permission)
}
