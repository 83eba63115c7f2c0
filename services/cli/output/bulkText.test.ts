import { expect, it } from "vitest";
import { bulkDone, bulkText } from "./bulkText.ts";

const task = { id: "a", status: "failed", reason: "exit", exit_code: 3, submitted_at: "t", name: "n" };

it("shows how many tasks a bulk action is about, and the first", () => {
  const preview = { action: "replay", count: 12, tasks: [task], selection: "s" } as never;
  expect(bulkText(preview)).toBe(
    "would replay, each as a new task, 12 tasks:\n" +
      "ID  STATUS  REASON  EXIT  SUBMITTED  NAME\na   failed  exit    3     t          n\nand 11 more\n",
  );
  expect(bulkText({ action: "cancel", count: 0, tasks: [], selection: "s" })).toBe(
    "no task to cancel matches\n",
  );
});

it("counts what came of it by outcome", () => {
  const of = (outcome: string) => ({ id: "a", outcome, replay: null, code: null, message: null }) as never;
  expect(bulkDone("cancel", [of("cancelled"), of("cancelled"), of("already_over")])).toBe(
    "2 cancelled, 1 were over already",
  );
  expect(bulkDone("replay", [])).toBe("nothing was replayed");
});
