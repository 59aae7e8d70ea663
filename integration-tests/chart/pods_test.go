package chart

import (
	"slices"
	"testing"
)

func TestPodsAreModest(t *testing.T) {
	for _, name := range profiles {
		for _, one := range rendered(t, name, nil) {
			if !slices.Contains([]string{"Deployment", "StatefulSet", "Job"}, one.kind()) {
				continue
			}
			pod := dig(one, "spec", "template", "spec")
			if dig(pod, "securityContext", "runAsNonRoot") != true || dig(pod, "automountServiceAccountToken") != false {
				t.Errorf("%s may run as root or ask the cluster", one.name())
			}
			main := container(one)
			if dig(main, "securityContext", "allowPrivilegeEscalation") != false {
				t.Errorf("%s may gain privileges", one.name())
			}
			for _, wanted := range [][]any{{"resources", "requests", "cpu"}, {"resources", "requests", "memory"}, {"resources", "limits", "memory"}} {
				if dig(main, wanted...) == nil {
					t.Errorf("%s has no %v", one.name(), wanted)
				}
			}
			if one.kind() == "Job" {
				continue
			}
			if dig(main, "livenessProbe") == nil || dig(main, "readinessProbe") == nil || dig(pod, "topologySpreadConstraints") == nil {
				t.Errorf("%s has no probes or is not spread", one.name())
			}
			if number(t, dig(one, "spec", "replicas"), 2) > 1 {
				the(t, rendered(t, name, nil), "PodDisruptionBudget", one.name())
			}
		}
	}
}

// Druid and Flink answer whoever reaches them, so nothing of theirs is open.
func TestEveryPodHasANetworkPolicy(t *testing.T) {
	objects := rendered(t, "standard", nil)
	for _, one := range objects {
		component := one.component()
		if slices.Contains([]string{"Deployment", "StatefulSet", "Job", "FlinkDeployment"}, one.kind()) {
			the(t, objects, "NetworkPolicy", release+"-"+component)
		}
	}
	for _, one := range of(objects, "NetworkPolicy") {
		rules, _ := dig(one, "spec", "ingress").([]any)
		for _, rule := range rules {
			if dig(rule, "from") == nil && one.component() != "platform-api" {
				t.Errorf("everybody may reach %s", one.name())
			}
		}
	}
	for _, one := range of(rendered(t, "standard", values{"networkPolicies": values{"enabled": false}}), "NetworkPolicy") {
		t.Errorf("%s is there although policies are switched off", one.name())
	}
}
