package chart

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

func TestKafkaBehavesAsInfraSays(t *testing.T) {
	for _, name := range profiles {
		config := dig(the(t, rendered(t, name, nil), "Kafka", release+"-kafka"), "spec", "kafka", "config").(values)
		copies, inSync := number(t, config["default.replication.factor"]), number(t, config["min.insync.replicas"])
		brokers := number(t, dig(effective(t, name, nil), "kafka", "strimzi", "brokers", "replicas"))
		if copies > brokers || inSync > copies || copies > 1 && inSync != copies-1 {
			t.Errorf("profile %s: %v copies, %v in sync, on %v brokers", name, copies, inSync, brokers)
		}
		// How soon a silent broker is fenced is a matter of one machine.
		nodes := regexp.MustCompile(`^(process\.roles|node\.id|controller\.|inter\.broker|listener|broker\.(session|heartbeat)\.)`)
		sizes := regexp.MustCompile(`(replication\.factor|min\.isr|min\.insync\.replicas)$`)
		for _, line := range found(t, "infra/kafka/server.properties", `(?m)^([^#\s].*)$`) {
			key, value, _ := strings.Cut(line, "=")
			got, present := config[key]
			switch {
			case nodes.MatchString(key):
				if present {
					t.Errorf("%s is not for a cluster", key)
				}
			case !present || !sizes.MatchString(key) && fmt.Sprint(got) != value:
				t.Errorf("profile %s: %s is %v; infra/kafka/server.properties says %s", name, key, got, value)
			}
		}
	}
}
