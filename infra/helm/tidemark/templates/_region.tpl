{{/* The name of a second region; empty in the first, and where the values are older than it. */}}
{{- define "tidemark.second" -}}{{ dig "name" "" (.Values.region | default dict) }}{{- end -}}

{{/* The jobs of this region, as {jobs: [...]} in JSON. A second one has those that read points: usage is metered and alerts are decided in the
first alone. FlinkJobs of infra/provision chooses by the same argument. */}}
{{- define "tidemark.jobs" -}}
{{- $jobs := list -}}
{{- range $job := (.Files.Get "files/flink/jobs.yaml" | fromYaml).jobs -}}
{{- if or (not (include "tidemark.second" $)) (hasKey $job.arguments "points.topic") -}}
{{- $jobs = append $jobs $job -}}
{{- end -}}
{{- end -}}
{{- dict "jobs" $jobs | toJson -}}
{{- end -}}

{{/* Names of the jobs that are not in this region, with a space before each. */}}
{{- define "tidemark.absentJobs" -}}
{{- $here := list -}}
{{- range (include "tidemark.jobs" . | fromJson).jobs }}{{ $here = append $here .name }}{{ end -}}
{{- range (.Files.Get "files/flink/jobs.yaml" | fromYaml).jobs }}{{ if not (has .name $here) }} {{ .name }}{{ end }}{{ end -}}
{{- end -}}

{{/* Refuses what cannot be, before anything is made. Each message says what to do. */}}
{{- define "tidemark.checkRegion" -}}
{{- $region := .Values.region | default dict -}}
{{- $first := dig "controlPlane" "host" "" $region -}}
{{- if not $region.name -}}
{{- range $value, $given := dict "region.sourceKafka" $region.sourceKafka "region.controlPlane.host" $first -}}
{{- if $given -}}
{{- fail (printf "%s is given, but region.name is empty: name this region, or leave both away in a first region" $value) -}}
{{- end -}}
{{- end -}}
{{- else -}}
{{- if .Release.IsUpgrade -}}
{{- range $deployment := list "platform-api" "platform-api-control" -}}
{{- if lookup "apps/v1" "Deployment" $.Release.Namespace (include "tidemark.name" (list $ $deployment)) -}}
{{- fail (printf "region.name is %s, but %s is installed as a first region: its control plane, usage and alert job would end. Install the second region as a release of its own" $region.name $.Release.Name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if not $region.sourceKafka -}}
{{- fail (printf "region.sourceKafka is required in the second region %s: the first region's Kafka as host:port, whose points it reads" $region.name) -}}
{{- end -}}
{{- if not $first -}}
{{- fail (printf "region.controlPlane.host is required in the second region %s: the first region's PostgreSQL, which has tenants and keys" $region.name) -}}
{{- end -}}
{{- if and (eq $first .Values.postgres.host) (eq (int $region.controlPlane.port) (int .Values.postgres.port)) -}}
{{- fail (printf "region.controlPlane and postgres are one server, %s: Druid's metadata and the lake's catalog would be the first region's. Name a PostgreSQL of this region in postgres.host" $first) -}}
{{- end -}}
{{- range $server := splitList "," $region.sourceKafka -}}
{{- if has $server (splitList "," (include "tidemark.kafka" $)) -}}
{{- fail (printf "region.sourceKafka names %s, which is this region's own Kafka: every row would be written twice. Give this region a Kafka in kafka, or name the first region's in region.sourceKafka" $server) -}}
{{- end -}}
{{- end -}}
{{- if .Values.platformApi.roles -}}
{{- fail "platformApi.roles is given, but a second region has the role query alone: leave it away; sizes of its processes are those of platformApi" -}}
{{- end -}}
{{- if .Values.platformApi.kafkaListenerAdvertised -}}
{{- fail "platformApi.kafkaListenerAdvertised is given, but a second region takes no points: leave it away; producers send to the first region" -}}
{{- end -}}
{{- end -}}
{{- end -}}
