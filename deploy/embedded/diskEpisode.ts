/**
 * When an embedded server has to be started again after its disk was full. Pure.
 *
 * nats-server 2.9 does not write again after a failed write, whatever room there is later, and answers every
 * publish with silence. So an episode of a full disk ends with a restart once there is room again.
 */

/** So little that writes fail or are about to. */
const STARVED_BYTES = 16 * 1024 ** 2;
/** Enough to start on: more than the servers write while they come up. */
const RECOVERED_BYTES = 64 * 1024 ** 2;

/** @returns whether the disk is or was full since the last restart, and whether now is the time for one */
export function diskEpisode(
  starved: boolean,
  freeBytes: number,
): { readonly starved: boolean; readonly restart: boolean } {
  if (freeBytes < STARVED_BYTES) return { starved: true, restart: false };
  if (starved && freeBytes >= RECOVERED_BYTES) return { starved: false, restart: true };
  return { starved, restart: false };
}
