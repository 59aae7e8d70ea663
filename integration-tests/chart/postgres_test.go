package chart

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// spec is the pod of an object, and of a job the one that the Flink operator makes its pods of.
func spec(o object) any {
	if o.kind() == "FlinkDeployment" {
		return dig(o, "spec", "podTemplate", "spec")
	}
	return dig(o, "spec", "template", "spec")
}

// addressed are the JDBC addresses that each pod is started with, by the name of its object.
func addressed(objects []object) map[string][]string {
	address := regexp.MustCompile(`jdbc:postgresql:[^ \]\n]+`)
	found := map[string][]string{}
	for _, one := range objects {
		if pod := spec(one); pod != nil {
			started := fmt.Sprintln(dig(pod, "initContainers"), words(dig(pod, "containers", 0)), dig(one, "spec", "job", "args"))
			found[one.name()] = address.FindAllString(started, -1)
		}
	}
	return found
}

// Whoever connects to PostgreSQL finds the file that its address names, and nobody else has it.
func TestPostgresIsKnownByItsAuthority(t *testing.T) {
	roles := values{"ingest": values{}, "query": values{}, "control": values{}, "notify": values{}}
	for kind, over := range map[string]values{
		"configMap": {"postgres": values{"ca": values{"configMap": "authorities", "key": "bundle.pem"}}},
		"secret":    {"postgres": values{"ca": values{"configMap": "", "secret": "authorities", "key": "bundle.pem"}}, "platformApi": values{"roles": roles}},
	} {
		objects := rendered(t, "standard", over)
		connecting := 0
		for name, addresses := range addressed(objects) {
			one := any(nil)
			for _, candidate := range objects {
				if candidate.name() == name && spec(candidate) != nil {
					one = spec(candidate)
				}
			}
			mount, volume := entry(dig(one, "containers", 0, "volumeMounts"), "postgres-ca"), entry(dig(one, "volumes"), "postgres-ca")
			if len(addresses) == 0 {
				if mount != nil || volume != nil {
					t.Errorf("%s: %s has the authority of a server that it does not ask", kind, name)
				}
				continue
			}
			connecting++
			for _, address := range addresses {
				if !strings.HasSuffix(address, "?sslmode=verify-full&sslrootcert=/etc/tidemark-postgres/bundle.pem") {
					t.Errorf("%s: %s asks %s", kind, name, address)
				}
			}
			if dig(mount, "mountPath") != "/etc/tidemark-postgres" || dig(mount, "readOnly") != true {
				t.Errorf("%s: %s has the mount %v", kind, name, mount)
			}
			source, named := dig(volume, kind), map[string]string{"configMap": "name", "secret": "secretName"}[kind]
			if dig(source, named) != "authorities" || dig(source, "items", 0, "key") != "bundle.pem" || dig(source, "items", 0, "path") != "bundle.pem" {
				t.Errorf("%s: %s has the volume %v", kind, name, volume)
			}
		}
		// platform-api or its four roles, six of Druid, provisioning, the lake job.
		if wanted := map[string]int{"configMap": 9, "secret": 12}[kind]; connecting != wanted {
			t.Errorf("%s: %d kinds of pods connect to PostgreSQL, not %d", kind, connecting, wanted)
		}
	}
}

// A REST catalog has no file of PostgreSQL's: the lake job does not ask PostgreSQL then.
func TestOnlyWhoConnectsHasTheAuthority(t *testing.T) {
	lake := the(t, rendered(t, "standard", values{"lake": values{"catalog": values{"uri": "https://catalog.example", "writer": "w", "reader": "r"}}}), "FlinkDeployment", release+"-flink-lake")
	if entry(dig(spec(lake), "volumes"), "postgres-ca") != nil {
		t.Error("the lake job has the authority of a server that it does not ask")
	}
}

// Authorities that Java trusts need no file, and a mode that checks nothing needs none.
func TestPostgresWithoutAFile(t *testing.T) {
	for ending, postgres := range map[string]values{
		"?sslmode=verify-full&sslfactory=org.postgresql.ssl.DefaultJavaSSLFactory": {"ca": values{"configMap": "", "publicAuthorities": true}},
		"?sslmode=verify-ca&sslfactory=org.postgresql.ssl.DefaultJavaSSLFactory":   {"sslMode": "verify-ca", "ca": values{"configMap": "", "publicAuthorities": true}},
		"?sslmode=require": {"sslMode": "require", "ca": values{"configMap": ""}},
		"?sslmode=disable": {"sslMode": "disable", "ca": values{"configMap": ""}},
	} {
		objects := rendered(t, "small", values{"postgres": postgres})
		all := slices.Concat(slices.Collect(maps.Values(addressed(objects)))...)
		if len(all) < 9 {
			t.Errorf("%d addresses", len(all))
		}
		for _, address := range all {
			if !strings.HasSuffix(address, ending) {
				t.Errorf("asked is %s, not %s", address, ending)
			}
		}
		if strings.Contains(fmt.Sprint(objects), "postgres-ca") {
			t.Errorf("%s: a file is mounted that nothing names", ending)
		}
	}
}

// The driver would fail at its first connection with the name of a folder that no image has; the chart says what to do before.
func TestPostgresNeedsOneAuthority(t *testing.T) {
	for because, postgres := range map[string]values{
		"0 do. Put the authority's PEM file under the key ca.crt": {"ca": values{"configMap": ""}},
		"sslMode is verify-ca": {"sslMode": "verify-ca", "ca": values{"configMap": ""}},
		"2 do.":                {"ca": values{"secret": "also"}},
		"3 do.":                {"ca": values{"secret": "also", "publicAuthorities": true}},
		"postgres.ca.configMap is given, but postgres.sslMode require checks no certificate": {"sslMode": "require"},
		"does not match pattern": {"ca": values{"key": "../ca.crt"}},
	} {
		if _, err := template(loaded(t), values{"postgres": postgres}); err == nil || !strings.Contains(err.Error(), because) {
			t.Errorf("not refused for %q: %v", because, err)
		}
	}
}

// entry of a list by its name; nil when there is none.
func entry(list any, name string) any {
	entries, _ := list.([]any)
	for _, one := range entries {
		if dig(one, "name") == name {
			return one
		}
	}
	return nil
}
