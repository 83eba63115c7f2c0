/** The containers of one instance, as the engine itself lists them. */
import Docker from "dockerode";
import { engineAddress } from "../../deploy/embedded/engineRequest.ts";

export interface InstanceContainers {
  /** Running or not. */
  list(): Promise<readonly Docker.ContainerInfo[]>;
  /** The one of a task's newest attempt, or null. */
  ofTask(task: string): Promise<Docker.ContainerInfo | null>;
  /** What a test left behind, and nothing else: selected by the instance's own label. */
  removeAll(): Promise<void>;
}

export function instanceContainers(dockerHost: string, instance: string): InstanceContainers {
  const address = engineAddress(dockerHost);
  if (address === null) throw new Error(`${dockerHost} is neither unix:// nor tcp://`);
  const docker = new Docker(address);
  const list = (more: readonly string[] = []) =>
    docker.listContainers({ all: true, filters: { label: [`cazi.instance=${instance}`, ...more] } });
  return {
    list: () => list(),
    ofTask: async (task) => (await list([`cazi.task=${task}`]))[0] ?? null,
    removeAll: async () => {
      for (const { Id } of await list()) {
        await docker
          .getContainer(Id)
          .remove({ force: true, v: true })
          .catch(() => {});
      }
    },
  };
}
