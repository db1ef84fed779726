import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root, sourceFiles, workspacePackages } from "../support/workspace.ts";

/** Words of names for which the specifications have others: the glossary is in CONTRIBUTING.md. */
const namePattern =
  /(?:^|[a-z](?=[A-Z]))(?:[Aa]nswers?|[Aa]sk(?:s|ed)?|[Tt]ells?|[Tt]old|[Jj]udged?|[Jj]udgement|[Ll]end|[Ll]ent|[Ss]tranger|[Ff]oreseen)(?=[A-Z]|$)/;

/** Phrases of messages and documents for which there are plainer ones. */
const phrasePattern =
  /\b(?:the answers?|an answer|answers? (?:of|to|with)|answered|asked for|ask again|ask for|hold against|held against|is told|behind this|stands? in|let(?:s)? go of|lent|foreseen)\b/i;

const exportPattern = /^export (?:async )?(?:abstract )?(?:function\*?|const|class|interface|type) (\w+)/gm;
const stringPattern = /"(?:[^"\\\n]|\\.)* (?:[^"\\\n]|\\.)*"|`(?:[^`\\\n]|\\.)* (?:[^`\\\n]|\\.)*`/g;

const packages = workspacePackages();

describe.each(packages.map(({ name, directory }) => [name, directory] as const))(
  "the words of %s",
  (_name, directory) => {
    const files = sourceFiles(directory).filter((path) => !/\/gen\/|\.test(?:-d)?\.ts$|\/testing\//.test(path));

    it("are those of the specifications in exported names", () => {
      const names = files.flatMap((path) =>
        [...read(path).matchAll(exportPattern)].map(([, name = ""]) => name).filter((name) => namePattern.test(name)),
      );
      expect(names).toEqual([]);
    });

    it("are those of the specifications in messages", () => {
      const messages = files.flatMap((path) =>
        [...withoutComments(read(path)).matchAll(stringPattern)]
          .map(([text]) => text)
          .filter((text) => phrasePattern.test(text)),
      );
      expect(messages).toEqual([]);
    });
  },
);

it("documents use the words of the specifications", () => {
  const documents = ["README.md", "ARCHITECTURE.md", ...packages.map(({ directory }) => `${directory}/README.md`)];
  const lines = documents.flatMap((path) =>
    read(path)
      .split("\n")
      .filter((line) => phrasePattern.test(line))
      .map((line) => `${path}: ${line}`),
  );
  expect(lines).toEqual([]);
});

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
}
