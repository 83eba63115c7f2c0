import { describe, expect, it } from "vitest";
import { bodies, ledgerHistory, lifeOf, sampleImage } from "../../test/support/ledgerHistory.ts";
import type { CarriedTask } from "../domain/task/taskState.ts";
import { project } from "./project.ts";

describe("project", () => {
  it("folds a whole life into one created row that shows its last state", () => {
    const { events } = ledgerHistory().append("t1", ...lifeOf("1.a"));
    const { created, changed, erased, copied, conflicts } = project(events);
    expect(created).toMatchObject([
      {
        tenant: "default",
        id: "t1",
        seq: 5,
        status: "succeeded",
        attempt: 1,
        node: "local",
        image_id: sampleImage.image_id,
        exit_code: 0,
        stdout_stored: 3,
        stderr_dropped: 2 ** 40,
        name: null,
        labels: "{}",
      },
    ]);
    expect([changed, erased, conflicts]).toEqual([[], [], []]);
    expect(copied).toEqual(events);
  });

  it("changes a task that was created in an earlier batch", () => {
    const { events } = ledgerHistory().append("t1", ...lifeOf("1.a"));
    const { created, changed } = project(events.slice(2));
    expect(created).toEqual([]);
    expect(changed).toMatchObject([{ id: "t1", seq: 5, status: "succeeded" }]);
  });

  it("gives the same last state however the history is cut", () => {
    const { events } = ledgerHistory().append("t1", ...lifeOf("1.a"));
    const whole = project(events).created[0]!;
    for (let cut = 1; cut < events.length; cut++) {
      const row = { ...project(events.slice(0, cut)).created[0], ...project(events.slice(cut)).changed[0] };
      // Times of an earlier part are in its row already, and the statement lets them stay.
      const { scheduled_at, claimed_at } = whole!;
      expect({ ...row, scheduled_at, claimed_at }).toEqual(whole);
    }
  });

  it("keeps the spec's text to the byte, and its name and labels beside it", () => {
    const body = bodies.submitted({ name: "greet", labels: { team: "grüße" } });
    const [row] = project(ledgerHistory().append("t1", body).events).created;
    expect(row).toMatchObject({ spec: body.spec, name: "greet", labels: '{"team":"grüße"}' });
  });

  it("replaces what Postgres cannot hold in its own columns, and only there", () => {
    const body = bodies.submitted({ labels: { a: "x\0y" } });
    const { events } = ledgerHistory()
      .append("t1", body, bodies.scheduled("1.a"), bodies.claimed("1.a"))
      .append("t1", bodies.failed("1.a", { message: "bad \ud800 byte \0" }));
    const [row] = project(events).created;
    expect(row).toMatchObject({
      spec: body.spec,
      labels: '{"a":"x\uFFFDy"}',
      message: "bad \uFFFD byte \uFFFD",
    });
  });

  it("sorts rows by tenant and id", () => {
    const history = ledgerHistory();
    for (const task of ["b/t1", "a/t2", "b/t0", "a/t1"]) history.append(task, bodies.submitted());
    expect(project(history.events).created.map((row) => `${row.tenant}/${row.id}`)).toEqual([
      "a/t1",
      "a/t2",
      "b/t0",
      "b/t1",
    ]);
  });

  it("copies only the tombstone of a task that was submitted and erased within the batch", () => {
    const { events } = ledgerHistory().append("t1", ...lifeOf("1.a"), bodies.erased());
    const { created, changed, copied, passedOver } = project(events);
    expect([created, changed, copied, passedOver]).toEqual([[], [], events.slice(5), 5]);
  });

  it("removes an erased task that an earlier batch created", () => {
    const { events } = ledgerHistory().append("t1", ...lifeOf("1.a"), bodies.erased());
    expect(project(events.slice(4)).erased).toEqual([
      { tenant: "default", id: "t1", subject: "ledger.default.task.t1" },
    ]);
  });

  it("puts a second end apart and keeps the first", () => {
    const history = ledgerHistory().append("t1", ...lifeOf("1.a"));
    const ended = history.events[4]!.event.state as CarriedTask;
    history.force("t1", bodies.failed("1.a"), { ...ended, status: "failed" } as CarriedTask);
    const { created, conflicts, copied } = project(history.events);
    expect(created).toMatchObject([{ status: "succeeded", seq: 5 }]);
    expect(conflicts).toEqual([{ stored: history.events[5], violates: "one_end" }]);
    expect(copied).toHaveLength(5);
  });

  it("leaves out what the database found in conflict", () => {
    const { events } = ledgerHistory().append("t1", ...lifeOf("1.a"));
    const conflict = { stored: events[4]!, violates: "one_end" } as const;
    const { created, conflicts, copied } = project(events, [conflict]);
    expect(created).toMatchObject([{ status: "running", seq: 4 }]);
    expect(conflicts).toEqual([conflict]);
    expect(copied).toHaveLength(4);
  });

  it("stops at a transition that the state table does not have", () => {
    const history = ledgerHistory().append("t1", bodies.submitted());
    const { state } = history.events[0]!.event;
    history.force("t1", bodies.claimed("1.a"), state);
    expect(() => project(history.events)).toThrow(expect.objectContaining({ name: "IllegalTransition" }));
  });
});
