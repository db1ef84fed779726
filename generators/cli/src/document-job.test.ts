import { describe, expect, it } from "vitest";
import { type DocumentJob, mayWrite } from "./document-job.ts";

type Place = Pick<DocumentJob, "root" | "directory" | "config">;

const handlers = { directory: "src/handlers", context: "../context.ts#Context" };
const withHandlers: Place = {
  root: "/work",
  directory: "pets-api/src/gen",
  config: { source: "pets.yaml", package: "pets-api", handlers },
};
const alone: Place = { ...withHandlers, config: { source: "pets.yaml", package: "pets-api" } };

describe("the write that an earlier run left behind", () => {
  it.each([
    "/work/pets-api/src/gen/types.ts",
    "/work/pets-api/package.json",
    "/work/src/handlers/get-pet.ts",
    "/work/src/handlers/__snapshots__/get-pet.test.ts.snap",
    "/work/src/server.ts",
  ])("can have been about %s", (path) => {
    expect(mayWrite(withHandlers, path)).toBe(true);
  });

  it.each(["/work/package.json", "/work/.git/config", "/work-of-others/src/server.ts", "/etc/profile.ts"])(
    "was not about %s",
    (path) => {
      expect(mayWrite(withHandlers, path)).toBe(false);
    },
  );

  it("was about no source of people where nobody has handlers", () => {
    expect(mayWrite(alone, "/work/src/server.ts")).toBe(false);
  });
});
