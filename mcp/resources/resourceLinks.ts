/** Links to what a client may read next. Pure. */

export interface ResourceLink {
  readonly type: "resource_link";
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

/** The addresses of a task's resources. */
export const taskUri = {
  task: (id: string) => `cazi://tasks/${encodeURIComponent(id)}`,
  spec: (id: string) => `${taskUri.task(id)}/spec`,
  events: (id: string) => `${taskUri.task(id)}/events`,
  logs: (id: string) => `${taskUri.task(id)}/logs`,
  output: (id: string) => `${taskUri.task(id)}/output`,
  comparison: (id: string, other: string) =>
    `${taskUri.task(id)}/comparison?with=${encodeURIComponent(other)}`,
  raw: (id: string) => `${taskUri.task(id)}/output/raw`,
};

const about = {
  task: ["Task", "Its state now.", "application/json"],
  spec: ["Spec", "What was declared, every default filled in.", "application/json"],
  events: ["History", "Each transition, oldest first.", "application/json"],
  logs: ["Log", "What it printed, stdout and stderr, in pages.", "application/json"],
  output: ["Output", "Its standard output, parsed as its spec says.", "application/json"],
  raw: ["Raw output", "The very bytes of its standard output.", "application/octet-stream"],
} as const;

/** Links to some of a task's resources. */
export function taskLinks(id: string, which: readonly (keyof typeof about)[]): ResourceLink[] {
  return which.map((one) => {
    const [title, description, mimeType] = about[one];
    return {
      type: "resource_link",
      uri: taskUri[one](id),
      name: `${one} of ${id}`,
      title,
      description,
      mimeType,
    };
  });
}
