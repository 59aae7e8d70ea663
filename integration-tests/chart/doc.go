// Package chart holds tests only: the Helm chart of infra/helm/tidemark renders, refuses wrong values, and describes the same
// stack as the local lifecycle.
//
// The chart is rendered by Helm's own library; neither a helm binary nor a cluster is needed. With the build tag apiserver the
// rendered objects are also handed to a real kube-apiserver, see `make test-helm`.
package chart
