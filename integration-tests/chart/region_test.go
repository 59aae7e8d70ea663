package chart

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chartutil"
)

const firstKafka = "first-kafka-bootstrap.first:9092,first-kafka-2:9092"

// second are the values of a second region.
func second(over values) values {
	return chartutil.CoalesceTables(over, values{
		"postgres": values{"host": "postgres.west.example"},
		"region": values{"name": "west", "sourceKafka": firstKafka,
			"controlPlane": values{"host": "postgres.east.example", "ca": values{"configMap": "east-ca", "key": "east.pem"}}},
	})
}

// arguments of a job by their names.
func arguments(deployment object) map[string]string {
	all := map[string]string{}
	list := dig(deployment, "spec", "job", "args").([]any)
	for i := 0; i+1 < len(list); i += 2 {
		all[strings.TrimPrefix(list[i].(string), "--")] = list[i+1].(string)
	}
	return all
}

// The jobs of a second region are those that provisioning submits in one, with the same arguments beside those of infra/flink/jobs.yaml.
func TestASecondRegionHasTheJobsThatReadPoints(t *testing.T) {
	chooses := found(t, provisioning+"FlinkJobs.java", `job\.arguments\(\)\.containsKey\("([a-z.]+)"\)`)
	adds := found(t, provisioning+"FlinkJobs.java", `job\.arguments\(\)\.put\("([a-z.]+)", stream\.`)
	if len(chooses) != 1 || len(adds) != 2 {
		t.Fatalf("FlinkJobs chooses by %v and adds %v: the chart must do so, too", chooses, adds)
	}
	for _, name := range profiles {
		objects := rendered(t, name, second(nil))
		var wanted, got []string
		for _, one := range jobs(t) {
			if _, reads := one.Arguments[chooses[0]]; reads {
				wanted = append(wanted, release+"-flink-"+one.Name)
				given := arguments(the(t, objects, "FlinkDeployment", release+"-flink-"+one.Name))
				if given["source.kafka.bootstrap.servers"] != firstKafka || given["region"] != "west" {
					t.Errorf("job %s reads %s as %s", one.Name, given["source.kafka.bootstrap.servers"], given["region"])
				}
				if given["kafka.bootstrap.servers"] != release+"-kafka-kafka-bootstrap:9092" {
					t.Errorf("job %s writes to %s", one.Name, given["kafka.bootstrap.servers"])
				}
				for _, key := range adds {
					delete(given, key)
				}
				if keys := slices.Sorted(maps.Keys(given)); !slices.Equal(keys, slices.Sorted(maps.Keys(one.Arguments))) {
					t.Errorf("job %s has the arguments %v", one.Name, keys)
				}
			}
		}
		for _, one := range of(objects, "FlinkDeployment") {
			got = append(got, one.name())
		}
		for _, one := range of(objects, "PodDisruptionBudget") {
			if job := dig(one, "metadata", "labels", "tidemark.io/job"); job != nil && !slices.Contains(wanted, fmt.Sprint(release+"-flink-", job)) {
				t.Errorf("profile %s protects job %v, which is not there", name, job)
			}
		}
		slices.Sort(wanted)
		if slices.Sort(got); len(wanted) != 2 || !slices.Equal(wanted, got) {
			t.Errorf("profile %s has the jobs %v, not %v", name, got, wanted)
		}
	}
}

