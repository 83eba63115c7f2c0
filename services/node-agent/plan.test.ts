import { describe, expect, it } from "vitest";
import type { AttemptRef } from "../../schemas/messages/node.ts";
import { type Action, type FoundAttempt, type LocalAttempt, type PlanInput, plan } from "./plan.ts";

const attempt = (task: string, number = 1): AttemptRef => ({
  tenant: "acme",
  task,
  attempt: number,
  fence: `${number}-${task}`,
});
const now = { epoch: "e1", seq: 100 };
const local = (
  task: string,
  state: LocalAttempt["state"],
  more: Partial<LocalAttempt> = {},
): LocalAttempt => ({
  ref: attempt(task),
  state,
  grantedAt: { epoch: "e1", seq: 50 },
  reportedAgoMs: null,
  ...more,
});
const found = (
  task: string,
  container: FoundAttempt["container"],
  marker: FoundAttempt["marker"] = "none",
): FoundAttempt => ({ ref: attempt(task), container, marker });
const wanted = (task: string, cancel = false) => ({ ...attempt(task), cancel });

function printed(input: Partial<PlanInput>): string {
  const actions = plan({ answer: null, observed: [], local: [], reportAgainMs: 30_000, ...input });
  return actions.map(line).join("\n") || "nothing";
}

function line(action: Action): string {
  return `${action.do} ${action.ref.task}${"by" in action ? ` by ${action.by}` : ""}`;
}

const answer = (more: Partial<NonNullable<PlanInput["answer"]>> = {}) => ({
  as_of: now,
  desired: [],
  settled: [],
  ...more,
});

describe("the plan of a beat", () => {
  it("leaves alone what runs and is desired", () => {
    expect(printed({ answer: answer({ desired: [wanted("a")] }), local: [local("a", "running")] })).toBe(
      "nothing",
    );
  });

  it("stops what the ledger, seen at or after the grant, does not list", () => {
    expect(printed({ answer: answer(), local: [local("a", "running")] })).toBe("stop a by settled");
  });

  it("stops nothing on an answer from before the grant", () => {
    const late = local("a", "running", { grantedAt: { epoch: "e1", seq: 101 } });
    expect(printed({ answer: answer(), local: [late] })).toBe("nothing");
  });

  it("stops nothing on an answer from another life of the ledger", () => {
    const other = local("a", "running", { grantedAt: { epoch: "e0", seq: 1 } });
    expect(printed({ answer: answer(), local: [other] })).toBe("nothing");
  });

  it("stops nothing whose grant it does not know, as that of another version", () => {
    expect(printed({ answer: answer(), local: [local("a", "running", { grantedAt: null })] })).toBe(
      "nothing",
    );
  });

  it("leaves an attempt that is still asking to its grant", () => {
    expect(printed({ answer: answer(), local: [local("a", "asking", { grantedAt: null })] })).toBe("nothing");
  });

  it("stops what is to be cancelled, in every state before its end", () => {
    const states = ["granted", "preparing", "running", "stopping", "held"] as const;
    const lines = states.map((state) =>
      printed({ answer: answer({ desired: [wanted("a", true)] }), local: [local("a", state)] }),
    );
    expect(states.map((state, i) => `${state}: ${lines[i]}`).join("\n")).toMatchInlineSnapshot(`
      "granted: stop a by cancel
      preparing: stop a by cancel
      running: stop a by cancel
      stopping: nothing
      held: nothing"
    `);
  });

  it("removes only what is settled and has ended; a live one is stopped first", () => {
    const states = ["preparing", "running", "stopping", "held"] as const;
    const lines = states.map((state) =>
      printed({ answer: answer({ settled: ["1-a"] }), local: [local("a", state)] }),
    );
    expect(states.map((state, i) => `${state}: ${lines[i]}`).join("\n")).toMatchInlineSnapshot(`
      "preparing: stop a by settled
      running: stop a by settled
      stopping: nothing
      held: remove a"
    `);
  });

  it("keeps an ended attempt that is neither desired nor settled", () => {
    expect(printed({ answer: answer(), local: [local("a", "held")] })).toBe("nothing");
  });

  it("asks the grant again for what is desired and not here", () => {
    expect(printed({ answer: answer({ desired: [wanted("a")] }) })).toBe("ask a");
  });

  it("says at once that what is to be cancelled and not here never started", () => {
    expect(printed({ answer: answer({ desired: [wanted("a", true)] }) })).toBe("report_cancelled a");
  });

  it("takes up a script that it sees while the engine cannot be seen, and asks for nothing that it does not see", () => {
    const input = {
      answer: answer({ desired: [wanted("script"), wanted("container"), wanted("cancelled", true)] }),
      observed: [found("script", "exited")],
      partial: true,
    };
    expect(printed(input)).toBe("adopt script");
  });

  it("concludes nothing from an absence while the runtime cannot be seen", () => {
    const input = { answer: answer({ desired: [wanted("a"), wanted("b", true)] }), observed: null };
    expect(printed({ ...input, local: [local("b", "running")] })).toBe("stop b by cancel");
  });

  it("reports again what the ledger still wants long after its report was stored", () => {
    const held = (reportedAgoMs: number | null) =>
      printed({ answer: answer({ desired: [wanted("a")] }), local: [local("a", "held", { reportedAgoMs })] });
    expect([held(29_999), held(30_000), held(null)]).toEqual(["nothing", "report_again a", "nothing"]);
  });
});

describe("the plan for what an earlier life left behind", () => {
  it("follows what runs, reports what ended, and never starts what had a marker", () => {
    const observed = [
      found("running", "running", "started"),
      found("ended", "exited", "started"),
      found("ended-unmarked", "exited"),
      found("created-marked", "created", "started"),
      found("marked-only", "none", "started"),
      found("never", "none", "never"),
      found("never-created", "created", "never"),
      found("created", "created"),
    ];
    expect(printed({ observed })).toMatchInlineSnapshot(`
      "adopt running
      adopt ended
      adopt ended-unmarked
      report_lost created-marked
      report_lost marked-only
      report_never never
      report_never never-created
      ask created"
    `);
  });

  it("takes nothing up twice", () => {
    expect(printed({ observed: [found("a", "running")], local: [local("a", "running")] })).toBe("nothing");
  });

  it("does not ask for a desired attempt that is found", () => {
    const input = {
      answer: answer({ desired: [wanted("a")] }),
      observed: [found("a", "running", "started")],
    };
    expect(printed(input)).toBe("adopt a");
  });

  it("removes what is settled and never ran", () => {
    const input = { answer: answer({ settled: ["1-a"] }), observed: [found("a", "created", "started")] };
    expect(printed(input)).toBe("remove a");
  });
});
