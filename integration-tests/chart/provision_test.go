package chart

import (
	"regexp"
	"strings"
	"testing"
)

// Provisioning is infra/provision, with the variables that it asks for and the files that it reads.
func TestProvisioningRunsInfraProvision(t *testing.T) {
	objects := rendered(t, "standard", nil)
	var job object
	for _, one := range of(objects, "Job") {
		job = one
	}
	one := container(job)
	if line := words(one); !strings.Contains(line, "-jar provision.jar topics druid lake") {
		t.Errorf("provision runs %q", line)
	}
	variables := environment(one)
	for _, name := range found(t, provisioning+"Addresses.java", `(?m)^\s+"(TIDEMARK_[A-Z_]+)"[,)]`) {
		if _, given := variables[name]; !given && !strings.HasPrefix(name, "TIDEMARK_FLINK") {
			t.Errorf("provision has no %s", name)
		}
	}
	mounted := map[string]bool{}
	list := dig(job, "spec", "template", "spec", "volumes", 0, "configMap", "items").([]any)
	for _, item := range list {
		mounted[dig(item, "path").(string)] = true
	}
	for _, folder := range []string{"kafka", "druid", "iceberg", "postgres"} {
		for _, class := range []string{"KafkaTopics", "DruidSetup", "LakeTables", "Provisioning"} {
			for _, match := range regexp.MustCompile(`"(`+folder+`/[a-z/._-]+\.[a-z]+)"`).FindAllStringSubmatch(text(t, provisioning+class+".java"), -1) {
				if !mounted[match[1]] {
					t.Errorf("provision does not see infra/%s", match[1])
				}
			}
		}
	}
	// Another size is another job; the same one is left alone.
	again := of(rendered(t, "standard", nil), "Job")[0].name()
	other := of(rendered(t, "large", nil), "Job")[0].name()
	if again != job.name() || other == job.name() {
		t.Errorf("the job is called %s, then %s, and %s with other sizes", job.name(), again, other)
	}
}
