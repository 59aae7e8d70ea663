package chart

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

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
	if !regexp.MustCompile(`<into>/opt/tidemark</into>\s+<includes>\s+<include>provision\.jar</include>`).MatchString(text(t, "infra/images/provision/pom.xml")) {
		t.Error("the image of provisioning has no provision.jar where the chart runs it")
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
	secret := found(t, provisioning+"StackSecrets.java", `computeIfAbsent\(\s*"(TIDEMARK_[A-Z_]+)"`)
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
	lakes := regexp.MustCompile(`^(TIDEMARK_LAKE_|AWS_)`)
	asksStores := func(role string) bool { return role == "query" || role == "control" }
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
			if _, given := variables[name]; given == (!asksStores(role) && lakes.MatchString(name)) {
				t.Errorf("%s has %s: %v", role, name, given)
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

// Who is trusted to say where clients come from is told to every role, and whoever forgets it behind an ingress is warned.
func TestProxiesAreTrustedByName(t *testing.T) {
	roles := values{"ingest": values{}, "query": values{}, "control": values{}, "notify": values{}}
	objects := rendered(t, "standard", values{"platformApi": values{"roles": roles, "trustedProxies": []any{"10.244.0.0/16", "192.168.1.7", "fd00::/8"}}})
	for role := range roles {
		if told := environment(container(the(t, objects, "Deployment", release+"-platform-api-"+role)))["TIDEMARK_TRUSTED_PROXIES"]; told != "10.244.0.0/16,192.168.1.7,fd00::/8" {
			t.Errorf("%s trusts %v", role, told)
		}
	}
	if told, given := environment(container(the(t, rendered(t, "standard", nil), "Deployment", release+"-platform-api")))["TIDEMARK_TRUSTED_PROXIES"]; given {
		t.Errorf("platform-api trusts %v unasked", told)
	}
	for _, one := range []struct {
		ingress bool
		proxies []any
		warned  bool
	}{{true, nil, true}, {true, []any{"10.244.0.0/16"}, false}, {false, nil, false}} {
		files, err := template(loaded(t), values{"platformApi": values{"ingress": values{"enabled": one.ingress}, "trustedProxies": slices.Concat([]any{}, one.proxies)}})
		if err != nil {
			t.Fatal(err)
		}
		if warned := strings.Contains(files["tidemark/templates/NOTES.txt"], "WARNING: platformApi.trustedProxies is empty"); warned != one.warned {
			t.Errorf("ingress %v, proxies %v: warned %v", one.ingress, one.proxies, warned)
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
