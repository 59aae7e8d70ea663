package chart

import (
	"fmt"
	"maps"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chartutil"
)

// limited are values whose pods reach what they need alone.
func limited(over values) values {
	return chartutil.CoalesceTables(over, values{"networkPolicies": values{"egress": values{"enabled": true}}})
}

// elsewhere has everything that can lie outside at an address of its own, and rules that name that address alone.
func elsewhere(over values) values {
	at := func(cidr string) []any { return []any{values{"ipBlock": values{"cidr": cidr}}} }
	return limited(chartutil.CoalesceTables(over, values{
		"postgres":  values{"host": "10.1.0.7"},
		"kafka":     values{"mode": "external", "external": values{"bootstrapServers": "10.2.0.7:9092,10.2.0.8:19092"}},
		"zookeeper": values{"external": "10.3.0.7:2181"},
		"storage":   values{"s3": values{"endpoint": "http://10.4.0.7:9000"}},
		"lake": values{"fileIo": "gcs.service.host=http://10.4.0.8:4443",
			"catalog": values{"uri": "https://10.5.0.7:8181/api", "writer": "w", "reader": "r", "properties": "oauth2-server-uri=http://10.5.0.8/token,scope=all"}},
		"platformApi": values{"signIn": "external", "oidc": values{"issuer": "https://10.6.0.7/people", "clientId": "tidemark"}, "selfTelemetryUrl": "https://10.8.0.7:4318/v1/metrics",
			"environment": values{"TIDEMARK_SMTP_HOST": "10.7.0.7", "TIDEMARK_SMTP_PORT": "2525", "TIDEMARK_TRACES_ENDPOINT": "http://10.8.0.8:4317"}},
		"networkPolicies": values{"egress": values{"to": values{"postgres": at("10.1.0.0/16"), "kafka": at("10.2.0.0/16"), "zookeeper": at("10.3.0.0/16"), "storage": at("10.4.0.0/16"),
			"catalog": at("10.5.0.0/16"), "signIn": at("10.6.0.0/16"), "mail": at("10.7.0.0/16"), "telemetry": at("10.8.0.0/16"), "kubernetes": at("10.96.0.1/32")}}},
	}))
}

var apart = values{"ingest": values{}, "query": values{}, "control": values{}, "notify": values{}}

// workload is an object that pods are made of.
type workload struct {
	name   string
	labels values
	object object
}

// workloads of the chart, with the labels that their pods have.
func workloads(objects []object) []workload {
	var all []workload
	for _, one := range objects {
		if spec(one) == nil {
			continue
		}
		labels := values{}
		if one.kind() == "FlinkDeployment" {
			maps.Copy(labels, dig(one, "spec", "podTemplate", "metadata", "labels").(values))
			maps.Copy(labels, values{"app": one.name(), "type": "flink-native-kubernetes"})
		} else {
			maps.Copy(labels, dig(one, "spec", "template", "metadata", "labels").(values))
		}
		name := strings.TrimPrefix(one.name(), release+"-")
		if one.kind() == "Job" {
			name = one.component()
		}
		all = append(all, workload{name, labels, one})
	}
	return all
}

// selects says whether a label selector takes these labels.
func selects(selector any, labels values) bool {
	wanted, _ := dig(selector, "matchLabels").(values)
	for key, value := range wanted {
		if labels[key] != value {
			return false
		}
	}
	expressions, _ := dig(selector, "matchExpressions").([]any)
	for _, one := range expressions {
		if dig(one, "operator") != "In" || !slices.Contains(dig(one, "values").([]any), labels[dig(one, "key").(string)]) {
			return false
		}
	}
	return true
}

// destination is where a pod connects to: pods of the cluster by their labels, or a host that the chart does not run.
type destination struct {
	host string
	port int
	pods values
}

func (d destination) String() string { return fmt.Sprintf("%s:%d", d.host, d.port) }

