package chart

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// secured is a stack whose engines ask who comes.
func secured(t *testing.T) []object {
	return rendered(t, "standard", values{
		"kafka": values{"security": values{"clients": "kafka-clients", "passwords": "kafka-passwords"}},
		"druid": values{"security": values{"server": "druid-stores", "client": "druid-client"}},
		"flink": values{"security": values{"internal": "flink-internal"}},
	})
}

// Strimzi's users have the rights of infra/kafka/users.yaml, and the listener takes nobody else.
func TestKafkaUsersHaveTheRightsOfInfra(t *testing.T) {
	objects := secured(t)
	kafka := the(t, objects, "Kafka", release+"-kafka")
	listeners := dig(kafka, "spec", "kafka", "listeners").([]any)
	if len(listeners) != 1 || dig(listeners[0], "tls") != true || dig(listeners[0], "authentication", "type") != "scram-sha-512" {
		t.Errorf("the listeners are %v", listeners)
	}
	if dig(kafka, "spec", "kafka", "authorization", "type") != "simple" || dig(kafka, "spec", "entityOperator", "userOperator") == nil {
		t.Error("nobody makes users or asks for their rights")
	}
	var declared struct {
		Users []map[string]any `yaml:"users"`
	}
	if err := yaml.Unmarshal([]byte(text(t, "infra/kafka/users.yaml")), &declared); err != nil || len(declared.Users) == 0 {
		t.Fatalf("infra/kafka/users.yaml: %v", err)
	}
	if users := of(objects, "KafkaUser"); len(users) != len(declared.Users)+1 {
		t.Errorf("%d users for the %d of infra and provision", len(users), len(declared.Users))
	}
	kinds := map[string][2]string{"reads": {"topic", "Read"}, "writes": {"topic", "Write"}, "groups": {"group", "Read"}, "watches_groups": {"group", "Describe"}, "transactions": {"transactionalId", "Write"}}
	for _, user := range declared.Users {
		var wanted, got []string
		for word, kind := range kinds {
			list, _ := user[word].([]any)
			for _, name := range list {
				pattern := "literal"
				if strings.HasSuffix(name.(string), "*") {
					pattern = "prefix"
				}
				wanted = append(wanted, fmt.Sprint(kind[0], strings.TrimSuffix(name.(string), "*"), pattern, kind[1]))
			}
		}
		made := the(t, objects, "KafkaUser", release+"-"+user["name"].(string))
		for _, acl := range dig(made, "spec", "authorization", "acls").([]any) {
			got = append(got, fmt.Sprint(dig(acl, "resource", "type"), dig(acl, "resource", "name"), dig(acl, "resource", "patternType"), dig(acl, "operations", 0)))
		}
		slices.Sort(wanted)
		slices.Sort(got)
		if !slices.Equal(wanted, got) {
			t.Errorf("%s may %v, by infra %v", user["name"], got, wanted)
		}
	}
}

// Each component finds its own file and no other's.
func TestEveryComponentShowsItsOwnCredentials(t *testing.T) {
	objects := secured(t)
	shown := func(volumes any) (keys []string) {
		list, _ := volumes.([]any)
		for _, volume := range list {
			if dig(volume, "name") == "kafka-client" {
				for _, item := range dig(volume, "projected", "sources", 0, "secret", "items").([]any) {
					keys = append(keys, dig(item, "key").(string))
				}
			}
		}
		return keys
	}
	platform := the(t, objects, "Deployment", release+"-platform-api")
	if got := shown(dig(platform, "spec", "template", "spec", "volumes")); !slices.Equal(got, []string{"platform-api.properties"}) {
		t.Errorf("platform-api sees %v", got)
	}
	variables := environment(container(platform))
	for name, want := range map[string]string{
		"TIDEMARK_KAFKA":             release + "-kafka-kafka-bootstrap:9093",
		"TIDEMARK_KAFKA_CLIENT":      "/etc/tidemark/kafka/platform-api.properties",
		"TIDEMARK_DRUID_CERTIFICATE": "/etc/tidemark/druid-client/tls.crt",
	} {
		if variables[name] != want {
			t.Errorf("%s is %v", name, variables[name])
		}
	}
	if url := fmt.Sprint(variables["TIDEMARK_DRUID"]); !strings.HasPrefix(url, "https://") {
		t.Errorf("Druid is asked at %s", url)
	}
	for name := range jobs(t) {
		deployment := the(t, objects, "FlinkDeployment", release+"-flink-"+name)
		if got := shown(dig(deployment, "spec", "podTemplate", "spec", "volumes")); !slices.Equal(got, []string{name + ".properties"}) {
			t.Errorf("job %s sees %v", name, got)
		}
		arguments := fmt.Sprint(dig(deployment, "spec", "job", "args"))
		if !strings.Contains(arguments, "--kafka.client /etc/tidemark/kafka/"+name+".properties") {
			t.Errorf("job %s is started with %s", name, arguments)
		}
		if dig(deployment, "spec", "flinkConfiguration", "security.ssl.internal.enabled") != "true" {
			t.Errorf("processes of job %s do not ask each other", name)
		}
	}
	for _, set := range of(objects, "StatefulSet") {
		if !strings.HasPrefix(set.component(), "druid-") {
			continue
		}
		line := words(container(set))
		for _, want := range []string{"-Ddruid.enablePlaintextPort=false", "-Ddruid.server.https.requireClientCertificate=true", "-Ddruid.server.https.reloadSslContext=true", `"simple-client-sslcontext"`} {
			if !strings.Contains(line, want) {
				t.Errorf("%s has no %s", set.name(), want)
			}
		}
		if strings.Contains(line, "plaintextPort=1") {
			t.Errorf("%s listens in plain", set.name())
		}
	}
}
