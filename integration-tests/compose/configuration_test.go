package compose

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/types"
)

func TestServicesAreTheLifecyclesComponents(t *testing.T) {
	var names []string
	for name := range composed(t).Services {
		if !slices.Contains(once, name) {
			names = append(names, name)
		}
	}
	same(t, "components", names, components(t))
}

func TestImagesAreTheResolvedEngines(t *testing.T) {
	versions := versions(t, "infra/engines/pom.xml")
	project := composed(t)
	postgres := strings.TrimSuffix(versions["postgres"], ".0")
	images := map[string]string{
		"kafka":             "apache/kafka:" + versions["kafka"],
		"flink-jobmanager":  "flink:" + versions["flink"] + "-java17",
		"flink-taskmanager": "flink:" + versions["flink"] + "-java17",
		"postgres":          "postgres:" + postgres,
		// Locally ZooKeeper comes along with Druid, in this version.
		"zookeeper":    "zookeeper:3.8.4",
		"platform-api": "tidemark/platform-api:" + release(t),
		provisioner:    "tidemark/provision:" + release(t),
		"agent":        "tidemark/provision:" + release(t),
	}
	for _, role := range druidRoles(t) {
		images[role.id] = "apache/druid:" + versions["druid"]
	}
	for name, one := range project.Services {
		if one.Image != images[name] {
			t.Errorf("%s runs %s; infra/engines/pom.xml says %s", name, one.Image, images[name])
		}
	}
	for _, name := range reporting {
		mount := mountAt(service(t, project, name), "/opt/tidemark/agent")
		if mount == nil || mount.Source != "agent" || !mount.ReadOnly {
			t.Errorf("%s does not see OpenTelemetry's agent", name)
		}
	}
	if known := found(t, "infra/images/pom.xml", `<opentelemetry.javaagent.version>(.+)</`)[0]; known != versions["opentelemetry.javaagent"] {
		t.Errorf("the image of provisioning has OpenTelemetry's agent %s, the engines have %s", known, versions["opentelemetry.javaagent"])
	}
}

func TestWhatStandsBesideTheLakeHasTheVersionsOfTheJobs(t *testing.T) {
	jobs := versions(t, "flink-jobs/pom.xml")
	for pom, names := range map[string][]string{
		"infra/engines/lake-catalog/pom.xml": {"iceberg", "jetty"},
		"infra/engines/azure-store/pom.xml":  {"iceberg"},
	} {
		own := versions(t, pom)
		for _, name := range names {
			if own[name] == "" || own[name] != jobs[name] {
				t.Errorf("%s has %s '%s'; flink-jobs/pom.xml '%s'", pom, name, own[name], jobs[name])
			}
		}
	}
}

// What runs from an image needs nothing that is built in a checkout.
func TestNothingBuiltIsMounted(t *testing.T) {
	checkout, _ := filepath.Abs(root)
	for name, one := range composed(t).Services {
		for _, mount := range one.Volumes {
			inside := strings.HasPrefix(mount.Source, filepath.Join(checkout, "infra")+"/") || mount.Source == filepath.Join(checkout, "infra")
			if mount.Type == "bind" && (!inside || strings.Contains(mount.Source, "/target/")) {
				t.Errorf("%s mounts %s", name, mount.Source)
			}
		}
	}
}

// release is the tag of the images that a checkout makes.
func release(t *testing.T) string {
	t.Helper()
	return found(t, "infra/images/pom.xml", `<images.tag>(.+)</`)[0]
}

// Each configuration file the lifecycle hands to a process is mounted, read-only, into the service of the same name.
func TestServicesMountTheLifecyclesFiles(t *testing.T) {
	project := composed(t)
	for name, paths := range mountedLocally(t) {
		for _, path := range paths {
			mount := mountOf(t, service(t, project, name), path)
			if mount == nil {
				t.Errorf("%s does not mount infra/%s, which the local lifecycle gives it", name, path)
			} else if !mount.ReadOnly {
				t.Errorf("%s can write to infra/%s", name, path)
			}
		}
	}
}

