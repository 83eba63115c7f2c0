/** What a spec runs in a compartment, and what a node has to offer for that. Pure. */
import { isFaulty, type ProjectPolicy, readProjectPolicy } from "./projectPolicy.ts";
import { MODEL_BY_PLANE, PROCESS_AS_TASK, PROJECTS } from "./scriptRules.ts";

/** Of a spec as it is stored; a script or a project, or neither. */
export interface SpecWithProgram {
  readonly script?:
    | {
        readonly tools: readonly string[];
        readonly process_image?: string | null | undefined;
        readonly budgets?: Budgets;
      }
    | null
    | undefined;
  readonly project?:
    | {
        readonly files: Readonly<Record<string, string>>;
        readonly tools: readonly string[];
        readonly process_image?: string | null | undefined;
        readonly budgets?: Budgets;
      }
    | null
    | undefined;
}

type Budgets = Readonly<Record<string, number | undefined>>;

export interface Program {
  readonly isProject: boolean;
  /** As `callTool` has them. */
  readonly tools: readonly string[];
  /** Tools of these that are answered from a file of the project, and reach nothing. */
  readonly fixtures: readonly string[];
  readonly processImage: string | null;
  /** Limits that were said. */
  readonly budgets: Budgets;
}

/** Null for a container. */
export function programOf({ script, project }: SpecWithProgram): Program | null {
  if (script != null) {
    const { tools, process_image = null, budgets = {} } = script;
    return { isProject: false, tools, fixtures: [], processImage: process_image, budgets };
  }
  if (project == null) return null;
  const policy = readProjectPolicy(project.files);
  const { tools, fixtures, budgets } = isFaulty(policy) ? nothing : grantedBy(policy);
  return {
    isProject: true,
    tools: [...new Set([...tools, ...project.tools])],
    fixtures,
    processImage: project.process_image ?? null,
    budgets: { ...budgets, ...project.budgets },
  };
}

const nothing = { tools: [], fixtures: [], budgets: {} };

function grantedBy({ tools, budgets, osv_fixture, model_fixture }: ProjectPolicy) {
  const fixtures = [
    ...(osv_fixture === undefined ? [] : ["osv.query"]),
    ...(model_fixture === undefined ? [] : ["model.call"]),
  ];
  return { tools, fixtures, budgets };
}

/** Whether it asks a model, which is the control plane's to do. */
export function callsModel({ tools, fixtures }: Program): boolean {
  return tools.includes("model.call") && !fixtures.includes("model.call");
}

/** What a node has to register before such a program is sent to it. */
export function toolsNeeded({ isProject, tools, fixtures, processImage }: Program): readonly string[] {
  const needed = tools
    .filter((tool) => !fixtures.includes(tool))
    .map((tool) => {
      if (tool === "process" && processImage !== null) return PROCESS_AS_TASK;
      return tool === "model.call" ? MODEL_BY_PLANE : tool;
    });
  return isProject ? [...needed, PROJECTS] : needed;
}
