package compose

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

type topic struct {
	Name       string            `yaml:"name"`
	Partitions int               `yaml:"partitions"`
	Settings   map[string]string `yaml:"settings"`
}

type job struct {
	Name       string            `yaml:"name"`
	Jar        string            `yaml:"jar"`
	EntryClass string            `yaml:"entry_class"`
	Arguments  map[string]string `yaml:"arguments"`
}

type supervisor struct {
	Spec struct {
		DataSchema struct {
			DataSource string `json:"dataSource"`
		} `json:"dataSchema"`
		IOConfig struct {
			Topic string `json:"topic"`
		} `json:"ioConfig"`
	} `json:"spec"`
}

func topics(t *testing.T) []topic {
	t.Helper()
	var file struct{ Topics []topic }
	if err := yaml.Unmarshal([]byte(text(t, "infra/kafka/topics.yaml")), &file); err != nil || len(file.Topics) == 0 {
		t.Fatalf("infra/kafka/topics.yaml: %d topics, %v", len(file.Topics), err)
	}
	return file.Topics
}

func jobs(t *testing.T) []job {
	t.Helper()
	var file struct{ Jobs []job }
	if err := yaml.Unmarshal([]byte(text(t, "infra/flink/jobs.yaml")), &file); err != nil || len(file.Jobs) == 0 {
		t.Fatalf("infra/flink/jobs.yaml: %d jobs, %v", len(file.Jobs), err)
	}
	return file.Jobs
}

func supervisors(t *testing.T) map[string]supervisor {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, "infra/druid/ingestion/*.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("infra/druid/ingestion: %d files, %v", len(paths), err)
	}
	specs := map[string]supervisor{}
	for _, path := range paths {
		var spec supervisor
		if err := json.Unmarshal([]byte(text(t, "infra/druid/ingestion/"+filepath.Base(path))), &spec); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		specs[filepath.Base(path)] = spec
	}
	return specs
}

// Whoever answers queries must not be able to move a table: the role that provisioning makes may only read.
func TestPlatformApiReadsTheCatalogAsItsReader(t *testing.T) {
	file := "infra/postgres/catalog-reader.sql"
	role := found(t, file, `CREATE ROLE (\w+) LOGIN;`)[0]
	for _, grant := range found(t, file, `(?m)^(GRANT [^;]*);`) {
		if !regexp.MustCompile(`^GRANT (USAGE ON SCHEMA public|SELECT ON [a-z_, ]+) TO ` + role + `$`).MatchString(grant) {
			t.Errorf("%s lets its role do more than read: %s", file, grant)
		}
	}
	platform := service(t, composed(t), "platform-api")
	if user := *platform.Environment["TIDEMARK_LAKE_USER"]; user != role {
		t.Errorf("platform-api reads the lake's catalog as %s in Compose, not as %s", user, role)
	}
	if password := *platform.Environment["TIDEMARK_LAKE_PASSWORD"]; password != "value-of-TIDEMARK_CATALOG_READER_PASSWORD" {
		t.Errorf("platform-api has %s for the lake's catalog in Compose", password)
	}
	constant := found(t, lifecycle+"engine/Postgres.java", `CATALOG_READER = "(\w+)"`)[0]
	used := found(t, lifecycle+"engine/PlatformApi.java", `"TIDEMARK_LAKE_USER", ([\w.]+)\)`)[0]
	if constant != role || used != "Postgres.CATALOG_READER" {
		t.Errorf("platform-api reads the lake's catalog as %s = %s in the local lifecycle, not as %s", used, constant, role)
	}
	if known := found(t, "flink-jobs/lake-job/src/main/java/io/tidemark/flink/lake/CatalogReaderRole.java", `NAME = "(\w+)"`)[0]; known != role {
		t.Errorf("lake-tables gives a password to %s, not to %s", known, role)
	}
}

// The same program creates topics, supervisors, tables and jobs on both sides, from the same files.
func TestProvisioningRunsInfraProvision(t *testing.T) {
	one := service(t, composed(t), provisioner)
	if line := strings.Join(one.Command, " "); !strings.HasSuffix(line, "-jar provision.jar") {
		t.Errorf("provision runs %q", line)
	}
	list := section(t, provisioning+"Addresses.java", "fromEnvironment(")
	same(t, "provision settings", environmentKeys(one, "TIDEMARK_"), within(t, "Addresses.java", list, `"(TIDEMARK_[A-Z_]+)",? ?(?:\n|"|\))`))

	files := mountAt(one, one.WorkingDir+"/infra")
	absolute, _ := filepath.Abs(filepath.Join(root, "infra"))
	if files == nil || files.Source != absolute || !files.ReadOnly {
		t.Errorf("provision does not see infra/ read-only at the place where it looks, %s/infra", one.WorkingDir)
	}
	image := text(t, "infra/images/provision/pom.xml")
	jars := found(t, provisioning+"LakeProgram.java", `resolve\("([a-z/-]+\.jar)"\)`)
	for _, job := range jobs(t) {
		jars = append(jars, job.Jar)
	}
	for _, jar := range jars {
		if folder := one.WorkingDir + "/" + filepath.Dir(jar); !strings.Contains(image, "<into>"+folder+"</into>") || !strings.Contains(image, "<include>"+filepath.Base(jar)+"</include>") {
			t.Errorf("the image of provisioning has no %s at the place where it looks, %s", jar, folder)
		}
	}
	build := text(t, "infra/provision/pom.xml")
	if !strings.Contains(build, "<outputFile>${project.build.directory}/provision.jar</outputFile>") {
		t.Error("infra/provision builds no provision.jar")
	}
	if dependency := text(t, "integration-tests/stack/pom.xml"); !strings.Contains(dependency, "<artifactId>provision</artifactId>") {
		t.Error("the local lifecycle does not provision with infra/provision")
	}

	state := one.Environment["TIDEMARK_FLINK_STATE"]
	for _, name := range []string{provisioner, "flink-jobmanager", "flink-taskmanager"} {
		mount := mountAt(service(t, composed(t), name), *state)
		if mount == nil || mount.Source != "flink" {
			t.Errorf("%s does not see Flink's state at %s, by which savepoints are named", name, *state)
		}
	}
}