// It answers queries with the first region's tenants and keys, and with rows of its own.
func TestASecondRegionAnswersQueriesAlone(t *testing.T) {
	objects := rendered(t, "standard", second(values{"platformApi": values{"ingress": values{"enabled": true}, "scrape": values{"enabled": true}},
		"networkPolicies": values{"clients": []any{values{"podSelector": values{}}}}}))
	deployments := of(objects, "Deployment")
	if len(deployments) != 1 || deployments[0].name() != release+"-platform-api-query" {
		t.Fatalf("the deployments are %v", deployments)
	}
	pod := spec(deployments[0])
	one := dig(pod, "containers", 0)
	variables := environment(one)
	for name, wanted := range map[string]string{
		"TIDEMARK_ROLES":        "query",
		"TIDEMARK_REGION":       "west",
		"TIDEMARK_POSTGRES_URL": "jdbc:postgresql://postgres.east.example:5432/tidemark?sslmode=verify-full&sslrootcert=/etc/tidemark-first-postgres/east.pem",
		"TIDEMARK_LAKE_CATALOG": "jdbc:postgresql://postgres.west.example:5432/iceberg?sslmode=verify-full&sslrootcert=/etc/tidemark-postgres/ca.crt",
		"TIDEMARK_KAFKA":        release + "-kafka-kafka-bootstrap:9092",
		"TIDEMARK_DRUID":        "http://" + release + "-druid-broker:18082",
		// Where rows are removed that the first region deletes.
		"TIDEMARK_DRUID_COORDINATOR": "http://" + release + "-druid-coordinator:18081",
	} {
		if variables[name] != wanted {
			t.Errorf("%s is %v, not %s", name, variables[name], wanted)
		}
	}
	// Nobody here takes points, and the first region's address is yours to say.
	if url, given := variables["TIDEMARK_SELF_TELEMETRY_URL"]; given {
		t.Errorf("its own metrics go to %v", url)
	}
	for name, source := range map[string]string{"first-postgres-ca": "east-ca", "postgres-ca": "postgres-ca"} {
		if mount := entry(dig(one, "volumeMounts"), name); dig(mount, "mountPath") != "/etc/tidemark-"+strings.TrimSuffix(name, "-ca") || dig(mount, "readOnly") != true {
			t.Errorf("the mount of %s is %v", name, mount)
		}
		if volume := entry(dig(pod, "volumes"), name); dig(volume, "configMap", "name") != source {
			t.Errorf("the volume %s is %v", name, volume)
		}
	}
	// The schema is the first region's, whose owner's password is not here.
	if dig(pod, "initContainers") != nil || variables["SPRING_FLYWAY_ENABLED"] != "false" {
		t.Error("a second region migrates the first one's database")
	}
	for _, workload := range objects {
		if workload.kind() != "ConfigMap" && strings.Contains(fmt.Sprint(workload), "TIDEMARK_POSTGRES_PASSWORD") {
			t.Errorf("%s knows the owner of the first region's database", workload.name())
		}
	}
	wanted := []string{"TIDEMARK_API_KEY_ACCEPTED_PEPPERS?", "TIDEMARK_API_KEY_PEPPER", "TIDEMARK_BOOTSTRAP_SELF_KEY", "TIDEMARK_CATALOG_READER_PASSWORD",
		"TIDEMARK_POSTGRES_APPLICATION_PASSWORD", "TIDEMARK_SIGN_IN_ACCEPTED_SECRETS?", "TIDEMARK_SIGN_IN_SECRET"}
	if got := files(t, pod, one); !slices.Equal(got, wanted) {
		t.Errorf("it sees %v", got)
	}
	if got := names(dig(one, "ports")); got != "http scrape" {
		t.Errorf("it listens at %s", got)
	}
	if got := names(dig(the(t, objects, "Service", release+"-platform-api-query"), "spec", "ports")); got != "http" {
		t.Errorf("its service offers %s", got)
	}
	// A proxy before both regions looks at /readyz, as in the first.
	paths := dig(the(t, objects, "Ingress", release+"-platform-api"), "spec", "rules", 0, "http", "paths").([]any)
	if len(paths) != 1 || dig(paths[0], "path") != "/" || dig(paths[0], "backend", "service", "name") != release+"-platform-api-query" {
		t.Errorf("the ingress leads to %v", paths)
	}
	var open []string
	for _, rule := range dig(the(t, objects, "NetworkPolicy", release+"-platform-api"), "spec", "ingress").([]any) {
		for _, port := range dig(rule, "ports").([]any) {
			open = append(open, fmt.Sprint(dig(port, "port")))
		}
	}
	if !slices.Equal(open, []string{"8080", "9464"}) {
		t.Errorf("its pods are reached at %v", open)
	}
}

