import type { ArtifactList } from "../../../schemas/api/artifact.ts";
import type { Http } from "./http.ts";

/** Files that tasks published. */
export interface ArtifactsClient {
  listArtifacts(id: string): Promise<ArtifactList>;
  /** The bytes themselves; their SHA-256 is the ETag. */
  getArtifact(id: string, name: string): Promise<Response>;
}

export function artifactsClient(http: Http): ArtifactsClient {
  return {
    listArtifacts: (id) =>
      http.call((api) => api.GET("/v1/tasks/{id}/artifacts", { params: { path: { id } } })),
    getArtifact: (id, name) =>
      http.send({
        method: "GET",
        path: `/v1/tasks/${encodeURIComponent(id)}/artifacts/${encodeURIComponent(name)}`,
      }),
  };
}
