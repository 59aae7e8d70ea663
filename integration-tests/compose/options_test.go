package compose

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/types"
	"go.yaml.in/yaml/v4"
)

// reporting are the services that send the stack's own metrics through the OpenTelemetry agent.
var reporting = []string{"kafka", "flink-jobmanager", "flink-taskmanager"}

func TestFlinkOptionsAreTheLifecycles(t *testing.T) {
	path := lifecycle + "engine/Flink.java"
	shared := optionsIn(t, path, "shared(String component)")
	behaviour := flattened(t, "infra/flink/config.yaml")
	for name, mark := range map[string]string{"flink-jobmanager": "ProcessSpec jobManager()", "flink-taskmanager": "ProcessSpec taskManager()"} {
		local := optionsIn(t, path, mark)
		for key, value := range shared {
			local[key] = value
		}
		compose := options(service(t, composed(t), name))
		same(t, name+" options", keys(compose), keys(local))
		for key, value := range compose {
			// Addresses, ports and folders are each side's own; a literal of the lifecycle is not.
			if literal := literalOf(local[key]); literal != "" && literal != "127.0.0.1" && value != literal {
				t.Errorf("%s: %s is %s here and %s in the local lifecycle", name, key, value, local[key])
			}
			if _, set := behaviour[key]; set {
				t.Errorf("%s overrides %s, which stands in infra/flink/config.yaml", name, key)
			}
		}
	}
}

func TestDruidPropertiesAreTheLifecycles(t *testing.T) {
	path := lifecycle + "engine/Druid.java"
	local := found(t, path, `"(druid\.[A-Za-z.]+)"`)
	shared := properties(t, "infra/druid/_common/common.runtime.properties")
	// The image keeps extensions beside the classpath and has to be told; locally they are on it.
	allowed := "druid.extensions.loadList"
	var composeKeys []string
	for _, role := range druidRoles(t) {
		one := service(t, composed(t), role.id)
		own := properties(t, "infra/druid/"+role.folder+"/runtime.properties")
		line := strings.Join(words(one), " ")
		for _, match := range regexp.MustCompile(`-D(druid\.[A-Za-z.]+)=`).FindAllStringSubmatch(line, -1) {
			key := match[1]
			if key == allowed {
				continue
			}
			if !slices.Contains(composeKeys, key) {
				composeKeys = append(composeKeys, key)
			}
			if shared[key] || own[key] {
				t.Errorf("%s overrides %s, which stands in infra/druid", role.id, key)
			}
		}
		for _, wanted := range []string{
			fmt.Sprintf("-Xmx%dm", role.heapMiB),
			fmt.Sprintf("-XX:MaxDirectMemorySize=%dm", role.directMiB),
			"org.apache.druid.cli.Main server " + role.command,
			"/etc/tidemark/druid/_common:/etc/tidemark/druid/" + role.folder + ":",
		} {
			if !strings.Contains(line+" ", wanted) {
				t.Errorf("%s is not started with %s, as it is locally", role.id, wanted)
			}
		}
	}
	slices.Sort(local)
	same(t, "Druid properties", composeKeys, slices.Compact(local))
}

func TestKafkaAndZooKeeperAddTheSameProperties(t *testing.T) {
	for engine, apart := range map[string]string{
		"kafka":     "",
		"zookeeper": "clientPortAddress", // a container's own network is its fence
	} {
		class := map[string]string{"kafka": "Kafka", "zookeeper": "ZooKeeper"}[engine]
		local := found(t, lifecycle+"engine/"+class+".java", `here\.setProperty\(\s*"([A-Za-z.]+)"`)
		local = slices.DeleteFunc(local, func(key string) bool { return key == apart })
		script := strings.Join(service(t, composed(t), engine).Entrypoint, "\n")
		same(t, engine+" properties", within(t, "docker-compose.yml", script, `(?m)(?:printf '|\\n)([a-z][A-Za-z.]+)=`), local)
	}
}

// A JobManager whose session ended never leads again where the container of its election is gone (docs/decisions/0169).
func TestZooKeeperKeepsEmptyContainers(t *testing.T) {
	found(t, lifecycle+"engine/ZooKeeper.java", `(CONTAINER_CHECK_MILLIS = Integer\.MAX_VALUE)`)
	found(t, lifecycle+"engine/ZooKeeper.java", `property\("(znode\.container\.checkIntervalMs)", CONTAINER_CHECK_MILLIS\)`)
	flags := *service(t, composed(t), "zookeeper").Environment["JVMFLAGS"]
	if !strings.Contains(flags, fmt.Sprintf("-Dznode.container.checkIntervalMs=%d", math.MaxInt32)) {
		t.Errorf("zookeeper removes empty containers: it is started with %s", flags)
	}
}

