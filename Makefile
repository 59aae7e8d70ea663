# Every verb of the project. `make help` lists them; what continuous integration runs, you can run.
SHELL := /bin/sh
.DEFAULT_GOAL := help

ROOT := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))
HOME_DIRECTORY := $(ROOT)/.tidemark
ENGINES := $(HOME_DIRECTORY)/engines
ENGINE_POMS := $(wildcard $(ROOT)/infra/engines/pom.xml $(ROOT)/infra/engines/*/pom.xml)
JAVA := $(if $(JAVA_HOME),$(JAVA_HOME)/bin/)java
MAVEN := mvn -q -B
STACK := $(JAVA) -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dtidemark.root=$(ROOT) -jar $(ROOT)/integration-tests/stack/target/stack.jar
CHECK := $(ROOT)/integration-tests/stack/check-prerequisites.sh

# What is built, and the sources that make it out of date.
STACK_JAR := $(ROOT)/integration-tests/stack/target/stack.jar
PROVISION_JAR := $(ROOT)/infra/provision/target/provision.jar
DRUID_ENCRYPTION_JAR := $(ROOT)/infra/druid-encryption/target/druid-encryption.jar
API_JAR := $(ROOT)/platform-api/app/target/platform-api.jar
SIZING_JAR := $(ROOT)/infra/sizing/target/sizing.jar
SIZING_FILES := $(wildcard $(ROOT)/infra/sizing/*.yaml) $(ROOT)/infra/flink/config.yaml
ROLLUP_JAR := $(ROOT)/flink-jobs/rollup-job/target/rollup-job.jar
DEAD_LETTER_REPLAY_JAR := $(ROOT)/flink-jobs/dead-letter-replay/target/replay-dead-letters.jar
ALERT_JAR := $(ROOT)/flink-jobs/alert-job/target/alert-job.jar
LAKE_JAR := $(ROOT)/flink-jobs/lake-job/target/lake-job.jar
REPLAY_JAR := $(ROOT)/flink-jobs/replay-job/target/replay-job.jar
USAGE_JAR := $(ROOT)/flink-jobs/usage-job/target/usage-job.jar
JOB_JARS := $(ROLLUP_JAR) $(USAGE_JAR) $(LAKE_JAR) $(dir $(LAKE_JAR))lake-tables.jar $(ALERT_JAR) $(REPLAY_JAR) $(DEAD_LETTER_REPLAY_JAR)
CONSOLE := $(ROOT)/web-console/dist/index.html
sources = $(shell find $(addprefix $(ROOT)/,$(1)) -type f \( -path '*/src/main/*' -o -name pom.xml -o -path '*/contracts/*' \) -not -path '*/target/*' 2>/dev/null)

.PHONY: help
help: ## List the verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-22s %s\n", $$1, $$2 }' $(ROOT)/Makefile

.PHONY: prerequisites
prerequisites:
	@$(CHECK) jdk maven node npm memory disk

.PHONY: up
up: prerequisites build engines ## Build, start and provision the whole stack; again: repair or do nothing
	@$(STACK) up

.PHONY: down
down: $(STACK_JAR) ## Stop the stack; its data stays
	@$(STACK) down

.PHONY: clean
clean: $(STACK_JAR) ## Stop the stack and remove its data (asks first unless FORCE=1)
	@if [ "$(FORCE)" != "1" ]; then \
	  printf 'Remove all data, logs and keys of the stack in %s? [y/N] ' "$${TIDEMARK_HOME:-$(HOME_DIRECTORY)}"; \
	  read -r answer; [ "$$answer" = y ] || { echo "Nothing was removed."; exit 1; }; \
	fi
	@$(STACK) clean

.PHONY: status
status: $(STACK_JAR) ## One line per component: state, port, memory, since
	@$(STACK) status || true

.PHONY: logs
logs: $(STACK_JAR) ## Follow a component's log: make logs C=kafka
	@if [ -z "$(C)" ]; then echo "Name a component: make logs C=kafka"; $(STACK) status; exit 1; fi
	@tail -n 200 -F "$$($(STACK) logs $(C))"

.PHONY: stack-report
stack-report: $(STACK_JAR) ## Memory per component, and how long the last start took
	@$(STACK) report

.PHONY: lake-shell
lake-shell: ## A Python prompt on the tables of the running stack's lake
	@stack="$${TIDEMARK_HOME:-$(HOME_DIRECTORY)}/stack.env"; \
	  [ -f "$$stack" ] || { echo "No stack has run here; make up starts one."; exit 1; }; \
	  python=$$($(ROOT)/integration-tests/lake/prepare.sh $(HOME_DIRECTORY)/python/lake) || exit 1; \
	  set -a; . "$$stack"; \
	  TIDEMARK_CATALOG_USER=$$TIDEMARK_POSTGRES_USER; TIDEMARK_CATALOG_PASSWORD=$$TIDEMARK_POSTGRES_PASSWORD; set +a; \
	  exec "$$python" -i $(ROOT)/integration-tests/lake/lake_shell.py

.PHONY: replay
replay: build engines ## Roll up raw points again and compare with the live rows: make replay TENANT= FROM= TO= (fails if they differ)
	@$(STACK) replay $(TENANT) $(FROM) $(TO)

.PHONY: verify-audit
verify-audit: $(STACK_JAR) $(API_JAR) ## Compute every hash of every organisation's audit log anew; names the first broken link
	@$(STACK) verify-audit

.PHONY: follow-restored-database
follow-restored-database: $(STACK_JAR) ## After PostgreSQL was restored to an earlier moment: lake and topics fit it again: make follow-restored-database TIME=2026-03-01T12:00:00Z
	@$(STACK) follow-restored-database $(TIME)

.PHONY: rebuild-druid
rebuild-druid: $(STACK_JAR) $(JOB_JARS) ## Empty Druid and fill it from the lake, while points are taken
	@$(STACK) rebuild-druid

.PHONY: rotate
rotate: $(STACK_JAR) ## Draw a secret of the stack anew and bring it into force: make rotate SECRET=application-password
	@$(STACK) rotate $(SECRET)
	@$(MAKE) --no-print-directory up

.PHONY: engines
engines: $(ENGINES)/fetched ## Fetch the engines from the package registries
$(ENGINES)/fetched: $(ENGINE_POMS)
	@echo "Fetching the engines (once; about 400 MB) ..."
	@mkdir -p $(ENGINES)
	@$(MAVEN) -f $(ROOT)/infra/engines/pom.xml validate -Dengines.directory=$(ENGINES)
	@touch $@

OBJECT_STORE := $(HOME_DIRECTORY)/tools/versitygw
$(OBJECT_STORE):
	@$(CHECK) go
	@echo "Building the object store, Versity's gateway 1.8, from its Go module (once; two minutes) ..."
	@GOBIN=$(HOME_DIRECTORY)/tools go install github.com/versity/versitygw/cmd/versitygw@v1.8.0
.PHONY: object-store
object-store: $(OBJECT_STORE) ## Build the object store that TIDEMARK_STORAGE=s3 make up runs on (fetches Go modules)

GOOGLE_STORE := $(HOME_DIRECTORY)/tools/fake-gcs-server
GOOGLE_STORE_JARS := $(HOME_DIRECTORY)/tools/google-store
ICEBERG_VERSION = $(shell sed -n 's/.*<iceberg.version>\(.*\)<.*/\1/p' $(ROOT)/flink-jobs/pom.xml)
$(GOOGLE_STORE):
	@$(CHECK) go
	@echo "Building a store that speaks as Google's, fake-gcs-server 1.52, from its Go module (once; a minute) ..."
	@GOBIN=$(HOME_DIRECTORY)/tools go install github.com/fsouza/fake-gcs-server@v1.52.3
$(GOOGLE_STORE_JARS): $(ROOT)/flink-jobs/pom.xml
	@$(CHECK) jdk maven
	@echo "Fetching what Iceberg needs for Google's store (once; 65 MB) ..."
	@for jar in iceberg-gcp iceberg-gcp-bundle; do \
	  $(MAVEN) org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy -Dartifact=org.apache.iceberg:$$jar:$(ICEBERG_VERSION) \
	    -DoutputDirectory=$@.part || exit 1; done
	@rm -rf $@ && mv $@.part $@
.PHONY: google-store
google-store: $(GOOGLE_STORE) $(GOOGLE_STORE_JARS) ## Build the store that TIDEMARK_STORAGE=gcs make up keeps the lake on (fetches Go modules)

AZURE_STORE := $(HOME_DIRECTORY)/tools/azurite
AZURE_STORE_JARS := $(HOME_DIRECTORY)/tools/azure-store
$(AZURE_STORE):
	@$(CHECK) node npm
	@echo "Fetching a store that speaks as Azure's, Azurite 3.37, from the npm registry (once; 360 MB) ..."
	@npm install --prefix $@.part --silent --no-audit --no-fund --ignore-scripts azurite@3.37.0
	@mv $@.part $@
$(AZURE_STORE_JARS): $(ROOT)/infra/engines/azure-store/pom.xml
	@$(CHECK) jdk maven
	@echo "Fetching what Iceberg needs for Azure's store (once; 23 MB) ..."
	@$(MAVEN) -f $< org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DincludeScope=runtime -DoutputDirectory=$@.part
	@rm -rf $@ && mv $@.part $@
.PHONY: azure-store
azure-store: $(AZURE_STORE) $(AZURE_STORE_JARS) ## Fetch the store that TIDEMARK_STORAGE=azure make up keeps the lake on (an npm package)

LAKE_CATALOG := $(ENGINES)/lake-catalog.classpath
$(LAKE_CATALOG): $(ROOT)/infra/engines/lake-catalog/pom.xml
	@$(CHECK) jdk maven
	@echo "Fetching Iceberg's server of its REST protocol (once; 5 MB) ..."
	@mkdir -p $(ENGINES)
	@$(MAVEN) -f $< validate -Dengines.directory=$(ENGINES)
.PHONY: lake-catalog
lake-catalog: $(LAKE_CATALOG) ## Fetch the server at which TIDEMARK_CATALOG=rest make up finds the lake's tables

PROXY := $(HOME_DIRECTORY)/tools/haproxy/usr/sbin/haproxy
$(PROXY):
	@echo "Fetching HAProxy, the package of Debian (once; 3 MB) ..."
	@mkdir -p $(HOME_DIRECTORY)/tools/haproxy
	@cd $(HOME_DIRECTORY)/tools/haproxy && apt-get -qq download haproxy liblua5.3-0 libopentracing1 libopentracing-c-wrapper0 2>/dev/null && \
	  for package in *.deb; do dpkg -x "$$package" . && rm "$$package"; done
.PHONY: proxy
proxy: $(PROXY) ## Fetch the proxy that TIDEMARK_PLATFORM_PROCESSES=2 make up runs

.PHONY: build
build: $(STACK_JAR) $(PROVISION_JAR) $(DRUID_ENCRYPTION_JAR) $(API_JAR) $(JOB_JARS) ## Build everything that the stack runs, without tests
$(STACK_JAR) $(PROVISION_JAR) &: $(call sources,infra/provision integration-tests/stack) $(ROOT)/integration-tests/pom.xml
	@echo "Building provisioning and the stack's lifecycle ..."
	@$(MAVEN) -f $(ROOT)/integration-tests/pom.xml -pl stack -am package -DskipTests
	@touch $(STACK_JAR) $(PROVISION_JAR)
$(DRUID_ENCRYPTION_JAR): $(call sources,infra/druid-encryption)
	@echo "Building Druid's encryption ..."
	@$(MAVEN) -f $(ROOT)/infra/druid-encryption/pom.xml package
	@touch $@
$(CONSOLE): $(shell find $(ROOT)/web-console -type f -not -path '*/node_modules/*' -not -path '*/dist/*' -not -name '*.gen.*' 2>/dev/null) $(call sources,platform-api/contracts)
	@echo "Building web-console ..."
	@$(CHECK) node npm
	@cd $(ROOT)/web-console && npm ci --silent --no-audit --no-fund && npm run --silent build
	@touch $@
$(API_JAR): $(CONSOLE) $(call sources,platform-api flink-jobs/metric-model) $(SIZING_FILES)
	@echo "Building platform-api ..."
	@rm -rf $(ROOT)/platform-api/app/target/classes/static/console
	@$(MAVEN) -f $(ROOT)/platform-api/pom.xml package -DskipTests
	@touch $@
$(JOB_JARS) &: $(call sources,flink-jobs) $(call sources,platform-api/contracts)
	@echo "Building flink-jobs ..."
	@$(MAVEN) -f $(ROOT)/flink-jobs/pom.xml package -DskipTests
	@touch $(JOB_JARS)

.PHONY: replay-dead-letters
replay-dead-letters: $(JOB_JARS) ## Put dead letters back, each once: ORGANIZATION= REASON= FROM= TO=; counts only unless EXECUTE=1
	@$(JAVA) -jar $(DEAD_LETTER_REPLAY_JAR) --kafka.bootstrap.servers "$$(sed -n 's/^TIDEMARK_KAFKA=//p' "$${TIDEMARK_HOME:-$(HOME_DIRECTORY)}/stack.env")" \
	  --points.topic telemetry.points.v1 --dead-letters.topic telemetry.dead-letters.v1 --replays.topic pipeline.replays.v1 \
	  --kafka.client "$$(sed -n 's/^TIDEMARK_KAFKA_CLIENT=//p' "$${TIDEMARK_HOME:-$(HOME_DIRECTORY)}/stack.env")" \
	  --organization "$(ORGANIZATION)" --reason "$(REASON)" --from "$(FROM)" --to "$(TO)" --execute "$(EXECUTE)"

.PHONY: generate
generate: ## Write what other languages hold of the contracts anew, after a change of them
	@$(CHECK) node npm go
	@cd $(ROOT)/terraform/provider && go generate ./...
	@cd $(ROOT)/web-console && npm ci --silent --no-audit --no-fund && npm run --silent generate

.PHONY: reference
reference: ## Write the generated pages of docs/reference anew, after a change of their sources
	@$(CHECK) jdk maven
	@$(MAVEN) -f $(ROOT)/platform-api/pom.xml test -pl app -Dtest=ReferencePagesTest -DargLine=-Dreference.write=true

IMAGES := $(HOME_DIRECTORY)/images
.PHONY: images
images: build ## Images of platform-api, Flink jobs and provisioning as tarballs, without a container engine: JAVA_IMAGE=, FLINK_IMAGE=, TAG=
	@mkdir -p $(IMAGES)
	@$(MAVEN) -f $(ROOT)/infra/images/pom.xml package jib:buildTar -Dimages.directory=$(IMAGES) $(if $(TAG),-Dimages.tag=$(TAG)) \
	  $(if $(JAVA_IMAGE),-Dimages.java=$(JAVA_IMAGE)) $(if $(FLINK_IMAGE),-Dimages.flink=$(FLINK_IMAGE))
	@ls -l $(IMAGES)

.PHONY: test-images
test-images: build ## The images on this machine's Java, unpacked and started as their own user, without a container engine or registry (root)
	@$(CHECK) jdk maven python
	@python3 $(ROOT)/integration-tests/images/check-images.py $(ROOT) $(HOME_DIRECTORY)/image-check

HELM ?= $(HOME_DIRECTORY)/tools/kubernetes/helm
.PHONY: release
release: ## Images, chart, provider, tidemarkctl, bills of materials and checksums of a tag, to .tidemark/release: VERSION=0.1.0 [REGISTRY=] [GPG_KEY=] [JAVA_IMAGE=] [FLINK_IMAGE=] [HELM=]
	@$(CHECK) jdk maven node npm go
	@$(ROOT)/infra/release/check-tag.sh "$(VERSION)"
	@$(MAKE) --no-print-directory build
	@[ -x "$(HELM)" ] || $(ROOT)/integration-tests/chart/prepare.sh $(dir $(HELM)) helm
	@MAVEN="$(MAVEN)" REGISTRY="$(REGISTRY)" GPG_KEY="$(GPG_KEY)" JAVA_IMAGE="$(JAVA_IMAGE)" FLINK_IMAGE="$(FLINK_IMAGE)" \
	  $(ROOT)/infra/release/release.sh "$(VERSION)" $(HOME_DIRECTORY)/release $(HELM)

.PHONY: test-release
test-release: build ## A release as somebody finds it: images of two architectures in a registry on loopback, chart, programs, bills of materials, checksums (builds helm)
	@$(CHECK) jdk maven node npm go
	@[ -x "$(HELM)" ] || $(ROOT)/integration-tests/chart/prepare.sh $(dir $(HELM)) helm
	@cd $(ROOT)/integration-tests/release && HELM=$(HELM) go test -count=1 -timeout 60m ./...

PROVIDER := $(ROOT)/terraform/provider
.PHONY: terraform-docs
terraform-docs: ## Write the pages of the provider and of its modules anew, after a change of schema, examples or variables
	@$(CHECK) go terraform
	@cd $(PROVIDER)/generate-docs && go build -o $(HOME_DIRECTORY)/tools/tfplugindocs github.com/hashicorp/terraform-plugin-docs/cmd/tfplugindocs
	@cd $(PROVIDER)/generate-docs && go build -o $(HOME_DIRECTORY)/tools/terraform-docs github.com/terraform-docs/terraform-docs
	@for module in tenant retention alerting dashboards starter; do \
	  $(HOME_DIRECTORY)/tools/terraform-docs -c $(ROOT)/terraform/modules/.terraform-docs.yml $(ROOT)/terraform/modules/$$module || exit 1; done
	@cd $(PROVIDER) && TF_CLI_CONFIG_FILE=/dev/null CHECKPOINT_DISABLE=1 $(HOME_DIRECTORY)/tools/tfplugindocs generate --provider-name tidemark --rendered-provider-name Tidemark

TOFU := $(HOME_DIRECTORY)/tools/tofu
$(TOFU):
	@echo "Building OpenTofu 1.12.6 from its Go module (once; ten minutes) ..."
	@rm -rf $@-source && mkdir -p $@-source
	@printf '//go:build tools\n\npackage tools\n\nimport _ "github.com/opentofu/opentofu/cmd/tofu"\n' > $@-source/tools.go
	@cd $@-source && go mod init tools 2>/dev/null && go mod edit -require github.com/opentofu/opentofu@v1.12.6 \
	  -replace github.com/hashicorp/hcl/v2=github.com/opentofu/hcl/v2@v2.20.2-0.20251021132045-587d123c2828 && go mod tidy 2>/dev/null && \
	  go build -o $@ github.com/opentofu/opentofu/cmd/tofu

.PHONY: test-tofu
test-tofu: $(TOFU) ## The provider's acceptance tests with OpenTofu instead of Terraform
	@$(CHECK) jdk maven go terraform
	@$(MAVEN) -f $(ROOT)/platform-api/pom.xml verify -pl app -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dit.test=TerraformProviderIT -Dfailsafe.failIfNoSpecifiedTests=false -Dterraform.program=$(TOFU)

.PHONY: terraform-release
terraform-release: ## The provider's and tidemarkctl's archives, checksums and manifest in terraform/provider/dist: VERSION=0.1.0 [GPG_KEY=]
	@$(CHECK) go
	@$(PROVIDER)/release.sh "$(VERSION)" "$(GPG_KEY)"

.PHONY: format
format: ## Lay out all Java sources (integration-tests builds infra/provision, too)
	@for project in platform-api flink-jobs integration-tests; do $(MAVEN) -f $(ROOT)/$$project/pom.xml spotless:apply || exit 1; done

CHROMIUM := /usr/bin/chromium
$(CHROMIUM):
	@echo "Installing Debian's Chromium (once) ..."
	@apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core > /dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core > /dev/null; }

