# The subshell protects the shell into which this is pasted from its variables and its exit.
collect() (
  set -u -o pipefail
  SECONDS=0
  export folder region
  export AWS_PAGER='' AWS_RETRY_MODE="${AWS_RETRY_MODE:-standard}" AWS_MAX_ATTEMPTS="${AWS_MAX_ATTEMPTS:-10}"
  jobs="${BAYPLAN_COLLECT_JOBS:-8}"
  name="${cluster##*/}"
  started="$(date -u +%Y-%m-%dT%H:%M:%SZ)"
  changed=''

  # record CALL FILE SECONDS CODE MESSAGE: a line of the manifest, written at once, since several calls run at a time.
  record() {
    local error=''
    [ "$4" -eq 0 ] ||
      error=", \"error\": \"$(printf %s "$5" | tr -s '\t\r\n' '   ' | tr -cd '\040-\176' | cut -c 1-500 | sed 's/[\\"]/\\&/g; s/^ *//')\""
    printf '    {"call": "%s", "file": "%s", "seconds": %d, "exitCode": %d%s}\n' "$1" "$2" "$3" "$4" "$error" >> "$folder/.calls"
  }

  # call FILE SERVICE OPERATION ARGUMENTS...: appends the response to FILE. If the call fails, only its error message is kept.
  call() {
    local file="$1" service="$2" operation="$3" begin="$SECONDS" said code
    shift 3
    said="$(aws "$service" "$operation" ${region:+--region "$region"} --output json "$@" 2>&1 > "$folder/$file.part" < /dev/null)"
    code=$?
    # Version 2 treats a truncated response as an empty one.
    [ "$code" -ne 0 ] || [ -s "$folder/$file.part" ] || { code=65 && said='an empty answer'; }
    [ "$code" -ne 0 ] || [ "$(tail -c 3 "$folder/$file.part" | tr -d '\r\n' | tail -c 1)" = '}' ] || { code=65 && said='an answer that is cut off'; }
    [ "$code" -ne 0 ] || cat "$folder/$file.part" >> "$folder/$file" || code=$?
    rm -f "$folder/$file.part"
    record "$service $operation" "$file" $((SECONDS - begin)) "$code" "$said"
    return "$code"
  }
  export -f call record

  # Lines of standard input as arguments of COMMAND, SIZE at a time; ARNs and IDs contain no spaces.
  in_batches() {
    local size="$1" words
    shift
    xargs -n "$size" | while read -r words; do
      # shellcheck disable=SC2086
      [ -z "$words" ] || "$@" $words
    done
  }

  # A filter ignores an ID that no longer exists; as an argument, it would fail the call.
  by_filter() {
    local file="$1" operation="$2" filter="$3" query="$4"
    shift 4
    call "$file" ec2 "$operation" --filters "Name=$filter,Values=$(IFS=, && printf %s "$*")" --query "$query"
  }

  # found PATTERN FILES...: the matches in the responses, each once, without quotes.
  found() {
    local pattern="$1"
    shift
    (cd "$folder" && cat /dev/null "$@" 2> /dev/null) | grep -o "$pattern" | tr -d '"' | sort -u
  }

  # member KEY FILE: the values of a key, one per line, in the JSON layout of the AWS CLI.
  member() {
    (cd "$folder" && cat /dev/null "$2" 2> /dev/null) | sed -n "s|.*\"$1\": \"\(.*\)\",\{0,1\}\$|\1|p" | sort -u
  }

  manifest() {
    {
      printf '{\n  "schema": "bayplan/snapshot-manifest/1",\n  "snapshotOf": "%s",\n  "startedAt": "%s",\n' "$name" "$started"
      [ -z "$1" ] || printf '  "endedAt": "%s",\n' "$1"
      printf '  "calls": [\n'
      sed '$!s/$/,/' "$folder/.calls"
      printf '  ],\n  "changed": [%s]\n}\n' "$changed"
    } > "$folder/manifest.part" && mv "$folder/manifest.part" "$folder/manifest.json"
  }

  # Without a manifest, the files are not from an earlier run, and bayplan would read them together with the new ones.
  if [ -e "$folder" ] && [ ! -e "$folder/manifest.json" ] && [ -n "$(ls -A "$folder")" ]; then
    echo "collect: $folder contains other files; name a new folder (--folder)" >&2
    exit 1
  fi
  mkdir -p "$folder/task-definitions" || exit 1
  (cd "$folder" && rm -f task-definitions/*.json .calls manifest.json clusters.* capacity-providers.json list-*.json list-*.end \
    container-instances.json tasks.json services.json instance-types.json ec2-instances.json auto-scaling-groups.json subnets.json)
  : > "$folder/.calls" && manifest '' || exit 1

  # Limits of one call (API references): 100 container instances or tasks, 10 services or capacity providers, one task
  # definition; 100 instance types. The AWS CLI pages lists by itself.
  call clusters.json ecs describe-clusters --clusters "$cluster" || {
    manifest "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
    sed -n 's/.*"error": "\(.*\)"}$/collect: aws ecs describe-clusters: \1/p' "$folder/.calls" >&2
    exit 1
  }
  tr -d ' \n' < "$folder/clusters.json" | grep -o '"capacityProviders":\[[^]]*\]' | cut -d : -f 2 | grep -o '"[^"]*"' | tr -d '"' |
    in_batches 10 call capacity-providers.json ecs describe-capacity-providers --capacity-providers
  for kind in container-instances tasks services; do
    call "list-$kind.json" ecs "list-$kind" --cluster "$cluster"
  done
  found '"arn:[^"]*"' list-container-instances.json |
    in_batches 100 call container-instances.json ecs describe-container-instances --cluster "$cluster" --container-instances
  found '"arn:[^"]*"' list-tasks.json | in_batches 100 call tasks.json ecs describe-tasks --cluster "$cluster" --tasks
  found '"arn:[^"]*"' list-services.json | in_batches 10 call services.json ecs describe-services --cluster "$cluster" --services

  # One call per definition, several at a time. xargs would stop at an exit code of 255, which version 1 of the AWS CLI has for
  # every error, so each failure is recorded instead of returned.
  found '"arn:[^"]*:task-definition/[^"]*"' tasks.json services.json > "$folder/.definitions"
  if [ -s "$folder/.definitions" ]; then
    # shellcheck disable=SC2016
    xargs -P "$jobs" -n 1 bash -c '
      family="${1##*/}"
      call "task-definitions/${family/:/-}.json" ecs describe-task-definition --task-definition "$1" || true' _ < "$folder/.definitions"
  fi
  rm -f "$folder/.definitions"

  tr -d ' \n' < "$folder/container-instances.json" 2> /dev/null | grep -o '"ecs.instance-type","value":"[^"]*"' | cut -d '"' -f 6 |
    sort -u | in_batches 100 call instance-types.json ec2 describe-instance-types --instance-types
  found '"i-[0-9a-f]*"' container-instances.json | in_batches 100 by_filter ec2-instances.json describe-instances instance-id \
    "{Instances: Reservations[].Instances[].{InstanceId: InstanceId, InstanceType: InstanceType, InstanceLifecycle: InstanceLifecycle, SubnetId: SubnetId, AvailabilityZone: Placement.AvailabilityZone, AutoScalingGroupName: Tags[?Key=='aws:autoscaling:groupName'].Value | [0]}}"
  {
    member AutoScalingGroupName ec2-instances.json
    member autoScalingGroupArn capacity-providers.json | sed 's|.*autoScalingGroupName/||'
  } | sort -u | while IFS= read -r group; do
    call auto-scaling-groups.json autoscaling describe-auto-scaling-groups --auto-scaling-group-names "$group" \
      --query '{AutoScalingGroups: AutoScalingGroups[].{AutoScalingGroupName: AutoScalingGroupName, AutoScalingGroupARN: AutoScalingGroupARN, MinSize: MinSize, MaxSize: MaxSize, DesiredCapacity: DesiredCapacity, AvailabilityZones: AvailabilityZones, VPCZoneIdentifier: VPCZoneIdentifier, Instances: Instances[].{InstanceId: InstanceId, AvailabilityZone: AvailabilityZone, LifecycleState: LifecycleState}}}'
  done
  found 'subnet-[0-9a-f]\{8,17\}' tasks.json services.json container-instances.json ec2-instances.json auto-scaling-groups.json |
    in_batches 100 by_filter subnets.json describe-subnets subnet-id \
      '{Subnets: Subnets[].{SubnetId: SubnetId, AvailabilityZone: AvailabilityZone, VpcId: VpcId, AvailableIpAddressCount: AvailableIpAddressCount, Ipv6Native: Ipv6Native}}'

  # If the same calls still return the same, the responses describe one time.
  call clusters.end ecs describe-clusters --clusters "$cluster" && ! cmp -s "$folder/clusters.json" "$folder/clusters.end" &&
    changed='"ecs describe-clusters"'
  for kind in container-instances tasks services; do
    call "list-$kind.end" ecs "list-$kind" --cluster "$cluster" || continue
    [ "$(found '"arn:[^"]*"' "list-$kind.json")" = "$(found '"arn:[^"]*"' "list-$kind.end")" ] ||
      changed="${changed:+$changed, }\"ecs list-$kind\""
  done

  manifest "$(date -u +%Y-%m-%dT%H:%M:%SZ)" || exit 1
  calls="$(grep -c . "$folder/.calls")"
  failed="$(grep -c -v '"exitCode": 0}$' "$folder/.calls")"
  sed -n 's/.*{"call": "\([^"]*\)".*"exitCode": [1-9][0-9]*, "error": "\(.*\)"}$/collect: FAILED aws \1: \2/p' "$folder/.calls" >&2
  rm -f "$folder/.calls"
  echo "collect: $calls calls in $SECONDS s, $failed failed: $folder" >&2
  [ -z "$changed" ] || echo "collect: the cluster changed in the meantime ($changed); collect again for a consistent snapshot" >&2
  [ "$failed" -eq 0 ]
)

collect && bayplan place --cluster "$folder"
