{{/* Name of an object of one component: "<release>-<component>". Takes (list root component). */}}
{{- define "tidemark.name" -}}
{{- printf "%s-%s" (index . 0).Release.Name (index . 1) | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{/* What selects the pods of a component. */}}
{{- define "tidemark.selector" -}}
app.kubernetes.io/name: tidemark
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- define "tidemark.labels" -}}
{{ include "tidemark.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ printf "%s-%s" (index . 0).Chart.Name (index . 0).Chart.Version }}
{{- end -}}

{{/* Image of Tidemark itself. Takes (list root image). */}}
{{- define "tidemark.image" -}}
{{- $image := index . 1 -}}
{{- with (index . 0).Values.images.registry }}{{ . }}/{{ end }}{{ $image.repository }}:{{ $image.tag }}
{{- end -}}

{{/* What every pod says of itself: no root, no privileges, no token unless asked for. Takes (list root user). */}}
{{- define "tidemark.podSecurity" -}}
securityContext:
  runAsNonRoot: true
  runAsUser: {{ index . 1 }}
  runAsGroup: {{ index . 1 }}
  fsGroup: {{ index . 1 }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: {type: RuntimeDefault}
{{- with (index . 0).Values.images.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "tidemark.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  capabilities: {drop: [ALL]}
{{- end -}}

{{/* Replicas on different nodes and in different zones, as far as there are some. Takes (list root component). */}}
{{- define "tidemark.spread" -}}
topologySpreadConstraints:
{{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "tidemark.selector" $ | nindent 8 }}
{{- end }}
{{- end -}}

{{/* At most one replica is away at a time by choice; a single one is not protected, or its node could never be drained. */}}
{{- define "tidemark.disruption" -}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "tidemark.name" . }}
  labels:
    {{- include "tidemark.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "tidemark.selector" . | nindent 6 }}
{{- end -}}

{{/* One variable from the secret. Takes (list root variable key). */}}
{{- define "tidemark.secretVariable" -}}
- name: {{ index . 1 }}
  valueFrom:
    secretKeyRef: {name: {{ (index . 0).Values.secrets.existing }}, key: {{ index . 2 }}}
{{- end -}}

{{/* Keys of the secret as files of a volume: those that must be there, and those that may be. Takes (list root keys optional). */}}
{{- define "tidemark.secretFiles" -}}
{{- $secret := (index . 0).Values.secrets.existing -}}
projected:
  defaultMode: 0440
  sources:
    - secret:
        name: {{ $secret }}
        items:
          {{- range index . 1 }}
          - {key: {{ . }}, path: {{ . }}}
          {{- end }}
    {{- with index . 2 }}
    - secret:
        name: {{ $secret }}
        optional: true
        items:
          {{- range . }}
          - {key: {{ . }}, path: {{ . }}}
          {{- end }}
    {{- end }}
{{- end -}}

{{/* Of processes of platform-api with a role, or of those that do everything. Each takes (list root role). */}}
{{- define "tidemark.platformApiName" -}}
{{- include "tidemark.name" (list (index . 0) (ternary "platform-api" (printf "platform-api-%s" (index . 1)) (eq (index . 1) ""))) -}}
{{- end -}}
{{- define "tidemark.platformApiSelector" -}}
{{ include "tidemark.selector" (list (index . 0) "platform-api") }}
{{- with index . 1 }}
tidemark.io/role: {{ . }}
{{- end }}
{{- end -}}
{{- define "tidemark.platformApiLabels" -}}
{{ include "tidemark.labels" (list (index . 0) "platform-api") }}
{{- with index . 1 }}
tidemark.io/role: {{ . }}
{{- end }}
{{- end -}}