.PHONY: test
test: $(CHROMIUM) ## Every test of every project, or of some: make test SUITE="platform-api flink-jobs"; ends with one line that sums them
	@$(CHECK) jdk maven node npm go terraform python curl memory disk
	@$(ROOT)/integration-tests/run-all.sh $(SUITE)

.PHONY: check
check: ## The inner loop: names, format, compile, architecture and unit tests; no engine starts
	@$(CHECK) jdk maven
	@$(ROOT)/infra/check-names.sh
	@# The jobs beside platform-api; integration-tests builds and tests infra/provision, too.
	@mkdir -p $(HOME_DIRECTORY); \
	  (for project in flink-jobs integration-tests; do $(MAVEN) -f $(ROOT)/$$project/pom.xml spotless:check test || exit 1; done) > $(HOME_DIRECTORY)/check.out 2>&1 & \
	  $(MAVEN) -f $(ROOT)/platform-api/pom.xml spotless:check test -DforkCount=2; platform=$$?; wait $$!; jobs=$$?; cat $(HOME_DIRECTORY)/check.out; [ $$platform -eq 0 ] && [ $$jobs -eq 0 ]

.PHONY: test-console
test-console: $(CHROMIUM) build engines ## Every page of the console in headless Chromium, on a stack of its own
	@$(CHECK) jdk maven node npm memory disk
	@$(MAVEN) -f $(ROOT)/integration-tests/pom.xml verify -pl pipeline -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dit.test=ConsoleIT -Dfailsafe.failIfNoSpecifiedTests=false -Dconsole.all=true

