import { parseObjectName, type StoredObject } from "../../kernel/artifacts/artifactStore.ts";

interface Amount {
  readonly files: number;
  readonly bytes: number;
}

const nothing: Amount = { files: 0, bytes: 0 };

/**
 * How much is in the store of artifacts, of each tenant: as the last look at all of it showed, and what this process stored
 * since. What others stored since is not in it, and what was removed since still is, until the next look.
 */
export class HostedFiles {
  #ofTenant = new Map<string, Amount>();
  #inAll = nothing;
  #looked = false;

  /** Takes every object that there is. */
  look(objects: readonly StoredObject[]): void {
    this.#ofTenant = new Map();
    this.#inAll = nothing;
    this.#looked = true;
    for (const { name, bytes } of objects) {
      const tenant = parseObjectName(name)?.tenant;
      if (tenant !== undefined) this.stored(tenant, bytes);
    }
  }

  stored(tenant: string, bytes: number): void {
    this.#ofTenant.set(tenant, plus(this.#ofTenant.get(tenant) ?? nothing, bytes));
    this.#inAll = plus(this.#inAll, bytes);
  }

  bytesOf(tenant: string): number {
    return this.#ofTenant.get(tenant)?.bytes ?? 0;
  }

  /** Null before the first look. */
  inAll(): Amount | null {
    return this.#looked ? this.#inAll : null;
  }
}

function plus({ files, bytes }: Amount, more: number): Amount {
  return { files: files + 1, bytes: bytes + more };
}
