import { describe, expect, it } from "vitest";
import { quietLog } from "../../test/support/tempHome.ts";
import { testEngine } from "../../test/support/withEngine.ts";
import { ensureToolbox } from "./ensureToolbox.ts";

describe("the local image", () => {
  it("has the same id when it is made again, and is left alone when it is there", async () => {
    const { dockerHost, imageId } = await testEngine();
    expect(await ensureToolbox({ dockerHost, log: quietLog })).toEqual({ imageId, made: false });
    const again = await ensureToolbox({ dockerHost, log: quietLog, always: true });
    expect(again).toEqual({ imageId, made: true });
  });
});
