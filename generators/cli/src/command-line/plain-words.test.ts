import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Commands, readCommandLine } from "./command-line.ts";
import { readPlainWords } from "./plain-words.ts";

interface Asked {
  readonly name: string;
  readonly options: unknown;
}

/** Returns the commands that a command line runs according to the full parser, with their options. */
async function asked(words: readonly string[]): Promise<readonly Asked[]> {
  const heard: Asked[] = [];
  const hear = (name: string) => (options: unknown) => {
    heard.push({ name, options });
    return Promise.resolve();
  };
  const commands: Commands = {
    gen: hear("gen"),
    check: hear("check"),
    explain: hear("explain"),
    refuse: hear("refuse"),
  };
  await readCommandLine(words, commands);
  return heard;
}

const word = fc.constantFrom(
  ...["--config", "--output", "--only", "--json", "--verbose", "--force", "--dry-run", "--watch"],
  ...["a.json", "./specs/../b c.yaml", "/tmp/x@1/api.graphql", "types", "1", "0x10", "1e3", "-", "true", "a=b", "gen"],
  ...["--no-renames", "--apply-renames", "--force=false", "-x", "--", "", "'a'", "constructor", "__proto__", "1.e"],
);

describe("plain words", () => {
  it("request what the same words request when they are read in full", async () => {
    let understood = 0;
    const lines = fc.tuple(fc.constantFrom("gen", "check"), fc.array(word, { maxLength: 6 }));
    await fc.assert(
      fc.asyncProperty(lines, async ([name, rest]) => {
        const plain = readPlainWords([name, ...rest]);
        if (plain === undefined) return;
        understood += 1;
        expect(await asked([name, ...rest])).toEqual([plain]);
      }),
      { numRuns: 400 },
    );
    expect(understood).toBeGreaterThan(40);
  });

  it("are what is given nearly always", () => {
    const line =
      "gen openapi.yaml --config ./conf/nodewright.config.ts --only types --only pets.yaml --verbose --force";
    expect(readPlainWords(line.split(" "))).toEqual({
      name: "gen",
      options: {
        config: "conf/nodewright.config.ts",
        isConfigNamed: true,
        documents: ["openapi.yaml"],
        output: undefined,
        only: ["types", "pets.yaml"],
        referenceFolders: [],
        json: false,
        verbose: true,
        force: true,
        dryRun: false,
        watch: false,
        applyRenames: undefined,
        renames: true,
      },
    });
  });

  it("are no mistakes, no help, no other command and nothing that is spelled otherwise", () => {
    const lines = [
      "",
      "explain",
      "gen --help",
      "gen --colour",
      "check --force",
      "gen --config",
      "gen --no-renames",
      "gen --json --json",
    ];
    expect(lines.map((line) => readPlainWords(line.split(" ")))).toEqual(lines.map(() => undefined));
  });
});
