package vocabulary

import "strings"

// RoleNames lists the names of all roles, for descriptions.
func RoleNames() string {
	names := make([]string, len(Roles()))
	for i, role := range Roles() {
		names[i] = "`" + string(role) + "`"
	}
	return strings.Join(names, ", ")
}

// PermissionNames lists the names of all permissions, for descriptions.
func PermissionNames() string {
	names := make([]string, len(Permissions()))
	for i, permission := range Permissions() {
		names[i] = "`" + string(permission) + "`"
	}
	return strings.Join(names, ", ")
}
