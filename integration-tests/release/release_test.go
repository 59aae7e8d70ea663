package release

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/elf"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	root    = "../.."
	version = "9.8.7"
)

// What users pull, with the folder of `infra/images` that makes it.
var images = []string{"platform-api", "flink-jobs", "provision"}

func TestAReleaseIsWhole(t *testing.T) {
	address := serveRegistry(t)
	java := pushBase(t, address+"/base/java:17")
	flink := pushBase(t, address+"/base/flink:2.2")
	folder := released(t, address, java, flink)

	t.Run("images of two architectures", func(t *testing.T) {
		for _, image := range images {
			below := java
			if image == "flink-jobs" {
				below = flink
			}
			checkImage(t, address+"/tidemark/"+image+":"+version, below)
		}
	})
	t.Run("checksums of every file", func(t *testing.T) { checkSums(t, folder) })
	t.Run("a chart of the version", func(t *testing.T) { checkChart(t, folder) })
	t.Run("programs of five platforms", func(t *testing.T) { checkPrograms(t, folder) })
	t.Run("bills of materials", func(t *testing.T) { checkMaterials(t, folder) })
}

func TestEveryImageIsReleased(t *testing.T) {
	poms, err := filepath.Glob(filepath.Join(root, "infra/images/*/pom.xml"))
	check(t, err)
	var made []string
	for _, pom := range poms {
		made = append(made, filepath.Base(filepath.Dir(pom)))
	}
	want := slices.Sorted(slices.Values(images))
	if slices.Sort(made); !slices.Equal(made, want) {
		t.Errorf("infra/images makes %v, this test looks at %v", made, want)
	}
}

// A release is of a tag, without changes beside it.
func TestOnlyATaggedCommitIsReleased(t *testing.T) {
	checkout := t.TempDir()
	script := filepath.Join(checkout, "infra/release/check-tag.sh")
	check(t, os.MkdirAll(filepath.Dir(script), 0o755))
	text, err := os.ReadFile(filepath.Join(root, "infra/release/check-tag.sh"))
	check(t, err)
	check(t, os.WriteFile(script, text, 0o755))
	git := func(arguments ...string) {
		t.Helper()
		command := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com"}, arguments...)...)
		command.Dir = checkout
		if told, err := command.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", arguments, err, told)
		}
	}
	refuses := func(wanted, version string) {
		t.Helper()
		told, err := exec.Command(script, version).CombinedOutput()
		if wanted == "" && err != nil || wanted != "" && (err == nil || !strings.Contains(string(told), wanted)) {
			t.Errorf("'%s' of %s: %v, wanted '%s'", told, version, err, wanted)
		}
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "first")
	refuses("give a version", "")
	refuses("no tag v"+version, version)
	git("tag", "v"+version)
	refuses("", version)
	refuses("no tag v9.8.6", "9.8.6")
	check(t, os.WriteFile(filepath.Join(checkout, "new"), nil, 0o644))
	refuses("has changes", version)
}

// released makes a version of this checkout, whose jars are built, as `make release` does.
func released(t *testing.T, address string, java, flink base) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "release")
	helm, err := filepath.Abs(filepath.Join(root, ".tidemark/tools/kubernetes/helm"))
	check(t, err)
	if given := os.Getenv("HELM"); given != "" {
		helm = given
	}
	command := exec.Command(filepath.Join(root, "infra/release/release.sh"), version, folder, helm)
	command.Env = append(os.Environ(),
		"MAVEN=mvn -q -B -Djib.allowInsecureRegistries=true",
		"REGISTRY="+address,
		"JAVA_IMAGE="+java.reference,
		"FLINK_IMAGE="+flink.reference,
		"GPG_KEY=")
	var told bytes.Buffer
	command.Stdout, command.Stderr = &told, &told
	if err := command.Run(); err != nil {
		t.Fatalf("release.sh: %v\n%s", err, told.String())
	}
	return folder
}

func checkImage(t *testing.T, reference string, below base) {
	t.Helper()
	found := pulled(t, reference)
	if len(found) != len(architectures) {
		t.Errorf("%s has %d images, wanted one each for %v", reference, len(found), architectures)
	}
	for _, architecture := range architectures {
		config := found["linux/"+architecture]
		if config == nil {
			t.Errorf("%s has no image for linux/%s", reference, architecture)
			continue
		}
		if user := config.Config.User; user == "" || strings.HasPrefix(user, "0") || strings.HasPrefix(user, "root") {
			t.Errorf("%s for %s runs as '%s'", reference, architecture, user)
		}
		if label := config.Config.Labels["org.opencontainers.image.version"]; label != version {
			t.Errorf("%s for %s says that it is '%s'", reference, architecture, label)
		}
		layers := config.RootFS.DiffIDs
		if len(layers) < 2 || layers[0] != below.layers[architecture] {
			t.Errorf("%s for %s does not stand on the base image of that architecture: %v", reference, architecture, layers)
		}
		for _, other := range architectures {
			if other != architecture && slices.Contains(layers, below.layers[other]) {
				t.Errorf("%s for %s has a layer of %s", reference, architecture, other)
			}
		}
	}
}

