package chart

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// Roles, ports, commands and module options are those of the local lifecycle.
func TestDruidRolesAreTheLifecycles(t *testing.T) {
	source := text(t, lifecycle+"engine/Druid.java")
	roles := regexp.MustCompile(`spec\(\s*"(druid-[a-z-]+)",\s*"([a-z-]+)",\s*"([a-z]+)",`).FindAllStringSubmatch(source, -1)
	if len(roles) != 6 {
		t.Fatalf("Druid.java has %d roles: this test reads that source and must follow its shape", len(roles))
	}
	plan := ports(t)
	options := found(t, lifecycle+"engine/Druid.java", `"(--add-(?:opens|exports)=[^"]+)"`)
	for _, name := range profiles {
		objects := rendered(t, name, nil)
		all := effective(t, name, nil)
		for _, role := range roles {
			component, folder, main := role[1], role[2], role[3]
			set := the(t, objects, "StatefulSet", release+"-"+component)
			line := words(container(set))
			for _, wanted := range append([]string{
				"org.apache.druid.cli.Main server " + main,
				"/etc/tidemark/druid/_common:/etc/tidemark/druid/" + folder + ":",
				"-Ddruid.plaintextPort=" + plan[component] + " ",
			}, options...) {
				if !strings.Contains(line+" ", wanted) {
					t.Errorf("%s is not started with %s", component, wanted)
				}
			}
			if service := the(t, objects, "Service", release+"-"+component); fmt.Sprint(dig(service, "spec", "ports", 0, "port")) != plan[component] {
				t.Errorf("%s is not reached at %s", component, plan[component])
			}
			size := dig(all, "druid", "roles", folder).(values)
			heap, direct := jvmBytes(t, size["heap"]), jvmBytes(t, size["direct"])
			if limit := quantity(t, size["memory"]); heap+direct+(heap+direct)/10 > limit {
				t.Errorf("profile %s: %s has a heap of %v and %v beside it, which %v does not hold", name, component, size["heap"], size["direct"], size["memory"])
			}
			threads, merges := setting(t, folder, size, "druid.processing.numThreads"), setting(t, folder, size, "druid.processing.numMergeBuffers")
			buffer := setting(t, folder, size, "druid.processing.buffer.sizeBytes")
			if folder != "coordinator-overlord" && (threads+merges+1)*buffer > direct {
				t.Errorf("profile %s: %s needs %d MiB of direct memory for its buffers and has %v", name, component, (threads+merges+1)*buffer>>20, size["direct"])
			}
		}
		// The Indexer finds no folders of its tasks (docs/decisions/0062).
		if line := words(container(the(t, objects, "StatefulSet", release+"-druid-indexer"))); !strings.Contains(line, "rm -rf /opt/druid/var/* && exec java") {
			t.Errorf("druid-indexer finds what its tasks left")
		}
		// Tasks that the supervisors ask for have a slot: reading ones, and as many that publish.
		tasks := 0.0
		for _, one := range dig(all, "druid", "ingestion").(values) {
			tasks += 2 * number(t, dig(one, "taskCount")) * number(t, dig(one, "replicas"))
		}
		indexer := dig(all, "druid", "roles", "indexer").(values)
		if slots := number(t, indexer["replicas"]) * float64(setting(t, "indexer", indexer, "druid.worker.capacity")); tasks > slots {
			t.Errorf("profile %s asks for %v streaming tasks at a turn and has %v slots", name, tasks, slots)
		}
		// A load rule cannot ask for more copies than there are nodes.
		for tier, folder := range map[string]string{"hot": "historical-hot", "_default_tier": "historical"} {
			copies, nodes := number(t, dig(all, "druid", "segmentReplicas", tier)), number(t, dig(all, "druid", "roles", folder, "replicas"))
			if copies > nodes {
				t.Errorf("profile %s wants %v copies in tier %s of %v nodes", name, copies, tier, nodes)
			}
		}
	}
}

// setting is a number that a profile gives to a role, or infra/druid does; bytes in bytes.
func setting(t *testing.T, folder string, size values, key string) int64 {
	t.Helper()
	value, given := dig(size, "properties", key).(string)
	for _, file := range []string{folder, "_common"} {
		name := map[bool]string{true: "common.runtime.properties", false: "runtime.properties"}[file == "_common"]
		if match := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(key) + `=(.*)$`).FindStringSubmatch(text(t, "infra/druid/"+file+"/"+name)); match != nil && !given {
			value, given = match[1], true
		}
	}
	if !given {
		t.Fatalf("%s is neither in infra/druid/%s nor in a profile", key, folder)
	}
	if strings.HasSuffix(value, "iB") {
		return quantity(t, strings.TrimSuffix(value, "B"))
	}
	return int64(number(t, value))
}
