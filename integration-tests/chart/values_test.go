package chart

import (
	"fmt"
	"strings"
	"testing"
)

func TestWrongValuesAreRefused(t *testing.T) {
	for what, over := range map[string]values{
		"an unknown value":                {"platformAPI": values{"replicas": 3}},
		"an unknown value below":          {"platformApi": values{"replica": 3}},
		"no replica":                      {"platformApi": values{"replicas": 0}},
		"memory as a number":              {"platformApi": values{"memory": 2}},
		"cores as a number":               {"platformApi": values{"cpu": 2}},
		"an address without a scheme":     {"platformApi": values{"publicUrl": "tidemark.example"}},
		"a setting that is none":          {"platformApi": values{"environment": values{"tidemark.x": "1"}}},
		"an unknown kind of storage":      {"storage": values{"type": "nfs"}},
		"an endpoint with a path":         {"storage": values{"s3": values{"endpoint": "https://host/bucket"}}},
		"a lake nowhere":                  {"lake": values{"warehouse": "hdfs://host/lake"}},
		"a catalog that is no URL":        {"lake": values{"catalog": values{"uri": "jdbc:postgresql://host/lake"}}},
		"a property without a value":      {"lake": values{"fileIo": "gcs.no-auth"}},
		"a filesystem without a claim":    {"storage": values{"type": "filesystem"}},
		"external Kafka without address":  {"kafka": values{"mode": "external"}},
		"Kafka's address without a port":  {"kafka": values{"external": values{"bootstrapServers": "kafka"}}},
		"an even ensemble":                {"zookeeper": values{"replicas": 2}},
		"more than the maximum":           {"flink": values{"jobs": values{"rollup": values{"parallelism": 129}}}},
		"an unknown role of Druid":        {"druid": values{"roles": values{"router": values{}}}},
		"a property that is not Druid's":  {"druid": values{"roles": values{"broker": values{"properties": values{"x": "1"}}}}},
		"another provider without issuer": {"platformApi": values{"signIn": "external"}},
		"a role that nobody has":          {"platformApi": values{"roles": values{"ingest": values{}, "query": values{}, "control": values{}}}},
		"a role that is none":             {"platformApi": values{"roles": values{"ingest": values{}, "query": values{}, "control": values{}, "notify": values{}, "all": values{}}}},
		"a proxy by its name":             {"platformApi": values{"trustedProxies": []any{"ingress.example"}}},
		"proxies of a number too large":   {"platformApi": values{"trustedProxies": []any{"10.0.0.256"}}},
		"proxies of a range too small":    {"platformApi": values{"trustedProxies": []any{"10.0.0.0/33"}}},
		"two proxies in one":              {"platformApi": values{"trustedProxies": []any{"10.0.0.1,10.0.0.2"}}},
		"everybody as a proxy":            {"platformApi": values{"trustedProxies": []any{"0.0.0.0/0"}}},
		"everybody as a proxy, by IPv6":   {"platformApi": values{"trustedProxies": []any{"::/0"}}},
		"scrapers that are nobody":        {"networkPolicies": values{"scrapers": []any{}}},
	} {
		if _, err := template(loaded(t), over); err == nil {
			t.Errorf("%s was accepted", what)
		}
	}
}

