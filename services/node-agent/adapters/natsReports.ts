import type { Report } from "../../../schemas/messages/node.ts";
import { subjects } from "../../../streams/subjects.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import { reportTimeoutMs } from "../limits.ts";
import type { Reports } from "../ports.ts";

/** Reports into REPORTS. No message id: a repeat of a cumulative report changes nothing. */
export function natsReports(nats: Nats): Reports {
  return {
    publish: async (report: Report) => {
      const subject = subjects.report({ node: report.node, task: report.task });
      await nats.js.publish(subject, JSON.stringify(report), { timeout: reportTimeoutMs });
    },
  };
}
