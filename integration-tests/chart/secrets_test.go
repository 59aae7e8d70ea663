package chart

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// files are the keys of the secret that a container finds, in the order of the alphabet; those that need not exist end in "?".
func files(t *testing.T, pod, container any) []string {
	t.Helper()
	var keys []string
	mounts, _ := dig(container, "volumeMounts").([]any)
	for _, mount := range mounts {
		volume := entry(dig(pod, "volumes"), dig(mount, "name").(string))
		if dig(volume, "secret", "secretName") == "tidemark" {
			t.Errorf("%v mounts the whole secret", dig(container, "name"))
		}
		sources, _ := dig(volume, "projected", "sources").([]any)
		for _, source := range sources {
			if dig(source, "secret", "name") != "tidemark" {
				continue
			}
			if dig(mount, "mountPath") != "/etc/tidemark/secrets" || dig(mount, "readOnly") != true {
				t.Errorf("%v has secrets at %v", dig(container, "name"), mount)
			}
			for _, item := range dig(source, "secret", "items").([]any) {
				key := dig(item, "key").(string)
				if dig(item, "path") != key {
					t.Errorf("%s is the file %v, which is another setting", key, dig(item, "path"))
				}
				if dig(source, "secret", "optional") == true {
					key += "?"
				}
				keys = append(keys, key)
			}
		}
	}
	variables, _ := dig(container, "env").([]any)
	for _, variable := range variables {
		if dig(variable, "valueFrom", "secretKeyRef", "name") == "tidemark" {
			keys = append(keys, dig(variable, "valueFrom", "secretKeyRef", "key").(string))
		}
	}
	slices.Sort(keys)
	return keys
}

// Each role finds what it reads, and nothing that opens what it has no business with.
func TestEveryRoleSeesItsOwnSecrets(t *testing.T) {
	everybody := "TIDEMARK_API_KEY_ACCEPTED_PEPPERS? TIDEMARK_API_KEY_PEPPER TIDEMARK_BOOTSTRAP_SELF_KEY TIDEMARK_POSTGRES_APPLICATION_PASSWORD"
	signsIn := " TIDEMARK_SIGN_IN_ACCEPTED_SECRETS? TIDEMARK_SIGN_IN_SECRET"
	stores := " AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY TIDEMARK_CATALOG_READER_PASSWORD"
	wanted := map[string]string{
		"-ingest":  everybody,
		"-query":   everybody + signsIn + stores,
		"-control": everybody + signsIn + stores + " TIDEMARK_BOOTSTRAP_DEMO_KEY? TIDEMARK_SMTP_PASSWORD?",
		"-notify":  everybody + signsIn + " TIDEMARK_SMTP_PASSWORD?",
		"":         everybody + signsIn + stores + " TIDEMARK_BOOTSTRAP_DEMO_KEY? TIDEMARK_SMTP_PASSWORD?",
	}
	given := func(roles values) values {
		return values{
			"storage":     values{"type": "s3", "s3": values{"keysFromSecret": true}},
			"druid":       values{"security": values{"server": "druid-stores", "client": "druid-client"}},
			"platformApi": values{"roles": roles, "environment": values{"TIDEMARK_SMTP_USER": "tidemark"}},
		}
	}
	roles := values{"ingest": values{}, "query": values{}, "control": values{}, "notify": values{}}
	objects := append(rendered(t, "standard", given(roles)), rendered(t, "standard", given(values{}))...)
	for role, list := range wanted {
		pod := spec(the(t, objects, "Deployment", release+"-platform-api"+role))
		keys := strings.Fields(list)
		slices.Sort(keys)
		if got := files(t, pod, dig(pod, "containers", 0)); !slices.Equal(got, keys) {
			t.Errorf("platform-api%s sees\n%v, not\n%v", role, got, keys)
		}
		// Whoever shows this certificate may do everything in Druid.
		if shows := entry(dig(pod, "volumes"), "druid-client") != nil; shows != strings.Contains(list, "CATALOG_READER") {
			t.Errorf("platform-api%s has the certificate for Druid: %v", role, shows)
		}
		// A mail server's user without its password is a fault of the settings.
		if mails := environment(dig(pod, "containers", 0))["TIDEMARK_SMTP_USER"] != nil; mails != strings.Contains(list, "SMTP") {
			t.Errorf("platform-api%s has the mail server's user: %v", role, mails)
		}
		owner := []string{"TIDEMARK_API_KEY_PEPPER", "TIDEMARK_POSTGRES_APPLICATION_PASSWORD", "TIDEMARK_POSTGRES_PASSWORD"}
		if got := files(t, pod, dig(pod, "initContainers", 0)); !slices.Equal(got, owner) {
			t.Errorf("whoever migrates before platform-api%s sees %v", role, got)
		}
		if len(dig(pod, "containers").([]any)) != 1 || len(dig(pod, "initContainers").([]any)) != 1 {
			t.Errorf("platform-api%s has containers that this test does not look at", role)
		}
	}
}