.PHONY: test-lighthouse
test-lighthouse: $(CHROMIUM) build engines ## Lighthouse on home and explorer, on a stack of its own; wants the machine for itself
	@$(CHECK) jdk maven node npm memory disk
	@$(MAVEN) -f $(ROOT)/integration-tests/pom.xml verify -pl pipeline -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dit.test=ConsoleIT -Dfailsafe.failIfNoSpecifiedTests=false -Dconsole.lighthouse=true

.PHONY: screenshots
screenshots: $(CHROMIUM) build engines ## Every page, both themes, 1440 and 390 px wide, to .tidemark/screenshots
	@$(MAVEN) -f $(ROOT)/integration-tests/pom.xml verify -pl pipeline -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dit.test=ConsoleIT -Dfailsafe.failIfNoSpecifiedTests=false -Dconsole.screenshots=$(HOME_DIRECTORY)/screenshots

.PHONY: test-s3
test-s3: $(OBJECT_STORE) build engines ## The stack with lake and job state on an object store: LakeIT, ReplayIT, OlderRowsIT, CrashRecoveryIT
	@$(CHECK) jdk maven python memory disk
	@$(MAVEN) -f $(ROOT)/integration-tests/pom.xml verify -pl pipeline -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dit.test='LakeIT,ReplayIT,OlderRowsIT,CrashRecoveryIT' -Dfailsafe.failIfNoSpecifiedTests=false -Dstack.storage=s3

