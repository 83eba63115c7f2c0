#!/usr/bin/env python3
"""Prints a line for each event of the feed: id, transition, task, status. The standard library is all it needs.

    python-subscriber.py [FILE]    FILE keeps the place of the last printed event (python-subscriber.place in the home)

It reads the events' very Avro bytes over HTTP and decodes them with the schema that each one names. After a restart it
goes on after the kept place; the first time, or where FILE holds no place, with all there is. While Cazi is away it
says so once and waits. A second process needs a FILE of its own. CAZI_URL and CAZI_TOKEN name the API, unless they are
those of the home CAZI_HOME (.cazi).
"""
import base64, functools, http.client, json, os, re, sys, time, urllib.request


def decode(schema, data):
    """The value of an Avro datum made of records, arrays, unions, strings, integers, booleans and nulls."""
    names, at = {}, 0
    def learn(s):
        if isinstance(s, dict) and s["type"] == "array": return learn(s["items"])
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
        if isinstance(s, dict) and s["type"] == "array": return list(items(s["items"]))
        if isinstance(s, dict): return {field["name"]: read(field["type"]) for field in s["fields"]}
        readers = {"null": lambda: None, "boolean": lambda: take(1) == b"\x01", "int": integer, "long": integer,
                   "string": lambda: take(integer()).decode()}
        return readers[s]()
    def items(s):
        while (count := integer()) != 0:
            if count < 0: integer()  # the size of the block in bytes, for who skips it
            for _ in range(abs(count)): yield read(s)
    learn(schema)
    return read(schema)


home = os.environ.get("CAZI_HOME", ".cazi")
file = sys.argv[1] if len(sys.argv) > 1 else os.path.join(home, "python-subscriber.place")
told = set()  # what was said of Cazi being away, since it was last there


def kept(name):
    with open(os.path.join(home, name)) as opened:
        return opened.read().strip()


def kept_place():
    try:
        with open(file) as opened:
            text = opened.read().strip()
    except (OSError, UnicodeDecodeError):
        text = ""
    # An event that comes twice is better than one that never comes.
    return text if re.fullmatch(r"[0-9]{1,15}(-[0-9a-f]{8})?", text) else "0"


def keep(place):
    aside = f"{file}.{os.getpid()}.new"
    try:
        with open(aside, "w") as opened:
            opened.write(place)
        os.replace(aside, file)  # a kill leaves the old place or the new
    except OSError as error:
        sys.exit(f"the place cannot be kept in {file}: {error.strerror}; name another FILE")


def ask(path, headers=lambda: {}):
    url = os.environ.get("CAZI_URL") or kept("url")
    # A comment comes every 15 s: longer silence is a connection that died unnoticed.
    return urllib.request.urlopen(urllib.request.Request(url + path, headers=headers()), timeout=45)


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
    def headers():
        token = os.environ.get("CAZI_TOKEN") or kept("token")
        return {"Authorization": f"Bearer {token}", "Last-Event-ID": kept_place()}
    with ask("/v1/events/stream?format=avro", headers) as stream:
        told.clear()
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
    except (http.client.HTTPException, OSError) as error:
        if str(error) not in told:
            print(f"waiting for Cazi: {error}", file=sys.stderr, flush=True)
        told.add(str(error))
    time.sleep(1)
