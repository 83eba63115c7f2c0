import { BlockList, isIPv4, isIPv6 } from "node:net";

/**
 * - `public`: anybody's.
 * - `private`: this machine's or this network's; only where it is allowed.
 * - `never`: the metadata of a cloud, link-local, multicast, reserved, or nothing that is an address.
 */
export type AddressClass = "public" | "private" | "never";

/** Clouds answer with credentials there; Oracle's and Alibaba's are outside of link-local. */
const metadata = blocked(["100.100.100.200/32", "192.0.0.192/32", "fd00:ec2::254/128", "fd20:ce::254/128"]);

/** IANA's special-purpose registries, but for what is private. */
const never = blocked([
  "0.0.0.0/8",
  "169.254.0.0/16",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "::/128",
  "64:ff9b:1::/48",
  "100::/64",
  "2001::/23",
  "2001:db8::/32",
  "3fff::/20",
  "5f00::/16",
  "fe80::/10",
  "ff00::/8",
]);

const privately = blocked([
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "::1/128",
  "fc00::/7",
  "fec0::/10",
]);

/** What an IP address, as text, is. One that holds another (mapped, NAT64, 6to4) is what that one is. */
export function classifyAddress(address: string): AddressClass {
  if (isIPv4(address)) return classOf(address, "ipv4");
  // With a zone it is link-local.
  if (!isIPv6(address) || address.includes("%")) return "never";
  const groups = groupsOf(address);
  const inner = innerIpv4(groups);
  if (inner !== null) return classOf(inner, "ipv4");
  // What is left of the old ::/96, ::1 and :: apart, nobody routes.
  if (groups.slice(0, 6).every((group) => group === 0) && groups[6] !== 0) return "never";
  return classOf(address, "ipv6");
}

/** As it is compared: an IPv4 address that came mapped is plain. */
export function plainIp(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  return isMapped(groups) ? ipv4Of(groups[6]!, groups[7]!) : groups.map((one) => one.toString(16)).join(":");
}

function classOf(address: string, family: "ipv4" | "ipv6"): AddressClass {
  if (metadata.check(address, family) || never.check(address, family)) return "never";
  return privately.check(address, family) ? "private" : "public";
}

function innerIpv4(groups: readonly number[]): string | null {
  if (isMapped(groups)) return ipv4Of(groups[6]!, groups[7]!);
  const isNat64 = groups[0] === 0x64 && groups[1] === 0xff9b && groups.slice(2, 6).every((one) => one === 0);
  if (isNat64) return ipv4Of(groups[6]!, groups[7]!);
  return groups[0] === 0x2002 ? ipv4Of(groups[1]!, groups[2]!) : null;
}

function isMapped(groups: readonly number[]): boolean {
  return groups.slice(0, 5).every((one) => one === 0) && groups[5] === 0xffff;
}

function ipv4Of(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  // The URL parser writes a dotted end in hex.
  const plain = new URL(`http://[${address.split("%")[0]}]`).hostname.slice(1, -1);
  const [head = "", tail] = plain.split("::");
  const parts = (text: string) => (text === "" ? [] : text.split(":").map((one) => Number.parseInt(one, 16)));
  if (tail === undefined) return parts(head);
  const zeros = 8 - parts(head).length - parts(tail).length;
  return [...parts(head), ...Array<number>(zeros).fill(0), ...parts(tail)];
}

function blocked(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    list.addSubnet(address, Number(bits), isIPv4(address) ? "ipv4" : "ipv6");
  }
  return list;
}
