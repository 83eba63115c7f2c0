/** What a body says that should be a problem document. Never throws: a proxy in between answers what it likes. */
export function readProblem(body: string): { readonly code: string; readonly detail: string } {
  try {
    const { code, detail } = JSON.parse(body) as { code?: unknown; detail?: unknown };
    return { code: String(code ?? "UNKNOWN"), detail: String(detail ?? "") };
  } catch {
    return { code: "UNKNOWN", detail: "the answer is not from Cazi" };
  }
}