// A file of infra/ that neither a service nor provisioning reads would be settings that only one side has.
func TestEveryConfigurationFileIsUsed(t *testing.T) {
	project := composed(t)
	// Where PostgreSQL is a cloud's, people run it: Compose brings its own.
	read := append(provisioned(t), "postgres/managed-databases.sql")
	var unused []string
	for _, folder := range []string{"kafka", "flink", "druid", "zookeeper", "postgres", "logging", "iceberg"} {
		err := filepath.WalkDir(filepath.Join(root, "infra", folder), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) == ".md" {
				return err
			}
			relative, _ := filepath.Rel(filepath.Join(root, "infra"), path)
			used := slices.ContainsFunc(read, func(known string) bool {
				return relative == known || strings.HasPrefix(relative, known+"/")
			})
			for name, one := range project.Services {
				used = used || name != provisioner && mountOf(t, one, relative) != nil
			}
			if !used {
				unused = append(unused, relative)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range unused {
		t.Errorf("infra/%s is mounted by no service and read by no provisioning step", path)
	}
}

// provisioned lists the files and folders below infra/ that provisioning reads; a process need not see them.
func provisioned(t *testing.T) []string {
	t.Helper()
	classes, err := filepath.Glob(filepath.Join(root, provisioning, "*.java"))
	if err != nil || len(classes) == 0 {
		t.Fatalf("%s: %d classes, %v", provisioning, len(classes), err)
	}
	var all strings.Builder
	for _, class := range classes {
		all.WriteString(text(t, provisioning+filepath.Base(class)))
	}
	return within(t, provisioning, all.String(), `"((?:kafka|druid|flink|iceberg|postgres)/[a-z/._-]+)"`)
}

// mountedLocally lists, for each component, the files below infra/ that its process reads.
func mountedLocally(t *testing.T) map[string][]string {
	t.Helper()
	files := map[string][]string{}
	for engine, names := range map[string][]string{
		"Postgres":  {"postgres"},
		"ZooKeeper": {"zookeeper"},
		"Kafka":     {"kafka"},
		"Flink":     {"flink-jobmanager", "flink-taskmanager"},
	} {
		for _, path := range found(t, lifecycle+"engine/"+engine+".java", `infra\("([a-z/.-]+\.[a-z]+)"\)`) {
			for _, name := range names {
				if !slices.Contains(provisioned(t), path) {
					files[name] = append(files[name], path)
				}
			}
		}
	}
	for _, role := range druidRoles(t) {
		files[role.id] = []string{"druid/_common/common.runtime.properties", "druid/" + role.folder + "/runtime.properties"}
	}
	for _, path := range found(t, lifecycle+"engine/JavaCommand.java", `infra\("([a-z0-9/.-]+)"\)`) {
		for name := range files {
			// PostgreSQL is no JVM; ZooKeeper's image logs through Logback, which does not read it.
			if name != "postgres" && name != "zookeeper" {
				files[name] = append(files[name], path)
			}
		}
	}
	return files
}

// mountOf is the bind mount through which a service sees a file below infra/, directly or by a folder above it.
func mountOf(t *testing.T, one types.ServiceConfig, path string) *types.ServiceVolumeConfig {
	t.Helper()
	infra, err := filepath.Abs(filepath.Join(root, "infra"))
	if err != nil {
		t.Fatal(err)
	}
	for i, mount := range one.Volumes {
		source, below := strings.CutPrefix(mount.Source, infra+"/")
		if mount.Type == types.VolumeTypeBind && below && (path == source || strings.HasPrefix(path, source+"/")) {
			return &one.Volumes[i]
		}
	}
	return nil
}

func mountAt(one types.ServiceConfig, target string) *types.ServiceVolumeConfig {
	for i, mount := range one.Volumes {
		if mount.Target == target {
			return &one.Volumes[i]
		}
	}
	return nil
}
