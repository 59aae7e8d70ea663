package chart

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// busy is the share of its cores that a process is planned for, as infra/sizing/load.yaml says.
const busy = 0.6

// need is what the sizing arithmetic says of one kind of node, all nodes together.
type need struct {
	cores, gigabytes float64
}

// sized reads what `make sizing` printed for the load of a profile: needs by part, and slots of the rollup job.
func sized(t *testing.T, name string) (map[string]need, float64) {
	t.Helper()
	report := text(t, "integration-tests/chart/sizing/"+name+".txt")
	head := regexp.MustCompile(`^(\d+) points a second of (\d+) series; .* (\d+) slots of the rollup job\n`).FindStringSubmatch(report)
	if head == nil {
		t.Fatalf("sizing/%s.txt does not begin as a report of `make sizing`", name)
	}
	load := found(t, "infra/helm/tidemark/profiles/"+name+".yaml", `make sizing LOAD="([^"]+)"`)[0]
	if !strings.HasPrefix(load, fmt.Sprintf("points=%s series=%s", head[1], head[2])) {
		t.Errorf("sizing/%s.txt is of another load than %s", name, load)
	}
	if strings.Contains(report, "Does not fit") {
		t.Errorf("the load of profile %s does not fit", name)
	}
	needs := map[string]need{}
	for _, row := range regexp.MustCompile(`(?m)^(\S.*?) +[a-z0-9]+\.[a-z0-9]+ +\d+ +([0-9.]+) +(\d+) +[0-9.]+ +\d+%`).FindAllStringSubmatch(report, -1) {
		needs[row[1]] = need{number(t, row[2]), number(t, row[3])}
	}
	return needs, number(t, head[3])
}

// A profile asks the cluster for no less than the load that its first lines name needs: cores that are busy, disks, slots. What the
// arithmetic says is committed, and ChartProfilesTest of platform-api holds that it still says so.
func TestProfilesAreLargeEnoughForTheirLoad(t *testing.T) {
	for _, name := range profiles {
		needs, slots := sized(t, name)
		all := effective(t, name, nil)
		objects := rendered(t, name, nil)
		given := map[string]need{}
		add := func(part string, replicas, cores, gigabytes float64) {
			given[part] = need{given[part].cores + replicas*cores*busy, given[part].gigabytes + replicas*gigabytes}
		}
		requests := func(kind, of string) (float64, float64) {
			one := the(t, objects, kind, release+"-"+of)
			return number(t, dig(one, "spec", "replicas"), number(t, dig(all, "platformApi", "replicas"))), cores(t, dig(container(one), "resources", "requests", "cpu"))
		}
		replicas, each := requests("Deployment", "platform-api")
		add("platform-api", replicas, each, 0)
		for role, part := range map[string]string{"broker": "Druid: brokers", "indexer": "Druid: streaming indexers", "indexer-batch": "Druid: batch indexers", "historical": "Druid: historicals", "historical-hot": "Druid: hot historicals"} {
			replicas, each := requests("StatefulSet", "druid-"+role)
			served := 0.0
			if strings.HasPrefix(role, "historical") {
				line := words(container(the(t, objects, "StatefulSet", release+"-druid-"+role)))
				served = float64(quantity(t, regexp.MustCompile(`-Ddruid\.server\.maxSize=(\d+Gi)B `).FindStringSubmatch(line)[1])) / 1e9
			}
			add(part, replicas, each, served)
		}
		pool := the(t, objects, "KafkaNodePool", release+"-kafka-broker")
		add("Kafka brokers", number(t, dig(pool, "spec", "replicas")), cores(t, dig(pool, "spec", "resources", "requests", "cpu")),
			float64(quantity(t, dig(pool, "spec", "storage", "volumes", 0, "size")))/1e9)
		for job := range jobs(t) {
			spec := dig(the(t, objects, "FlinkDeployment", release+"-flink-"+job), "spec")
			parallelism := number(t, dig(spec, "job", "parallelism"))
			add("Flink: "+job, parallelism/number(t, dig(spec, "flinkConfiguration", "taskmanager.numberOfTaskSlots")), number(t, dig(spec, "taskManager", "resource", "cpu")), 0)
			if job == "rollup" && parallelism < slots {
				t.Errorf("profile %s: the rollup job has %v slots and needs %v", name, parallelism, slots)
			}
		}
		// One process does both, unless roles are apart.
		needs["platform-api"] = need{needs["platform-api: receive"].cores + needs["platform-api: answer"].cores, 0}
		compared := 0
		for part, wanted := range needs {
			has, known := given[part]
			if !known {
				continue
			}
			compared++
			if has.cores < wanted.cores || has.gigabytes < wanted.gigabytes {
				t.Errorf("profile %s: %s has %.2f cores to be busy and %.0f GB, and needs %.2f and %.0f", name, part, has.cores, has.gigabytes, wanted.cores, wanted.gigabytes)
			}
		}
		// Kafka, two jobs, five roles of Druid, platform-api. The arithmetic knows no load of the others.
		if compared != 9 {
			t.Errorf("profile %s: %d parts were compared of %v", name, compared, needs)
		}
	}
}