.PHONY: test-gcs
test-gcs: $(GOOGLE_STORE) $(GOOGLE_STORE_JARS) build engines ## The stack with its lake on a store that speaks as Google's: ReplayIT, OlderRowsIT
	@$(CHECK) jdk maven python memory disk
	@$(MAVEN) -f $(ROOT)/integration-tests/pom.xml verify -pl pipeline -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dit.test='ReplayIT,OlderRowsIT' -Dfailsafe.failIfNoSpecifiedTests=false -Dstack.storage=gcs

.PHONY: test-azure
test-azure: $(AZURE_STORE) $(AZURE_STORE_JARS) build engines ## The stack with its lake on a store that speaks as Azure's: ReplayIT, OlderRowsIT
	@$(CHECK) jdk maven node python memory disk
	@$(MAVEN) -f $(ROOT)/integration-tests/pom.xml verify -pl pipeline -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dit.test='ReplayIT,OlderRowsIT' -Dfailsafe.failIfNoSpecifiedTests=false -Dstack.storage=azure

.PHONY: test-rest-catalog
test-rest-catalog: $(LAKE_CATALOG) build engines ## The stack with the lake's tables at a server of Iceberg's REST protocol: LakeIT, ReplayIT, OlderRowsIT, CrashRecoveryIT
	@$(CHECK) jdk maven python memory disk
	@$(MAVEN) -f $(ROOT)/integration-tests/pom.xml verify -pl pipeline -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dit.test='LakeIT,ReplayIT,OlderRowsIT,CrashRecoveryIT' -Dfailsafe.failIfNoSpecifiedTests=false -Dstack.catalog=rest

.PHONY: test-secure-stack
test-secure-stack: build engines ## The stack with TIDEMARK_SECURITY=tls: a point goes through, who is not known is refused by every engine, and certificates are renewed while it runs
	@$(CHECK) jdk maven memory disk
	@$(MAVEN) -f $(ROOT)/integration-tests/pom.xml verify -pl pipeline -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dit.test='GuardedEngines,OlderRowsIT,RenewedCertificates' -Dfailsafe.failIfNoSpecifiedTests=false -Dstack.security=tls

.PHONY: test-replicas
test-replicas: $(PROXY) build engines ## Two processes of platform-api behind a proxy: restarted one after the other, no request is lost
	@$(CHECK) jdk maven memory disk
	@$(MAVEN) -f $(ROOT)/integration-tests/pom.xml verify -pl pipeline -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dit.test=RollingRestart -Dfailsafe.failIfNoSpecifiedTests=false -Dstack.platform-processes=2

.PHONY: test-fuzz
test-fuzz: ## Eleven minutes of damaged bodies for every decoder and door: no crash, no 5xx, memory bounded
	@$(CHECK) jdk maven
	@$(MAVEN) -f $(ROOT)/platform-api/pom.xml verify -pl app -Dtest=DecoderFuzzTest -Dit.test=HostileBodiesIT \
	  -Dfuzz.seconds=$(or $(FUZZ_SECONDS),110) $(if $(FUZZ_SEED),-Dfuzz.seed=$(FUZZ_SEED))

.PHONY: test-abuse
test-abuse: ## Attacks on the ingest ports beside a quiet tenant: nothing refused or lost, p99 and memory bounded (SECONDS=)
	@$(CHECK) jdk maven
	@$(MAVEN) -f $(ROOT)/platform-api/pom.xml verify -pl app \
	  -Dtest='HostileKafkaFramesTest,ReceivedBodyTest,InFlightByteLimiterTest,ConnectionSharesTest,BodyReaderTest' \
	  -Dit.test='HostileSendersIT' -Dabuse.seconds=$(or $(SECONDS),20) -DargLine='-Xmx768m -XX:+UseSerialGC -XX:+ExitOnOutOfMemoryError -Dplatform.key-cache-time=5s'

