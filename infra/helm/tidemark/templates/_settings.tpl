{{/* Addresses and folders that several components need to agree on. */}}

{{- define "tidemark.kafka" -}}
{{- if eq .Values.kafka.mode "external" -}}
{{- required "kafka.external.bootstrapServers is required with kafka.mode external" .Values.kafka.external.bootstrapServers -}}
{{- else -}}
{{- include "tidemark.name" (list . "kafka") }}-kafka-bootstrap:{{ ternary "9093" "9092" (ne .Values.kafka.security.passwords "") }}
{{- end -}}
{{- end -}}

{{- define "tidemark.zookeeper" -}}
{{- if .Values.zookeeper.external -}}
{{- .Values.zookeeper.external -}}
{{- else -}}
{{- $name := include "tidemark.name" (list . "zookeeper") -}}
{{- $hosts := list -}}
{{- range $i := until (int .Values.zookeeper.replicas) -}}
{{- $hosts = append $hosts (printf "%s-%d.%s:12181" $name $i $name) -}}
{{- end -}}
{{- join "," $hosts -}}
{{- end -}}
{{- end -}}

{{/* What one user shows to Kafka: its own file and what it names. Takes (list root user). */}}
{{- define "tidemark.kafkaClientMount" -}}
{{- if (index . 0).Values.kafka.security.clients }}
- {name: kafka-client, mountPath: /etc/tidemark/kafka, readOnly: true}
{{- end }}
{{- end -}}
{{- define "tidemark.kafkaClientVolume" -}}
{{- $root := index . 0 -}}
{{- with $root.Values.kafka.security.clients }}
- name: kafka-client
  projected:
    defaultMode: 0440
    sources:
      - secret:
          name: {{ . }}
          items:
            {{- range rest $ }}
            - {key: {{ . }}, path: {{ . }}}
            {{- end }}
      {{- if eq $root.Values.kafka.mode "strimzi" }}
      - secret: {name: {{ include "tidemark.name" (list $root "kafka") }}-cluster-ca-cert, items: [{key: ca.crt, path: ca.crt}]}
      {{- else }}
      - secret: {name: {{ . }}, optional: true, items: [{key: ca.crt, path: ca.crt}]}
      {{- end }}
{{- end }}
{{- end -}}

{{/* What is shown to Druid. */}}
{{- define "tidemark.druidClientMount" -}}
{{- if .Values.druid.security.client }}
- {name: druid-client, mountPath: /etc/tidemark/druid-client, readOnly: true}
{{- end }}
{{- end -}}
{{- define "tidemark.druidClientVolume" -}}
{{- with .Values.druid.security.client }}
- name: druid-client
  secret: {secretName: {{ . }}, defaultMode: 0440}
{{- end }}
{{- end -}}

{{- define "tidemark.druidScheme" -}}{{ ternary "https" "http" (ne .Values.druid.security.server "") }}{{- end -}}
{{- define "tidemark.druidBroker" -}}{{ include "tidemark.druidScheme" . }}://{{ include "tidemark.name" (list . "druid-broker") }}:18082{{- end -}}
{{- define "tidemark.druidCoordinator" -}}{{ include "tidemark.druidScheme" . }}://{{ include "tidemark.name" (list . "druid-coordinator") }}:18081{{- end -}}