// takes says whether a rule's ports and peers, those under the key, have a destination or a source in them.
func takes(rule any, key string, end destination) bool {
	if ports, limited := dig(rule, "ports").([]any); limited && !slices.ContainsFunc(ports, func(one any) bool {
		return dig(one, "port") == end.port && dig(one, "protocol") != "UDP"
	}) {
		return false
	}
	peers, limited := dig(rule, key).([]any)
	return !limited || slices.ContainsFunc(peers, func(peer any) bool {
		if block := dig(peer, "ipBlock"); block != nil {
			address, err := netip.ParseAddr(end.host)
			within := func(cidr any) bool { return err == nil && netip.MustParsePrefix(cidr.(string)).Contains(address) }
			except, _ := dig(block, "except").([]any)
			return within(dig(block, "cidr")) && !slices.ContainsFunc(except, within)
		}
		return end.pods != nil && dig(peer, "namespaceSelector") == nil && selects(dig(peer, "podSelector"), end.pods)
	})
}

// policies that select a pod and limit what comes in ("ingress") or goes out ("egress").
func policies(objects []object, direction string, labels values) []object {
	var found []object
	for _, one := range of(objects, "NetworkPolicy") {
		types := fmt.Sprint(dig(one, "spec", "policyTypes"))
		if strings.EqualFold(types, "["+direction+"]") && selects(dig(one, "spec", "podSelector"), labels) {
			found = append(found, one)
		}
	}
	return found
}

func allowed(objects []object, direction, key string, labels values, end destination) bool {
	for _, policy := range policies(objects, direction, labels) {
		rules, _ := dig(policy, "spec", direction).([]any)
		if slices.ContainsFunc(rules, func(rule any) bool { return takes(rule, key, end) }) {
			return true
		}
	}
	return false
}

// kafkaPods are the labels that the Strimzi operator gives a broker.
var kafkaPods = values{"strimzi.io/cluster": release + "-kafka", "strimzi.io/kind": "Kafka", "strimzi.io/name": release + "-kafka-kafka"}

var (
	url    = regexp.MustCompile(`(jdbc:postgresql|https?)://([^/:?\s",]+)(?::(\d+))?`)
	server = regexp.MustCompile(`([a-z0-9][a-z0-9.-]*):(\d{2,5})(?::(\d{2,5}))?\b`)
	store  = regexp.MustCompile(`\b(s3|gs|abfss)://`)
)

// links are settings whose address is for people and clients: nobody connects to it.
var links = regexp.MustCompile(`^TIDEMARK_(PUBLIC_|RUNBOOKS_URL|KAFKA_DOOR_ADVERTISED)`)

// unasked are addresses that a process is given and does not connect to: who migrates, takes points or brings messages asks no Druid and
// finds no certificate for it; the provider of sign-in is asked where people sign in; jobs, and not provisioning, read the first region's Kafka, and
// of them the lake job alone opens tables.
var unasked = regexp.MustCompile(`^(platform-api-(ingest|notify)(/migrate)? TIDEMARK_DRUID|platform-api.*/migrate TIDEMARK_(DRUID|TRACES|OIDC)|platform-api-(query|notify) TIDEMARK_OIDC_ISSUER` +
	`|provision TIDEMARK_SOURCE_KAFKA|flink-(rollup|alert|usage) TIDEMARK_LAKE_)`)

