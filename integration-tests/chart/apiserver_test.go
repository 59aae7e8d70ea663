//go:build apiserver

package chart

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// cluster is an etcd and a kube-apiserver on loopback: it stores and validates, and nothing runs.
type cluster struct {
	tools, address, token string
}

const (
	namespace  = "tidemark"
	kubernetes = "1.34.3"
)

func started(t *testing.T) *cluster {
	t.Helper()
	tools := os.Getenv("TIDEMARK_KUBERNETES_TOOLS")
	if tools == "" {
		t.Fatal("TIDEMARK_KUBERNETES_TOOLS names no folder; run `make test-helm`")
	}
	work := t.TempDir()
	etcd, peer, port := free(t), free(t), free(t)
	run(t, work, "etcd", filepath.Join(tools, "etcd"), "--data-dir", filepath.Join(work, "data"),
		"--listen-client-urls", "http://127.0.0.1:"+etcd, "--advertise-client-urls", "http://127.0.0.1:"+etcd,
		"--listen-peer-urls", "http://127.0.0.1:"+peer)
	key := signingKey(t, work)
	tokens := filepath.Join(work, "tokens.csv")
	token := rand.Text()
	if err := os.WriteFile(tokens, []byte(token+",test,test,system:masters\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, work, "kube-apiserver", filepath.Join(tools, "kube-apiserver"), "--etcd-servers", "http://127.0.0.1:"+etcd,
		"--bind-address", "127.0.0.1", "--advertise-address", "127.0.0.1", "--secure-port", port, "--cert-dir", filepath.Join(work, "certificates"),
		"--token-auth-file", tokens, "--authorization-mode", "RBAC", "--disable-admission-plugins", "ServiceAccount",
		"--service-cluster-ip-range", "10.96.0.0/24", "--service-account-issuer", "https://127.0.0.1:"+port,
		"--service-account-key-file", key, "--service-account-signing-key-file", key)
	one := &cluster{tools, "https://127.0.0.1:" + port, token}
	one.await(t, "get", "--raw", "/readyz")
	return one
}

func free(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return port
}

func signingKey(t *testing.T, work string) string {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(work, "signing.pem")
	content := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// run starts a process that ends with the test; its output is shown when the test fails.
func run(t *testing.T, work, name string, command ...string) {
	t.Helper()
	log, err := os.Create(filepath.Join(work, name+".log"))
	if err != nil {
		t.Fatal(err)
	}
	process := exec.Command(command[0], command[1:]...)
	process.Dir, process.Stdout, process.Stderr = work, log, log
	if err := process.Start(); err != nil {
		t.Fatalf("%s does not start: %v", name, err)
	}
	t.Cleanup(func() {
		_ = process.Process.Kill()
		_ = process.Wait()
		if content, err := os.ReadFile(log.Name()); err == nil && t.Failed() {
			t.Logf("the end of %s's log:\n%s", name, content[max(0, len(content)-2000):])
		}
	})
}

// kubectl runs one command with a manifest on its standard input. Answers and warnings come back.
func (c *cluster) kubectl(manifest string, arguments ...string) (string, string, error) {
	command := exec.Command(filepath.Join(c.tools, "kubectl"), append([]string{
		"--server", c.address, "--token", c.token, "--insecure-skip-tls-verify", "--namespace", namespace,
	}, arguments...)...)
	command.Env = append(os.Environ(), "KUBECONFIG=/dev/null")
	var out, complaints bytes.Buffer
	command.Stdin, command.Stdout, command.Stderr = strings.NewReader(manifest), &out, &complaints
	err := command.Run()
	return out.String(), complaints.String(), err
}

func (c *cluster) must(t *testing.T, manifest string, arguments ...string) string {
	t.Helper()
	out, complaints, err := c.kubectl(manifest, arguments...)
	if err != nil {
		t.Fatalf("kubectl %s: %v\n%s", strings.Join(arguments, " "), err, complaints)
	}
	return out
}

// await repeats a command until it succeeds.
func (c *cluster) await(t *testing.T, arguments ...string) {
	t.Helper()
	deadline := time.Now().Add(2 * time.Minute)
	for {
		_, complaints, err := c.kubectl("", arguments...)
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("kubectl %s: %v\n%s", strings.Join(arguments, " "), err, complaints)
		}
		<-time.After(200 * time.Millisecond)
	}
}

// helm renders with the helm command, as a user does.
func (c *cluster) helm(t *testing.T, arguments ...string) string {
	t.Helper()
	command := exec.Command(filepath.Join(c.tools, "helm"), arguments...)
	var complaints bytes.Buffer
	command.Stderr = &complaints
	out, err := command.Output()
	if err != nil {
		t.Fatalf("helm %s: %v\n%s\n%s", strings.Join(arguments, " "), err, out, complaints.String())
	}
	return string(out)
}

// given are the values of a profile, and what every installation names beside it.
func given(name string) []string {
	return []string{"--kube-version", kubernetes, "--values", directory + "/profiles/" + name + ".yaml", "--set", "postgres.ca.configMap=postgres-ca"}
}

func (c *cluster) templated(t *testing.T, name string, more ...string) string {
	t.Helper()
	return c.helm(t, slices.Concat([]string{"template", release, directory, "--namespace", namespace}, given(name), more)...)
}

// applied hands over every object and expects each to be taken without a warning.
func (c *cluster) applied(t *testing.T, manifest string, more ...string) {
	t.Helper()
	out, complaints, err := c.kubectl(manifest, append([]string{"apply", "--validate=strict", "--filename", "-"}, more...)...)
	if err != nil || complaints != "" {
		t.Errorf("refused or complained of: %v\n%s", err, complaints)
	}
	if taken, wanted := strings.Count(out, "\n"), len(documents(t, "the rendered chart", manifest)); taken != wanted {
		t.Errorf("%d of %d objects were taken:\n%s", taken, wanted, out)
	}
}

func TestARealApiServerTakesTheChart(t *testing.T) {
	c := started(t)
	definitions, err := filepath.Glob(filepath.Join(c.tools, "crds/*.yaml"))
	if err != nil || len(definitions) != 6 {
		t.Fatalf("%d CustomResourceDefinitions: %v", len(definitions), definitions)
	}
	for _, path := range definitions {
		c.must(t, "", "create", "--filename", path)
	}
	c.must(t, "", "wait", "--for=condition=Established", "crd", "--all", "--timeout=60s")
	// Pods that the strictest standard would refuse are warned of, and a warning fails the test.
	c.must(t, fmt.Sprintf(`{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": %q, "labels": {
		"pod-security.kubernetes.io/enforce": "restricted", "pod-security.kubernetes.io/warn": "restricted"}}}`, namespace), "create", "--filename", "-")

	for _, name := range profiles {
		t.Run("profile "+name, func(t *testing.T) {
			if out := c.helm(t, append([]string{"lint", "--strict", directory}, given(name)...)...); !strings.Contains(out, "0 chart(s) failed") {
				t.Errorf("helm lint: %s", out)
			}
			c.applied(t, c.templated(t, name), "--dry-run=server")
		})
	}
	t.Run("other places", func(t *testing.T) {
		c.applied(t, c.templated(t, "small", "--set", "kafka.mode=external,kafka.external.bootstrapServers=broker:9092",
			"--set", "storage.type=filesystem,storage.filesystem.claim=shared", "--set", "zookeeper.external=zookeeper:2181",
			"--set", "platformApi.ingress.enabled=true,platformApi.ingress.tlsSecret=console,platformApi.autoscaling.enabled=true",
			"--set", "platformApi.service.type=LoadBalancer,images.registry=registry.example/team"), "--dry-run=server")
	})
	t.Run("the lake in Google's store", func(t *testing.T) {
		c.applied(t, c.templated(t, "standard", "--set", "lake.warehouse=gs://lake/warehouse,lake.fileIo=gcs.project-id=p,lake.bundles.persistentVolumeClaim.claimName=jars"), "--dry-run=server")
	})
	t.Run("roles apart", func(t *testing.T) {
		c.applied(t, c.templated(t, "standard", "--set-json", `platformApi.roles={"ingest":{"autoscaling":{"enabled":true}},"query":{},"control":{},"notify":{"replicas":1}}`,
			"--set", "platformApi.tls.secret=doors,platformApi.scrape.enabled=true,flink.scrape.enabled=true,platformApi.ingress.enabled=true"), "--dry-run=server")
	})
	t.Run("engines that ask who comes", func(t *testing.T) {
		manifest := c.templated(t, "standard", securing...)
		if users := strings.Count(manifest, "\nkind: KafkaUser\n"); users < 2 {
			t.Errorf("%d users of Kafka are handed over", users)
		}
		c.applied(t, manifest, "--dry-run=server")
	})
	t.Run("a second region", func(t *testing.T) {
		c.applied(t, c.templated(t, "small", slices.Concat(inASecondRegion, []string{"--set", "platformApi.ingress.enabled=true"})...), "--dry-run=server")
		c.applied(t, c.templated(t, "standard", slices.Concat(securing, inASecondRegion)...), "--dry-run=server")
	})
	t.Run("a first region with readers", func(t *testing.T) {
		c.applied(t, c.templated(t, "standard", append(securing,
			"--set-json", `networkPolicies.secondRegions=[{"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"west"}}}]`,
			"--set-json", `kafka.strimzi.listeners=[{"name":"regions","port":9094,"type":"loadbalancer","tls":true,"authentication":{"type":"scram-sha-512"}}]`)...), "--dry-run=server")
	})
	t.Run("what goes out is limited, and a Prometheus operator watches", func(t *testing.T) {
		c.applied(t, c.templated(t, "standard", watching...), "--dry-run=server")
		c.applied(t, c.templated(t, "standard", slices.Concat(watching, inASecondRegion, []string{"--set-json", "platformApi.roles={}"})...), "--dry-run=server")
	})
	t.Run("what must be refused", func(t *testing.T) { c.refuses(t) })
	t.Run("upgrades", func(t *testing.T) { c.upgrades(t) })
	t.Run("a first region stays one", func(t *testing.T) { c.staysFirst(t) })
}

// securing are the values of the function secured, and TLS at every door beside them.
var securing = []string{
	"--set", "kafka.security.clients=kafka-clients,kafka.security.passwords=kafka-passwords,flink.security.internal=flink-internal",
	"--set", "druid.security.server=druid-stores,druid.security.client=druid-client,platformApi.tls.secret=doors",
	"--set", "postgres.ca.configMap=,postgres.ca.secret=postgres-ca",
}

// inASecondRegion are the values of the function second.
var inASecondRegion = []string{
	"--set", "postgres.host=postgres.west.example,region.name=west,region.sourceKafka=first:9092",
	"--set", "region.controlPlane.host=postgres.east.example,region.controlPlane.ca.configMap=east-ca",
}

// watching are objects that are made where they are asked for alone.
var watching = []string{
	"--set", "networkPolicies.egress.enabled=true,platformApi.scrape.enabled=true,flink.scrape.enabled=true",
	"--set", "prometheusOperator.podMonitors.enabled=true,prometheusOperator.podMonitors.labels.release=prometheus,prometheusOperator.rules.enabled=true",
	"--set-json", `networkPolicies.egress.to.postgres=[{"ipBlock":{"cidr":"10.1.0.0/24"}}]`,
	"--set-json", `networkPolicies.egress.further.druid=[{"ports":[{"protocol":"TCP","port":80}],"to":[{"ipBlock":{"cidr":"169.254.170.23/32"}}]}]`,
	"--set-json", `platformApi.roles={"ingest":{},"query":{},"control":{},"notify":{}}`,
}

// The server is what the tests above trust: it must refuse what is wrong, in every kind.
func (c *cluster) refuses(t *testing.T) {
	valid := c.templated(t, "standard", slices.Concat(securing, []string{"--set", "platformApi.autoscaling.enabled=true"}, watching[:len(watching)-2])...)
	for what, broken := range map[string]struct{ from, to, because string }{
		"a port that is a word":              {"containerPort: 8080", "containerPort: eighty", "containerPort"},
		"a port that no port is":             {"containerPort: 4318", "containerPort: 800000", "must be between 1 and 65535"},
		"an unknown field of a pod":          {"terminationGracePeriodSeconds: 45", "terminationGraceSeconds: 45", "terminationGraceSeconds"},
		"a selector that selects other pods": {"      app.kubernetes.io/component: platform-api\n  strategy:", "      app.kubernetes.io/component: other\n  strategy:", "selector"},
		"memory in no unit":                  {"requests: {cpu: \"1\", memory: 2Gi}", "requests: {cpu: \"1\", memory: 2Gigs}", "quantities must match"},
		"an unknown policy of disruption":    {"unhealthyPodEvictionPolicy: AlwaysAllow", "unhealthyPodEvictionPolicy: Sometimes", "Sometimes"},
		"an unknown protocol":                {"{protocol: TCP, port: 18082}", "{protocol: HTTP, port: 18082}", "HTTP"},
		"a job that restarts always":         {"restartPolicy: OnFailure", "restartPolicy: Always", "restartPolicy"},
		"an autoscaler without a target":     {"target: {type: Utilization, averageUtilization: 70}", "target: {type: Utilization}", "averageUtilization"},
		"an unknown version of Flink":        {"flinkVersion: v2_2", "flinkVersion: v9_9", "flinkVersion"},
		"an unknown way to upgrade a job":    {"upgradeMode: savepoint", "upgradeMode: hopeful", "upgradeMode"},
		"a job's parallelism as text":        {"parallelism: 8", "parallelism: eight", "parallelism"},
		"an unknown field of a job":          {"entryClass: io", "entryclass: io", "entryclass"},
		"a listener of no type":              {"type: internal", "type: inside", "type"},
		"an unknown role of a broker":        {"roles: [broker]", "roles: [brokr]", "brokr"},
		"a user of no kind":                  {"spec:\n  authentication:\n    type: scram-sha-512", "spec:\n  authentication:\n    type: scram-sha-1", "scram-sha-1"},
		"a right that is none":               {"operations: [Read]", "operations: [Reed]", "Reed"},
		"a pattern of no type":               {"patternType: literal", "patternType: literally", "literally"},
		"a budget of two kinds":              {"minAvailable: 3", "minAvailable: 3\n  maxUnavailable: 1", "minAvailable"},
		"a secret's file without a path":     {"- {key: TIDEMARK_API_KEY_PEPPER, path: TIDEMARK_API_KEY_PEPPER}", "- {key: TIDEMARK_API_KEY_PEPPER}", "path"},
		"storage of no type":                 {"type: persistent-claim", "type: somewhere", "somewhere"},
		"a policy of no direction":           {"policyTypes: [Egress]", "policyTypes: [Outward]", "Outward"},
		"a block of no addresses":            {"cidr: 10.1.0.0/24", "cidr: 10.1.0.0", "must be a valid"},
		"a monitor without pods":             {"spec:\n  selector:\n    matchLabels:\n      app.kubernetes.io/name: tidemark\n      app.kubernetes.io/instance: tidemark\n      app.kubernetes.io/component: flink\n  podMetricsEndpoints:", "spec:\n  podMetricsEndpoints:", "selector"},
		"an interval of a monitor as a word": {"interval: 30s", "interval: often", "interval"},
		"an alert of no duration":            {"for: 5m", "for: long", "for"},
	} {
		manifest := strings.Replace(valid, broken.from, broken.to, 1)
		if manifest == valid {
			t.Errorf("%s: the text to break was not found", what)
			continue
		}
		_, complaints, err := c.kubectl(manifest, "apply", "--validate=strict", "--dry-run=server", "--filename", "-")
		if err == nil {
			t.Errorf("%s was accepted", what)
		} else if !strings.Contains(complaints, broken.because) {
			t.Errorf("%s was refused for another reason than %q: %s", what, broken.because, complaints)
		}
	}
}

// Helm itself installs and upgrades: what would end the control plane is refused, and a second region is upgraded like any other.
func (c *cluster) staysFirst(t *testing.T) {
	for _, one := range []struct {
		name           string
		before, after  []string
		because, while string
	}{
		{"first", nil, inASecondRegion, "is installed as a first region", "a first region becomes a second one"},
		{"apart", watching[len(watching)-2:], append(inASecondRegion, "--set-json", "platformApi.roles={}"), "is installed as a first region", "one with roles apart becomes a second one"},
		{"second", inASecondRegion, append(inASecondRegion, "--set", "platformApi.replicas=3"), "", "a second region is upgraded"},
		{"again", nil, []string{"--set", "networkPolicies.egress.enabled=true"}, "", "a first region is upgraded"},
	} {
		c.must(t, "", "create", "namespace", one.name)
		run := func(verb string, more []string) string {
			command := exec.Command(filepath.Join(c.tools, "helm"), slices.Concat([]string{verb, release, directory, "--namespace", one.name,
				"--kube-apiserver", c.address, "--kube-token", c.token, "--kube-insecure-skip-tls-verify"}, given("small")[2:], more)...)
			command.Env = append(os.Environ(), "KUBECONFIG=/dev/null")
			out, err := command.CombinedOutput()
			if err != nil {
				return string(out)
			}
			return ""
		}
		if complaint := run("install", one.before); complaint != "" {
			t.Fatalf("%s: not installed: %s", one.while, complaint)
		}
		if complaint := run("upgrade", one.after); (complaint == "") != (one.because == "") || !strings.Contains(complaint, one.because) {
			t.Errorf("%s: %q", one.while, complaint)
		}
	}
}

// What stands is changed by the values of another profile, but for volumes, which Kubernetes does not let a StatefulSet change.
func (c *cluster) upgrades(t *testing.T) {
	c.applied(t, c.templated(t, "standard"))
	c.applied(t, c.templated(t, "standard", "--set", "platformApi.replicas=4,images.platformApi.tag=0.2.0,images.flinkJobs.tag=0.2.0",
		"--set", "flink.jobs.rollup.parallelism=16,druid.roles.historical.replicas=3,druid.roles.broker.memory=8Gi,druid.ingestion.rollup_1m.taskCount=5",
		"--set", "kafka.strimzi.brokers.replicas=4"), "--dry-run=server")
	c.applied(t, c.templated(t, "standard", watching...), "--dry-run=server")
	_, complaints, err := c.kubectl(c.templated(t, "large"), "apply", "--dry-run=server", "--filename", "-")
	volumes, all := strings.Count(complaints, "updates to statefulset spec for fields other than"), strings.Count(complaints, "Error from server")
	if err == nil || volumes == 0 || volumes != all {
		t.Errorf("only volumes of StatefulSets are in the way of another profile, the chart's page says; the server refuses %d more\n%s", all-volumes, complaints)
	}
}
