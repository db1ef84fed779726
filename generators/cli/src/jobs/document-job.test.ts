import { describe, expect, it } from "vitest";
import { type DocumentJob, mayWrite } from "./document-job.ts";

type Place = Pick<DocumentJob, "root" | "directory" | "config">;

const handlers = { directory: "src/handlers", context: "../context.ts#Context" };
const withHandlers: Place = {
  root: "/project",
  directory: "pets-api/src/gen",
  config: { source: "pets.yaml", package: "pets-api", handlers },
};
const alone: Place = { ...withHandlers, config: { source: "pets.yaml", package: "pets-api" } };

describe("the write that an earlier run left behind", () => {
  it.each([
    "/project/pets-api/src/gen/types.ts",
    "/project/pets-api/package.json",
    "/project/src/handlers/get-pet.ts",
    "/project/src/handlers/__snapshots__/get-pet.test.ts.snap",
    "/project/src/server.ts",
  ])("can have been about %s", (path) => {
    expect(mayWrite(withHandlers, path)).toBe(true);
  });

  it.each(["/project/package.json", "/project/.git/config", "/project-of-others/src/server.ts", "/etc/profile.ts"])(
    "was not about %s",
    (path) => {
      expect(mayWrite(withHandlers, path)).toBe(false);
    },
  );

  it("was about no source of people where nobody has handlers", () => {
    expect(mayWrite(alone, "/project/src/server.ts")).toBe(false);
  });
});