// Counters for jstat wake a JVM twenty times a second, and nothing here reads them.
func TestNoServiceCountsForJstat(t *testing.T) {
	found(t, lifecycle+"engine/JavaCommand.java", `"(-XX:-UsePerfData)"`)
	for name, one := range composed(t).Services {
		line := strings.Join(words(one), " ")
		if strings.Contains(line, "-XX:+ExitOnOutOfMemoryError") && !strings.Contains(line, "-XX:-UsePerfData") {
			t.Errorf("%s is started without -XX:-UsePerfData", name)
		}
	}
}

// What a task wrote before its indexer died may be read twice (docs/decisions/0062).
func TestTheIndexerFindsNoFoldersOfTasks(t *testing.T) {
	indexer := service(t, composed(t), "druid-indexer")
	folder := within(t, "docker-compose.yml", strings.Join(indexer.Command, "\n"), `-Ddruid\.indexer\.task\.baseDir=(\S+)`)
	if len(folder) != 1 || !strings.Contains(strings.Join(indexer.Entrypoint, " "), "rm -rf "+folder[0]+"/* && exec java") {
		t.Errorf("druid-indexer does not begin with an empty %v", folder)
	}
}

func TestHeapsAndModuleOptionsAreTheLifecycles(t *testing.T) {
	project := composed(t)
	for class, pattern := range map[string]string{
		"Flink":     `java\(\s*("flink-[a-z]+", \d+),`,
		"Kafka":     `of\(settings, (id\(node\), \d+)\)\s*\.engine`,
		"ZooKeeper": `of\(settings, ("zookeeper", \d+)\)`,
	} {
		for _, pair := range found(t, lifecycle+"engine/"+class+".java", pattern) {
			name, heap, _ := strings.Cut(pair, ", ")
			name = strings.ReplaceAll(strings.Trim(name, `"`), "id(node)", "kafka")
			if !strings.Contains(strings.Join(words(service(t, project, name)), " "), "-Xmx"+heap+"m") {
				t.Errorf("%s is not started with -Xmx%sm, as it is locally", name, heap)
			}
		}
	}
	for class, prefix := range map[string]string{"Flink": "flink-", "Druid": "druid-"} {
		wanted := found(t, lifecycle+"engine/"+class+".java", `"(--add-(?:opens|exports)=[^"]+)"`)
		for name, one := range project.Services {
			if strings.HasPrefix(name, prefix) {
				given := within(t, name, *one.Environment["JDK_JAVA_OPTIONS"], `(--add-(?:opens|exports)=\S+)`)
				same(t, name+" module options", given, wanted)
			}
		}
	}
}

func TestTelemetryIsTheLifecycles(t *testing.T) {
	source := section(t, lifecycle+"engine/JavaCommand.java", "JavaCommand telemetry(")
	local := within(t, "JavaCommand.java", source, `environment\(\s*"(OTEL_[A-Z_]+)"`)
	literals := map[string]string{}
	for _, match := range regexp.MustCompile(`environment\(\s*"(OTEL_[A-Z_]+)",\s*"([^"]+)"\s*\)`).FindAllStringSubmatch(source, -1) {
		literals[match[1]] = match[2]
	}
	for _, name := range reporting {
		one := service(t, composed(t), name)
		expected := slices.Clone(local)
		if name != "kafka" {
			// Only Kafka has rules of the agent's own.
			expected = slices.DeleteFunc(expected, func(key string) bool { return key == "OTEL_JMX_TARGET_SYSTEM" })
		}
		same(t, name+" telemetry", environmentKeys(one, "OTEL_"), expected)
		for key, value := range literals {
			if got := one.Environment[key]; got == nil || *got != value {
				t.Errorf("%s: %s is not %q, as it is locally", name, key, value)
			}
		}
	}
}

func TestPlatformApiSettingsAreTheLifecycles(t *testing.T) {
	path := lifecycle + "engine/PlatformApi.java"
	one := service(t, composed(t), "platform-api")
	compose := append(environmentKeys(one, "TIDEMARK_"), environmentKeys(one, "SERVER_")...)
	same(t, "platform-api settings", compose, found(t, path, `environment\(\s*"([A-Z_]+)"`))

	heap := "-Xmx" + found(t, path, `JavaCommand.of\(settings, id, (\d+)`)[0] + "m"
	if !slices.Contains(one.Command, heap) {
		t.Errorf("platform-api is not started with %s, as it is locally", heap)
	}
	known := text(t, "platform-api/app/src/main/resources/application.yaml")
	for _, key := range environmentKeys(one, "TIDEMARK_") {
		if !strings.Contains(known, "${"+key) {
			t.Errorf("platform-api's application.yaml does not read %s", key)
		}
	}
}

