import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Report } from "../contract/report.ts";
import { playSuite } from "../run/play-suite.ts";
import type { PlaySuite } from "./conform.ts";
import type { Environment } from "./read-access.ts";
import { runConform } from "./run-conform.ts";
import { decodeRepeatedly } from "@nodewright/secret-mask";
import { petsSuite, type PetsServer, startPetsServer } from "../testing/pets-server.ts";

const document = Array.from({ length: 20 }, (_, line) => `line ${line + 1} of the document`).join("\n");
const wrong = { id: 1, nmae: "Ada" };

let directory = "";
let server: PetsServer;

beforeAll(async () => {
  server = await startPetsServer();
});
afterAll(() => server.close());

beforeEach(() => {
  if (directory !== "") rmSync(directory, { recursive: true });
  directory = mkdtempSync(join(tmpdir(), "nodewright-conform-"));
  server.body = { id: 1, name: "Ada" };
  server.echo = undefined;
  return () => {
    rmSync(directory, { recursive: true });
    directory = "";
  };
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Settings {
  readonly environment?: Environment;
  readonly signal?: AbortSignal;
  readonly play?: PlaySuite;
}

/** Plays against the pet server, at a rate suitable for a loopback, when the words do not begin with a URL. */
async function conform(
  words: readonly string[],
  { environment = {}, signal, play = playSuite }: Settings = {},
): Promise<Ended> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const code = await runConform({
    program: "nodewright conform",
    words,
    streams: {
      stdout: { write: (text) => stdout.push(text) > 0 },
      stderr: { write: (text) => stderr.push(text) > 0 },
    },
    environment,
    signal,
    play,
    loadSuite: async () => ({ suite: petsSuite, notices: [], texts: new Map([["pets.yaml", document]]) }),
  });
  return { code, stdout: stdout.join(""), stderr: stderr.join("") };
}

function file(name: string): string {
  return join(directory, name);
}

describe("a run of the command", () => {
  it("ends with 0 where the target conforms", async () => {
    const { code, stdout, stderr } = await conform([server.url]);
    expect(stdout).toContain("It conforms.");
    expect(stdout).toContain("Not sent: 1 operation");
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(server.requested.filter((line) => line.startsWith("POST"))).toEqual([]);
  });

  it("prints nothing when all is well and nothing else is wanted", async () => {
    expect(await conform([server.url, "--quiet"])).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("ends with 1 where it does not, and shows the lines of the document", async () => {
    server.body = wrong;
    const { code, stdout } = await conform([server.url, "--quiet"]);
    expect(stdout).toContain("It does not conform.");
    expect(stdout).toContain("line 12 of the document");
    expect(stdout).toContain('{"id":1,"nmae":"Ada"}');
    expect(code).toBe(1);
  });

  it("ends with 1 for a warning with --strict alone, when it is played again too", async () => {
    // An echoed key violates a SHOULD.
    server.echo = (request) => request.url ?? "";
    const words = [server.url, "--key", "5ecret-key", "--quiet", "--report", `json=${file("r.json")}`];
    expect((await conform(words)).code).toBe(0);
    const strict = await conform([...words, "--strict"]);
    expect(strict.stdout).toContain("SHOULD KEYE");
    expect(strict.code).toBe(1);
    const { cases } = JSON.parse(readFileSync(file("r.json"), "utf8")) as Report;
    const id = cases.find(({ verdict }) => verdict === "failed")?.id ?? "";
    const again = ["replay", id, "--report", file("r.json"), "--key", "5ecret-key"];
    expect((await conform([...again, "--strict"])).stderr).toContain("It is failed as in the report");
    expect((await conform(again)).stderr).toContain("It was failed in the report, and is warned now.");
  });

  it.each<readonly [string, readonly string[], string]>([
    ["no URL", ["--quiet"], "The URL of the target is missing"],
    ["two URLs", ["http://a", "http://b"], '"http://b" follows the URL'],
    ["a baseline that is not there", ["http://a", "--baseline", "/no/such.yaml"], "There is no baseline"],
    ["a profile that is none", ["http://a", "--profile", "nope"], 'There is no profile "nope"'],
    [
      "a baseline in no directory",
      ["http://a", "--baseline", "/proc/none/a.yaml", "--update-baseline"],
      "The baseline /proc/none/a.yaml can't be written",
    ],
    ["a report in no directory", ["http://a", "--report", "html=/proc/none/a.html"], "can't be written"],
  ])("ends with 2 for %s, and sends nothing", async (_, words, message) => {
    const before = server.requested.length;
    const { code, stdout, stderr } = await conform(words);
    expect(stderr).toContain(`nodewright conform: `);
    expect(stderr).toContain(message);
    expect([code, stdout]).toEqual([2, ""]);
    expect(server.requested).toHaveLength(before);
  });

  it("ends with 3 where nothing can be said", async () => {
    const { code, stdout } = await conform(["http://127.0.0.1:9"]);
    expect(stdout).toContain("The run is inconclusive.");
    expect(code).toBe(3);
  });

  it("ends with 3 where a comparison was asked for and not made", async () => {
    const play: PlaySuite = async (...run) => {
      const { against: _, ...report } = await playSuite(...run);
      return report;
    };
    const { code, stdout } = await conform([server.url, "--against", "http://127.0.0.1:9"], { play });
    expect(stdout).toContain("Nothing was compared with http://127.0.0.1:9.");
    expect(code).toBe(3);
  });

  it("ends with 3 and says so when we are to blame", async () => {
    const play: PlaySuite = () => Promise.reject(new Error("a slip"));
    const { code, stderr } = await conform([server.url], { play });
    expect(stderr).toContain("neither the document nor the target is to blame");
    expect(code).toBe(3);
  });

  it("keeps the report of what was played when it is ended, and does not say that all is well", async () => {
    const controller = new AbortController();
    const play: PlaySuite = (suite, options, observer) =>
      playSuite(suite, options, {
        ...observer,
        onCase(report) {
          observer?.onCase?.(report);
          controller.abort();
        },
      });
    const { code } = await conform([server.url, "--report", `json=${file("r.json")}`], {
      signal: controller.signal,
      play,
    });
    expect(code).toBe(3);
    const report = JSON.parse(readFileSync(file("r.json"), "utf8")) as Report;
    expect(report.cases.length).toBeGreaterThan(0);
  });

  it("plays again and again when it is asked to, and leaves the last metrics", async () => {
    const controller = new AbortController();
    let runs = 0;
    const play: PlaySuite = async (...run) => {
      runs += 1;
      if (runs === 3) setTimeout(() => controller.abort(), 20);
      return await playSuite(...run);
    };
    const words = [server.url, "--quiet", "--every", "10ms", "--only", "getPet", "--prometheus", file("m.prom")];
    await conform(words, { signal: controller.signal, play });
    expect(runs).toBeGreaterThanOrEqual(3);
    expect(readFileSync(file("m.prom"), "utf8")).toContain('nodewright_conform_conclusive{suite="pets"');
    expect(readdirSync(directory)).toEqual(["m.prom"]);
  });
});

describe("a baseline", () => {
  it("that can't be written at the end costs no report", async () => {
    server.body = wrong;
    const known = file("gone/known.yaml");
    const play: PlaySuite = async (...run) => {
      const report = await playSuite(...run);
      rmSync(file("gone"), { recursive: true });
      return report;
    };
    const words = [server.url, "--quiet", "--baseline", known, "--update-baseline"];
    const { code, stderr } = await conform([...words, "--report", `json=${file("r.json")}`], { play });
    expect([code, stderr]).toEqual([2, `nodewright conform: The baseline ${known} can't be written (ENOENT).\n`]);
    expect(JSON.parse(readFileSync(file("r.json"), "utf8"))).toMatchObject({ outcome: "differs" });
  });

  it("is written, explained, held and found stale", async () => {
    server.body = wrong;
    const words = [server.url, "--quiet", "--baseline", file("known.yaml")];
    const written = await conform([...words, "--update-baseline"]);
    expect(written.stderr).toMatch(/known\.yaml: [1-9]\d* entr(?:y|ies) added, 0 entries removed\./);
    expect(written.code).toBe(0);
    const text = readFileSync(file("known.yaml"), "utf8");
    writeFileSync(file("known.yaml"), text.replaceAll("TO BE EXPLAINED", "It cannot spell."));
    expect((await conform(words)).code).toBe(0);
    server.body = { id: 1, name: "Ada" };
    const stale = await conform(words);
    expect(stale.stdout).toContain("which is not there any more");
    expect(stale.code).toBe(1);
    expect((await conform([...words, "--update-baseline"])).stderr).toContain("0 entries added");
    expect((await conform(words)).code).toBe(0);
  });
});

describe("a replay", () => {
  it("plays a case of a report again, and says what is different", async () => {
    server.body = wrong;
    await conform([server.url, "--quiet", "--report", `json=${file("r.json")}`]);
    const report = JSON.parse(readFileSync(file("r.json"), "utf8")) as Report;
    const failed = report.cases.find(({ verdict }) => verdict === "failed");
    const words = ["replay", failed?.id ?? "", "--report", file("r.json")];
    const same = await conform(words);
    expect(same.stderr).toBe("It is failed as in the report.\n");
    expect(same.code).toBe(1);
    server.body = { id: 1, name: "Ada" };
    const repaired = await conform(words);
    expect(repaired.stderr).toBe("It was failed in the report, and is passed now.\n");
    expect(repaired.code).toBe(0);
  });

  it("is refused without its report, and for a case that the report has not", async () => {
    expect((await conform(["replay", "a/example/b"])).stderr).toContain("replay needs the report");
    writeFileSync(file("x.json"), "{}");
    expect((await conform(["replay", "a", "--report", file("x.json")])).stderr).toContain(
      "is not a report of format 2",
    );
    await conform([server.url, "--quiet", "--report", `json=${file("r.json")}`]);
    expect((await conform(["replay", "getPett", "--report", file("r.json")])).stderr).toMatch(
      /has no case getPett \(did you mean "\w+\/[^"]+"\?\)\.$/m,
    );
  });
});

describe("a plan", () => {
  it("says what would be sent and what not, and sends nothing", async () => {
    const before = server.requested.length;
    const { code, stdout } = await conform([server.url, "--plan", "--key", "secret-key"]);
    expect(stdout).toContain("Nothing is sent.");
    expect(stdout).toMatch(/Sent: 1 operation\n {2}GET \/pet: /);
    expect(stdout).toMatch(/Not sent: 1 operation.*\n {2}POST \/pet: /);
    expect(stdout).not.toContain("secret-key");
    expect(code).toBe(0);
    expect(server.requested).toHaveLength(before);
  });
});

describe("what is said to be unsafe", () => {
  it("is not sent where writes are allowed either", async () => {
    const plan = await conform([server.url, "--plan", "--allow-writes", "--unsafe", "addPet"]);
    expect(plan.stdout).toMatch(/Not sent: 1 operation.*\n {2}POST \/pet: it is declared unsafe/);
    const before = server.requested.length;
    await conform([server.url, "--allow-writes", "--unsafe", "addPet"]);
    const requested = server.requested.slice(before);
    expect(requested.length).toBeGreaterThan(0);
    expect(requested.filter((one) => JSON.stringify(one).includes("POST"))).toEqual([]);
  });
});

describe("a pattern", () => {
  it.each([
    ["--only", "getPett", '--only getPett matches no operation or case (did you mean "getPet"?)'],
    ["--skip", "dogs/*", "--skip dogs/* matches no operation or case: --plan lists them"],
    ["--unsafe", "getPat", '--unsafe getPat matches no operation (did you mean "getPet"?)'],
    ["--may-be-missing", "x", "--may-be-missing x matches no operation: "],
  ])("that matches nothing is refused before anything is sent: %s %s", async (option, pattern, message) => {
    const before = server.requested.length;
    const { code, stderr } = await conform([server.url, option, pattern]);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
    expect(server.requested).toHaveLength(before);
  });

  it.each(["getPet", "GET /pet", "getPet/*", "getPet/nothing/yet", "*/negative/*", "(protocol)/*", "get*"])(
    "may be of what answers lead to: %s",
    async (pattern) => {
      const { code } = await conform([server.url, "--plan", "--only", pattern]);
      expect(code).toBe(0);
    },
  );

  it("leaves what it does not select out of the plan", async () => {
    const { stdout } = await conform([server.url, "--plan", "--only", "addPet"]);
    expect(stdout).toMatch(/Sent: 0 operations\n/);
    expect(stdout).toMatch(/Not sent: 1 operation.*\n {2}POST \/pet: /);
    const { stdout: other } = await conform([server.url, "--plan", "--only", "getPet/negative/*"]);
    expect(other).toMatch(/Sent: 1 operation\n {2}GET \/pet: /);
    expect(other).toContain("Not sent: 0 operations");
  });
});

describe("the other commands", () => {
  it("list the rules, help and tell the version", async () => {
    expect((await conform(["rules"])).stdout).toContain("MUST");
    expect(JSON.parse((await conform(["rules", "--json"])).stdout)).toMatchObject({ format: 1 });
    expect((await conform(["--help"])).stdout).toMatch(/^Usage: nodewright conform URL/);
    expect((await conform(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await conform([])).code).toBe(2);
    expect((await conform([])).stdout).toBe((await conform(["--help"])).stdout);
  });
});

describe("the key", () => {
  const formats = ["terminal", "json", "ndjson", "junit", "html", "github", "har", "methods", "prometheus"];
  const keys = ["S3cret/Key+with=signs&more", `a%2Fb'c"d\\e<f>g;h{i}j`, "Z0-._~!*()|^`[]@,?#:$"];

  function hexOf(character: string): string {
    return character.charCodeAt(0).toString(16).padStart(2, "0");
  }

  /** Returns the forms in which a careless server may write a key. */
  function formsOf(key: string): readonly string[] {
    const escaped = (write: (character: string) => string): string => [...key].map(write).join("");
    const names = new Map(Object.entries({ "/": "sol", "+": "plus", "&": "amp", '"': "quot", "'": "apos", "<": "lt" }));
    const plain = [
      key,
      key.toUpperCase(),
      key.toLowerCase(),
      key.slice(0, -1),
      encodeURIComponent(key),
      encodeURIComponent(key).replaceAll(/%../g, (one) => one.toLowerCase()),
      encodeURI(key),
      new URLSearchParams({ key }).toString().slice(4),
      escaped((one) => `%${hexOf(one)}`),
      escaped((one) => `%${hexOf(one).toUpperCase()}`),
      escaped((one) => `%u00${hexOf(one)}`),
      JSON.stringify(key).slice(1, -1),
      escaped((one) => `\\u00${hexOf(one)}`),
      escaped((one) => `\\x${hexOf(one)}`),
      escaped((one) => `&#${one.charCodeAt(0)};`),
      escaped((one) => `&#x${hexOf(one)};`),
      escaped((one) => (names.has(one) ? `&${names.get(one)};` : one)),
      key.replaceAll("/", "\\/"),
      key.replaceAll('"', '""'),
      key.replaceAll("+", " "),
      Buffer.from(key).toString("hex"),
      Buffer.from(key).toString("hex").toUpperCase(),
      ...["base64", "base64url"].map((encoding) =>
        Buffer.from(key)
          .toString(encoding as BufferEncoding)
          .replaceAll("=", ""),
      ),
    ];
    return [...plain, ...plain.map(encodeURIComponent)];
  }

  function credentialsOf(key: string): readonly string[] {
    return ["user", "users", "us"].map((user) => Buffer.from(`${user}:${key}`).toString("base64"));
  }

  const ways: readonly (readonly [
    string,
    (url: string, key: string) => readonly string[],
    (key: string) => Environment,
  ])[] = [
    ["as the document says", (url, key) => [url, "--key", key], () => ({})],
    ["from the environment", (url) => [url], (key) => ({ NODEWRIGHT_API_KEY: key })],
    ["in the path", (url, key) => [`${url}/{key}`, "--key", key], () => ({})],
    ["in a header", (url, key) => [url, "--header", `x-token: Bearer ${key}`], () => ({})],
    ["in basic credentials", (url, key) => [url, "--basic", `user:${key}`], () => ({})],
    ["in the query", (url, key) => [`${url}/?apikey=${encodeURIComponent(key)}`], () => ({})],
  ];

  it.each(
    ways.flatMap(([way, wordsOf, environmentOf]) => keys.map((key) => [way, key, wordsOf, environmentOf] as const)),
  )("stands in no output, sent %s as %s to a server that gives it back", async (_, key, wordsOf, environmentOf) => {
    const forms = formsOf(key);
    const credentials = credentialsOf(key);
    server.body = wrong;
    server.echo = (request) =>
      `${request.url} ${JSON.stringify(request.headers)} ${[...forms, ...credentials].join(" ")}`;
    const reports = formats.flatMap((format) => ["--report", `${format}=${file(`${format}.out`)}`]);
    const printed = await conform(
      [...wordsOf(server.url, key), ...reports, "--verbose", "--baseline", file("b.yaml"), "--update-baseline"],
      { environment: environmentOf(key) },
    );
    const written = readdirSync(directory).map((name) => readFileSync(file(name), "utf8"));
    expect(written.length).toBeGreaterThanOrEqual(formats.length);
    for (const text of [printed.stdout, printed.stderr, ...written]) {
      for (const form of [...forms, ...credentials.map((one) => one.slice(8, -4))])
        expect(text.includes(form), `${form} in ${text.slice(0, 200)}`).toBe(false);
      // Also when one output escapes what another wrote.
      for (const level of decodeRepeatedly(text)) expect(level.text.toLowerCase()).not.toContain(key.toLowerCase());
    }
    expect(existsSync(file("json.out"))).toBe(true);
  });
});
