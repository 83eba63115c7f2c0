#!/bin/sh
# Prints a line for each event of the feed: its CloudEvent as JSON. Read over HTTP, with curl and nothing else.
#
#   shell-subscriber.sh [FILE]     FILE keeps the place of the last printed event (./feed.place)
#
# After a restart it goes on after that place; the first time with all there is. CAZI_URL and CAZI_TOKEN name the API,
# unless they are those of the home CAZI_HOME (.cazi).
set -u
home=${CAZI_HOME:-.cazi}
file=${1:-feed.place}
newline='
'

read_stream() { # takes the stream on standard input
  while IFS= read -r line; do
    case $line in
      "event: "*) event=${line#event: } ;;
      "id: "*) place=${line#id: } ;;
      "data: "*) data=${line#data: } ;;
      "")
        case ${event:-} in
          task) printf '%s\n' "$data" || exit 1 ;;
          gap) printf 'events are missing here: %s\n' "$data" >&2 ;;
        esac
        # Only what was printed is behind us; written aside and moved, so that a kill leaves the old place or the new.
        [ -n "${event:-}" ] && printf '%s' "$place" > "$file.new" && mv "$file.new" "$file"
        event=''
        ;;
    esac
  done
}

while :; do
  url=${CAZI_URL:-$(cat "$home/url")}
  token=${CAZI_TOKEN:-$(cat "$home/token")}
  place=$(cat "$file" 2>/dev/null || echo 0)
  # The token goes in by standard input: arguments can be read by others on this machine.
  printf '%s' "header = \"Authorization: Bearer $token\"${newline}header = \"Last-Event-ID: $place\"" |
    curl --silent --show-error --no-buffer --fail --config - "$url/v1/events/stream" | read_stream
  sleep 1
done
