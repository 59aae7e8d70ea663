package chart

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

type job struct {
	Name                  string
	Jar                   string
	EntryClass            string `yaml:"entry_class"`
	AllowNonRestoredState bool   `yaml:"allow_non_restored_state"`
	Arguments             map[string]string
}

func jobs(t *testing.T) map[string]job {
	t.Helper()
	var file struct{ Jobs []job }
	if err := yaml.Unmarshal([]byte(text(t, "infra/flink/jobs.yaml")), &file); err != nil || len(file.Jobs) == 0 {
		t.Fatalf("infra/flink/jobs.yaml: %d jobs, %v", len(file.Jobs), err)
	}
	named := map[string]job{}
	for _, one := range file.Jobs {
		named[one.Name] = one
	}
	return named
}

func TestEveryJobIsAFlinkDeployment(t *testing.T) {
	known := jobs(t)
	var behaviour any
	if err := yaml.Unmarshal([]byte(text(t, "infra/flink/config.yaml")), &behaviour); err != nil {
		t.Fatal(err)
	}
	settings := map[string]string{}
	flatten("", behaviour, settings)
	// A cluster keeps its leader by its own API, and slots are a size.
	ours := []string{"high-availability.type", "taskmanager.numberOfTaskSlots"}
	for _, name := range profiles {
		objects := rendered(t, name, nil)
		deployments := of(objects, "FlinkDeployment")
		if len(deployments) != len(known) {
			t.Errorf("profile %s renders %d FlinkDeployments for %d jobs", name, len(deployments), len(known))
		}
		for _, one := range known {
			deployment := the(t, objects, "FlinkDeployment", release+"-flink-"+one.Name)
			if uri := dig(deployment, "spec", "job", "jarURI"); uri != "local:///opt/flink/usrlib/"+filepath.Base(one.Jar) {
				t.Errorf("job %s runs %v", one.Name, uri)
			}
			if class := dig(deployment, "spec", "job", "entryClass"); class != one.EntryClass {
				t.Errorf("job %s runs class %v", one.Name, class)
			}
			arguments := map[string]string{}
			list := dig(deployment, "spec", "job", "args").([]any)
			for i := 0; i+1 < len(list); i += 2 {
				arguments[strings.TrimPrefix(list[i].(string), "--")] = list[i+1].(string)
			}
			for key, value := range one.Arguments {
				got, present := arguments[key]
				if !present || strings.Contains(got, "${") || !strings.Contains(value, "${") && got != value {
					t.Errorf("job %s: %s is %q; infra/flink/jobs.yaml says %q", one.Name, key, got, value)
				}
			}
			if len(arguments) != len(one.Arguments) {
				t.Errorf("job %s has %d arguments of %d", one.Name, len(arguments), len(one.Arguments))
			}
			configuration := dig(deployment, "spec", "flinkConfiguration").(values)
			for key, value := range settings {
				if got := configuration[key]; got != value && !slices.Contains(ours, key) {
					t.Errorf("job %s: %s is %v; infra/flink/config.yaml says %s", one.Name, key, got, value)
				}
			}
			for key, value := range configuration {
				if _, is := value.(string); !is {
					t.Errorf("job %s: %s is not text: %v", one.Name, key, value)
				}
			}
			for _, key := range []string{"execution.checkpointing.dir", "execution.checkpointing.savepoint-dir", "high-availability.storageDir"} {
				if folder := fmt.Sprint(configuration[key]); !strings.HasPrefix(folder, "s3://tidemark/flink/"+one.Name+"/") {
					t.Errorf("job %s keeps %s in %s", one.Name, key, folder)
				}
			}
			if dig(deployment, "spec", "job", "upgradeMode") != "savepoint" || dig(deployment, "spec", "job", "allowNonRestoredState") != one.AllowNonRestoredState {
				t.Errorf("job %s is upgraded without its state", one.Name)
			}
			// The password of the catalog's owner is for who commits to it.
			_, writes := environment(dig(deployment, "spec", "podTemplate", "spec", "containers", 0))["TIDEMARK_CATALOG_PASSWORD"]
			if _, asks := one.Arguments["catalog.uri"]; writes != asks {
				t.Errorf("job %s has the catalog's password: %v", one.Name, writes)
			}
			slots := number(t, configuration["taskmanager.numberOfTaskSlots"])
			if parallelism := number(t, dig(deployment, "spec", "job", "parallelism")); int(parallelism)%int(slots) != 0 {
				t.Errorf("profile %s: job %s leaves slots of a TaskManager empty: %v of %v", name, one.Name, parallelism, slots)
			}
		}
	}
}

