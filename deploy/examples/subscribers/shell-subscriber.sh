#!/bin/sh
# Prints a line for each event of the feed: its CloudEvent as JSON. Read over HTTP, with curl and nothing else.
#
#   shell-subscriber.sh [FILE]     FILE keeps the place of the last printed event (shell-subscriber.place in the home)
#
# After a restart it goes on after that place; the first time, or where FILE holds no place, with all there is. While
# Cazi is away it says so once and waits. A second process needs a FILE of its own. CAZI_URL and CAZI_TOKEN name the
# API, unless they are those of the home CAZI_HOME (.cazi).
set -u
home=${CAZI_HOME:-.cazi}
file=${1:-$home/shell-subscriber.place}
newline='
'

open_stream() { # prints the stream, and how it ended as a last line of its own
  url=${CAZI_URL:-$(cat "$home/url" 2>/dev/null)}
  token=${CAZI_TOKEN:-$(cat "$home/token" 2>/dev/null)}
  if [ -z "$url" ] || [ -z "$token" ]; then
    printf 'ended: 000 there is no %s/url or token\n' "$home"
    return
  fi
  # What is no place counts as none: an event that comes twice is better than one that never comes.
  place=$(grep -Ex '[0-9]{1,15}(-[0-9a-f]{8})?' "$file" 2>/dev/null | tail -n 1)
  # The token goes in by standard input: arguments can be read by others on this machine.
  # How it ended comes after a space, so that it never is the empty line that ends an event.
  printf '%s' "header = \"Authorization: Bearer $token\"${newline}header = \"Last-Event-ID: ${place:-0}\"" |
    curl --silent --no-buffer --fail --config - \
      --write-out ' \nended: %{http_code} %{url_effective} answers %{http_code}\n' "$url/v1/events/stream"
}

keep() { # written aside and moved, so that a kill leaves the old place or the new
  printf '%s' "$1" > "$file.$$.new" && mv "$file.$$.new" "$file"
}

# Takes the stream on standard input. Returns 0 when something was read, 1 when nobody answered, 3 to 5 for an answer of
# that hundred, 9 when it cannot go on. Says why it waits unless that was the last outcome ($said).
read_stream() {
  event='' begun='' status=000 reason='curl said nothing'
  while IFS= read -r line; do
    case $line in
      "event: "*) event=${line#event: } ;;
      "id: "*) place=${line#id: } ;;
      "data: "*) data=${line#data: } ;;
      "ended: "*) line=${line#ended: } status=${line%% *} reason=${line#* } ;;
      "")
        [ -n "$event" ] || continue
        begun=yes
        case $event in
          task) printf '%s\n' "$data" || return 9 ;;
          gap) printf 'events are missing here: %s\n' "$data" >&2 ;;
        esac
        # Only what was printed is behind us.
        if ! keep "$place"; then
          printf 'the place cannot be kept in %s: name another FILE\n' "$file" >&2
          return 9
        fi
        event=''
        ;;
    esac
  done
  [ -z "$begun" ] || return 0
  outcome=${status%??}
  [ "$outcome" != 0 ] || outcome=1
  case $reason in *" answers 000") reason="${reason% answers 000} does not answer" ;; esac
  [ "$outcome" = "$said" ] || printf 'waiting for Cazi: %s\n' "$reason" >&2
  return "$outcome"
}

said=0
while :; do
  open_stream | read_stream
  said=$?
  [ "$said" -lt 9 ] || exit 1
  sleep 1
done
