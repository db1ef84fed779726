import { type ChildProcess, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { watch } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commandLineProgram, createCommandLineProject, smallOpenapi } from "../support/command-line-project.ts";

let project: ReturnType<typeof createCommandLineProject>;

beforeEach(() => {
  project = createCommandLineProject();
});

afterEach(() => project.remove());

/** Whether a disk of a few kilobytes can be made here: in containers without the right to, a limit stands for it. */
const mayMount = spawnSync("unshare", ["-rm", "true"]).status === 0;
if (!mayMount) console.warn("This machine lets nobody mount: the test with a full disk is skipped.");

/** Many files, so that a write takes long enough to be killed anywhere in it. */
const manyFiles = 300;
const journal = "a/src/gen/.nodewright-journal";

/** `npm run test:long` kills more writes, at moments that another seed gives. */
const moments = process.env["NODEWRIGHT_LONG"] === "1" ? 100 : 10;
const seed = Number(process.env["NODEWRIGHT_SEED"] ?? 20_261_121);

const configuration = `const many = {
  apiVersion: 2,
  name: "many",
  version: "1",
  emit: ({ model }) => ({
    files: Array.from({ length: ${manyFiles} }, (_, index) => ({
      path: \`many/\${model.version === "2" ? "b" : "a"}\${index}.ts\`,
      text: \`export const version = "\${model.version}";\\n// \${"x".repeat(20_000)}\\n\`,
    })),
  }),
};
export default {
  documents: [
    {
      source: "small.yaml",
      package: "a",
      artefacts: ["types", "server"],
      handlers: { directory: "handlers", context: "../context.ts#Context" },
      emitters: [many],
    },
  ],
};
`;

/** Everything that a run writes: generated files, handlers, their index. The generator itself may change while a test runs. */
function output(): string {
  const files = [...project.tree()].filter(([path]) => path.startsWith("a/") || path.startsWith("handlers/"));
  return JSON.stringify(files).replace(/generator\\": \\"[0-9a-f]+/, "");
}

/** A linear congruential generator (Numerical Recipes): the same moments in every run. */
function seededNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Waits until a file appears in a directory that is there; false when the run ends before. */
async function appears(child: ChildProcess, directory: string, name: string): Promise<boolean> {
  const ended = new AbortController();
  const stop = (): void => ended.abort();
  child.once("exit", stop);
  try {
    for await (const _event of watch(join(project.directory, directory), { signal: ended.signal }))
      if (existsSync(join(project.directory, directory, name))) return true;
    return false;
  } catch {
    return false;
  } finally {
    child.off("exit", stop);
  }
}

async function journalAppears(child: ChildProcess): Promise<void> {
  if (!(await appears(child, "a/src/gen", ".nodewright-journal"))) throw new Error("The run ended and wrote nothing");
}

