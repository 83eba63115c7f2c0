#!/usr/bin/env python3
"""Prints a line for each event of the feed: id, transition, task, status. The standard library is all it needs.

    python-subscriber.py [FILE]    FILE keeps the place of the last printed event (./feed.place)

It reads the events' very Avro bytes over HTTP and decodes them with the schema that each one names. After a restart it
goes on after the kept place; the first time with all there is. CAZI_URL and CAZI_TOKEN name the API, unless they are
those of the home CAZI_HOME (.cazi).
"""
import base64, functools, json, os, sys, time, urllib.error, urllib.request


def decode(schema, data):
    """The value of an Avro datum made of records, unions, strings, integers, booleans and nulls."""
    names, at = {}, 0
    def learn(s):
        if isinstance(s, dict):
            names[f"{s['namespace']}.{s['name']}"] = s
        for inner in s if isinstance(s, list) else [field["type"] for field in s["fields"]] if isinstance(s, dict) else ():
            learn(inner)
    def take(count):
        nonlocal at
        at += count
        return data[at - count:at]
    def integer(value=0, shift=0):
        while (byte := take(1)[0]) > 127:
            value, shift = value | (byte & 127) << shift, shift + 7
        value |= byte << shift
        return value >> 1 ^ -(value & 1)
    def read(s):
        if isinstance(s, list): return read(s[integer()])
        s = names.get(s, s) if isinstance(s, str) else s
        if isinstance(s, dict): return {field["name"]: read(field["type"]) for field in s["fields"]}
        readers = {"null": lambda: None, "boolean": lambda: take(1) == b"\x01", "int": integer, "long": integer,
                   "string": lambda: take(integer()).decode()}
        return readers[s]()
    learn(schema)
    return read(schema)


home = os.environ.get("CAZI_HOME", ".cazi")
file = sys.argv[1] if len(sys.argv) > 1 else "feed.place"


def kept(path, otherwise=None):
    try:
        with open(path) as opened:
            return opened.read().strip()
    except FileNotFoundError:
        if otherwise is None:
            raise
        return otherwise


def keep(place):
    with open(file + ".new", "w") as opened:
        opened.write(place)
    os.replace(file + ".new", file)  # a kill leaves the old place or the new


def ask(path, headers={}):
    url = os.environ.get("CAZI_URL") or kept(f"{home}/url")
    # A comment comes every 15 s: longer silence is a connection that died unnoticed.
    return urllib.request.urlopen(urllib.request.Request(url + path, headers=headers), timeout=45)


@functools.cache
def schema_at(path):
    with ask(path) as answer:
        return json.load(answer)


def deal(event):
    # Single-object encoding: two bytes of mark, eight of fingerprint, the datum.
    value = decode(schema_at(event["dataschema"]), base64.b64decode(event["data_base64"])[10:])
    status = (value.get("state") or {"status": "erased"})["status"]
    print(event["id"], event["type"].split(".")[-1], value["task"], status, flush=True)


def follow():
    token = os.environ.get("CAZI_TOKEN") or kept(f"{home}/token")
    headers = {"Authorization": f"Bearer {token}", "Last-Event-ID": kept(file, "0")}
    with ask("/v1/events/stream?format=avro", headers) as stream:
        fields = {}
        for line in stream:
            name, _, value = line.decode().rstrip("\r\n").partition(": ")
            if name and value:
                fields[name] = value
            elif not name and fields.get("event"):
                if fields["event"] == "task":
                    deal(json.loads(fields["data"]))
                elif fields["event"] == "gap":
                    print("events are missing here:", fields["data"], file=sys.stderr)
                keep(fields["id"])  # only what was printed is behind us
                fields = {}


while True:
    try:
        follow()
    except (urllib.error.URLError, OSError) as error:
        print(f"not reading now: {error}", file=sys.stderr)
    time.sleep(1)