{{/* JDBC address of a database, and by whose certificates its server is known. Takes (list postgres value folder database): a server, which value it
is, and where its authorities' file lies. Without a file and without sslfactory the driver looks into a home folder that no image has, so who
signed the certificate has to be said. */}}
{{- define "tidemark.jdbcOf" -}}
{{- $postgres := index . 0 -}}
{{- $value := index . 1 -}}
{{- $ca := $postgres.ca -}}
{{- $named := list -}}
{{- range $key := list "configMap" "secret" "publicAuthorities" }}{{ if index $ca $key }}{{ $named = append $named $key }}{{ end }}{{ end -}}
{{- $verifies := hasPrefix "verify-" $postgres.sslMode -}}
{{- if and $verifies (ne (len $named) 1) -}}
{{- fail (printf "%[1]s.sslMode is %[2]s, so one of %[1]s.ca.configMap, %[1]s.ca.secret and %[1]s.ca.publicAuthorities must say who signed the server's certificate; %[3]d do. Put the authority's PEM file under the key %[4]s into a ConfigMap and name it, or set publicAuthorities to true where Java trusts the authority" $value $postgres.sslMode (len $named) $ca.key) -}}
{{- else if and (not $verifies) $named -}}
{{- fail (printf "%[1]s.ca.%[2]s is given, but %[1]s.sslMode %[3]s checks no certificate: set verify-full, or leave it away" $value (first $named) $postgres.sslMode) -}}
{{- end -}}
jdbc:postgresql://{{ $postgres.host }}:{{ $postgres.port }}/{{ index . 3 }}?sslmode={{ $postgres.sslMode }}
{{- if $ca.publicAuthorities }}&sslfactory=org.postgresql.ssl.DefaultJavaSSLFactory
{{- else if $verifies }}&sslrootcert={{ index . 2 }}/{{ $ca.key }}
{{- end -}}
{{- end -}}

{{/* Of this region's own server: the catalog, Druid's metadata and, in a first region, the control plane. Takes (list root database). */}}
{{- define "tidemark.jdbc" -}}
{{- include "tidemark.jdbcOf" (list (index . 0).Values.postgres "postgres" "/etc/tidemark-postgres" (index . 1)) -}}
{{- end -}}

{{/* The control plane's database, which a second region has not: it asks the first one's. */}}
{{- define "tidemark.controlPlane" -}}
{{- $database := .Values.postgres.controlPlane.database -}}
{{- if include "tidemark.second" . -}}
{{- include "tidemark.jdbcOf" (list .Values.region.controlPlane "region.controlPlane" "/etc/tidemark-first-postgres" $database) -}}
{{- else -}}
{{- include "tidemark.jdbc" (list . $database) -}}
{{- end -}}
{{- end -}}

{{/* The file that such an address names, for whoever connects. The driver reads it for each connection. Take (list ca name), name as in the
address. */}}
{{- define "tidemark.authorityMount" -}}
{{- $ca := index . 0 -}}
{{- if or $ca.configMap $ca.secret }}
- {name: {{ index . 1 }}-ca, mountPath: /etc/tidemark-{{ index . 1 }}, readOnly: true}
{{- end }}
{{- end -}}
{{- define "tidemark.authorityVolume" -}}
{{- $ca := index . 0 -}}
{{- if or $ca.configMap $ca.secret }}
- name: {{ index . 1 }}-ca
  {{- if $ca.configMap }}
  configMap: {name: {{ $ca.configMap }}, items: [{key: {{ $ca.key }}, path: {{ $ca.key }}}]}
  {{- else }}
  secret: {secretName: {{ $ca.secret }}, defaultMode: 0440, items: [{key: {{ $ca.key }}, path: {{ $ca.key }}}]}
  {{- end }}
{{- end }}
{{- end -}}
{{- define "tidemark.postgresMount" -}}{{ include "tidemark.authorityMount" (list .Values.postgres.ca "postgres") }}{{- end -}}
{{- define "tidemark.postgresVolume" -}}{{ include "tidemark.authorityVolume" (list .Values.postgres.ca "postgres") }}{{- end -}}

{{/* For platform-api, which asks the control plane's database, and in a second region the lake's catalog in another one. */}}
{{- define "tidemark.platformPostgresMount" -}}
{{- if include "tidemark.second" . -}}
{{- include "tidemark.authorityMount" (list .Values.region.controlPlane.ca "first-postgres") }}
{{- if not .Values.lake.catalog.uri }}{{ include "tidemark.postgresMount" . }}{{ end }}
{{- else -}}
{{- include "tidemark.postgresMount" . }}
{{- end -}}
{{- end -}}
{{- define "tidemark.platformPostgresVolume" -}}
{{- if include "tidemark.second" . -}}
{{- include "tidemark.authorityVolume" (list .Values.region.controlPlane.ca "first-postgres") }}
{{- if not .Values.lake.catalog.uri }}{{ include "tidemark.postgresVolume" . }}{{ end }}
{{- else -}}
{{- include "tidemark.postgresVolume" . }}
{{- end -}}
{{- end -}}