describe("a write that is killed", () => {
  it("is completed or undone by the next run, which says so: the old output or the new, whole", {
    timeout: moments * 24_000,
  }, async () => {
    project.write("nodewright.config.ts", configuration);
    project.write("small.yaml", smallOpenapi("getX", "1"));
    expect(project.nodewright("gen").status).toBe(0);
    const first = output();
    project.write("small.yaml", smallOpenapi("getY", "2"));
    expect(project.nodewright("gen", "--no-renames").status).toBe(0);
    const random = seededNumbers(seed);
    const outcomes = new Set<string>();
    const isMixed: boolean[] = [];
    let old = output();
    for (let moment = 0; moment < moments; moment += 1) {
      // Each round writes the other document over the output of the last.
      const next = moment % 2 === 0 ? "1" : "2";
      project.write("small.yaml", smallOpenapi(next === "1" ? "getX" : "getY", next));
      const child = project.start("gen", "--no-renames");
      const ended = once(child, "exit");
      await journalAppears(child);
      // Every other round goes for the moment when all is staged, which is short.
      const isLate = moment % 2 === 1 && (await appears(child, journal, "commit.json"));
      await delay(random() * (isLate ? 6 : 60));
      child.kill("SIGKILL");
      const ending: readonly unknown[] = await ended;
      const wasKilled = ending[1] === "SIGKILL";
      isMixed.push(existsSync(join(project.directory, journal)));
      const { stderr } = project.nodewright(...(moment % 3 === 0 ? ["gen", "--no-renames"] : ["check"]));
      const sentence =
        /^(Completed|Undid) the write of \d+ files into a\/src\/gen that an earlier run did not finish\.$/m.exec(
          stderr,
        )?.[1];
      if (wasKilled && isMixed.at(-1) === true && sentence !== undefined) outcomes.add(sentence);
      expect(existsSync(join(project.directory, journal))).toBe(false);
      const now = output();
      expect(project.nodewright("gen", "--no-renames").status, stderr).toBe(0);
      const fresh = output();
      expect([old, fresh]).toContain(now);
      expect(project.nodewright("gen").stdout).toContain("1 document, nothing to do.");
      old = fresh;
    }
    expect(isMixed.filter(Boolean).length, "rounds that were killed within the write").toBeGreaterThan(moments / 3);
    expect([...outcomes].toSorted()).toEqual(["Completed", "Undid"]);
    console.log(
      `killed within the write: ${isMixed.filter(Boolean).length} of ${moments}, seed ${seed}; ${[...outcomes].join(" and ")}`,
    );
    expect(first.length).toBeGreaterThan(manyFiles * 20_000);
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "ends by %s with the output whole and nothing left to do",
    { timeout: 60_000 },
    async (signal) => {
      project.write("nodewright.config.ts", configuration);
      project.write("small.yaml", smallOpenapi("getX", "1"));
      expect(project.nodewright("gen").status).toBe(0);
      const old = output();
      project.write("small.yaml", smallOpenapi("getX", "3"));
      const child = project.start("gen");
      const ended = once(child, "exit");
      await journalAppears(child);
      child.kill(signal);
      expect(await ended).toEqual([null, signal]);
      expect(existsSync(join(project.directory, journal))).toBe(false);
      const now = output();
      const { stderr } = project.nodewright("gen");
      expect(stderr).toBe("");
      expect([old, output()]).toContain(now);
    },
  );
});

describe("two runs at once", () => {
  it("write one after the other, and the second says that it waits", { timeout: 60_000 }, async () => {
    project.write("nodewright.config.ts", configuration);
    project.write("small.yaml", smallOpenapi("getX", "1"));
    expect(project.nodewright("gen").status).toBe(0);
    project.write("small.yaml", smallOpenapi("getX", "3"));
    const runs = [project.start("gen"), project.start("gen")];
    const texts = runs.map(() => "");
    for (const [index, child] of runs.entries())
      for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding("utf8").on("data", (text: string) => {
          texts[index] = `${texts[index]}${text}`;
        });
    const codes = await Promise.all(runs.map(async (child) => (await once(child, "close"))[0] as number));
    expect(codes).toEqual([0, 0]);
    const waiting = texts.filter((text) =>
      /^Another nodewright \(process \d+\) is writing a\/src\/gen: waiting for it\.$/m.test(text),
    );
    expect(waiting, texts.join("\n")).toHaveLength(1);
    expect(waiting[0]).toContain("1 document, nothing to do.");
    expect(project.nodewright("check").status).toBe(0);
  });
});

describe("a write that the system refuses", () => {
  it("says why in one sentence, keeps the old output and leaves nothing behind", () => {
    project.write("small.yaml", smallOpenapi());
    project.configure({ source: "small.yaml", package: "a" });
    expect(project.nodewright("gen").status).toBe(0);
    const old = output();
    project.write("small.yaml", smallOpenapi("getZ"));
    // A limit on the size of files stands for a full disk: the system refuses the write in the middle of a file.
    const limited = spawnSync(
      "sh",
      [
        "-c",
        `trap '' XFSZ; ulimit -f 1; exec "$0" "$@"`,
        process.execPath,
        "--conditions=source",
        commandLineProgram,
        "gen",
      ],
      {
        cwd: project.directory,
        encoding: "utf8",
        env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" },
      },
    );
    expect(limited.stderr).toMatch(
      / could not be written: it is larger than this user may write\. All files are as they were\.\n$/,
    );
    expect(limited.status).toBe(1);
    expect(output()).toBe(old);
    expect([...project.tree().keys()].filter((path) => /journal|tmp|new$/.test(path))).toEqual([]);
  });

  it.skipIf(!mayMount)(
    "keeps the old output when the disk is full, and when it may only be read",
    { timeout: 60_000 },
    () => {
      project.write("small.yaml", smallOpenapi());
      mkdirSync(join(project.directory, "disk"));
      const command = `"$0" --conditions=source "$1" gen small.yaml --output disk/a`;
      const digest = "find disk/a -type f -exec sha256sum {} + | sort | sha256sum";
      const script = `set -e
mount -t tmpfs -o size=60k tmpfs disk
${command} > /dev/null
${digest} > first
sed -i 's/getX/getZ/' small.yaml
dd if=/dev/zero of=disk/fill bs=1k count=100 2> /dev/null || true
${command} 2> full.txt || echo $? > full.status
${digest} > second
find disk -name '*journal*' > left
rm disk/fill
mount -o remount,ro disk
${command} 2> readonly.txt || echo $? > readonly.status
${digest} > third
`;
      const { status, stderr } = spawnSync(
        "unshare",
        ["-rm", "sh", "-c", script, process.execPath, commandLineProgram],
        {
          cwd: project.directory,
          encoding: "utf8",
        },
      );
      expect(stderr).toBe("");
      expect(status).toBe(0);
      expect(project.read("full.txt")).toMatch(
        / could not be written: there is no space left on the device\. All files are as they were\.\n$/,
      );
      expect(project.read("readonly.txt")).toMatch(
        / could not be written: the file system is read-only\. All files are as they were\.\n$/,
      );
      expect([project.read("full.status"), project.read("readonly.status")]).toEqual(["1\n", "1\n"]);
      expect([project.read("second"), project.read("third")]).toEqual([project.read("first"), project.read("first")]);
      expect(project.read("left")).toBe("");
    },
  );

  it("takes back what it wrote already when the handlers' directory cannot be written", () => {
    project.write("small.yaml", smallOpenapi());
    project.configure({
      source: "small.yaml",
      package: "a",
      handlers: { directory: "/sys/nodewright", context: "../context.ts#Context" },
    });
    const { status, stderr } = project.nodewright("gen");
    expect(status).toBe(1);
    expect(stderr).toMatch(/^\/sys\/nodewright\/\S+ could not be written: .*\. All files are as they were\.\n$/);
    expect(existsSync(join(project.directory, "a"))).toBe(false);
  });
});
