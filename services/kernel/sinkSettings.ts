import { duration, integer, list, path, ports, setting } from "./setting.ts";

/** Of the sinks role, and of the API, which refuses at submit what a sink could not do. */
export const sinkSettings = {
  sinkAllowPrivate: setting(
    "CAZI_SINK_ALLOW_PRIVATE",
    [] as readonly string[],
    list,
    "hosts on private addresses that sinks may reach, also over http and on any port: a host, *.domain or *, for one tenant with <tenant>/ before it, separated by commas",
  ),
  sinkPorts: setting<readonly number[]>(
    "CAZI_SINK_PORTS",
    [443, 8443],
    ports,
    "ports on which sinks reach public hosts, separated by commas",
  ),
  sinkCa: setting(
    "CAZI_SINK_CA",
    "",
    path,
    "PEM file of certificate authorities that sinks trust beside the public ones, for webhooks and S3",
  ),
  sinkFiles: setting(
    "CAZI_SINK_FILES",
    "",
    path,
    "folder that file sinks write to; the API and the sinks role need the same; unset: there are none",
  ),
  sinkTries: setting("CAZI_SINK_TRIES", 8, integer(1, 50), "tries of a sink before it has failed"),
  sinkRetryFirstMs: duration(
    "CAZI_SINK_RETRY_FIRST_SECONDS",
    5_000,
    "time from a task's end to the second try of a sink; each further one waits longer",
  ),
  sinkRetryLastMs: duration(
    "CAZI_SINK_RETRY_LAST_SECONDS",
    3_645_000,
    "time from a task's end to the last try",
  ),
} as const;
