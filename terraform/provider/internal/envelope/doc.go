// Package envelope holds what every resource and data source does alike: it turns configuration into a call, problems into
// diagnostics at an attribute, and what was read back into state. A resource says in a Definition what is its own.
package envelope
