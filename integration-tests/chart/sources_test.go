package chart

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
)

const (
	root         = "../.."
	directory    = root + "/infra/helm/tidemark"
	lifecycle    = "integration-tests/stack/src/main/java/io/tidemark/stack/"
	provisioning = "infra/provision/src/main/java/io/tidemark/provision/"
	release      = "tidemark"
)

// Helm's loader says of every link that it follows it.
func TestMain(m *testing.M) {
	log.SetOutput(io.Discard)
	os.Exit(m.Run())
}

var profiles = []string{"small", "standard", "large"}

type values = map[string]any

// object is one rendered Kubernetes object.
type object values

func (o object) kind() string { return o["kind"].(string) }
func (o object) name() string { return dig(o, "metadata", "name").(string) }
func (o object) component() string {
	component, _ := dig(o, "metadata", "labels", "app.kubernetes.io/component").(string)
	return component
}

// dig follows keys and indexes; nil when there is nothing.
func dig(from any, path ...any) any {
	for _, step := range path {
		switch at := step.(type) {
		case string:
			switch m := from.(type) {
			case object:
				from = m[at]
			case values:
				from = m[at]
			default:
				return nil
			}
		case int:
			list, _ := from.([]any)
			if at >= len(list) {
				return nil
			}
			from = list[at]
		}
	}
	return from
}

func text(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatalf("cannot read %s: %v", path, err)
	}
	return string(content)
}

func loaded(t *testing.T) *chart.Chart {
	t.Helper()
	read, err := loader.Load(directory)
	if err != nil {
		t.Fatalf("infra/helm/tidemark is no chart: %v", err)
	}
	return read
}

// profile reads the values that a profile changes.
func profile(t *testing.T, name string) values {
	t.Helper()
	read, err := chartutil.ReadValues([]byte(text(t, "infra/helm/tidemark/profiles/"+name+".yaml")))
	if err != nil {
		t.Fatalf("profile %s: %v", name, err)
	}
	return read
}

// own is what every installation names beside a profile. A test that is about it names something else.
func own() values {
	return values{"postgres": values{"ca": values{"configMap": "postgres-ca"}}}
}

// effective is what the templates see: the chart's values, changed by those of a profile and of a test.
func effective(t *testing.T, name string, over values) values {
	t.Helper()
	merged, err := chartutil.CoalesceValues(loaded(t), chartutil.CoalesceTables(chartutil.CoalesceTables(over, profile(t, name)), own()))
	if err != nil {
		t.Fatal(err)
	}
	return merged
}

// template renders as `helm template tidemark infra/helm/tidemark --values profiles/<name>.yaml --values own.yaml` does, values
// checked by the schema.
func template(read *chart.Chart, given values) (map[string]string, error) {
	options := chartutil.ReleaseOptions{Name: release, Namespace: "tidemark", Revision: 1, IsInstall: true}
	all, err := chartutil.ToRenderValues(read, chartutil.CoalesceTables(given, own()), options, chartutil.DefaultCapabilities)
	if err != nil {
		return nil, err
	}
	return engine.Render(read, all)
}

// rendered is every object of the chart with a profile and what a test changes.
func rendered(t *testing.T, name string, over values) []object {
	t.Helper()
	files, err := template(loaded(t), chartutil.CoalesceTables(over, profile(t, name)))
	if err != nil {
		t.Fatalf("the chart does not render with profile %s: %v", name, err)
	}
	var objects []object
	for path, content := range files {
		if !strings.HasSuffix(path, ".yaml") {
			continue
		}
		for _, one := range documents(t, path, content) {
			objects = append(objects, one)
		}
	}
	return objects
}

func documents(t *testing.T, path, content string) []object {
	t.Helper()
	var objects []object
	decoder := yaml.NewDecoder(bytes.NewReader([]byte(content)))
	for {
		one := values{}
		err := decoder.Decode(&one)
		if errors.Is(err, io.EOF) {
			return objects
		}
		if err != nil {
			t.Fatalf("%s is no YAML: %v\n%s", path, err, content)
		}
		if len(one) > 0 {
			objects = append(objects, object(one))
		}
	}
}

// the finds one object and fails without it.
func the(t *testing.T, objects []object, kind, name string) object {
	t.Helper()
	for _, one := range objects {
		if one.kind() == kind && one.name() == name {
			return one
		}
	}
	t.Fatalf("the chart renders no %s %s", kind, name)
	return nil
}

func of(objects []object, kind string) []object {
	var found []object
	for _, one := range objects {
		if one.kind() == kind {
			found = append(found, one)
		}
	}
	return found
}

// found lists the first groups of all matches. A pattern that matches nothing means that the source has changed its shape.
func found(t *testing.T, path, pattern string) []string {
	t.Helper()
	var groups []string
	for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(text(t, path), -1) {
		groups = append(groups, match[1])
	}
	if len(groups) == 0 {
		t.Fatalf("%s has no match for %s: this test reads that source and must follow its shape", path, pattern)
	}
	return groups
}

// configured is the ConfigMap with the files of infra/, by path.
func configured(t *testing.T, objects []object) map[string]string {
	t.Helper()
	files := map[string]string{}
	for key, content := range the(t, objects, "ConfigMap", release+"-infra")["data"].(values) {
		files[strings.ReplaceAll(key, "__", "/")] = content.(string)
	}
	return files
}

func environment(container any) map[string]any {
	variables := map[string]any{}
	list, _ := dig(container, "env").([]any)
	for _, one := range list {
		variables[dig(one, "name").(string)] = dig(one, "value")
	}
	return variables
}

func container(o object) any { return dig(o, "spec", "template", "spec", "containers", 0) }

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