// destinations are the addresses in everything that a pod is started with, by what names them.
func destinations(t *testing.T, objects []object, one workload) map[string][]destination {
	t.Helper()
	told := map[string]string{}
	tell := func(who string, container any) {
		variables := environment(container)
		for name, value := range variables {
			if text, is := value.(string); is {
				told[who+" "+name] = text
			}
			if prefix, is := strings.CutSuffix(name, "_SMTP_HOST"); is {
				told[who+" "+name] = fmt.Sprintf("%v:%v", value, variables[prefix+"_SMTP_PORT"])
			}
		}
		for _, part := range []string{"command", "args"} {
			list, _ := dig(container, part).([]any)
			told[who+" "+part] = strings.Trim(fmt.Sprint(list), "[]")
		}
	}
	pod := spec(one.object)
	tell(one.name, dig(pod, "containers", 0))
	first, _ := dig(pod, "initContainers").([]any)
	for _, container := range first {
		tell(one.name+"/"+dig(container, "name").(string), container)
	}
	if one.object.kind() == "FlinkDeployment" {
		told[one.name+" job"] = fmt.Sprint(dig(one.object, "spec", "job", "args"))
		for key, value := range dig(one.object, "spec", "flinkConfiguration").(values) {
			told[one.name+" "+key] = value.(string)
		}
	}
	_, endpoint := told[one.name+" TIDEMARK_S3_ENDPOINT"]
	found := map[string][]destination{}
	for what, text := range told {
		name := what[strings.LastIndex(what, " ")+1:]
		if links.MatchString(name) || unasked.MatchString(what) {
			continue
		}
		add := func(host, port string) {
			if host == "127.0.0.1" || host == "0.0.0.0" || host == "localhost" {
				return
			}
			found[what] = append(found[what], located(t, objects, host, int(number(t, port))))
		}
		for _, match := range url.FindAllStringSubmatch(text, -1) {
			port := match[3]
			if port == "" {
				port = map[string]string{"jdbc:postgresql": "5432", "https": "443", "http": "80"}[match[1]]
			}
			add(match[2], port)
		}
		for _, match := range store.FindAllStringSubmatch(text, -1) {
			if match[1] != "s3" || !endpoint {
				add(match[1], "443")
			}
		}
		for _, match := range server.FindAllStringSubmatch(url.ReplaceAllString(text, ""), -1) {
			add(match[1], match[2])
			if match[3] != "" {
				add(match[1], match[3])
			}
		}
	}
	return found
}

// located finds the pods behind a service of the chart, or of the operator; a host that neither has lies outside.
func located(t *testing.T, objects []object, host string, port int) destination {
	t.Helper()
	if host == release+"-kafka-kafka-bootstrap" {
		return destination{host, port, kafkaPods}
	}
	labels := strings.Split(host, ".")
	for _, service := range of(objects, "Service") {
		if service.name() == host || len(labels) == 2 && service.name() == labels[1] {
			pods := dig(service, "spec", "selector").(values)
			for _, one := range workloads(objects) {
				if selects(values{"matchLabels": pods}, one.labels) {
					return destination{host, port, one.labels}
				}
			}
		}
	}
	if strings.HasPrefix(host, release+"-") {
		t.Errorf("%s is a name of this release, and no service has it", host)
	}
	return destination{host, port, nil}
}

// unreachable are the addresses of a workload that no rule lets it reach.
func unreachable(t *testing.T, objects []object, one workload) []string {
	t.Helper()
	var missed []string
	for what, ends := range destinations(t, objects, one) {
		for _, end := range ends {
			if !allowed(objects, "egress", "to", one.labels, end) {
				missed = append(missed, fmt.Sprint(what, " at ", end))
			}
		}
	}
	slices.Sort(missed)
	return missed
}