{{/* URI of a folder that several components see. Takes (list root folder). */}}
{{- define "tidemark.folder" -}}
{{- if eq (index . 0).Values.storage.type "s3" -}}
s3://{{ (index . 0).Values.storage.s3.bucket }}/{{ index . 1 }}
{{- else -}}
file:///var/lib/tidemark/{{ index . 1 }}
{{- end -}}
{{- end -}}

{{/* The shared volume, where there is one. */}}
{{- define "tidemark.sharedVolume" -}}
{{- if eq .Values.storage.type "filesystem" }}
- name: shared
  persistentVolumeClaim:
    claimName: {{ required "storage.filesystem.claim is required with storage.type filesystem" .Values.storage.filesystem.claim }}
{{- end }}
{{- end -}}
{{- define "tidemark.sharedMount" -}}
{{- if eq .Values.storage.type "filesystem" }}
- {name: shared, mountPath: /var/lib/tidemark}
{{- end }}
{{- end -}}

{{/* Credentials and region of object storage, for the AWS SDK in every process. */}}
{{- define "tidemark.storageEnvironment" -}}
{{- if eq .Values.storage.type "s3" }}
- {name: AWS_REGION, value: {{ .Values.storage.s3.region | quote }}}
{{- with .Values.storage.s3.endpoint }}
- {name: TIDEMARK_S3_ENDPOINT, value: {{ . | quote }}}
- {name: TIDEMARK_S3_PATH_STYLE, value: {{ $.Values.storage.s3.pathStyle | quote }}}
{{- end }}
{{- if .Values.storage.s3.keysFromSecret }}
{{ include "tidemark.secretVariable" (list . "AWS_ACCESS_KEY_ID" "AWS_ACCESS_KEY_ID") }}
{{ include "tidemark.secretVariable" (list . "AWS_SECRET_ACCESS_KEY" "AWS_SECRET_ACCESS_KEY") }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Address of the lake's catalog, and as whom it is written to and read. */}}
{{- define "tidemark.catalog" -}}
{{ .Values.lake.catalog.uri | default (include "tidemark.jdbc" (list . .Values.postgres.catalog.database)) }}
{{- end -}}
{{- define "tidemark.catalogWriter" -}}{{ ternary .Values.lake.catalog.writer .Values.postgres.catalog.user (ne .Values.lake.catalog.uri "") }}{{- end -}}
{{- define "tidemark.catalogReader" -}}{{ ternary .Values.lake.catalog.reader "tidemark_catalog_reader" (ne .Values.lake.catalog.uri "") }}{{- end -}}

{{/* URI of the folder of the lake's tables. */}}
{{- define "tidemark.warehouse" -}}
{{ .Values.lake.warehouse | default (include "tidemark.folder" (list . "warehouse")) }}
{{- end -}}

{{/* For whoever opens the lake: the shared volume, and the jars of a store that is not built in. */}}
{{- define "tidemark.lakeVolume" -}}
{{- include "tidemark.sharedVolume" . }}
{{- with .Values.lake.bundles }}
- name: lake-bundles
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
{{- define "tidemark.lakeMount" -}}
{{- include "tidemark.sharedMount" . }}
{{- if .Values.lake.bundles }}
- {name: lake-bundles, mountPath: /opt/tidemark/lake-bundles, readOnly: true}
{{- end }}
{{- end -}}
{{- define "tidemark.lakeEnvironment" -}}
{{- include "tidemark.storageEnvironment" . }}
{{- if .Values.lake.bundles }}
- {name: TIDEMARK_LAKE_BUNDLES, value: /opt/tidemark/lake-bundles}
{{- end }}
{{- with .Values.lake.fileIo }}
- {name: TIDEMARK_LAKE_FILE_IO, value: {{ . | quote }}}
{{- end }}
{{- with .Values.lake.catalog.properties }}
- {name: TIDEMARK_LAKE_CATALOG_PROPERTIES, value: {{ . | quote }}}
{{- end }}
{{- end -}}

{{/* A file of infra/ as the cluster gets it: sizes of this profile put into it. Takes (list root path). */}}
{{- define "tidemark.file" -}}
{{- $root := index . 0 -}}
{{- $path := index . 1 -}}
{{- $text := $root.Files.Get (printf "files/%s" $path) -}}
{{- if eq $path "kafka/topics.yaml" -}}
{{- $file := fromYaml $text -}}
{{- range $topic := $file.topics -}}
{{- with index $root.Values.kafka.partitions $topic.name -}}
{{- if gt (int .) (int $topic.partitions) -}}{{- $_ := set $topic "partitions" (int .) -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $file -}}
{{- else if hasPrefix "druid/ingestion/" $path -}}
{{- $file := fromJson $text -}}
{{- with index $root.Values.druid.ingestion $file.spec.dataSchema.dataSource -}}
{{- $_ := set $file.spec.ioConfig "taskCount" (int .taskCount) -}}
{{- $_ := set $file.spec.ioConfig "replicas" (int .replicas) -}}
{{- end -}}
{{- toPrettyJson $file -}}
{{- else if hasPrefix "druid/operation/load-rules" $path -}}
{{- $rules := fromJsonArray $text -}}
{{- range $rule := $rules -}}
{{- range $tier, $_ := $rule.tieredReplicants -}}
{{- $_ := set $rule.tieredReplicants $tier (int (index $root.Values.druid.segmentReplicas $tier)) -}}
{{- end -}}
{{- end -}}
{{- toPrettyJson $rules -}}
{{- else if eq $path "druid/operation/placements.json" -}}
{{- toPrettyJson $root.Values.druid.placements -}}
{{- else if eq $path "druid/operation/compaction-slots.json" -}}
{{- $slots := fromJson $text -}}
{{- $_ := set $slots "maxCompactionTaskSlots" (int $root.Values.druid.compactionSlots) -}}
{{- toPrettyJson $slots -}}
{{- else -}}
{{- $text -}}
{{- end -}}
{{- end -}}

{{/* Paths of all files of infra/ that the pods of the cluster get, a line each. Rules of alerts are for a Prometheus. */}}
{{- define "tidemark.files" -}}
{{- range $path, $_ := .Files.Glob "files/**" }}
{{- if not (or (hasSuffix ".md" $path) (hasPrefix "files/observability/" $path)) }}
{{ trimPrefix "files/" $path }}
{{- end }}
{{- end }}
{{- end -}}

{{/* A path as the key of a ConfigMap. */}}
{{- define "tidemark.key" -}}{{ . | replace "/" "__" }}{{- end -}}

{{/* Volume items of the files below some folders. Takes (list root (list folder …)). */}}
{{- define "tidemark.items" -}}
{{- $root := index . 0 -}}
{{- range $path := include "tidemark.files" $root | trim | splitList "\n" }}
{{- range $folder := index $ 1 }}
{{- if hasPrefix (printf "%s/" $folder) $path }}
- {key: {{ include "tidemark.key" $path }}, path: {{ $path }}}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Changes when a file of infra/ or a size in it does: pods that read it are replaced. */}}
{{- define "tidemark.filesChecksum" -}}
{{- $all := "" -}}
{{- range $path := include "tidemark.files" . | trim | splitList "\n" -}}
{{- $all = printf "%s\n%s\n%s" $all $path (include "tidemark.file" (list $ $path)) -}}
{{- end -}}
{{- sha256sum $all -}}
{{- end -}}

{{/* Nested YAML as flat settings "a.b.c: value". Takes (list prefix map). */}}
{{- define "tidemark.flat" -}}
{{- $prefix := index . 0 -}}
{{- range $key, $value := index . 1 }}
{{- $name := ternary $key (printf "%s.%s" $prefix $key) (eq $prefix "") }}
{{- if kindIs "map" $value }}
{{- include "tidemark.flat" (list $name $value) }}
{{- else }}
{{ $name }}: {{ $value | toString | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Lines "key=value" of a properties file as a map, in JSON. */}}
{{- define "tidemark.properties" -}}
{{- $map := dict -}}
{{- range $line := splitList "\n" . -}}
{{- if and (contains "=" $line) (not (hasPrefix "#" $line)) -}}
{{- $pair := splitn "=" 2 $line -}}
{{- $_ := set $map (trim $pair._0) (trim $pair._1) -}}
{{- end -}}
{{- end -}}
{{- toJson $map -}}
{{- end -}}