func TestOtherPlacesRender(t *testing.T) {
	over := values{
		"kafka":       values{"mode": "external", "external": values{"bootstrapServers": "broker-1:9092,broker-2:9092"}},
		"storage":     values{"type": "filesystem", "filesystem": values{"claim": "tidemark"}},
		"zookeeper":   values{"external": "zookeeper:2181"},
		"platformApi": values{"ingress": values{"enabled": true, "tlsSecret": "console"}, "autoscaling": values{"enabled": true}},
	}
	objects := rendered(t, "small", over)
	if len(of(objects, "Kafka"))+len(of(objects, "KafkaNodePool")) > 0 {
		t.Error("an external Kafka is declared")
	}
	for _, one := range of(objects, "StatefulSet") {
		if one.component() == "zookeeper" {
			t.Error("an external ZooKeeper is started")
		}
		if line := words(container(one)); strings.Contains(line, "druid.storage.type=s3") || !strings.Contains(line, "druid.zk.service.host=zookeeper:2181") {
			t.Errorf("%s is started with %s", one.name(), line)
		}
	}
	variables := environment(container(the(t, objects, "Deployment", release+"-platform-api")))
	if variables["TIDEMARK_LAKE_WAREHOUSE"] != "file:///var/lib/tidemark/warehouse" || variables["TIDEMARK_KAFKA"] != "broker-1:9092,broker-2:9092" {
		t.Errorf("platform-api has %v", variables)
	}
	if host := dig(the(t, objects, "Ingress", release+"-platform-api"), "spec", "rules", 0, "host"); host != "tidemark.example" {
		t.Errorf("the ingress is for %v", host)
	}
	the(t, objects, "HorizontalPodAutoscaler", release+"-platform-api")
}

// Whoever opens the lake has its address, and the jars of a store that is not built in.
func TestTheLakeMayLieInAnotherStore(t *testing.T) {
	objects := rendered(t, "small", values{"lake": values{"warehouse": "gs://tidemark-lake/warehouse",
		"catalog": values{"uri": "https://catalog.example/api", "writer": "lake", "reader": "platform", "properties": "warehouse=telemetry"}, "fileIo": "gcs.project-id=telemetry",
		"bundles": values{"persistentVolumeClaim": values{"claimName": "iceberg-gcp"}}}})
	pods := map[string]any{
		"platform-api": dig(the(t, objects, "Deployment", release+"-platform-api"), "spec", "template", "spec"),
		"lake job":     dig(the(t, objects, "FlinkDeployment", release+"-flink-lake"), "spec", "podTemplate", "spec"),
	}
	for _, job := range of(objects, "Job") {
		pods[job.name()] = dig(job, "spec", "template", "spec")
	}
	if len(pods) < 3 {
		t.Fatalf("provisioning is not there: %v", pods)
	}
	for who, pod := range pods {
		variables := environment(dig(pod, "containers", 0))
		if variables["TIDEMARK_LAKE_BUNDLES"] != "/opt/tidemark/lake-bundles" || variables["TIDEMARK_LAKE_FILE_IO"] != "gcs.project-id=telemetry" {
			t.Errorf("%s has %v", who, variables)
		}
		if shown := fmt.Sprint(pod); !strings.Contains(shown, "iceberg-gcp") || !strings.Contains(shown, "mountPath:/opt/tidemark/lake-bundles") {
			t.Errorf("%s has no jars: %s", who, shown)
		}
	}
	for _, job := range of(objects, "Job") {
		provision := environment(dig(job, "spec", "template", "spec", "containers", 0))
		if locked := fmt.Sprint(provision["TIDEMARK_LOCK_URL"]); provision["TIDEMARK_CATALOG_URL"] != "https://catalog.example/api" || !strings.HasPrefix(locked, "jdbc:postgresql://") {
			t.Errorf("provisioning has %v", provision)
		}
	}
	for who, wanted := range map[string]values{
		"platform-api": {"TIDEMARK_LAKE_WAREHOUSE": "gs://tidemark-lake/warehouse", "TIDEMARK_LAKE_CATALOG": "https://catalog.example/api", "TIDEMARK_LAKE_USER": "platform"},
		"lake job":     {"TIDEMARK_LAKE_CATALOG_PROPERTIES": "warehouse=telemetry"},
	} {
		variables := environment(dig(pods[who], "containers", 0))
		for name, value := range wanted {
			if variables[name] != value {
				t.Errorf("%s has %s %v, not %v", who, name, variables[name], value)
			}
		}
	}
	if arguments := fmt.Sprint(dig(the(t, objects, "FlinkDeployment", release+"-flink-lake"), "spec", "job", "args")); !strings.Contains(arguments, "gs://tidemark-lake/warehouse") || !strings.Contains(arguments, "https://catalog.example/api --catalog.user lake ") {
		t.Errorf("the lake job writes by %s", arguments)
	}
}