.PHONY: test-focus
test-focus: ## The FOCUS export under the FinOps Foundation's validator of PyPI: fetches 600 MB once, needs Python 3.12 (PYTHON=)
	@$(CHECK) jdk maven
	@$${PYTHON:-python3} -c 'import sys; sys.exit(sys.version_info < (3, 12))' || \
	  { echo "prerequisite: focus-validator needs Python 3.12 or newer; set PYTHON to one." >&2; exit 1; }
	@$(MAVEN) -f $(ROOT)/platform-api/pom.xml test -pl app -Dtest=FocusCsvTest -Dsurefire.failIfNoSpecifiedTests=false
	@python=$$($(ROOT)/integration-tests/lake/prepare.sh $(HOME_DIRECTORY)/python/focus $(ROOT)/integration-tests/focus/requirements.txt) || exit 1; \
	  "$$python" $(ROOT)/integration-tests/focus/check_focus.py $(ROOT)/platform-api/app/target/focus/invoice-1.2.csv

.PHONY: test-contract
test-contract: ## Schemathesis over the OpenAPI documents, some minutes: no 5xx, no answer that is not described (EXAMPLES=, SEED=)
	@$(CHECK) jdk maven python
	@$(MAVEN) -f $(ROOT)/platform-api/pom.xml verify -pl app -Dtest=CompatibilityTest -Dit.test=ContractConformanceIT \
	  -Dcontract.examples=$(or $(EXAMPLES),100) $(if $(SEED),-Dcontract.seed=$(SEED))

.PHONY: test-isolation
test-isolation: ## Twelve thousand generated attempts over HTTP to see another organisation's metrics: no foreign row
	@$(CHECK) jdk maven
	@$(MAVEN) -f $(ROOT)/platform-api/pom.xml verify -pl app -Dtest=QueryPlannerTest -Dit.test=MetricsIsolationIT \
	  -Disolation.attempts=$(or $(ATTEMPTS),12000)

.PHONY: sizing
sizing: $(SIZING_JAR) ## Machines, disks and cost for a load, and what binds first: make sizing LOAD="points=2000000 series=10000000" (FILE=, PRICES=; LOAD=decades: the table of docs/scaling)
	@$(JAVA) -XX:TieredStopAtLevel=1 -jar $(SIZING_JAR) $(if $(PRICES),--prices=$(abspath $(PRICES))) $(if $(FILE),--load=$(abspath $(FILE))) $(LOAD)
$(SIZING_JAR): $(ROOT)/infra/sizing/pom.xml $(SIZING_FILES) $(call sources,platform-api/app/src/main/java/io/tidemark/platform/sizing)
	@$(CHECK) jdk maven
	@$(MAVEN) -f $(ROOT)/infra/sizing/pom.xml package
	@touch $@

.PHONY: test-modules
test-modules: ## Terraform's module for AWS: validated, plans and policies tested with a mocked provider (TF_PLUGINS=FOLDER: no download)
	@cd $(ROOT)/terraform/modules/platform && terraform fmt -check -recursive . && \
	  terraform init -backend=false -input=false $(if $(TF_PLUGINS),-plugin-dir=$(TF_PLUGINS)) > /dev/null && terraform validate && terraform test

KUBERNETES_TOOLS := $(HOME_DIRECTORY)/tools/kubernetes
.PHONY: test-helm
test-helm: ## The chart against a real kube-apiserver: server-side dry run, refusals, upgrade (builds helm, kubectl, kube-apiserver; Debian's etcd; Java 21)
	@$(CHECK) maven go
	@$(ROOT)/integration-tests/chart/prepare.sh $(KUBERNETES_TOOLS)
	@cd $(ROOT)/integration-tests/chart && TIDEMARK_KUBERNETES_TOOLS=$(KUBERNETES_TOOLS) go test -count=1 -tags apiserver ./...

PROMTOOL := $(HOME_DIRECTORY)/tools/promtool/usr/bin/promtool
$(PROMTOOL):
	@mkdir -p $(HOME_DIRECTORY)/tools/promtool
	@cd $(HOME_DIRECTORY)/tools/promtool && apt-get -qq download prometheus 2>/dev/null && dpkg -x prometheus_*.deb . && rm prometheus_*.deb
.PHONY: test-observability
test-observability: $(PROMTOOL) ## Alert rules of infra/observability with promtool: valid, ring when they should and only then; dashboards; runbooks (fetches Debian's package)
	@$(CHECK) go
	@$(PROMTOOL) check rules $(ROOT)/infra/observability/alerts.yaml $(ROOT)/infra/observability/flink-alerts.yaml
	@$(PROMTOOL) test rules $(ROOT)/infra/observability/alerts_test.yaml $(ROOT)/infra/observability/flink-alerts_test.yaml
	@cd $(ROOT)/integration-tests/observability && go test -count=1 ./...

PROMETHEUS := $(HOME_DIRECTORY)/tools/prometheus
$(PROMETHEUS):
	@echo "Building Prometheus 3.15 from its Go module (once; some minutes) ..."
	@rm -rf $@-source && mkdir -p $@-source
	@printf '//go:build tools\n\npackage tools\n\nimport _ "github.com/prometheus/prometheus/cmd/prometheus"\n' > $@-source/tools.go
	@cd $@-source && go mod init tools 2>/dev/null && go get -v github.com/prometheus/prometheus/cmd/prometheus@v0.315.0 2>/dev/null && \
	  go build -tags remove_all_sd -o $@ github.com/prometheus/prometheus/cmd/prometheus

.PHONY: test-remote-write
test-remote-write: $(PROMETHEUS) ## The public suite for receivers, and a real Prometheus 3 that sends (fetches Go modules)
	@$(CHECK) jdk maven go
	@$(MAVEN) -f $(ROOT)/platform-api/pom.xml verify -pl app -Dtest=SnappyBlockTest \
	  -Dit.test='RemoteWriteCompliance,PrometheusSends' -Dprometheus=$(PROMETHEUS)

TELEMETRYGEN := $(HOME_DIRECTORY)/tools/telemetrygen
$(TELEMETRYGEN):
	@echo "Building telemetrygen 0.161 from its Go module (once; some minutes) ..."
	@GOBIN=$(HOME_DIRECTORY)/tools go install github.com/open-telemetry/opentelemetry-collector-contrib/cmd/telemetrygen@v0.161.0

