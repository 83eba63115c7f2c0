import { engineRequest } from "./engineRequest.ts";

const TIMEOUT_MS = 5_000;

/**
 * The address at which containers of an engine's default bridge reach its host.
 * @returns null where the engine has no such network, or does not say
 */
export async function bridgeGateway(dockerHost: string): Promise<string | null> {
  try {
    const answer = await engineRequest(dockerHost, {
      method: "GET",
      path: "/networks/bridge",
      timeoutMs: TIMEOUT_MS,
    });
    const network = JSON.parse(answer.body.toString()) as {
      IPAM?: { Config?: readonly { Subnet?: string; Gateway?: string }[] | null };
    };
    const v4 = network.IPAM?.Config?.find((one) => one.Subnet?.includes("."));
    return v4 === undefined ? null : (v4.Gateway ?? firstAddress(v4.Subnet!));
  } catch {
    // Without it containers publish through their folder alone.
    return null;
  }
}

/** Older engines name the gateway only once a container has run; it is the subnet's first address. */
function firstAddress(subnet: string): string | null {
  const parts = subnet.split("/", 1)[0]!.split(".").map(Number);
  if (parts.length !== 4 || parts.some((part) => !(part >= 0 && part <= 255))) return null;
  return [...parts.slice(0, 3), parts[3]! | 1].join(".");
}