// How people sign in decides which of its secrets there are.
func TestSecretsOfSignIn(t *testing.T) {
	for signIn, wanted := range map[string]string{
		"off":      "",
		"embedded": "TIDEMARK_SIGN_IN_ACCEPTED_SECRETS? TIDEMARK_SIGN_IN_SECRET",
		"external": "TIDEMARK_OIDC_CLIENT_SECRET TIDEMARK_SIGN_IN_ACCEPTED_SECRETS? TIDEMARK_SIGN_IN_SECRET",
	} {
		roles := values{"ingest": values{}, "query": values{}, "control": values{}, "notify": values{}}
		objects := rendered(t, "standard", values{"platformApi": values{"roles": roles, "signIn": signIn, "oidc": values{"issuer": "https://people.example", "clientId": "tidemark"}}})
		for role := range roles {
			pod := spec(the(t, objects, "Deployment", release+"-platform-api-"+role))
			got, how := []string{}, signIn
			for _, key := range files(t, pod, dig(pod, "containers", 0)) {
				if strings.Contains(key, "SIGN_IN") || strings.Contains(key, "OIDC") {
					got = append(got, key)
				}
			}
			keys := strings.Fields(wanted)
			if role == "ingest" {
				keys, how = []string{}, "off"
			}
			if !slices.Equal(got, keys) {
				t.Errorf("%s of sign-in %s sees %v", role, signIn, got)
			}
			if told := environment(dig(pod, "containers", 0))["TIDEMARK_SIGN_IN"]; told != how {
				t.Errorf("%s of sign-in %s is told %v", role, signIn, told)
			}
		}
	}
}

// The owner of the schema migrates and ends; what serves does not know its password.
func TestMigrationsRunBeforeAnythingServes(t *testing.T) {
	objects := rendered(t, "standard", values{"platformApi": values{"environment": values{"JAVA_TOOL_OPTIONS": "-Xmx1g", "TIDEMARK_SMTP_HOST": "mail.example", "TIDEMARK_DRAIN": "5s"}}})
	pod := spec(the(t, objects, "Deployment", release+"-platform-api"))
	first, serving := dig(pod, "initContainers", 0), dig(pod, "containers", 0)
	before, after := environment(first), environment(serving)
	// The last of a name holds.
	if options := fmt.Sprint(before["JAVA_TOOL_OPTIONS"]); !strings.Contains(options, "-Dspring.context.exit=onRefresh") {
		t.Errorf("it would not end: %s", options)
	}
	if strings.Contains(fmt.Sprint(after["JAVA_TOOL_OPTIONS"]), "exit") || after["SPRING_FLYWAY_ENABLED"] != "false" || before["SPRING_FLYWAY_ENABLED"] != nil {
		t.Errorf("who serves migrates, or ends: %v", after)
	}
	for _, name := range []string{"TIDEMARK_POSTGRES_URL", "TIDEMARK_POSTGRES_USER", "TIDEMARK_DRAIN"} {
		if before[name] == nil || before[name] != after[name] {
			t.Errorf("%s is %v, then %v", name, before[name], after[name])
		}
	}
	// A mail server's user without its password would be a fault of the settings.
	if before["TIDEMARK_SMTP_HOST"] != nil || after["TIDEMARK_SMTP_HOST"] != "mail.example" {
		t.Error("mail is not for who sends it")
	}
	if dig(first, "image") != dig(serving, "image") || dig(first, "securityContext", "allowPrivilegeEscalation") != false || dig(first, "resources", "limits", "memory") == nil {
		t.Errorf("migrations run as %v", first)
	}
}
