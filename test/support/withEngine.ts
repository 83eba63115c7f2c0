/** The machine's Docker engine, with the local image in it. Shared by all tests: label what you start. */
import { beforeAll } from "vitest";
import { ensureEngine } from "../../deploy/embedded/ensureEngine.ts";
import { ensureToolbox } from "../../deploy/embedded/ensureToolbox.ts";
import { toolboxReference } from "../../deploy/embedded/toolboxImage.ts";
import { quietLog } from "./tempHome.ts";

export interface TestEngine {
  /** In the form of `DOCKER_HOST`. */
  readonly dockerHost: string;
  /** The local image's reference. */
  readonly image: string;
  readonly imageId: string;
}

/** Call at the top of a test file or describe block; the members may be used inside hooks and tests. */
export function withEngine(): TestEngine {
  let found: TestEngine | null = null;
  const engine = () => {
    if (found === null) throw new Error("withEngine: the engine is there from the first hook or test on");
    return found;
  };
  beforeAll(async () => {
    found = await testEngine();
  });
  return {
    get dockerHost() {
      return engine().dockerHost;
    },
    image: toolboxReference,
    get imageId() {
      return engine().imageId;
    },
  };
}

/** The same without hooks. */
export async function testEngine(): Promise<TestEngine> {
  const config = { dockerHost: process.env.DOCKER_HOST ?? "" };
  const engine = await ensureEngine({ config, env: process.env, log: quietLog });
  if ("unavailable" in engine) throw new Error(engine.unavailable);
  const toolbox = await ensureToolbox({ dockerHost: engine.dockerHost, log: quietLog });
  if ("unavailable" in toolbox) throw new Error(toolbox.unavailable);
  return { dockerHost: engine.dockerHost, image: toolboxReference, imageId: toolbox.imageId };
}
