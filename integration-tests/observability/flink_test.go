package observability

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	domain = "org.apache."
	ours   = "org.apache.flink.taskmanager.job.task.operator.tidemark."
)

// What the jobs count and nobody acts on.
var untold = map[string]string{
	"bundlesSent":      "how well points combine; benchmarks read it",
	"filesWritten":     "files of all sizes; rows and bytes tell more",
	"filesCommitted":   "as above",
	"filesRewritten":   "what maintenance does when all is well",
	"alertRowsMatched": "load of the alert job; records received tell it",
	"alertEarly":       "how many incidents come before their minute is complete",
}

// beans are the names of infra/flink/jmx-rules.yaml: Flink's reporters for JMX and for Prometheus have the same scopes.
func beans(t *testing.T) []string {
	t.Helper()
	return matches(t, `(?m)^  - bean: ([A-Za-z.]+):\*$`, root+"/infra/flink/jmx-rules.yaml")
}

func TestMetricsOfFlinkAreReported(t *testing.T) {
	shown := map[string]bool{}
	for _, bean := range beans(t) {
		shown[strings.ReplaceAll(strings.TrimPrefix(bean, domain), ".", "_")] = true
	}
	looked := 0
	for metric, where := range named(t) {
		if strings.HasPrefix(metric, "flink_") {
			looked++
			if !shown[metric] {
				t.Errorf("%s looks at %s, which infra/flink/jmx-rules.yaml does not have", where, metric)
			}
		}
	}
	if looked < 30 {
		t.Errorf("only %d metrics of Flink are looked at", looked)
	}
}

func TestEveryMetricOfAJobIsReported(t *testing.T) {
	var counted []string
	err := filepath.WalkDir(root+"/flink-jobs", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".java") || !strings.Contains(path, "/src/main/") {
			return err
		}
		content := text(t, path)
		if strings.HasSuffix(path, "Metrics.java") || strings.Contains(content, "JobMetrics.counter(") {
			counted = append(counted, matches(t, `public static final String [A-Z_]+ = "([a-z][A-Za-z]+)";`, path)...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// The name of the group.
	counted = slices.DeleteFunc(counted, func(name string) bool { return name == "tidemark" })
	reported := beans(t)
	for _, name := range counted {
		// One gauge of the rollup job is older than the group.
		is := slices.Contains(reported, ours+name) || slices.Contains(reported, strings.TrimSuffix(ours, "tidemark.")+name)
		if _, left := untold[name]; is == left {
			t.Errorf("%s is counted by a job; reported: %t, left out: %t", name, is, left)
		}
	}
	for _, bean := range reported {
		if name, is := strings.CutPrefix(bean, ours); is && !slices.Contains(counted, name) {
			t.Errorf("infra/flink/jmx-rules.yaml reports %s, which no job counts", name)
		}
	}
	for name := range untold {
		if !slices.Contains(counted, name) {
			t.Errorf("%s is left out, and no job counts it", name)
		}
	}
}