func TestASecondRegionIsProvisionedAsItself(t *testing.T) {
	known := text(t, provisioning+"Addresses.java")
	for what, over := range map[string]values{"jdbc": nil, "rest": {"lake": values{"catalog": values{"uri": "https://catalog.example", "writer": "w", "reader": "r"}}}} {
		objects := rendered(t, "standard", second(over))
		one := container(of(objects, "Job")[0])
		variables := environment(one)
		for name, wanted := range map[string]string{"TIDEMARK_SOURCE_KAFKA": firstKafka, "TIDEMARK_REGION": "west", "TIDEMARK_KAFKA": release + "-kafka-kafka-bootstrap:9092"} {
			if variables[name] != wanted || !strings.Contains(known, `"`+name+`"`) {
				t.Errorf("%s is %v", name, variables[name])
			}
		}
		if strings.Contains(fmt.Sprint(variables), "postgres.east.example") {
			t.Errorf("%s: the first region's PostgreSQL is provisioned", what)
		}
		// Who keeps a second run out is a database of this region.
		password := fmt.Sprint(entry(dig(one, "env"), "TIDEMARK_LOCK_PASSWORD"))
		if what == "rest" && (variables["TIDEMARK_LOCK_USER"] != "druid" || !strings.Contains(fmt.Sprint(variables["TIDEMARK_LOCK_URL"]), "postgres.west.example:5432/druid?") || !strings.Contains(password, "TIDEMARK_DRUID_METADATA_PASSWORD")) {
			t.Errorf("runs are kept apart by %v as %v with %s", variables["TIDEMARK_LOCK_URL"], variables["TIDEMARK_LOCK_USER"], password)
		}
		// With a catalog that speaks REST platform-api has no file of a server that it does not ask.
		if own := entry(dig(spec(of(objects, "Deployment")[0]), "volumes"), "postgres-ca") != nil; own != (what == "jdbc") {
			t.Errorf("%s: platform-api has the authority of this region's PostgreSQL: %v", what, own)
		}
	}
	for _, job := range of(rendered(t, "standard", nil), "Job") {
		if variables := environment(container(job)); variables["TIDEMARK_REGION"] != nil || variables["TIDEMARK_SOURCE_KAFKA"] != nil {
			t.Errorf("a first region is provisioned as %v", variables["TIDEMARK_REGION"])
		}
	}
}

// Users of jobs that are not there need no password.
func TestASecondRegionHasNoUsersOfAbsentJobs(t *testing.T) {
	security := values{"kafka": values{"security": values{"clients": "kafka-clients", "passwords": "kafka-passwords"}}}
	var got []string
	for _, user := range of(rendered(t, "standard", second(security)), "KafkaUser") {
		got = append(got, strings.TrimPrefix(user.name(), release+"-"))
	}
	slices.Sort(got)
	var wanted []string
	for _, user := range of(secured(t), "KafkaUser") {
		if name := strings.TrimPrefix(user.name(), release+"-"); name != "alert" && name != "usage" {
			wanted = append(wanted, name)
		}
	}
	if slices.Sort(wanted); !slices.Equal(got, wanted) || !slices.Contains(got, "rollup") {
		t.Errorf("the users are %v, not %v", got, wanted)
	}
}

// A first region's Kafka lets the jobs of second ones in where it is told of them, and nobody unasked.
func TestAFirstRegionIsReadByASecond(t *testing.T) {
	reader := values{"namespaceSelector": values{"matchLabels": values{"kubernetes.io/metadata.name": "west"}}, "podSelector": values{"matchLabels": values{"app.kubernetes.io/component": "flink"}}}
	outside := values{"name": "regions", "port": 9094, "type": "loadbalancer", "tls": true, "authentication": values{"type": "scram-sha-512"}}
	own := dig(the(t, rendered(t, "standard", nil), "Kafka", release+"-kafka"), "spec", "kafka", "listeners").([]any)
	listeners := dig(the(t, rendered(t, "standard", values{
		"networkPolicies": values{"secondRegions": []any{reader}}, "kafka": values{"strimzi": values{"listeners": []any{outside}}}}), "Kafka", release+"-kafka"), "spec", "kafka", "listeners").([]any)
	if len(own) != 1 || len(listeners) != 2 || !same(listeners[1], outside) {
		t.Fatalf("the listeners are %v", listeners)
	}
	before, after := dig(own[0], "networkPolicyPeers").([]any), dig(listeners[0], "networkPolicyPeers").([]any)
	if len(before) != 5 || len(after) != 6 || !same(after[5], reader) {
		t.Errorf("reached by %v, then by %v", before, after)
	}
}

