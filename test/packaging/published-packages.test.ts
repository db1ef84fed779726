/** Every public package as npm publishes it. Needs what `npm run build` writes. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../support/workspace.ts";
import { publicPackages } from "./public-api.ts";

/** Ways of importing a package that has ES modules only: the profile `esm-only` of `attw`. */
const supportedResolutions: ReadonlySet<string> = new Set(["node16-esm", "bundler"]);

const tarballs = mkdtempSync(join(tmpdir(), "nodewright-published-"));

beforeAll(() => {
  for (const { name, directory } of publicPackages) {
    if (!existsSync(join(root, directory, "dist"))) throw new Error(`${name} is not built: npm run build`);
  }
  const directories = publicPackages.map(({ directory }) => `./${directory}`);
  execFileSync("npm", ["pack", "--silent", "--pack-destination", tarballs, ...directories], { cwd: root });
});

afterAll(() => rmSync(tarballs, { recursive: true }));

describe.each(publicPackages)("$name", ({ name, manifest }) => {
  const readTarball = (): Uint8Array<ArrayBuffer> => {
    const file = `${name.replace("@", "").replace("/", "-")}-${String(manifest["version"])}.tgz`;
    return new Uint8Array(readFileSync(join(tarballs, file)));
  };

  it("has no problem that publint finds", async () => {
    const { messages, pkg } = await publint({ pack: { tarball: readTarball().buffer }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it("has types that ES modules resolve in Node and in bundlers", async () => {
    const analysis = await checkPackage(createPackageFromTarballData(readTarball()));
    const problems = analysis.types === false ? ["the package has no types"] : analysis.problems;
    expect(
      problems.filter(
        (problem) =>
          typeof problem === "string" ||
          !("resolutionKind" in problem) ||
          supportedResolutions.has(problem.resolutionKind),
      ),
    ).toEqual([]);
  });
});
