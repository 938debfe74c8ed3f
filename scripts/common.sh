# What the scripts of this folder share. They source it, with their arguments, after they have gone to the project folder.
#
#   usage                            prints the head of the script. --help does it for every script, and ends it
#   stage TITLE [ESTIMATE]           begins a stage and prints its title. ESTIMATE: how long it takes on two idle cores with an empty compiler cache
#   follow LOG COMMAND [ARGUMENT...] runs the command with its output in LOG, and says how far it is: on a terminal in one line that moves,
#                                    elsewhere in a line every 15 seconds. The counters of ninja and of ctest in the log tell how far.
#   stages                           prints the seconds of each stage and of the whole, with those of the processors: on a busy machine, or
#                                    where a stage waits for the network, the two tell apart what the stage costs
#   each_source JOBS COMMAND [ARGUMENT...]
#                                    runs the command on each file that standard input names, JOBS at a time, and counts them for `follow`.
#                                    Fails if one of them fails
#
# A script that another one calls keeps to the stage of its caller: BAYPLAN_STAGE says what is going on.

usage() { awk 'NR > 1 && !/^#/ { exit } NR > 1 { sub(/^# ?/, ""); print }' "$(dirname "${BASH_SOURCE[0]}")/$(basename "$0")"; }

case ${1:-} in
  -h | --help) usage; exit 0 ;;
esac

progress_began=$EPOCHSECONDS
progress_stage=${BAYPLAN_STAGE:-}
progress_stage_began=$EPOCHSECONDS
progress_stage_used=0
progress_estimate=${BAYPLAN_ESTIMATE:-}
progress_times=()

duration() {  # SECONDS: as 45 s or 3:05 min
  if [ "$1" -lt 60 ]; then echo "$1 s"; else printf '%d:%02d min' $(($1 / 60)) $(($1 % 60)); fi
}

# processor_seconds: sets `used` to the time of the processes that this script has waited for
processor_seconds() {
  local of_children
  of_children=$(awk '{ print $16 + $17 }' /proc/$$/stat)
  used=$((of_children / $(getconf CLK_TCK)))
}

progress_end_stage() {
  local used
  processor_seconds
  [ -z "$progress_stage" ] || progress_times+=("$(printf '%6d s  %6d s of processors  %s' $((EPOCHSECONDS - progress_stage_began)) $((used - progress_stage_used)) "$progress_stage")")
  progress_stage_used=$used
}

stage() {
  progress_end_stage
  progress_stage=$1
  progress_estimate=${2:-}
  progress_stage_began=$EPOCHSECONDS
  export BAYPLAN_STAGE=$progress_stage BAYPLAN_ESTIMATE=$progress_estimate
  echo "== $1${2:+ (about $2)}"
}

stages() {
  progress_end_stage
  progress_stage=
  [ ${#progress_times[@]} -eq 0 ] || printf '%s\n' "${progress_times[@]}"
  printf '%6d s  %6d s of processors  in all\n' $((EPOCHSECONDS - progress_began)) "$progress_stage_used"
}

# progress_words LOG BEGAN: "412 of 2163, 1:05 min, about 5:40 min left"
progress_words() {
  local counter done total elapsed=$((EPOCHSECONDS - $2)) words=
  counter=$(tail -c 4096 "$1" 2>/dev/null | grep -aoE '^\[[0-9]+/[0-9]+\]|^ *[0-9]+/[0-9]+ Test' | tail -n 1) || true
  if [[ $counter =~ ([0-9]+)/([0-9]+) ]]; then
    done=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]}
    words="$done of $total, "
  fi
  words+=$(duration "$elapsed")
  if [ -n "$counter" ] && [ "$done" -lt "$total" ] && [ $((done * 10)) -ge "$total" ]; then
    words+=", about $(duration $((elapsed * (total - done) / done))) left"
  elif [ -n "$progress_estimate" ]; then
    words+=" of about $progress_estimate"
  fi
  echo "$words"
}

progress_ticker() {  # LOG: until it is ended, or the script is (a process in the background does not get its Ctrl-C)
  local began=$EPOCHSECONDS columns seconds=0 never
  columns=$(tput cols 2>/dev/null || echo 80)
  exec {never}<> <(:)  # nothing comes: `read` waits without a process that could stay behind
  until read -rt 1 -u "$never" _ || ! kill -0 $$ 2>/dev/null; do
    seconds=$((seconds + 1))
    if [ -t 1 ]; then
      printf '\r\033[K%.*s' $((columns - 1)) "${progress_stage:-working}: $(progress_words "$1" "$began")"
    elif [ $((seconds % 15)) -eq 0 ]; then
      echo "   ${progress_stage:-working}: $(progress_words "$1" "$began")"
    fi
  done
}

follow() {
  local log=$1 ticker code=0
  shift
  : >"$log"
  progress_ticker "$log" &
  ticker=$!
  "$@" >"$log" 2>&1 || code=$?
  kill "$ticker" 2>/dev/null || true
  wait "$ticker" 2>/dev/null || true
  [ ! -t 1 ] || printf '\r\033[K'
  return $code
}

each_source() {
  local jobs=$1 counted
  shift
  mapfile -t progress_files
  counted=$(mktemp)
  printf '%s\0' "${progress_files[@]}" | COUNTED=$counted TOTAL=${#progress_files[@]} xargs -0 -P "$jobs" -n 1 bash -c '
    file=${!#}
    code=0
    "$@" || code=1
    echo >>"$COUNTED"
    echo "[$(wc -l <"$COUNTED")/$TOTAL] $file"
    exit $code' each "$@" || { rm -f "$counted"; return 1; }
  rm -f "$counted"
}