COLLECTOR := $(HOME_DIRECTORY)/tools/collector
COLLECTOR_PARTS := $(ROOT)/integration-tests/clients/collector/builder.yaml
$(COLLECTOR): $(COLLECTOR_PARTS)
	@echo "Building an OpenTelemetry Collector 0.160 from its Go modules (once; some minutes) ..."
	@GOBIN=$(HOME_DIRECTORY)/tools go install go.opentelemetry.io/collector/cmd/builder@v0.160.0
	@cd $(HOME_DIRECTORY)/tools && ./builder --config=$(COLLECTOR_PARTS) > collector-build.log 2>&1 || { cat collector-build.log; exit 1; }
	@mv $(HOME_DIRECTORY)/tools/collector-source/collector $@

.PHONY: test-clients
test-clients: $(PROMETHEUS) $(TELEMETRYGEN) $(COLLECTOR) build engines ## Real clients against a stack: Prometheus 3, telemetrygen, a Collector, the Python SDK; four producers at the Kafka listener (fetches Go modules)
	@$(CHECK) jdk maven go python memory disk
	@$(MAVEN) -f $(ROOT)/platform-api/pom.xml verify -pl app -Dtest=SnappyRecordsTest -Dit.test=KafkaClients
	@$(MAVEN) -f $(ROOT)/integration-tests/pom.xml verify -pl pipeline -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dit.test='ApiClientsIT,PrometheusReadsAndSends,CollectorWrites,FirstDayOfRealClients' -Dfailsafe.failIfNoSpecifiedTests=false \
	  -Dprometheus=$(PROMETHEUS) -Dtelemetrygen=$(TELEMETRYGEN) -Dcollector=$(COLLECTOR)

KEYCLOAK := $(HOME_DIRECTORY)/tools/keycloak
$(KEYCLOAK)/bin/kc.sh:
	@echo "Fetching Keycloak 26.7 (once; 176 MB) ..."
	@mkdir -p $(KEYCLOAK)
	@$(MAVEN) -f $(ROOT)/platform-api/pom.xml -N dependency:copy -Dartifact=org.keycloak:keycloak-quarkus-dist:26.7.3:tar.gz -DoutputDirectory=$(KEYCLOAK)
	@tar xzf $(KEYCLOAK)/keycloak-quarkus-dist-26.7.3.tar.gz -C $(KEYCLOAK) --strip-components=1
	@rm $(KEYCLOAK)/keycloak-quarkus-dist-26.7.3.tar.gz

.PHONY: test-keycloak
test-keycloak: $(KEYCLOAK)/bin/kc.sh ## People of a real Keycloak sign in and out (fetches it)
	@$(CHECK) jdk maven
	@$(MAVEN) -f $(ROOT)/platform-api/pom.xml verify -pl app -Dtest=SecretSealerTest -Dit.test=KeycloakSignIn -Dkeycloak=$(KEYCLOAK)

TOXIPROXY := $(HOME_DIRECTORY)/tools/toxiproxy
$(TOXIPROXY):
	@$(CHECK) go
	@echo "Building Toxiproxy 2.5, the proxy between components, from its Go module (once; a minute) ..."
	@GOBIN=$(HOME_DIRECTORY)/tools/toxiproxy-build go install github.com/Shopify/toxiproxy/v2/cmd/server@v2.5.0
	@mv $(HOME_DIRECTORY)/tools/toxiproxy-build/server $@ && rmdir $(HOME_DIRECTORY)/tools/toxiproxy-build
.PHONY: toxiproxy
toxiproxy: $(TOXIPROXY) ## Build the proxy that TIDEMARK_LINKS=proxied make up puts between components (fetches Go modules)

FAKETIME := $(HOME_DIRECTORY)/tools/faketime/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1
$(FAKETIME):
	@echo "Fetching libfaketime, the package of Debian (once) ..."
	@mkdir -p $(HOME_DIRECTORY)/tools/faketime
	@cd $(HOME_DIRECTORY)/tools/faketime && apt-get -qq download libfaketime 2>/dev/null && dpkg -x libfaketime_*.deb . && rm libfaketime_*.deb
	@touch $@
.PHONY: faketime
faketime: $(FAKETIME) ## Fetch the library with which TIDEMARK_CLOCKS=steppable make up gives each JVM a clock of its own

.PHONY: test-faults
test-faults: $(if $(filter s3,$(STORAGE)),$(OBJECT_STORE)) $(if $(filter 2 3 4,$(PROCESSES)),$(PROXY)) $(TOXIPROXY) $(FAKETIME) build engines ## Random faults of processes, links, disks, clocks and the object store under load: nothing missing, nothing twice, each lasting one noticed (SEED=, KILLS=, KINDS=kill,slow-link, LONG=1: ten-minute freezes, QUICK=1, HURRIED=1: short faults while others recover, MINUTES= to end them, STORAGE=s3, PROCESSES=2 of platform-api behind a proxy, SECURITY=tls; AT_LEAST_ONCE=1: must find duplicates)
	@$(CHECK) jdk maven go python memory disk
	@$(MAVEN) -f $(ROOT)/integration-tests/pom.xml verify -pl pipeline -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dit.test=RandomFaults -Dfailsafe.failIfNoSpecifiedTests=false -Dstack.rollup-subtasks=2 -Dstack.links=proxied -Dstack.clocks=steppable $(if $(SEED),-Dfaults.seed=$(SEED)) \
	  $(if $(KILLS),-Dfaults.kills=$(KILLS)) $(if $(KINDS),-Dfaults.kinds=$(KINDS)) $(if $(LONG),-Dfaults.long=true) $(if $(QUICK),-Dfaults.quick=true) \
	  $(if $(HURRIED),-Dfaults.hurried=true) $(if $(MINUTES),-Dfaults.minutes=$(MINUTES)) $(if $(AT_LEAST_ONCE),-Dfaults.at-least-once=true) $(if $(STORAGE),-Dstack.storage=$(STORAGE)) \
	  $(if $(PROCESSES),-Dstack.platform-processes=$(PROCESSES)) $(if $(SECURITY),-Dstack.security=$(SECURITY))

.PHONY: test-alert-faults
test-alert-faults: build engines ## Generated alert rules against their truth, through kill -9, rescale and savepoint upgrade (SEED=, RULES=500, MINUTES=9; CONTROL=1: must fail)
	@$(CHECK) jdk maven memory disk
	@$(MAVEN) -f $(ROOT)/integration-tests/pom.xml verify -pl pipeline -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dit.test=AlertFaults -Dfailsafe.failIfNoSpecifiedTests=false -Dstack.own-jobs=true $(if $(SEED),-Dalerts.seed=$(SEED)) $(if $(RULES),-Dalerts.rules=$(RULES)) \
	  $(if $(MINUTES),-Dalerts.minutes=$(MINUTES)) $(if $(CONTROL),-Dalerts.control=true)