// Processes of a job go one at a time when nodes are drained. Their pods have the labels that Flink gives them, and a job's name of its own.
func TestProcessesOfJobsGoOneAtATime(t *testing.T) {
	for _, name := range profiles {
		all := effective(t, name, nil)
		objects := rendered(t, name, nil)
		wanted := map[string]string{}
		for job := range jobs(t) {
			size := dig(all, "flink", "jobs", job).(values)
			if number(t, dig(all, "flink", "jobManager", "replicas")) > 1 {
				wanted[release+"-flink-"+job+"-jobmanager"] = "jobmanager 1 <nil>"
			}
			// Of TaskManagers, which Kubernetes cannot count by their owner, all but one.
			if count := number(t, size["parallelism"]) / number(t, size["slots"]); count > 1 {
				wanted[release+"-flink-"+job+"-taskmanager"] = fmt.Sprint("taskmanager <nil> ", count-1)
			}
		}
		got := map[string]string{}
		for _, one := range of(objects, "PodDisruptionBudget") {
			if one.component() != "flink" {
				continue
			}
			labels := dig(one, "spec", "selector", "matchLabels").(values)
			got[one.name()] = fmt.Sprint(labels["component"], " ", dig(one, "spec", "maxUnavailable"), " ", dig(one, "spec", "minAvailable"))
			cluster := strings.TrimSuffix(one.name(), "-"+fmt.Sprint(labels["component"]))
			the(t, objects, "FlinkDeployment", cluster)
			if labels["app"] != cluster || labels["type"] != "flink-native-kubernetes" || len(labels) != 3 || dig(one, "spec", "unhealthyPodEvictionPolicy") != "AlwaysAllow" {
				t.Errorf("%s selects %v", one.name(), labels)
			}
		}
		if !maps.Equal(got, wanted) {
			t.Errorf("profile %s has the budgets\n%v, not\n%v", name, got, wanted)
		}
		if name == "standard" && len(got) != 8 {
			t.Errorf("%d budgets for four jobs", len(got))
		}
	}
	// Slots that parallelism does not fill are a TaskManager, too.
	odd := rendered(t, "small", values{"flink": values{"jobs": values{"rollup": values{"parallelism": 5, "slots": 2}}}})
	if budget := dig(the(t, odd, "PodDisruptionBudget", release+"-flink-rollup-taskmanager"), "spec", "minAvailable"); budget != 2 {
		t.Errorf("of three TaskManagers %v stay", budget)
	}
}

// Nobody reads JMX in a pod: where a Prometheus does, each process of a job shows its metrics to it, and to nobody else.
func TestFlinkShowsItsMetrics(t *testing.T) {
	const port = "9249"
	prometheus := []any{values{"namespaceSelector": values{"matchLabels": values{"kubernetes.io/metadata.name": "monitoring"}}}}
	over := values{"flink": values{"scrape": values{"enabled": true}}, "networkPolicies": values{"scrapers": prometheus}}
	for name := range jobs(t) {
		for scraped, objects := range map[bool][]object{true: rendered(t, "standard", over), false: rendered(t, "standard", nil)} {
			deployment := the(t, objects, "FlinkDeployment", release+"-flink-"+name)
			configuration := dig(deployment, "spec", "flinkConfiguration").(values)
			reporter := "org.apache.flink.metrics.prometheus.PrometheusReporterFactory"
			if is := configuration["metrics.reporters"] == "prometheus"; is != scraped {
				t.Errorf("job %s has the reporter %v; scraped: %t", name, configuration["metrics.reporters"], scraped)
			}
			if is := configuration["metrics.reporter.prometheus.factory.class"] == reporter && configuration["metrics.reporter.prometheus.port"] == port; is != scraped {
				t.Errorf("job %s reports by %v", name, configuration["metrics.reporter.prometheus.factory.class"])
			}
			pod := dig(deployment, "spec", "podTemplate")
			if is := strings.Contains(fmt.Sprint(dig(pod, "spec", "containers")), "containerPort:"+port); is != scraped {
				t.Errorf("job %s declares port %s: %t", name, port, is)
			}
			if is := dig(pod, "metadata", "annotations", "prometheus.io/port") == port; is != scraped {
				t.Errorf("pods of job %s are found by a Prometheus: %t", name, is)
			}
			opened := false
			for _, rule := range dig(the(t, objects, "NetworkPolicy", release+"-flink"), "spec", "ingress").([]any) {
				if strings.Contains(fmt.Sprint(dig(rule, "ports")), "port:"+port) {
					opened = true
					if fmt.Sprint(dig(rule, "from")) != fmt.Sprint(prometheus) {
						t.Errorf("metrics are shown to %v", dig(rule, "from"))
					}
				}
			}
			if opened != scraped {
				t.Errorf("the port is opened: %t", opened)
			}
		}
	}
}

func flatten(prefix string, from any, into map[string]string) {
	if nested, is := from.(values); is {
		for key, value := range nested {
			flatten(strings.TrimPrefix(prefix+"."+key, "."), value, into)
		}
		return
	}
	into[prefix] = fmt.Sprint(from)
}