// Whatever a pod is told to connect to, a rule lets it; and if the other end is a pod of the chart, that one lets it in.
func TestEveryAddressOfAPodIsReachable(t *testing.T) {
	for what, over := range map[string]values{
		"everything as it comes": limited(nil),
		"roles apart": limited(values{"platformApi": values{"roles": apart, "signIn": "external", "oidc": values{"issuer": "https://people.example:8443", "clientId": "tidemark"},
			"environment": values{"TIDEMARK_SMTP_HOST": "mail.example", "TIDEMARK_SMTP_PORT": "465", "TIDEMARK_TRACES_ENDPOINT": "http://collector.example:4317"}},
			"networkPolicies": values{"clients": []any{values{"namespaceSelector": values{"matchLabels": values{"kubernetes.io/metadata.name": "ingress"}}}}}}),
		"elsewhere":                   elsewhere(nil),
		"elsewhere, with roles apart": elsewhere(values{"platformApi": values{"roles": apart}}),
		"a second region":             second(limited(nil)),
		"a second region elsewhere": elsewhere(values{"region": values{"name": "west", "sourceKafka": "10.2.9.7:9094", "controlPlane": values{"host": "10.1.9.7", "port": 6432, "ca": values{"configMap": "east-ca"}}},
			"lake": values{"catalog": values{"uri": "", "writer": "", "reader": "", "properties": ""}}}),
		"a shared volume, the lake in Google's store": limited(values{"storage": values{"type": "filesystem", "filesystem": values{"claim": "tidemark"}}, "lake": values{"warehouse": "gs://tidemark-lake/warehouse"}}),
		"engines that ask who comes":                  limited(values{"kafka": values{"security": values{"clients": "c", "passwords": "p"}}, "druid": values{"security": values{"server": "s", "client": "c"}}}),
	} {
		objects := rendered(t, "standard", over)
		checked := 0
		for _, one := range workloads(objects) {
			if len(policies(objects, "egress", one.labels)) != 1 {
				t.Errorf("%s: %s has %d policies for what goes out", what, one.name, len(policies(objects, "egress", one.labels)))
			}
			for _, missed := range unreachable(t, objects, one) {
				t.Errorf("%s: no rule lets %s", what, missed)
			}
			for _, ends := range destinations(t, objects, one) {
				for _, end := range ends {
					checked++
					source := destination{port: end.port, pods: one.labels}
					if end.pods != nil && end.pods["strimzi.io/kind"] == nil && !allowed(objects, "ingress", "from", end.pods, source) {
						t.Errorf("%s: %s does not let %s in", what, end, one.name)
					}
				}
			}
		}
		if checked < 40 {
			t.Errorf("%s: only %d addresses were found", what, checked)
		}
	}
}

// Each rule is there for an address: without it one is not reached. Rules that no address explains are named below.
func TestNoRuleIsTooMany(t *testing.T) {
	for what, over := range map[string]values{
		"one process":     elsewhere(nil),
		"roles apart":     elsewhere(values{"platformApi": values{"roles": apart}}),
		"a second region": elsewhere(values{"region": values{"name": "west", "sourceKafka": "10.2.9.7:9094", "controlPlane": values{"host": "10.1.9.7", "port": 6432, "ca": values{"configMap": "east-ca"}}}}),
	} {
		objects := rendered(t, "standard", over)
		explained := 0
		for _, one := range workloads(objects) {
			policy := policies(objects, "egress", one.labels)[0]
			rules := dig(policy, "spec", "egress").([]any)
			for i, rule := range rules {
				shown := summary(rule)
				dig(policy, "spec").(values)["egress"] = slices.Delete(slices.Clone(rules), i, i+1)
				missed := unreachable(t, objects, one)
				dig(policy, "spec").(values)["egress"] = rules
				if len(missed) > 0 {
					explained++
					continue
				}
				switch {
				case strings.HasPrefix(shown, "kube-system"):
				case strings.HasPrefix(one.name, "flink-") && (shown == "10.96.0.1/32: 443 6443" || shown == one.object.name()+": all"):
				case strings.HasPrefix(one.name, "druid-") && strings.HasPrefix(shown, "druid-coordinator|"):
				// Supervisors' specs, which provisioning hands over, have its address.
				case (one.name == "druid-coordinator" || one.name == "druid-indexer") && shown == "10.2.0.0/16: 9092 19092":
				// The coordinator names the broker that is asked about placements.
				case one.name == "provision" && shown == "druid-broker: 18082":
				case slices.Contains([]string{"platform-api", "platform-api-control", "platform-api-notify"}, one.name) && strings.HasPrefix(shown, "0.0.0.0/0-10.0.0.0/8"):
				default:
					t.Errorf("%s: %s may reach %s, and has no address there", what, one.name, shown)
				}
			}
		}
		if explained < 25 {
			t.Errorf("%s: only %d rules have an address", what, explained)
		}
	}
}

