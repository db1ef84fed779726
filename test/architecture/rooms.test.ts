import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { root, sourceFiles, workspacePackages } from "../support/workspace.ts";

/** Folders of `src` from the lowest to the highest: each uses those before it alone. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  "@nodewright/conformance": [
    "basics",
    "suite",
    "compare",
    "live",
    "contract",
    "client",
    "safety",
    "capabilities",
    "session",
    "relations",
    "examples",
    "inference",
    "properties",
    "protocols/http",
    "protocols/jsonrpc",
    "protocols/graphql",
    "against",
    "run",
    "report",
    "baseline",
    "command",
  ],
};

/** What the package itself exports, and its command, stand above all rooms. */
const entrance = ".";

function roomOf(path: string): string {
  return /^(?:protocols\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? entrance;
}

function importsOf(file: string, text: string): readonly string[] {
  const specifiers = text.matchAll(/^(?:import|export)\b[^;]*?\bfrom "(\.{1,2}\/[^"]+)"/gm);
  return [...specifiers].map(([, specifier = ""]) => posix.join(posix.dirname(file), specifier));
}

describe.each(Object.entries(rooms))("rooms of %s", (name, order) => {
  const directory = workspacePackages().find((one) => one.name === name)?.directory ?? "";
  const source = posix.join(directory, "src");
  const files = sourceFiles(directory)
    .filter((path) => path.startsWith(`${source}/`) && !/\.test(?:-d)?\.ts$|\/testing\//.test(path))
    .map((path) => posix.relative(source, path));
  const heights = new Map([...order, entrance].map((room, height) => [room, height]));

  it("are all in the list", () => {
    expect([...new Set(files.map(roomOf))].toSorted()).toEqual([...heights.keys()].toSorted());
  });

  it("use lower ones alone", () => {
    const wrong = files.flatMap((file) =>
      importsOf(file, readFileSync(join(root, source, file), "utf8"))
        .filter((imported) => roomOf(imported) !== roomOf(file))
        .filter((imported) => (heights.get(roomOf(imported)) ?? 0) > (heights.get(roomOf(file)) ?? 0))
        .map((imported) => `${file} imports ${imported}`),
    );
    expect(wrong).toEqual([]);
  });
});
