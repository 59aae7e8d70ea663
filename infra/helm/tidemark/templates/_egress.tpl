{{/* Port of a URL. */}}
{{- define "tidemark.urlPort" -}}
{{- with regexFind ":[0-9]+$" (urlParse .).host }}{{ trimPrefix ":" . }}{{ else }}{{ ternary "443" "80" (hasPrefix "https:" .) }}{{ end -}}
{{- end -}}

{{/* Ports of "host:port,host:port" and of the URLs in a list of properties, with a space before each. */}}
{{- define "tidemark.serverPorts" -}}
{{- range $server := splitList "," . }} {{ trimPrefix ":" (regexFind ":[0-9]+$" $server) }}{{ end -}}
{{- end -}}
{{- define "tidemark.propertyPorts" -}}
{{- range $url := regexFindAll "https?://[^,]+" . -1 }} {{ include "tidemark.urlPort" $url }}{{ end -}}
{{- end -}}

{{/* What is not of this chart: policies know no names of hosts, so it is reached at its ports, of the peers that the values name. Takes
(list root peers ports), ports in a text. */}}
{{- define "tidemark.egressOutside" -}}
{{- with splitList " " (trim (index . 2)) | uniq | compact }}
- ports:
    {{- range . }}
    - {protocol: TCP, port: {{ . }}}
    {{- end }}
  {{- with index (index $ 0).Values.networkPolicies.egress.to (index $ 1) }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* Pods of this release. Takes (list root labels ports), labels in YAML. */}}
{{- define "tidemark.egressInside" -}}
- to:
    - podSelector:
        matchLabels:
          {{- index . 1 | nindent 10 }}
  ports:
    {{- range index . 2 }}
    - {protocol: TCP, port: {{ . }}}
    {{- end }}
{{- end -}}

{{/* Ports of object storage, and of what holds the lake's files. */}}
{{- define "tidemark.storagePorts" -}}
{{- if eq .Values.storage.type "s3" }}{{ include "tidemark.urlPort" (.Values.storage.s3.endpoint | default "https://s3") }}{{ end -}}
{{- end -}}
{{- define "tidemark.lakePorts" -}}
{{- include "tidemark.storagePorts" . }}{{ if .Values.lake.warehouse }} {{ ternary (include "tidemark.urlPort" (.Values.storage.s3.endpoint | default "https://s3")) "443" (hasPrefix "s3:" .Values.lake.warehouse) }}{{ end }}
{{- include "tidemark.propertyPorts" .Values.lake.fileIo -}}
{{- end -}}