// summary is a rule in a line: peers, then ports.
func summary(rule any) string {
	var peers, ports []string
	list, _ := dig(rule, "to").([]any)
	for _, peer := range list {
		switch block := dig(peer, "ipBlock"); {
		case block != nil:
			shown := fmt.Sprint(dig(block, "cidr"))
			except, _ := dig(block, "except").([]any)
			for _, one := range except {
				shown += fmt.Sprint("-", one)
			}
			peers = append(peers, shown)
		case dig(peer, "namespaceSelector") != nil:
			peers = append(peers, fmt.Sprint(dig(peer, "namespaceSelector", "matchLabels", "kubernetes.io/metadata.name"), "/", dig(peer, "podSelector", "matchLabels", "k8s-app")))
		default:
			labels, _ := dig(peer, "podSelector", "matchLabels").(values)
			expressions, _ := dig(peer, "podSelector", "matchExpressions").([]any)
			for _, expression := range expressions {
				for _, one := range dig(expression, "values").([]any) {
					peers = append(peers, fmt.Sprint(one))
				}
				peers = []string{strings.Join(peers, "|")}
			}
			for _, key := range []string{"app", "strimzi.io/name", "tidemark.io/role", "app.kubernetes.io/component"} {
				if labels[key] != nil {
					peers = append(peers, fmt.Sprint(labels[key]))
					break
				}
			}
		}
	}
	if list == nil {
		peers = []string{"anywhere"}
	}
	open, _ := dig(rule, "ports").([]any)
	for _, one := range open {
		if dig(one, "protocol") == "TCP" {
			ports = append(ports, fmt.Sprint(dig(one, "port")))
		}
	}
	if open == nil {
		ports = []string{"all"}
	}
	return strings.Join(peers, " ") + ": " + strings.Join(ports, " ")
}

// What each pod may reach, all of it.
func TestPodsReachWhatTheyNeedAlone(t *testing.T) {
	const (
		names     = "kube-system/kube-dns: 53"
		kafka     = release + "-kafka-kafka: 9092"
		postgres  = "anywhere: 5432"
		https     = "anywhere: 443"
		zookeeper = "zookeeper: 12181"
		druid     = "druid-coordinator|druid-broker|druid-historical|druid-historical-hot|druid-indexer|druid-indexer-batch: 18081 18082 18083 18084 18091 18092"
		cluster   = "anywhere: 443 6443"
		world     = "0.0.0.0/0-10.0.0.0/8-100.64.0.0/10-127.0.0.0/8-169.254.0.0/16-172.16.0.0/12-192.168.0.0/16 ::/0-fc00::/7-fe80::/10: all"
		doors     = "druid-coordinator: 18081, druid-broker: 18082"
		points    = "ingest: 4318"
	)
	job := func(name string, more ...string) string {
		return strings.Join(slices.Concat([]string{names, cluster, kafka}, more, []string{release + "-flink-" + name + ": all"}), ", ")
	}
	stores := strings.Join([]string{names, druid, zookeeper, postgres, https}, ", ")
	wanted := map[string]string{
		"druid-coordinator":    stores + ", " + kafka,
		"druid-broker":         stores,
		"druid-historical":     stores,
		"druid-historical-hot": stores,
		"druid-indexer":        stores + ", " + kafka,
		"druid-indexer-batch":  stores,
		"zookeeper":            names + ", zookeeper: 12888 13888",
		"flink-rollup":         job("rollup", https),
		"flink-lake":           job("lake", https, postgres),
		"flink-alert":          job("alert", https),
		"flink-usage":          job("usage", https),
		"platform-api-ingest":  strings.Join([]string{names, postgres, kafka, points}, ", "),
		"platform-api-query":   strings.Join([]string{names, postgres, kafka, doors, https, points}, ", "),
		"platform-api-control": strings.Join([]string{names, postgres, kafka, doors, https, world, points}, ", "),
		"platform-api-notify":  strings.Join([]string{names, postgres, kafka, world, points}, ", "),
		"provision":            strings.Join([]string{names, kafka, doors, https, postgres}, ", "),
	}
	objects := rendered(t, "standard", limited(values{"platformApi": values{"roles": apart}}))
	for _, one := range workloads(objects) {
		var got []string
		for _, policy := range policies(objects, "egress", one.labels) {
			for _, rule := range dig(policy, "spec", "egress").([]any) {
				got = append(got, summary(rule))
			}
		}
		if shown := strings.Join(got, ", "); shown != wanted[one.name] {
			t.Errorf("%s may reach\n%s, not\n%s", one.name, shown, wanted[one.name])
		}
		delete(wanted, one.name)
	}
	if len(wanted) > 0 {
		t.Errorf("not there are %v", slices.Sorted(maps.Keys(wanted)))
	}
}