.PHONY: test-operations
test-operations: $(if $(filter s3,$(STORAGE)),$(OBJECT_STORE)) build engines ## What docs/operations says, on a stack of its own under load: upgrade and way back, more partitions, restore of PostgreSQL to a moment, Druid from the lake, a large tenant, rewind of topics: OPERATION=druidIs* STORAGE=s3
	@$(CHECK) jdk maven python memory disk
	@$(MAVEN) -f $(ROOT)/integration-tests/pom.xml verify -pl pipeline -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dit.test='Operations$(if $(OPERATION),#$(OPERATION)),LargeTenant$(if $(OPERATION),#$(OPERATION)),TopicRewind$(if $(OPERATION),#$(OPERATION))' -Dfailsafe.failIfNoSpecifiedTests=false -Dstack.own-jobs=true $(if $(STORAGE),-Dstack.storage=$(STORAGE))

.PHONY: test-kafka-volume
test-kafka-volume: build engines ## Three brokers; one loses its disk under load and copies everything back; wants 16 GiB
	@$(CHECK) jdk maven python memory disk
	@$(MAVEN) -f $(ROOT)/integration-tests/pom.xml verify -pl pipeline -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dit.test=LostKafkaVolume -Dfailsafe.failIfNoSpecifiedTests=false -Dstack.brokers=3

.PHONY: test-regions
test-regions: $(PROXY) build engines ## Two regions read one stream: processes of both are killed, both answer alike, queries are switched; wants 16 GiB
	@$(CHECK) jdk maven python memory disk
	@$(MAVEN) -f $(ROOT)/integration-tests/pom.xml verify -pl pipeline -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dit.test=TwoRegions -Dfailsafe.failIfNoSpecifiedTests=false -Dstack.rollup-subtasks=2

.PHONY: test-negative-controls
test-negative-controls: ## Break guarantees on purpose, in a copy; the tests that guard them must fail: make test-negative-controls CONTROLS="alert* usage-record-dropped"
	@$(CHECK) jdk maven
	@MAVEN="$(MAVEN)" $(ROOT)/flink-jobs/negative-controls/run.sh $(foreach control,$(CONTROLS),'$(control)')

.PHONY: savepoint-fixture
savepoint-fixture: ## Take the savepoint that the next version must restore
	@$(MAVEN) -f $(ROOT)/flink-jobs/pom.xml test -pl rollup-job -am -Dtest=TakeSavepoint -Dsurefire.failIfNoSpecifiedTests=false \
	  "-Dtest.jvm.options=-Dsavepoint.target=$(ROOT)/flink-jobs/rollup-job/src/test/resources/savepoints/0.1"

.PHONY: bench-rollup
bench-rollup: engines ## The rollup job against its peers per core-second, with Kafka: make bench-rollup ROWS=sql,late
	@$(MAVEN) -f $(ROOT)/flink-jobs/pom.xml test -pl rollup-bench -am -Dtest=RollupBench -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dtest.jvm.memory=-Xmx3g -Dtest.jvm.options="-Dbench.root=$(ROOT) -Dbench.engines=$(ENGINES) $(if $(ROWS),-Dbench.rows=$(ROWS)) $(BENCH)"

.PHONY: bench-alerts
bench-alerts: $(PROMETHEUS) ## What deciding alerts costs, per core-second, beside Prometheus' ruler: make bench-alerts ROWS=grouped,per-series,growth
	@$(MAVEN) -f $(ROOT)/flink-jobs/pom.xml test -pl alert-bench -am -Dtest=AlertBench -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dtest.jvm.memory=-Xmx3g -Dtest.jvm.options="-Dbench.prometheus=$(PROMETHEUS) $(if $(ROWS),-Dbench.rows=$(ROWS)) $(BENCH)" | grep -E 'BENCH|ERROR'

.PHONY: bench-webhooks
bench-webhooks: ## How soon receivers hear: one transition after another, and 10,000 at once to 100 receivers of which one is silent
	@$(MAVEN) -f $(ROOT)/platform-api/pom.xml test -pl app -Dtest=WebhookBench -Dsurefire.failIfNoSpecifiedTests=false \
	  "-DargLine=$(if $(RULES),-Dbench.rules=$(RULES))" | grep -E 'BENCH|ERROR'

.PHONY: bench-lake
bench-lake: ## Points per core-second and bytes per point of raw_points, against Flink's own Iceberg sink
	@$(MAVEN) -f $(ROOT)/flink-jobs/pom.xml test -pl lake-bench -am -Dtest=LakeBench -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dtest.jvm.memory=-Xmx3g -Dtest.jvm.options="$(BENCH)" | grep -E 'BENCH|ERROR'

# Debian's package is older than stream aggregation and OTLP.
STREAMING_VICTORIA_METRICS := $(HOME_DIRECTORY)/tools/victoria-metrics-1.151
$(STREAMING_VICTORIA_METRICS):
	@$(CHECK) go
	@echo "Building VictoriaMetrics 1.151 from its Go module (once; some minutes) ..."
	@rm -rf $@-source && mkdir -p $@-source
	@printf '//go:build tools\n\npackage tools\n\nimport _ "github.com/VictoriaMetrics/VictoriaMetrics/app/victoria-metrics"\n' > $@-source/tools.go
	@cd $@-source && go mod init tools 2>/dev/null && go get github.com/VictoriaMetrics/VictoriaMetrics/app/victoria-metrics@v1.151.0 2>/dev/null && \
	  go build -o $@ github.com/VictoriaMetrics/VictoriaMetrics/app/victoria-metrics

.PHONY: bench-ingest
bench-ingest: engines $(API_JAR) $(PROMETHEUS) $(STREAMING_VICTORIA_METRICS) ## What receiving costs, per core-second, against Prometheus and VictoriaMetrics: make bench-ingest ROWS=remote-write,otlp,fairness
	@$(MAVEN) -f $(ROOT)/platform-api/pom.xml test -pl app -Dtest=IngestBench \
	  "-DargLine=-Dbench.root=$(ROOT) -Dbench.engines=$(ENGINES) -Dbench.prometheus=$(PROMETHEUS) -Dbench.victoria-metrics=$(STREAMING_VICTORIA_METRICS) $(if $(ROWS),-Dbench.rows=$(ROWS)) $(BENCH)" | grep -E 'BENCH|ERROR'

VICTORIA_METRICS := $(HOME_DIRECTORY)/tools/victoria-metrics
$(VICTORIA_METRICS)/usr/bin/victoria-metrics:
	@echo "Fetching VictoriaMetrics, the package of Debian (once; 23 MB) ..."
	@mkdir -p $(VICTORIA_METRICS)
	@cd $(VICTORIA_METRICS) && apt-get -qq download victoria-metrics 2>/dev/null && dpkg -x victoria-metrics_*.deb . && rm victoria-metrics_*.deb

