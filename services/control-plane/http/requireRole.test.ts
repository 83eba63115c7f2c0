import { describe, expect, it } from "vitest";
import type { Principal } from "../ports.ts";
import { requireRole } from "./requireRole.ts";

const as = (role: Principal["role"]): Principal => ({ tenant: "default", actor: "user:a", role });

describe("roles", () => {
  it("let through who has the role or a higher one, and name the one that is missing", () => {
    expect(() => requireRole(as("admin"), "viewer")).not.toThrow();
    expect(() => requireRole(as("operator"), "operator")).not.toThrow();
    expect(() => requireRole(as("viewer"), "operator")).toThrow(
      expect.objectContaining({ code: "ROLE_TOO_LOW", message: expect.stringContaining("operator") }),
    );
  });
});
