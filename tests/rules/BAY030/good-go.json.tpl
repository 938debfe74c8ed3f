{{- /* for ecspresso,
       rendered at deploy time */ -}}
{
  "family": "{{ must_env "FAMILY" }}",
  {{- if eq .Stage "production" }}
  "networkMode": "awsvpc",
  {{- else if eq .Stage "staging" }}
  "networkMode": "host",
  {{- else }}
  "networkMode": "bridge",
  {{- end }}
  "containerDefinitions": [
    {{- $last := sub (len .Containers) 1 }}
    {{- range $i, $c := .Containers }}
    {"name": "{{ $c.Name }}", "image": "{{ $c.Image }}", "memory": {{ $c.Memory }}}{{ if lt $i $last }},{{ end }}
    {{- end }}
  ]
}