func TestAddressesUseTheDefaultPorts(t *testing.T) {
	plan := ports(t)
	owned := map[string][]string{
		"flink-jobmanager":  {plan["flink-ui"], plan["flink-blob"]},
		"flink-taskmanager": {plan["flink-taskmanager-data"]},
		"kafka":             {plan["kafka"], plan["kafka-controller"]},
		"platform-api":      {plan["platform-api"], plan["otlp-http"], plan["otlp-grpc"], plan["kafka-door"]},
	}
	for name := range composed(t).Services {
		if owned[name] == nil && !slices.Contains(once, name) {
			owned[name] = []string{plan[name]}
		}
	}
	address := regexp.MustCompile(`(?:^|[/= ])([a-z][a-z-]+):(\d{4,5})\b`)
	seen := 0
	for name, one := range composed(t).Services {
		for _, word := range words(one) {
			for _, match := range address.FindAllStringSubmatch(word, -1) {
				seen++
				if match[1] == "localhost" {
					continue // As a browser on the host names a published port.
				}
				if !slices.Contains(owned[match[1]], match[2]) {
					t.Errorf("%s is given %s:%s, where nothing listens", name, match[1], match[2])
				}
			}
		}
	}
	if seen == 0 {
		t.Fatal("no address was found in docker-compose.yml")
	}
}

// options are the -D arguments of a Flink process.
func options(one types.ServiceConfig) map[string]string {
	set := map[string]string{}
	for i, word := range one.Command {
		if i > 0 && one.Command[i-1] == "-D" {
			key, value, _ := strings.Cut(word, "=")
			set[key] = value
		}
	}
	return set
}

// optionsIn are the options a method of the lifecycle puts, with the Java expression of each value.
func optionsIn(t *testing.T, path, mark string) map[string]string {
	t.Helper()
	set := map[string]string{}
	for _, pair := range within(t, path, section(t, path, mark), `(?s)options\.put\(\s*("[a-z0-9.A-Z-]+",\s.+?)\);`) {
		key, value, _ := strings.Cut(pair, ",")
		set[strings.Trim(key, `"`)] = strings.TrimSpace(value)
	}
	return set
}

// literalOf is the text or number that a Java expression is; empty when it is computed.
func literalOf(expression string) string {
	match := regexp.MustCompile(`^(?:"([^"]*)"|(\d+))$`).FindStringSubmatch(expression)
	if match == nil {
		return ""
	}
	return match[1] + match[2]
}

func environmentKeys(one types.ServiceConfig, prefix string) []string {
	var names []string
	for name := range one.Environment {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	return names
}

func keys(set map[string]string) []string {
	var names []string
	for name := range set {
		names = append(names, name)
	}
	return names
}

// properties are the keys of a Java properties file.
func properties(t *testing.T, path string) map[string]bool {
	t.Helper()
	set := map[string]bool{}
	for _, key := range found(t, path, `(?m)^([a-zA-Z][\w.]+)=`) {
		set[key] = true
	}
	return set
}

// flattened are the dotted keys of a YAML file.
func flattened(t *testing.T, path string) map[string]bool {
	t.Helper()
	var content map[string]any
	if err := yaml.Unmarshal([]byte(text(t, path)), &content); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	set := map[string]bool{}
	var walk func(prefix string, node map[string]any)
	walk = func(prefix string, node map[string]any) {
		for key, value := range node {
			if inner, isMap := value.(map[string]any); isMap {
				walk(prefix+key+".", inner)
			} else {
				set[prefix+key] = true
			}
		}
	}
	walk("", content)
	return set
}

// Flink's start scripts read them from infra/flink/config.yaml; neither the lifecycle nor compose uses the scripts.
func TestFlinkIsStartedWithTheOptionsOfItsConfiguration(t *testing.T) {
	options := found(t, "infra/flink/config.yaml", `(?m)^ +all: (.+)$`)
	if len(options) != 1 {
		t.Fatalf("infra/flink/config.yaml has options %v", options)
	}
	source := text(t, lifecycle+"engine/Flink.java")
	for _, option := range strings.Fields(options[0]) {
		name, value, isProperty := strings.Cut(strings.TrimPrefix(option, "-D"), "=")
		if isProperty && !strings.Contains(source, fmt.Sprintf("property(%q, %q)", name, value)) {
			t.Errorf("Flink.java does not give %s", option)
		}
		for _, process := range []string{"flink-jobmanager", "flink-taskmanager"} {
			if !slices.Contains(strings.Fields(*service(t, composed(t), process).Environment["JDK_JAVA_OPTIONS"]), option) {
				t.Errorf("%s is not given %s", process, option)
			}
		}
	}
}