{{/* One thing that a pod asks, as rules of a NetworkPolicy. Takes (list root need). */}}
{{- define "tidemark.egressRules" -}}
{{- $ := index . 0 -}}
{{- $need := index . 1 -}}
{{- $values := $.Values -}}
{{- if eq $need "dns" }}
- to:
    {{- toYaml $values.networkPolicies.egress.dns.to | nindent 4 }}
  ports:
    {{- range list "UDP" "TCP" }}
    - {protocol: {{ . }}, port: {{ $values.networkPolicies.egress.dns.port }}}
    {{- end }}
{{- else if eq $need "druid" }}
- to:
    - podSelector:
        matchLabels:
          app.kubernetes.io/name: tidemark
          app.kubernetes.io/instance: {{ $.Release.Name }}
        matchExpressions:
          - {key: app.kubernetes.io/component, operator: In, values: [druid-coordinator, druid-broker, druid-historical, druid-historical-hot, druid-indexer, druid-indexer-batch]}
  ports:
    {{- range list 18081 18082 18083 18084 18091 18092 }}
    - {protocol: TCP, port: {{ . }}}
    {{- end }}
{{- else if eq $need "druidDoors" }}
{{ include "tidemark.egressInside" (list $ (include "tidemark.selector" (list $ "druid-coordinator")) (list 18081)) }}
{{ include "tidemark.egressInside" (list $ (include "tidemark.selector" (list $ "druid-broker")) (list 18082)) }}
{{- else if eq $need "ensemble" }}
{{ include "tidemark.egressInside" (list $ (include "tidemark.selector" (list $ "zookeeper")) (list 12888 13888)) }}
{{- else if eq $need "zookeeper" }}
{{- if $values.zookeeper.external }}
{{- include "tidemark.egressOutside" (list $ "zookeeper" (include "tidemark.serverPorts" $values.zookeeper.external)) }}
{{- else }}
{{ include "tidemark.egressInside" (list $ (include "tidemark.selector" (list $ "zookeeper")) (list 12181)) }}
{{- end }}
{{- else if eq $need "kafka" }}
{{- if eq $values.kafka.mode "external" }}
{{- include "tidemark.egressOutside" (list $ "kafka" (include "tidemark.serverPorts" (include "tidemark.kafka" $))) }}
{{- else }}
{{- $cluster := include "tidemark.name" (list $ "kafka") }}
{{- /* The operator's pods and their labels. */}}
{{ include "tidemark.egressInside" (list $ (printf "strimzi.io/cluster: %s\nstrimzi.io/kind: Kafka\nstrimzi.io/name: %s-kafka" $cluster $cluster) (list (include "tidemark.serverPorts" (include "tidemark.kafka" $) | trim))) }}
{{- end }}
{{- else if eq $need "sourceKafka" }}
{{- include "tidemark.egressOutside" (list $ "kafka" (include "tidemark.serverPorts" $values.region.sourceKafka)) }}
{{- else if eq $need "postgres" }}
{{- include "tidemark.egressOutside" (list $ "postgres" ($values.postgres.port | toString)) }}
{{- else if eq $need "firstPostgres" }}
{{- include "tidemark.egressOutside" (list $ "postgres" ($values.region.controlPlane.port | toString)) }}
{{- else if eq $need "catalog" }}
{{- include "tidemark.egressOutside" (list $ "catalog" (printf "%s%s" (include "tidemark.urlPort" $values.lake.catalog.uri) (include "tidemark.propertyPorts" $values.lake.catalog.properties))) }}
{{- else if eq $need "storage" }}
{{- include "tidemark.egressOutside" (list $ "storage" (include "tidemark.storagePorts" $)) }}
{{- else if eq $need "lake" }}
{{- include "tidemark.egressOutside" (list $ "storage" (include "tidemark.lakePorts" $)) }}
{{- else if eq $need "kubernetes" }}
{{- include "tidemark.egressOutside" (list $ "kubernetes" "443 6443") }}
{{- else if eq $need "ownMetrics" }}
{{- if $values.platformApi.selfTelemetryUrl }}
{{- include "tidemark.egressOutside" (list $ "telemetry" (include "tidemark.urlPort" $values.platformApi.selfTelemetryUrl)) }}
{{- else if and $values.platformApi.roles (not $values.platformApi.tls.secret) }}
{{ include "tidemark.egressInside" (list $ (include "tidemark.platformApiSelector" (list $ "ingest")) (list 4318)) }}
{{- end }}
{{- else if eq $need "traces" }}
{{- with $values.platformApi.environment.TIDEMARK_TRACES_ENDPOINT }}
{{- include "tidemark.egressOutside" (list $ "telemetry" (include "tidemark.urlPort" .)) }}
{{- end }}
{{- else if eq $need "signIn" }}
{{- if eq $values.platformApi.signIn "external" }}
{{- include "tidemark.egressOutside" (list $ "signIn" (include "tidemark.urlPort" $values.platformApi.oidc.issuer)) }}
{{- end }}
{{- else if eq $need "mail" }}
{{- if $values.platformApi.environment.TIDEMARK_SMTP_HOST }}
{{- include "tidemark.egressOutside" (list $ "mail" ($values.platformApi.environment.TIDEMARK_SMTP_PORT | default "587")) }}
{{- end }}
{{- else if eq $need "world" }}
{{- with $values.networkPolicies.egress.to.world }}
- to:
    {{- toYaml . | nindent 4 }}
{{- end }}
{{- end }}
{{- end -}}

{{/* What the pods of one selector may reach: what they need, and what the values name further. Takes (list root name labels selector needs
further), labels and selector in YAML. */}}
{{- define "tidemark.egressPolicy" -}}
{{- $ := index . 0 -}}
{{- $rules := "" -}}
{{- range uniq (index . 4) }}{{ $rules = printf "%s\n%s" $rules (include "tidemark.egressRules" (list $ .) | trim) }}{{ end -}}
{{- with index $.Values.networkPolicies.egress.further (index . 5) }}{{ $rules = printf "%s\n%s" $rules (toYaml .) }}{{ end -}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ index . 1 }}-egress
  labels:
    {{- index . 2 | nindent 4 }}
spec:
  podSelector:
    matchLabels:
      {{- index . 3 | nindent 6 }}
  policyTypes: [Egress]
  egress:
    {{- regexReplaceAll "\n+" (trim $rules) "\n" | nindent 4 }}
{{- end -}}
