package vocabulary

import "testing"

func TestNamesAreAClosedList(t *testing.T) {
	if found, ok := PermissionNamed("audit:read"); !ok || found != AuditRead || found.Meaning() == "" {
		t.Errorf("audit:read is %q, %v, %q", found, ok, found.Meaning())
	}
	if _, ok := PermissionNamed("audit:write"); ok {
		t.Error("audit:write is a permission")
	}
	if found, ok := RoleNamed("billing_viewer"); !ok || found != BillingViewer || found.Meaning() == "" {
		t.Errorf("billing_viewer is %q, %v, %q", found, ok, found.Meaning())
	}
	if _, ok := RoleNamed("owner"); ok {
		t.Error("owner is a role")
	}
}

func TestARoleAllowsWhatItListsAndNothingElse(t *testing.T) {
	if !Developer.Allows(MetricsWrite) || MetricsViewer.Allows(MetricsWrite) || Role("owner").Allows(MetricsRead) {
		t.Error("metrics:write is for developers, not for viewers, and nobody unknown may do anything")
	}
	for _, role := range Roles() {
		if role.Allows(PlatformMetricsRead) {
			t.Errorf("%s may read Tidemark's own metrics", role)
		}
		for _, permission := range role.Permissions() {
			if _, ok := PermissionNamed(string(permission)); !ok {
				t.Errorf("%s allows %s, which is no permission", role, permission)
			}
		}
	}
}