// Processes of Druid find each other, and who reads Kafka is let in by it.
func TestDruidsPoliciesAgree(t *testing.T) {
	objects := rendered(t, "standard", limited(nil))
	peers := dig(the(t, objects, "Kafka", release+"-kafka"), "spec", "kafka", "listeners", 0, "networkPolicyPeers").([]any)
	pairs := 0
	for _, one := range workloads(objects) {
		broker := destination{"kafka", 9092, kafkaPods}
		isLetIn := slices.ContainsFunc(peers, func(peer any) bool { return selects(dig(peer, "podSelector"), one.labels) })
		if goes := allowed(objects, "egress", "to", one.labels, broker); goes != isLetIn {
			t.Errorf("%s reaches Kafka: %v; Kafka lets it in: %v", one.name, goes, isLetIn)
		}
		for _, service := range of(objects, "Service") {
			if !strings.HasPrefix(one.name, "druid-") || !strings.HasPrefix(service.component(), "druid-") {
				continue
			}
			pairs++
			port := int(number(t, dig(service, "spec", "ports", 0, "port")))
			end := located(t, objects, service.name(), port)
			if !allowed(objects, "egress", "to", one.labels, end) || !allowed(objects, "ingress", "from", end.pods, destination{port: port, pods: one.labels}) {
				t.Errorf("%s does not reach %s", one.name, service.name())
			}
		}
	}
	if pairs != 36 {
		t.Errorf("%d pairs of Druid's processes", pairs)
	}
}

// Nobody is cut off by an upgrade, whoever adds rules has them, and what has no effect is refused.
func TestEgressIsLimitedWhereItIsAsked(t *testing.T) {
	for _, one := range of(rendered(t, "standard", nil), "NetworkPolicy") {
		if strings.Contains(fmt.Sprint(dig(one, "spec", "policyTypes")), "Egress") {
			t.Errorf("%s limits what goes out unasked", one.name())
		}
	}
	further := values{}
	for _, component := range []string{"platformApi", "flink", "druid", "zookeeper", "provision"} {
		further[component] = []any{values{"to": []any{values{"ipBlock": values{"cidr": "169.254.170.23/32"}}}, "ports": []any{values{"protocol": "TCP", "port": 80}}}}
	}
	objects := rendered(t, "standard", limited(values{"networkPolicies": values{"egress": values{"further": further, "dns": values{"to": []any{values{"ipBlock": values{"cidr": "169.254.20.10/32"}}}, "port": 5353}}}}))
	for _, one := range workloads(objects) {
		for _, end := range []destination{{"169.254.170.23", 80, nil}, {"169.254.20.10", 5353, nil}} {
			if !allowed(objects, "egress", "to", one.labels, end) {
				t.Errorf("%s does not reach %s", one.name, end)
			}
		}
	}
	for notes, over := range map[string]values{"Pods may reach everything": nil, "": limited(nil)} {
		files, err := template(loaded(t), over)
		if err != nil {
			t.Fatal(err)
		}
		if told := strings.Contains(files["tidemark/templates/NOTES.txt"], "Pods may reach everything"); told != (notes != "") {
			t.Errorf("the notes tell of open doors: %v", told)
		}
	}
	if _, err := template(loaded(t), limited(values{"networkPolicies": values{"enabled": false}})); err == nil || !strings.Contains(err.Error(), "networkPolicies.egress.enabled is true, but networkPolicies.enabled is not") {
		t.Errorf("limits without policies: %v", err)
	}
}
