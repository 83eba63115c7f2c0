import type { AttemptRef, GrantReply } from "../../../schemas/messages/node.ts";
import { callsModel, programOf } from "../../domain/spec/programOf.ts";
import type { ExecutionSpec } from "../executionSpec.ts";

type Yes = Extract<GrantReply, { answer: "yes" }>;

/** Where the files of a task's connections are in its container. */
export const SECRETS_FOLDER = "/run/secrets/cazi";

/** Where commands of a script are taken as tasks; beside the place of files, whatever is before both. */
const PROCESS_PATH = "process";
/** And where `model.call` is answered. */
const MODEL_PATH = "model";

/**
 * The spec with what Cazi tells a container of itself, and the variables of its connections. A variable that the spec
 * sets itself wins over a connection's; names beginning with CAZI_ are Cazi's alone. Pure.
 */
export function withCaziEnvironment(
  spec: ExecutionSpec,
  ref: AttemptRef,
  yes: Pick<Yes, "workload_token" | "secrets"> & Partial<Pick<Yes, "artifact_url" | "model_url">>,
): ExecutionSpec {
  const { workload_token, secrets, artifact_url = null, model_url = null } = yes;
  const program = programOf(spec);
  const publishes = artifact_url !== null && spec.network !== "none" && !isLoopback(artifact_url);
  // For its compartment, which is a thread of this agent: loopback is as good.
  const asTasks = artifact_url !== null && program !== null && program.processImage !== null;
  const asksModel = artifact_url !== null && model_url !== null && program !== null && callsModel(program);
  const hasFiles = Object.keys(secrets?.files ?? {}).length > 0;
  return {
    ...spec,
    environment: {
      ...secrets?.environment,
      ...spec.environment,
      CAZI_TASK_ID: ref.task,
      CAZI_ATTEMPT: String(ref.attempt),
      ...(workload_token === null ? {} : { CAZI_WORKLOAD_TOKEN: workload_token }),
      ...(publishes ? { CAZI_ARTIFACT_URL: artifact_url } : {}),
      ...(asTasks ? { CAZI_PROCESS_URL: new URL(PROCESS_PATH, artifact_url).href } : {}),
      ...(asksModel
        ? { CAZI_MODEL_PLANE: new URL(MODEL_PATH, artifact_url).href, CAZI_MODEL_URL: model_url }
        : {}),
      ...(hasFiles ? { CAZI_SECRETS: SECRETS_FOLDER } : {}),
    },
  };
}

/** An address of the host's own: the node brings what is in the folder there, and no container reaches it. */
function isLoopback(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  return host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