func checkSums(t *testing.T, folder string) {
	t.Helper()
	listed := map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(read(t, filepath.Join(folder, "SHA256SUMS"))))
	for lines.Scan() {
		sum, file, _ := strings.Cut(lines.Text(), "  ")
		listed[file] = sum
	}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(folder, path)
		if err != nil || entry.IsDir() || name == "SHA256SUMS" {
			return err
		}
		if sum := fmt.Sprintf("%x", sha256.Sum256(read(t, path))); listed[name] != sum {
			t.Errorf("%s has the checksum %s, SHA256SUMS says '%s'", name, sum, listed[name])
		}
		delete(listed, name)
		return nil
	})
	check(t, err)
	if len(listed) > 0 {
		t.Errorf("SHA256SUMS has files that are not there: %v", listed)
	}
}

func checkChart(t *testing.T, folder string) {
	t.Helper()
	packed, err := gzip.NewReader(bytes.NewReader(read(t, filepath.Join(folder, "tidemark-"+version+".tgz"))))
	check(t, err)
	for files := tar.NewReader(packed); ; {
		header, err := files.Next()
		if err != nil {
			t.Fatalf("the chart has no Chart.yaml: %v", err)
		}
		if header.Name != "tidemark/Chart.yaml" {
			continue
		}
		text, err := io.ReadAll(files)
		check(t, err)
		for _, line := range []string{"version: " + version, "appVersion: " + version} {
			if !slices.Contains(strings.Split(string(text), "\n"), line) {
				t.Errorf("Chart.yaml has no line '%s':\n%s", line, text)
			}
		}
		return
	}
}

func checkPrograms(t *testing.T, folder string) {
	t.Helper()
	machines := map[string]elf.Machine{"linux_amd64": elf.EM_X86_64, "linux_arm64": elf.EM_AARCH64}
	for archive, program := range map[string]string{
		"terraform-provider-tidemark": "terraform-provider-tidemark_v" + version,
		"tidemarkctl":                 "tidemarkctl",
	} {
		for _, platform := range []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64", "windows_amd64"} {
			suffix := ""
			if strings.HasPrefix(platform, "windows") {
				suffix = ".exe"
			}
			path := filepath.Join(folder, fmt.Sprintf("%s_%s_%s.zip", archive, version, platform))
			content := zipped(t, path, program+suffix)
			machine, isLinux := machines[platform]
			if !isLinux {
				continue
			}
			file, err := elf.NewFile(bytes.NewReader(content))
			check(t, err)
			if file.Machine != machine {
				t.Errorf("%s holds a program for %v", path, file.Machine)
			}
		}
	}
}

// checkMaterials looks for what each project is known to be built on.
func checkMaterials(t *testing.T, folder string) {
	t.Helper()
	for file, component := range map[string]string{
		"platform-api.cdx.json":       "spring-boot",
		"flink-jobs.cdx.json":         "kafka-clients",
		"provision.cdx.json":          "kafka-clients",
		"web-console.cdx.json":        "react",
		"terraform-provider.cdx.json": "github.com/hashicorp/terraform-plugin-framework",
	} {
		var bill struct {
			BomFormat  string
			Components []struct{ Name, Version string }
		}
		check(t, json.Unmarshal(read(t, filepath.Join(folder, file)), &bill))
		isNamed := false
		for _, one := range bill.Components {
			isNamed = isNamed || one.Name == component && one.Version != ""
		}
		if bill.BomFormat != "CycloneDX" || !isNamed {
			t.Errorf("%s (%s, %d components) does not name %s", file, bill.BomFormat, len(bill.Components), component)
		}
	}
}

func zipped(t *testing.T, path, file string) []byte {
	t.Helper()
	archive, err := zip.OpenReader(path)
	check(t, err)
	defer archive.Close()
	opened, err := archive.Open(file)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	content, err := io.ReadAll(opened)
	check(t, err)
	return content
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	check(t, err)
	return content
}
