package compose

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestComposeFileIsValid(t *testing.T) {
	project := composed(t)
	if len(project.Services) == 0 {
		t.Fatal("docker-compose.yml has no services")
	}
	for name, one := range project.Services {
		if slices.Contains(once, name) {
			if one.Restart != "no" {
				t.Errorf("%s ends when it is done; restarting it on its own would hide a failure", name)
			}
			continue
		}
		if one.HealthCheck == nil || len(one.HealthCheck.Test) == 0 {
			t.Errorf("%s has no health check, so nothing can wait for it", name)
		}
		if one.Restart != "unless-stopped" {
			t.Errorf("%s does not come back after a crash: restart is %q", name, one.Restart)
		}
	}
}

// The loader is what the test above trusts: it must refuse what Compose refuses.
func TestTheLoaderRefusesWhatComposeRefuses(t *testing.T) {
	valid := text(t, "docker-compose.yml")
	for name, broken := range map[string]string{
		"an unknown key":        strings.Replace(valid, "    image: postgres:", "    immage: postgres:", 1),
		"an undeclared volume":  strings.Replace(valid, "source: zookeeper, target: /data", "source: zokeeper, target: /data", 1),
		"an unknown dependency": strings.Replace(valid, "zookeeper: { condition:", "zokeeper: { condition:", 1),
		"a wrong type":          strings.Replace(valid, "retries: 24", "retries: often", 1),
	} {
		if broken == valid {
			t.Errorf("%s: the text to break was not found", name)
		} else if _, err := load(broken, environment()); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

func TestAMissingSecretIsTold(t *testing.T) {
	content := text(t, "docker-compose.yml")
	for _, name := range secrets {
		_, err := load(content, environment(name))
		if err == nil {
			t.Errorf("without %s the stack would start with an empty one", name)
		} else if !strings.Contains(err.Error(), secretsAdvice) {
			t.Errorf("without %s the message does not say what to do: %v", name, err)
		}
	}
	known := strings.Join(secrets, " ")
	for _, name := range found(t, "docker-compose.yml", `\$\{([A-Z_]+)\}`) {
		if !strings.Contains(known, name) {
			t.Errorf("${%s} has neither a default nor a place in .tidemark/secrets.env", name)
		}
	}
	for _, name := range secrets {
		if !strings.Contains(text(t, provisioning+"StackSecrets.java"), `"`+name+`"`) {
			t.Errorf("the lifecycle does not draw %s into .tidemark/secrets.env", name)
		}
	}
}

// The table of the README: default port, and its place above TIDEMARK_PORT_BASE.
func TestReadmeTellsTheLifecyclesPorts(t *testing.T) {
	told := map[string]string{}
	for _, row := range found(t, "README.md", `(?m)^(\|.*\| \d+ \| \d+ \|.*)$`) {
		for _, match := range regexp.MustCompile(`\| (\d+) \| (\d+) \|`).FindAllStringSubmatch(row, -1) {
			told[match[1]] = match[2]
		}
	}
	places := map[string]string{}
	for place, pair := range found(t, lifecycle+"PortPlan.java", portPattern) {
		_, port, _ := strings.Cut(pair, ", ")
		places[port] = strconv.Itoa(place)
	}
	for port, place := range told {
		if places[port] != place {
			t.Errorf("README.md says that port %s becomes base + %s; it becomes base + %q", port, place, places[port])
		}
	}
}

func TestOnlyLoopbackIsPublished(t *testing.T) {
	defaults := map[string]string{}
	for name, port := range ports(t) {
		defaults[port] = name
	}
	for name, one := range composed(t).Services {
		for _, published := range one.Ports {
			if published.HostIP != "127.0.0.1" {
				t.Errorf("%s publishes %s on %q; nothing here speaks TLS", name, published.Published, published.HostIP)
			}
			plan, known := defaults[published.Published]
			if !known {
				t.Errorf("%s publishes %s, which is no default port of the lifecycle", name, published.Published)
				continue
			}
			variable := "TIDEMARK_PORT_" + strings.ToUpper(strings.ReplaceAll(plan, "-", "_"))
			if !regexp.MustCompile(`\$\{` + variable + `:-` + published.Published + `\}`).MatchString(text(t, "docker-compose.yml")) {
				t.Errorf("port %s of %s cannot be moved by %s, as it can locally", published.Published, name, variable)
			}
		}
	}
}
