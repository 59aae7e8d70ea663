// Package compose holds tests only: docker-compose.yml is valid, and describes the same stack as the local lifecycle.
//
// No container engine is needed. Both sides are read as text: the Compose file by the Compose project's own loader, the lifecycle
// by the few literals in its sources that name components, ports, options and files.
package compose