// Whoever installs one is not sent to a console and a password that are not there.
func TestNotesOfASecondRegion(t *testing.T) {
	for name, over := range map[string]values{"west": second(nil), "": nil} {
		files, err := template(loaded(t), over)
		if err != nil {
			t.Fatal(err)
		}
		notes := files["tidemark/templates/NOTES.txt"]
		if told := strings.Contains(notes, "Second region west"); told != (name == "west") {
			t.Errorf("region %q: the notes say\n%s", name, notes)
		}
		if told := strings.Contains(notes, "first administrator's password"); told != (name == "") {
			t.Errorf("region %q: the notes say\n%s", name, notes)
		}
	}
}

// What cannot be is refused before anything is made, and the message says what to do.
func TestImpossibleRegionsAreRefused(t *testing.T) {
	for because, over := range map[string]values{
		"region.sourceKafka is given, but region.name is empty: name this region":                {"region": values{"sourceKafka": firstKafka}},
		"region.controlPlane.host is given, but region.name is empty: name this region":          {"region": values{"controlPlane": values{"host": "postgres.east.example"}}},
		"region.sourceKafka is required in the second region west: the first region's Kafka":     {"region": values{"name": "west"}},
		"region.controlPlane.host is required in the second region west: the first region's Pos": {"region": values{"name": "west", "sourceKafka": firstKafka}},
		"Name a PostgreSQL of this region in postgres.host":                                      second(values{"postgres": values{"host": "postgres.east.example"}}),
		"first-kafka-2:9092, which is this region's own Kafka: every row would be written twice": second(values{"kafka": values{"mode": "external", "external": values{"bootstrapServers": "west:9092,first-kafka-2:9092"}}}),
		"tidemark-kafka-kafka-bootstrap:9092, which is this region's own Kafka":                  second(values{"region": values{"sourceKafka": release + "-kafka-kafka-bootstrap:9092"}}),
		"a second region has the role query alone: leave it away":                                second(values{"platformApi": values{"roles": values{"ingest": values{}, "query": values{}, "control": values{}, "notify": values{}}}}),
		"a second region takes no points: leave it away":                                         second(values{"platformApi": values{"kafkaListenerAdvertised": "kafka.example:9092"}}),
		"region.controlPlane.sslMode is verify-full, so one of region.controlPlane.ca.configMap": second(values{"region": values{"controlPlane": values{"ca": values{"configMap": ""}}}}),
		"at '/region/name': 'West' does not match pattern":                                       second(values{"region": values{"name": "West"}}),
		"at '/region/sourceKafka': 'first-kafka' does not match pattern":                         second(values{"region": values{"sourceKafka": "first-kafka"}}),
		"at '/region/controlPlane/port': maximum":                                                second(values{"region": values{"controlPlane": values{"port": 65536}}}),
		"at '/region': additional properties 'source' not allowed":                               second(values{"region": values{"source": "x"}}),
	} {
		if _, err := template(loaded(t), over); err == nil || !strings.Contains(err.Error(), because) {
			t.Errorf("not refused for %q: %v", because, err)
		}
	}
}

// `helm upgrade --reuse-values` hands over the values of the installed chart, which knew nothing of what has come since.
func TestValuesOfBeforeRender(t *testing.T) {
	read := loaded(t)
	whole, err := template(read, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, gone := range [][]string{{"region"}, {"networkPolicies", "secondRegions"}, {"networkPolicies", "egress"}, {"prometheusOperator"}, {"kafka", "strimzi", "listeners"}} {
		at := read.Values
		for _, key := range gone[:len(gone)-1] {
			at = at[key].(values)
		}
		if _, given := at[gone[len(gone)-1]]; !given {
			t.Errorf("there is no value %v to leave away", gone)
		}
		delete(at, gone[len(gone)-1])
	}
	before, err := template(read, nil)
	if err != nil {
		t.Fatalf("the chart does not render with values of before: %v", err)
	}
	for path, content := range whole {
		if before[path] != content {
			t.Errorf("%s differs with values of before", path)
		}
	}
}
