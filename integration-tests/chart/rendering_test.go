package chart

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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
	if len(entries) != 7 {
		t.Errorf("the chart sees %d folders of infra/", len(entries))
	}
}

// What the cluster gets is what stands in infra/, byte by byte, but for sizes, which are compared below.
func TestTheClusterGetsTheFilesOfInfra(t *testing.T) {
	sized := regexp.MustCompile(`^(kafka/topics\.yaml|druid/ingestion/.*|druid/operation/(load-rules.*|compaction-slots)\.json)$`)
	for _, name := range profiles {
		files := configured(t, rendered(t, name, nil))
		seen := 0
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

type job struct {
	Name       string
	Jar        string
	EntryClass string `yaml:"entry_class"`
	Arguments  map[string]string
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
			if dig(deployment, "spec", "job", "upgradeMode") != "savepoint" || dig(deployment, "spec", "job", "allowNonRestoredState") != false {
				t.Errorf("job %s is upgraded without its state", one.Name)
			}
			slots := number(t, configuration["taskmanager.numberOfTaskSlots"])
			if parallelism := number(t, dig(deployment, "spec", "job", "parallelism")); int(parallelism)%int(slots) != 0 {
				t.Errorf("profile %s: job %s leaves slots of a TaskManager empty: %v of %v", name, one.Name, parallelism, slots)
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

// Images are built by the names that the chart pulls, and hold what the chart and the jobs name.
func TestImagesAreTheChartsAndHoldEveryJob(t *testing.T) {
	tag := found(t, "infra/images/pom.xml", `<images.tag>([0-9.]+)</images.tag>`)[0]
	built := found(t, "infra/images/pom.xml", `<module>([a-z-]+)</module>`)
	images := effective(t, "standard", nil)["images"].(values)
	pulled := 0
	for _, name := range []string{"platformApi", "flinkJobs", "provision"} {
		pulled++
		repository := dig(images, name, "repository").(string)
		if !slices.Contains(built, strings.TrimPrefix(repository, "tidemark/")) {
			t.Errorf("nothing builds %s", repository)
		}
		if dig(images, name, "tag") != tag {
			t.Errorf("%s is pulled as %v and built as %s", repository, dig(images, name, "tag"), tag)
		}
	}
	if pulled != len(built) {
		t.Errorf("infra/images builds %v", built)
	}
	inside := found(t, "infra/images/flink-jobs/pom.xml", `<include>([a-z-]+\.jar)</include>`)
	for name, one := range jobs(t) {
		if !slices.Contains(inside, filepath.Base(one.Jar)) {
			t.Errorf("the image of the jobs has no jar of %s", name)
		}
	}
	// The chart runs platform-api with the image's own command, and provisioning from the folder where its jars lie.
	if !strings.Contains(text(t, "infra/images/provision/pom.xml"), "<into>/opt/tidemark/integration-tests/stack/target</into>") {
		t.Error("the image of provisioning has no stack.jar where the chart runs it")
	}
}

// Ports, settings and the reader's role are those that the lifecycle gives platform-api.
func TestPlatformApiIsTheLifecycles(t *testing.T) {
	objects := rendered(t, "standard", nil)
	deployment := the(t, objects, "Deployment", release+"-platform-api")
	if replicas := dig(deployment, "spec", "replicas"); replicas != 2 {
		t.Errorf("platform-api has %v replicas", replicas)
	}
	one := container(deployment)
	variables := environment(one)
	secret := found(t, lifecycle+"StackIdentity.java", `computeIfAbsent\(\s*"(TIDEMARK_[A-Z_]+)"`)
	// What is always given: further ones are for tests, or for who needs them (platformApi.environment).
	for _, name := range found(t, lifecycle+"engine/PlatformApi.java", `(?m)^\s+\.environment\(\s*"([A-Z_]+)"`) {
		_, given := variables[name]
		if !given && !slices.Contains(secret, name) && name != "TIDEMARK_KAFKA_DOOR_ADVERTISED" {
			t.Errorf("platform-api has no %s, as it has locally", name)
		}
		if given && slices.Contains(secret, name) {
			t.Errorf("%s is a variable of platform-api; secrets are files", name)
		}
	}
	known := text(t, "platform-api/app/src/main/resources/application.yaml")
	for name := range variables {
		if strings.HasPrefix(name, "TIDEMARK_") && !strings.Contains(known, "${"+name+":") {
			t.Errorf("platform-api is given %s, which application.yaml does not know", name)
		}
	}
	role := found(t, "infra/postgres/catalog-reader.sql", `CREATE ROLE (\w+) LOGIN;`)[0]
	if variables["TIDEMARK_LAKE_USER"] != role {
		t.Errorf("platform-api reads the catalog as %v, not as %s", variables["TIDEMARK_LAKE_USER"], role)
	}
	plan := ports(t)
	for port, name := range map[string]string{"http": "platform-api", "otlp-http": "otlp-http", "otlp-grpc": "otlp-grpc", "kafka": "kafka-door"} {
		listens := ""
		list := dig(one, "ports").([]any)
		for _, open := range list {
			if dig(open, "name") == port {
				listens = fmt.Sprint(dig(open, "containerPort"))
			}
		}
		if listens != plan[name] {
			t.Errorf("platform-api listens for %s at %q, locally at %s", port, listens, plan[name])
		}
	}
	for probe, path := range map[string]string{"livenessProbe": "/livez", "readinessProbe": "/readyz", "startupProbe": "/livez"} {
		if got := dig(one, probe, "httpGet", "path"); got != path || !strings.Contains(known, `"server:`+path+`"`) {
			t.Errorf("%s asks %v", probe, got)
		}
	}
	// Until no proxy sends anything new, then Spring's phases, then Kafka's ten seconds.
	if grace := number(t, dig(deployment, "spec", "template", "spec", "terminationGracePeriodSeconds")); grace < number(t, dig(one, "lifecycle", "preStop", "sleep", "seconds"))+15+10 {
		t.Errorf("platform-api is killed after %v s, before it has drained", grace)
	}
}

func TestKafkaBehavesAsInfraSays(t *testing.T) {
	for _, name := range profiles {
		config := dig(the(t, rendered(t, name, nil), "Kafka", release+"-kafka"), "spec", "kafka", "config").(values)
		copies, inSync := number(t, config["default.replication.factor"]), number(t, config["min.insync.replicas"])
		brokers := number(t, dig(effective(t, name, nil), "kafka", "strimzi", "brokers", "replicas"))
		if copies > brokers || inSync > copies || copies > 1 && inSync != copies-1 {
			t.Errorf("profile %s: %v copies, %v in sync, on %v brokers", name, copies, inSync, brokers)
		}
		nodes := regexp.MustCompile(`^(process\.roles|node\.id|controller\.|inter\.broker|listener)`)
		sizes := regexp.MustCompile(`(replication\.factor|min\.isr|min\.insync\.replicas)$`)
		for _, line := range found(t, "infra/kafka/server.properties", `(?m)^([^#\s].*)$`) {
			key, value, _ := strings.Cut(line, "=")
			got, present := config[key]
			switch {
			case nodes.MatchString(key):
				if present {
					t.Errorf("%s belongs to the operator", key)
				}
			case !present || !sizes.MatchString(key) && fmt.Sprint(got) != value:
				t.Errorf("profile %s: %s is %v; infra/kafka/server.properties says %s", name, key, got, value)
			}
		}
	}
}

// Provisioning is the lifecycle's own program, with what it asks for and the files that it reads.
func TestProvisioningIsTheLifecyclesOwn(t *testing.T) {
	objects := rendered(t, "standard", nil)
	var job object
	for _, one := range of(objects, "Job") {
		job = one
	}
	one := container(job)
	if line := words(one); !strings.Contains(line, "-jar integration-tests/stack/target/stack.jar provision topics druid lake") {
		t.Errorf("provision runs %q", line)
	}
	variables := environment(one)
	for _, name := range found(t, lifecycle+"provision/Addresses.java", `(?m)^\s+"(TIDEMARK_[A-Z_]+)"[,)]`) {
		if _, given := variables[name]; !given && !strings.HasPrefix(name, "TIDEMARK_FLINK") {
			t.Errorf("provision has no %s", name)
		}
	}
	mounted := map[string]bool{}
	list := dig(job, "spec", "template", "spec", "volumes", 0, "configMap", "items").([]any)
	for _, item := range list {
		mounted[dig(item, "path").(string)] = true
	}
	for _, folder := range []string{"kafka", "druid", "iceberg", "postgres"} {
		for _, class := range []string{"KafkaTopics", "DruidSetup", "LakeTables", "Provisioning"} {
			for _, match := range regexp.MustCompile(`"(`+folder+`/[a-z/._-]+\.[a-z]+)"`).FindAllStringSubmatch(text(t, lifecycle+"provision/"+class+".java"), -1) {
				if !mounted[match[1]] {
					t.Errorf("provision does not see infra/%s", match[1])
				}
			}
		}
	}
	// Another size is another job; the same one is left alone.
	again := of(rendered(t, "standard", nil), "Job")[0].name()
	other := of(rendered(t, "large", nil), "Job")[0].name()
	if again != job.name() || other == job.name() {
		t.Errorf("the job is called %s, then %s, and %s with other sizes", job.name(), again, other)
	}
}

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

func TestWrongValuesAreRefused(t *testing.T) {
	for what, over := range map[string]values{
		"an unknown value":                {"platformAPI": values{"replicas": 3}},
		"an unknown value below":          {"platformApi": values{"replica": 3}},
		"no replica":                      {"platformApi": values{"replicas": 0}},
		"memory as a number":              {"platformApi": values{"memory": 2}},
		"cores as a number":               {"platformApi": values{"cpu": 2}},
		"an address without a scheme":     {"platformApi": values{"publicUrl": "tidemark.example"}},
		"a setting that is none":          {"platformApi": values{"environment": values{"tidemark.x": "1"}}},
		"an unknown kind of storage":      {"storage": values{"type": "nfs"}},
		"an endpoint with a path":         {"storage": values{"s3": values{"endpoint": "https://host/bucket"}}},
		"a filesystem without a claim":    {"storage": values{"type": "filesystem"}},
		"external Kafka without address":  {"kafka": values{"mode": "external"}},
		"Kafka's address without a port":  {"kafka": values{"external": values{"bootstrapServers": "kafka"}}},
		"an even ensemble":                {"zookeeper": values{"replicas": 2}},
		"more than the maximum":           {"flink": values{"jobs": values{"rollup": values{"parallelism": 129}}}},
		"an unknown role of Druid":        {"druid": values{"roles": values{"router": values{}}}},
		"a property that is not Druid's":  {"druid": values{"roles": values{"broker": values{"properties": values{"x": "1"}}}}},
		"another provider without issuer": {"platformApi": values{"signIn": "external"}},
		"a role that nobody has":          {"platformApi": values{"roles": values{"ingest": values{}, "query": values{}, "control": values{}}}},
		"a role that is none":             {"platformApi": values{"roles": values{"ingest": values{}, "query": values{}, "control": values{}, "notify": values{}, "all": values{}}}},
		"scrapers that are nobody":        {"networkPolicies": values{"scrapers": []any{}}},
	} {
		if _, err := template(loaded(t), over); err == nil {
			t.Errorf("%s was accepted", what)
		}
	}
}

// Each role is a deployment with its own size, doors and scaling; what the application calls the roles it is told.
func TestRolesApart(t *testing.T) {
	roles := []string{"control", "ingest", "notify", "query"}
	known := found(t, "platform-api/app/src/main/java/io/tidemark/platform/shared/ProcessRole.java", `(?m)^  ([A-Z]+)[,;]$`)
	if slices.Sort(known); !slices.Equal(roles, strings.Fields(strings.ToLower(strings.Join(known, " ")))) {
		t.Errorf("platform-api has the roles %v", known)
	}
	sizes := values{"ingest": values{"replicas": 4, "autoscaling": values{"enabled": true}}, "query": values{"memory": "4Gi"}, "control": values{}, "notify": values{"replicas": 1}}
	objects := rendered(t, "standard", values{"platformApi": values{"roles": sizes, "ingress": values{"enabled": true}}})
	if all := of(objects, "Deployment"); len(all) != len(roles) {
		t.Errorf("%d deployments for %d roles", len(all), len(roles))
	}
	whole := container(the(t, rendered(t, "standard", nil), "Deployment", release+"-platform-api"))
	doors := map[string]string{"control": "http", "ingest": "http otlp-http otlp-grpc kafka", "notify": "http", "query": "http"}
	served := map[string]string{"control": "http", "ingest": "otlp-http otlp-grpc kafka", "query": "http"}
	for _, role := range roles {
		deployment := the(t, objects, "Deployment", release+"-platform-api-"+role)
		one := container(deployment)
		variables := environment(one)
		if variables["TIDEMARK_ROLES"] != role {
			t.Errorf("%s is told %v", role, variables["TIDEMARK_ROLES"])
		}
		for name := range environment(whole) {
			if _, given := variables[name]; !given {
				t.Errorf("%s has no %s", role, name)
			}
		}
		if got := names(dig(one, "ports")); got != doors[role] {
			t.Errorf("%s listens at %s", role, got)
		}
		for _, labels := range []any{dig(deployment, "spec", "selector", "matchLabels"), dig(deployment, "spec", "template", "metadata", "labels")} {
			if got := dig(labels, "tidemark.io/role"); got != role {
				t.Errorf("pods of %s are labelled %v", role, got)
			}
		}
		if role == "notify" {
			continue
		}
		service := the(t, objects, "Service", release+"-platform-api-"+role)
		if got := names(dig(service, "spec", "ports")); got != served[role] || dig(service, "spec", "selector", "tidemark.io/role") != role {
			t.Errorf("the service of %s offers %s", role, got)
		}
		the(t, objects, "PodDisruptionBudget", release+"-platform-api-"+role)
	}
	if memory := dig(container(the(t, objects, "Deployment", release+"-platform-api-query")), "resources", "limits", "memory"); memory != "4Gi" {
		t.Errorf("a process that answers queries has %v", memory)
	}
	if scaled := of(objects, "HorizontalPodAutoscaler"); len(scaled) != 1 || dig(scaled[0], "spec", "scaleTargetRef", "name") != release+"-platform-api-ingest" {
		t.Errorf("scaled are %v", scaled)
	}
	paths := map[string]string{}
	for _, path := range dig(the(t, objects, "Ingress", release+"-platform-api"), "spec", "rules", 0, "http", "paths").([]any) {
		paths[dig(path, "path").(string)] = dig(path, "backend", "service", "name").(string)
	}
	for path, role := range map[string]string{"/": "control", "/v2": "query", "/prometheus": "query"} {
		if paths[path] != release+"-platform-api-"+role {
			t.Errorf("%s leads to %s", path, paths[path])
		}
	}
}

// A certificate is for every door and the probes; own metrics are offered to scrapers alone.
func TestDoorsWithACertificate(t *testing.T) {
	objects := rendered(t, "standard", values{"platformApi": values{"tls": values{"secret": "doors"}, "scrape": values{"enabled": true}}})
	deployment := the(t, objects, "Deployment", release+"-platform-api")
	one := container(deployment)
	variables := environment(one)
	for name, file := range map[string]string{"TIDEMARK_TLS_CERTIFICATE": "tls.crt", "TIDEMARK_TLS_PRIVATE_KEY": "tls.key"} {
		if variables[name] != "/etc/tidemark/tls/"+file {
			t.Errorf("%s is %v", name, variables[name])
		}
	}
	if _, given := variables["TIDEMARK_SELF_TELEMETRY_URL"]; given {
		t.Error("platform-api sends its metrics to a name that no certificate has")
	}
	for _, probe := range []string{"livenessProbe", "readinessProbe", "startupProbe"} {
		if scheme := dig(one, probe, "httpGet", "scheme"); scheme != "HTTPS" {
			t.Errorf("%s asks by %v", probe, scheme)
		}
	}
	mounted := false
	for _, volume := range dig(deployment, "spec", "template", "spec", "volumes").([]any) {
		mounted = mounted || dig(volume, "name") == "tls" && dig(volume, "secret", "secretName") == "doors"
	}
	if !mounted {
		t.Error("the certificate is not mounted")
	}
	if !strings.Contains(names(dig(one, "ports")), "scrape") || variables["TIDEMARK_SCRAPE_PORT"] != "9464" {
		t.Error("nothing is to be scraped")
	}
	for _, rule := range dig(the(t, objects, "NetworkPolicy", release+"-platform-api"), "spec", "ingress").([]any) {
		for _, open := range dig(rule, "ports").([]any) {
			if fmt.Sprint(dig(open, "port")) == "9464" && dig(rule, "from") == nil {
				t.Error("everybody may read its metrics")
			}
		}
	}
}

// names of a list's entries, in their order.
func names(list any) string {
	var all []string
	for _, entry := range list.([]any) {
		all = append(all, dig(entry, "name").(string))
	}
	return strings.Join(all, " ")
}

func TestOtherPlacesRender(t *testing.T) {
	over := values{
		"kafka":       values{"mode": "external", "external": values{"bootstrapServers": "broker-1:9092,broker-2:9092"}},
		"storage":     values{"type": "filesystem", "filesystem": values{"claim": "tidemark"}},
		"zookeeper":   values{"external": "zookeeper:2181"},
		"platformApi": values{"ingress": values{"enabled": true, "tlsSecret": "console"}, "autoscaling": values{"enabled": true}},
	}
	objects := rendered(t, "small", over)
	if len(of(objects, "Kafka"))+len(of(objects, "KafkaNodePool")) > 0 {
		t.Error("an external Kafka is declared")
	}
	for _, one := range of(objects, "StatefulSet") {
		if one.component() == "zookeeper" {
			t.Error("an external ZooKeeper is started")
		}
		if line := words(container(one)); strings.Contains(line, "druid.storage.type=s3") || !strings.Contains(line, "druid.zk.service.host=zookeeper:2181") {
			t.Errorf("%s is started with %s", one.name(), line)
		}
	}
	variables := environment(container(the(t, objects, "Deployment", release+"-platform-api")))
	if variables["TIDEMARK_LAKE_WAREHOUSE"] != "file:///var/lib/tidemark/warehouse" || variables["TIDEMARK_KAFKA"] != "broker-1:9092,broker-2:9092" {
		t.Errorf("platform-api has %v", variables)
	}
	if host := dig(the(t, objects, "Ingress", release+"-platform-api"), "spec", "rules", 0, "host"); host != "tidemark.example" {
		t.Errorf("the ingress is for %v", host)
	}
	the(t, objects, "HorizontalPodAutoscaler", release+"-platform-api")
}

// words are all strings a container is started with.
func words(container any) string {
	var all []string
	for _, part := range []string{"command", "args"} {
		list, _ := dig(container, part).([]any)
		for _, word := range list {
			all = append(all, fmt.Sprint(word))
		}
	}
	for _, value := range environment(container) {
		all = append(all, fmt.Sprint(value))
	}
	return strings.Join(all, " ")
}

// ports are the lifecycle's default ports by name.
func ports(t *testing.T) map[string]string {
	t.Helper()
	plan := map[string]string{}
	for _, pair := range found(t, lifecycle+"PortPlan.java", `DEFAULTS\.put\(("[a-z-]+", \d+)\)`) {
		name, port, _ := strings.Cut(pair, ", ")
		plan[strings.Trim(name, `"`)] = port
	}
	return plan
}

// number reads what YAML or JSON made of a number; a default stands for what is absent.
func number(t *testing.T, value any, absent ...float64) float64 {
	t.Helper()
	if value == nil && len(absent) > 0 {
		return absent[0]
	}
	parsed, err := strconv.ParseFloat(fmt.Sprint(value), 64)
	if err != nil {
		t.Fatalf("%v is not a number", value)
	}
	return parsed
}

func quantity(t *testing.T, value any) int64 {
	t.Helper()
	return amount(t, value, map[string]int64{"Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40})
}

func jvmBytes(t *testing.T, value any) int64 {
	t.Helper()
	return amount(t, value, map[string]int64{"m": 1 << 20, "g": 1 << 30})
}

func amount(t *testing.T, value any, units map[string]int64) int64 {
	t.Helper()
	for unit, size := range units {
		if digits, is := strings.CutSuffix(fmt.Sprint(value), unit); is {
			return int64(number(t, digits)) * size
		}
	}
	t.Fatalf("%v is no amount of bytes", value)
	return 0
}