.PHONY: bench-billing
bench-billing: ## A generated month of many tenants, closed in one run and computed again by SQL: make bench-billing TENANTS=1000 RECORDS=10000
	@$(MAVEN) -f $(ROOT)/platform-api/pom.xml test -pl app -Dtest=BillingBench -Dsurefire.failIfNoSpecifiedTests=false \
	  "-DargLine=$(if $(TENANTS),-Dbench.tenants=$(TENANTS)) $(if $(RECORDS),-Dbench.records=$(RECORDS))" | grep -E 'BENCH|ERROR'

.PHONY: bench-query
bench-query: build engines $(VICTORIA_METRICS)/usr/bin/victoria-metrics ## What answers cost and how fresh they are, on a stack of its own: make bench-query ROWS=series,live,final,rollup,split,tiers,hashed
	@$(MAVEN) -f $(ROOT)/integration-tests/pom.xml verify -pl pipeline -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dit.test=QueryBench -Dfailsafe.failIfNoSpecifiedTests=false \
	  -Dbench.victoria-metrics=$(VICTORIA_METRICS)/usr/bin/victoria-metrics $(if $(ROWS),-Dbench.rows=$(ROWS)) $(BENCH) | grep -E 'BENCH|ERROR'

.PHONY: bench-alert-latency
bench-alert-latency: build engines ## From a committed row that breaches a rule to the first byte at a receiver, on a stack of its own
	@$(MAVEN) -f $(ROOT)/integration-tests/pom.xml verify -pl pipeline -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dit.test=AlertLatencyBench -Dfailsafe.failIfNoSpecifiedTests=false $(BENCH) | grep --line-buffered -E 'BENCH|ERROR'

PEERS_OF_PIPELINE := -Dbench.peer-victoria-metrics=$(STREAMING_VICTORIA_METRICS) -Dbench.peer-prometheus=$(PROMETHEUS)
PIPELINE_OPTIONS = $(if $(POINTS),-Dbench.points=$(POINTS)) $(if $(SERIES),-Dbench.series=$(SERIES)) $(if $(SHAPES),-Dbench.shapes=$(SHAPES)) \
  $(if $(ROUNDS),-Dbench.rounds=$(ROUNDS)) $(BENCH)
# A bench that fails ends with an error, although its output goes through grep.
BENCH_STATUS := $(HOME_DIRECTORY)/bench.status
told = mkdir -p $(HOME_DIRECTORY); { $(1); echo $$? > $(BENCH_STATUS); } | grep --line-buffered -E 'BENCH|ERROR'; exit $$(cat $(BENCH_STATUS))

.PHONY: bench-pipeline
bench-pipeline: build engines $(if $(PEERS),$(STREAMING_VICTORIA_METRICS) $(PROMETHEUS)) ## Core-seconds per million points by process, gateway to Druid and lake: make bench-pipeline POINTS=6 SERIES=10000 SHAPES=hosts,pods ROUNDS=3 PEERS=1
	@$(call told,$(MAVEN) -f $(ROOT)/integration-tests/pom.xml verify -pl pipeline -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dit.test=PipelineBench -Dfailsafe.failIfNoSpecifiedTests=false $(if $(PEERS),$(PEERS_OF_PIPELINE)) $(PIPELINE_OPTIONS))

.PHONY: bench-peers
bench-peers: $(STREAMING_VICTORIA_METRICS) $(PROMETHEUS) ## What the points of bench-pipeline cost VictoriaMetrics with stream aggregation and Prometheus with recording rules, without a stack
	@$(call told,$(MAVEN) -f $(ROOT)/integration-tests/pom.xml verify -pl pipeline -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dit.test=PeerBench -Dfailsafe.failIfNoSpecifiedTests=false $(PEERS_OF_PIPELINE) $(PIPELINE_OPTIONS))

.PHONY: load-test
load-test: build engines ## Throughput against latency on a stack of its own, as a table and a picture: make load-test RATES=1000,4000,16000 SECONDS=30 SERIES=10000
	@$(MAVEN) -f $(ROOT)/integration-tests/pom.xml verify -pl pipeline -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dit.test=LoadSteps -Dfailsafe.failIfNoSpecifiedTests=false $(if $(RATES),-Dload.rates=$(RATES)) \
	  $(if $(SECONDS),-Dload.seconds=$(SECONDS)) $(if $(SERIES),-Dload.series=$(SERIES)) $(BENCH) | grep --line-buffered -E 'BENCH|ERROR'

.PHONY: soak
soak: build engines ## Two hours of points at a steady rate: memory and lag stay flat, every point counts once: make soak MINUTES=120 RATE=4000 SERIES=10000
	@$(call told,$(MAVEN) -f $(ROOT)/integration-tests/pom.xml verify -pl pipeline -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dit.test=SoakRun -Dfailsafe.failIfNoSpecifiedTests=false $(if $(MINUTES),-Dsoak.minutes=$(MINUTES)) $(if $(RATE),-Dsoak.rate=$(RATE)) \
	  $(if $(SERIES),-Dsoak.series=$(SERIES)) $(BENCH))

.PHONY: bench-query-nodes
bench-query-nodes: $(PROXY) build engines ## What lives on the heap of each of 1, 2 and 4 processes that answer queries, tenant after tenant: make bench-query-nodes NODES="1 4"
	@for nodes in $(if $(NODES),$(NODES),1 2 4); do \
	  ( $(call told,$(MAVEN) -f $(ROOT)/integration-tests/pom.xml verify -pl pipeline -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dit.test=QueryNodesRun -Dfailsafe.failIfNoSpecifiedTests=false -Dstack.platform-processes=$$nodes $(BENCH)) ) || exit 1; done

.PHONY: bench-recovery
bench-recovery: build engines ## How long answers are not whole after kill -9 of each process under load, and after a restart of all: make bench-recovery COMPONENTS=druid-indexer,restart RATE=40000 SECONDS=60 ROUNDS=3
	@$(call told,$(MAVEN) -f $(ROOT)/integration-tests/pom.xml verify -pl pipeline -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dit.test=RecoveryBench -Dfailsafe.failIfNoSpecifiedTests=false $(if $(COMPONENTS),-Dbench.components=$(COMPONENTS)) \
	  $(if $(RATE),-Dbench.rate=$(RATE)) $(if $(SECONDS),-Dbench.seconds=$(SECONDS)) $(if $(SERIES),-Dbench.series=$(SERIES)) \
	  $(if $(ROUNDS),-Dbench.rounds=$(ROUNDS)) $(BENCH))
