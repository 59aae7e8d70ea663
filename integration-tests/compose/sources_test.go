package compose

import (
	"context"
	"encoding/xml"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

const (
	// In the order of the plan, which is the order of ports above TIDEMARK_PORT_BASE.
	portPattern   = `DEFAULTS\.put\(("[a-z-]+", \d+)\)`
	root          = "../.."
	lifecycle     = "integration-tests/stack/src/main/java/io/tidemark/stack/"
	provisioning  = "infra/provision/src/main/java/io/tidemark/provision/"
	provisioner   = "provision"
	secretsAdvice = "--env-file .tidemark/secrets.env"
)

// once names the services that run and end.
var once = []string{provisioner, "agent"}

// secrets are what .tidemark/secrets.env holds; Compose must not start without any of them.
var secrets = []string{
	"TIDEMARK_POSTGRES_PASSWORD",
	"TIDEMARK_POSTGRES_OWNER_PASSWORD",
	"TIDEMARK_POSTGRES_APPLICATION_PASSWORD",
	"TIDEMARK_CATALOG_PASSWORD",
	"TIDEMARK_CATALOG_READER_PASSWORD",
	"TIDEMARK_API_KEY_PEPPER",
	"TIDEMARK_SIGN_IN_SECRET",
	"TIDEMARK_BOOTSTRAP_SELF_KEY",
	"TIDEMARK_BOOTSTRAP_DEMO_KEY",
	"TIDEMARK_KAFKA_CLUSTER_ID",
	"TIDEMARK_FLINK_CLUSTER_ID",
}

// text reads a file of the repository.
func text(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatalf("cannot read %s: %v", path, err)
	}
	return string(content)
}

// environment has a distinct value for each secret, less the named ones.
func environment(without ...string) map[string]string {
	values := map[string]string{"HOME": "/home/someone"}
	for _, name := range secrets {
		if !slices.Contains(without, name) {
			values[name] = "value-of-" + name
		}
	}
	return values
}

// load reads Compose text as `docker compose config` would: interpolation, schema, and consistency of references.
func load(content string, values map[string]string) (*types.Project, error) {
	directory, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	details := types.ConfigDetails{
		WorkingDir:  directory,
		ConfigFiles: []types.ConfigFile{{Filename: "docker-compose.yml", Content: []byte(content)}},
		Environment: values,
	}
	return loader.LoadWithContext(context.Background(), details, func(options *loader.Options) {
		options.SetProjectName("tidemark", true)
	})
}

// composed is the project of docker-compose.yml.
func composed(t *testing.T) *types.Project {
	t.Helper()
	project, err := load(text(t, "docker-compose.yml"), environment())
	if err != nil {
		t.Fatalf("docker-compose.yml is not valid: %v", err)
	}
	return project
}

// service fails the test when there is none of that name.
func service(t *testing.T, project *types.Project, name string) types.ServiceConfig {
	t.Helper()
	found, err := project.GetService(name)
	if err != nil {
		t.Fatalf("docker-compose.yml has no service %s", name)
	}
	return found
}

// found lists the first groups of all matches. A pattern that matches nothing means that the source has changed its shape, and
// that this test would otherwise compare nothing.
func found(t *testing.T, path, pattern string) []string {
	t.Helper()
	return within(t, path, text(t, path), pattern)
}

func within(t *testing.T, path, content, pattern string) []string {
	t.Helper()
	var groups []string
	for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(content, -1) {
		groups = append(groups, match[1])
	}
	if len(groups) == 0 {
		t.Fatalf("%s has no match for %s: this test reads that source and must follow its shape", path, pattern)
	}
	return groups
}

// section is the text from a mark to the next method of the class.
func section(t *testing.T, path, mark string) string {
	t.Helper()
	content := text(t, path)
	start := strings.Index(content, mark)
	if start < 0 {
		t.Fatalf("%s has no %q: this test reads that source and must follow its shape", path, mark)
	}
	rest := content[start:]
	if end := strings.Index(rest, "\n  }\n"); end >= 0 {
		rest = rest[:end]
	}
	return rest
}

// druidRole is one Druid process as the lifecycle starts it.
type druidRole struct {
	id, folder, command string
	heapMiB, directMiB  int
}

func druidRoles(t *testing.T) []druidRole {
	t.Helper()
	path := lifecycle + "engine/Druid.java"
	matches := regexp.MustCompile(`spec\(\s*"(druid-[a-z-]+)",\s*"([a-z-]+)",\s*"([a-z]+)",\s*(\d+),\s*(\d+)`).FindAllStringSubmatch(text(t, path), -1)
	if len(matches) == 0 {
		t.Fatalf("%s names no roles: this test reads that source and must follow its shape", path)
	}
	var roles []druidRole
	for _, match := range matches {
		heap, _ := strconv.Atoi(match[4])
		direct, _ := strconv.Atoi(match[5])
		roles = append(roles, druidRole{match[1], match[2], match[3], heap, direct})
	}
	return roles
}

// components are the processes of the local lifecycle.
func components(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, engine := range []string{"Postgres", "ZooKeeper", "Flink"} {
		names = append(names, found(t, lifecycle+"engine/"+engine+".java", `new ProcessSpec\(\s*"([a-z-]+)"`)...)
	}
	// Further brokers and processes of platform-api, the proxy before these and the object store are choices of the local lifecycle.
	names = append(names, found(t, lifecycle+"engine/Kafka.java", `node == 1 \? "([a-z]+)" : "`)...)
	names = append(names, found(t, lifecycle+"engine/PlatformApi.java", `String id = "([a-z-]+)" \+ number`)...)
	for _, role := range druidRoles(t) {
		names = append(names, role.id)
	}
	slices.Sort(names)
	return names
}

// ports are the lifecycle's default ports by name.
func ports(t *testing.T) map[string]string {
	t.Helper()
	plan := map[string]string{}
	for _, pair := range found(t, lifecycle+"PortPlan.java", portPattern) {
		name, port, _ := strings.Cut(pair, ", ")
		plan[strings.Trim(name, `"`)] = port
	}
	return plan
}

// versions are the <name.version> properties of a pom.xml, by name.
func versions(t *testing.T, path string) map[string]string {
	t.Helper()
	var pom struct {
		Properties struct {
			Entries []struct {
				XMLName xml.Name
				Value   string `xml:",chardata"`
			} `xml:",any"`
		} `xml:"properties"`
	}
	if err := xml.Unmarshal([]byte(text(t, path)), &pom); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	found := map[string]string{}
	for _, entry := range pom.Properties.Entries {
		if name, ok := strings.CutSuffix(entry.XMLName.Local, ".version"); ok {
			found[name] = strings.TrimSpace(entry.Value)
		}
	}
	return found
}

// words are all strings a container is started with.
func words(service types.ServiceConfig) []string {
	all := append(slices.Clone([]string(service.Entrypoint)), service.Command...)
	for _, value := range service.Environment {
		if value != nil {
			all = append(all, *value)
		}
	}
	if service.HealthCheck != nil {
		all = append(all, service.HealthCheck.Test...)
	}
	return all
}

// same reports what is only on one side.
func same(t *testing.T, what string, compose, local []string) {
	t.Helper()
	for _, name := range local {
		if !slices.Contains(compose, name) {
			t.Errorf("%s: the local lifecycle has %s, docker-compose.yml does not", what, name)
		}
	}
	for _, name := range compose {
		if !slices.Contains(local, name) {
			t.Errorf("%s: docker-compose.yml has %s, the local lifecycle does not", what, name)
		}
	}
}