// What is not written here cannot drift.
func TestComposeNamesNoTopicJobOrDatasource(t *testing.T) {
	content := text(t, "docker-compose.yml")
	var names []string
	for _, topic := range topics(t) {
		names = append(names, topic.Name)
	}
	for _, job := range jobs(t) {
		names = append(names, job.EntryClass, "--transactional-id-prefix")
		if prefix, ok := job.Arguments["transactional-id-prefix"]; ok {
			names = append(names, prefix)
		}
	}
	for _, spec := range supervisors(t) {
		names = append(names, spec.Spec.DataSchema.DataSource)
	}
	for _, name := range names {
		if name == "" || strings.Contains(content, name) {
			t.Errorf("docker-compose.yml repeats %q, which belongs to infra/", name)
		}
	}
}

func TestJobsAndSupervisorsUseDeclaredTopics(t *testing.T) {
	var declared []string
	for _, topic := range topics(t) {
		declared = append(declared, topic.Name)
	}
	for _, job := range jobs(t) {
		for name, value := range job.Arguments {
			if strings.HasSuffix(name, ".topic") && !slices.Contains(declared, value) {
				t.Errorf("job %s: %s is %s, which infra/kafka/topics.yaml does not have", job.Name, name, value)
			}
		}
	}
	for file, spec := range supervisors(t) {
		if !slices.Contains(declared, spec.Spec.IOConfig.Topic) {
			t.Errorf("supervisor %s reads %s, which infra/kafka/topics.yaml does not have", file, spec.Spec.IOConfig.Topic)
		}
		if file != spec.Spec.DataSchema.DataSource+".json" {
			t.Errorf("supervisor %s feeds %s: name the file after the datasource", file, spec.Spec.DataSchema.DataSource)
		}
	}
}

// Limits that only work together stand in different files.
func TestLimitsFitTogether(t *testing.T) {
	broker := func(key string) int {
		return number(t, found(t, "infra/kafka/server.properties", `(?m)^`+regexp.QuoteMeta(key)+`=(\d+)$`)[0])
	}
	for _, job := range jobs(t) {
		timeout, asks := job.Arguments["transaction.timeout.ms"]
		if _, writes := job.Arguments["transactional-id-prefix"]; asks != writes {
			t.Errorf("job %s: transactions need a prefix and a timeout", job.Name)
		}
		if !asks {
			continue
		}
		if asked := number(t, timeout); asked > broker("transaction.max.timeout.ms") {
			t.Errorf("job %s asks for transactions of %d ms; the broker refuses them", job.Name, asked)
		}
	}
	for _, topic := range topics(t) {
		if limit, set := topic.Settings["max.message.bytes"]; set && number(t, limit) > broker("replica.fetch.max.bytes") {
			t.Errorf("topic %s takes records of %s bytes that replicas cannot fetch", topic.Name, limit)
		}
	}
}

// Provisioning fills in exactly these; any other placeholder would stop it.
// What exactly once rests on, whatever the jobs do; a checkpoint that is not incremental stalls a large job.
func TestCheckpointsAreExactlyOnceAndIncremental(t *testing.T) {
	var flink struct {
		Execution struct {
			Checkpointing struct {
				Mode        string
				Incremental bool
			}
		}
		State struct{ Backend struct{ Type string } }
	}
	if err := yaml.Unmarshal([]byte(text(t, "infra/flink/config.yaml")), &flink); err != nil {
		t.Fatal(err)
	}
	checkpoints := flink.Execution.Checkpointing
	if checkpoints.Mode != "EXACTLY_ONCE" || !checkpoints.Incremental || flink.State.Backend.Type != "rocksdb" {
		t.Errorf("infra/flink/config.yaml has %+v", flink)
	}
}

func TestPlaceholdersAreKnown(t *testing.T) {
	known := found(t, provisioning+"Addresses.java", `"(TIDEMARK_[A-Z_]+)", [a-z]`)
	paths, _ := filepath.Glob(filepath.Join(root, "infra/druid/ingestion/*.json"))
	files := []string{"infra/flink/jobs.yaml"}
	for _, path := range paths {
		files = append(files, "infra/druid/ingestion/"+filepath.Base(path))
	}
	for _, file := range files {
		for _, name := range found(t, file, `\$\{([A-Z_]+)\}`) {
			if !slices.Contains(known, name) {
				t.Errorf("%s uses ${%s}, which provisioning does not fill in", file, name)
			}
		}
	}
}

func number(t *testing.T, value string) int {
	t.Helper()
	parsed, err := strconv.Atoi(value)
	if err != nil {
		t.Fatalf("%q is not a number", value)
	}
	return parsed
}
