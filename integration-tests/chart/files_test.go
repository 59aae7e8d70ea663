package chart

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The chart reads infra/ through links, so that there is no second copy to forget.
func TestTheChartHasNoCopiesOfInfra(t *testing.T) {
	entries, err := os.ReadDir(filepath.Join(directory, "files"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		target, err := os.Readlink(filepath.Join(directory, "files", entry.Name()))
		if err != nil || target != "../../../"+entry.Name() {
			t.Errorf("infra/helm/tidemark/files/%s is not a link to infra/%s but %q, %v", entry.Name(), entry.Name(), target, err)
		}
	}
	if len(entries) != 8 {
		t.Errorf("the chart sees %d folders of infra/", len(entries))
	}
}

// What the cluster gets is what stands in infra/, byte by byte, but for sizes, which are compared below.
func TestTheClusterGetsTheFilesOfInfra(t *testing.T) {
	sized := regexp.MustCompile(`^(kafka/topics\.yaml|druid/ingestion/.*|druid/operation/(load-rules.*|compaction-slots)\.json)$`)
	for _, name := range profiles {
		files := configured(t, rendered(t, name, nil))
		seen := 0
		// Rules of infra/observability are for a Prometheus, and no pod reads them.
		for _, folder := range []string{"druid", "flink", "iceberg", "kafka", "logging", "postgres", "zookeeper"} {
			err := filepath.WalkDir(filepath.Join(root, "infra", folder), func(path string, entry os.DirEntry, err error) error {
				if err != nil || entry.IsDir() || filepath.Ext(path) == ".md" {
					return err
				}
				relative, _ := filepath.Rel(filepath.Join(root, "infra"), path)
				got, present := files[relative]
				seen++
				switch {
				case !present:
					t.Errorf("profile %s: infra/%s does not reach the cluster", name, relative)
				case sized.MatchString(relative):
					if !same(plain(t, got, relative), plain(t, text(t, "infra/"+relative), relative)) {
						t.Errorf("profile %s changes more than sizes in infra/%s:\n%s", name, relative, got)
					}
				case strings.TrimRight(got, "\n") != strings.TrimRight(text(t, "infra/"+relative), "\n"):
					t.Errorf("profile %s: infra/%s reaches the cluster changed:\n%s", name, relative, got)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if seen != len(files) {
			t.Errorf("profile %s: the cluster gets %d files of %d", name, len(files), seen)
		}
	}
}

// plain parses a file and takes out what a profile may change.
func plain(t *testing.T, content, path string) any {
	t.Helper()
	var parsed any
	if err := yaml.Unmarshal([]byte(content), &parsed); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	var strip func(any)
	strip = func(node any) {
		switch n := node.(type) {
		case values:
			for _, key := range []string{"partitions", "taskCount", "replicas", "maxCompactionTaskSlots", "hot", "_default_tier"} {
				if _, number := n[key].(int); number {
					n[key] = 0
				}
			}
			for _, below := range n {
				strip(below)
			}
		case []any:
			for _, below := range n {
				strip(below)
			}
		}
	}
	strip(parsed)
	return parsed
}

func same(one, other any) bool {
	a, _ := json.Marshal(one)
	b, _ := json.Marshal(other)
	return string(a) == string(b)
}

type topic struct {
	Name       string
	Partitions int
}

func topics(t *testing.T, content string) map[string]int {
	t.Helper()
	var file struct{ Topics []topic }
	if err := yaml.Unmarshal([]byte(content), &file); err != nil || len(file.Topics) == 0 {
		t.Fatalf("topics.yaml: %d topics, %v", len(file.Topics), err)
	}
	partitions := map[string]int{}
	for _, one := range file.Topics {
		partitions[one.Name] = one.Partitions
	}
	return partitions
}

// A size for a topic, a job, a role or a datasource that does not exist would be a typo without effect.
func TestProfilesSizeWhatExists(t *testing.T) {
	declared := topics(t, text(t, "infra/kafka/topics.yaml"))
	for _, name := range profiles {
		all := effective(t, name, nil)
		objects := rendered(t, name, nil)
		given := topics(t, configured(t, objects)["kafka/topics.yaml"])
		for topic, partitions := range dig(all, "kafka", "partitions").(values) {
			if _, known := declared[topic]; !known {
				t.Errorf("profile %s sizes topic %s, which infra/kafka/topics.yaml does not have", name, topic)
			} else if given[topic] != int(number(t, partitions)) {
				t.Errorf("profile %s: %s gets %d partitions, not %v; infra/kafka/topics.yaml asks for more", name, topic, given[topic], partitions)
			}
		}
		for datasource := range dig(all, "druid", "ingestion").(values) {
			text(t, "infra/druid/ingestion/"+datasource+".json")
		}
		for role := range dig(all, "druid", "roles").(values) {
			text(t, "infra/druid/"+role+"/runtime.properties")
		}
		known := jobs(t)
		for job := range dig(all, "flink", "jobs").(values) {
			if _, is := known[job]; !is {
				t.Errorf("profile %s sizes job %s, which infra/flink/jobs.yaml does not have", name, job)
			}
		}
	}
}
