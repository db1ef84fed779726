import type { CaseReport, FindingReport, OperationReport, Report, Verdict } from "../contract/report.ts";
import { verdicts } from "../contract/report.ts";

/** A small document, whose lines the findings below name. */
const sampleDocument: string = `openapi: 3.1.0
info: { title: Pets, version: 1.2.0 }
paths:
  /pets/{petId}:
    get:
      operationId: getPet
      responses:
        "200":
          content:
            application/json:
              schema:
                type: object
                required: [id, name]
                properties:
                  id: { type: integer }
                  name: { type: string, minLength: 1 }
  /pets:
    get:
      operationId: listPets
`;

export const sampleTexts: ReadonlyMap<string, string> = new Map([["pets.yaml", sampleDocument]]);

const missingName: FindingReport = {
  rule: "BODY",
  level: "MUST",
  title: "An answer is what the document says",
  message: "The required member name is missing",
  detail: "The required member name is missing; there are id and nmae",
  pointer: "/pets/*/name",
  place: "16:19",
};

const charset: FindingReport = {
  rule: "CT1",
  level: "SHOULD",
  title: "JSON has no charset parameter",
  message: "The content type has a charset",
  place: "10:13",
};

const otherPet: FindingReport = {
  rule: "SAME",
  level: "heuristic",
  title: "An object has the identifier that it was asked for by",
  message: "/id is not what petId asks for",
  guess: "`id` is taken for `petId` by its name",
};

/** Fixed in all that could differ from run to run. */
export function sampleCase(id: string, verdict: Verdict, more: Partial<CaseReport> = {}): CaseReport {
  const [operation = "", group = "example"] = id.split("/");
  return {
    id,
    operation,
    group: group as CaseReport["group"],
    rule: "BODY",
    level: "MUST",
    verdict,
    expected: "200 with a body of the documented type",
    findings: [],
    exchanges: [],
    milliseconds: 4,
    ...more,
  };
}

const listed = JSON.stringify({
  total: 3,
  pets: [
    { id: 1, name: "Ada", tags: ["cat", "old"] },
    { id: 2, nmae: "Bob \u001b[31m\u202egnp.exe", tags: [] },
    { id: 12345678901234567890n.toString(), name: "Cleo", tags: ["dog"] },
  ],
  next: "b9f1c2".repeat(12),
});

/** A report with a case of each verdict. */
export function sampleReport(more: Partial<Report> = {}): Report {
  const failing = sampleCase("listPets/example/all", "failed", {
    findings: [missingName],
    exchanges: [
      {
        method: "GET",
        url: "http://pets.example/v1/pets?apikey=$API_KEY",
        headers: { accept: "application/json" },
        startedAt: "2026-11-22T04:00:01.000Z",
        milliseconds: 12.4,
        response: {
          status: 200,
          headers: { "content-type": "application/json; charset=utf-8" },
          size: listed.length,
          body: listed,
        },
      },
    ],
    curl: `curl -sS -H 'accept: application/json' 'http://pets.example/v1/pets?apikey='"$API_KEY"''`,
    milliseconds: 12.4,
  });
  const cases = [
    sampleCase("getPet/example/cat", "passed"),
    sampleCase("getPet/live/pet-1", "warned", { findings: [charset] }),
    sampleCase("getPet/live/pet-2", "warned", { findings: [charset, otherPet] }),
    sampleCase("getPet/negative/pet-id-text", "known", {
      findings: [{ ...missingName, rule: "NEG", message: "A wrong value is answered with 200" }],
      reason: "the server reads digits off the front",
    }),
    failing,
    sampleCase("listPets/boundary/limit-1", "failed", {
      findings: [{ ...missingName, detail: "The required member name is missing" }],
      exchanges: failing.exchanges,
    }),
    sampleCase("listPets/boundary/limit-100", "failed", { findings: [missingName], exchanges: failing.exchanges }),
    sampleCase("listPets/random/1", "stale", {
      reason: 'the baseline expects BODY "gone", which is not there any more: take it out with --update-baseline',
    }),
    sampleCase("listPets/random/2", "flaky", { reason: "it failed, and passed twice when it was played again" }),
    sampleCase("listPets/random/3", "untested", { reason: "the server asked for a pause of 60 s" }),
    sampleCase("getOwner/example/one", "skipped", { reason: "the target does not offer it: 501" }),
    sampleCase("addPet/example/one", "not-sent", { reason: "POST may change something" }),
    sampleCase("(protocol)/protocol/head", "failed", {
      rule: "HEAD",
      expected: "the headers of GET without a body",
      findings: [
        {
          rule: "HEAD",
          level: "MUST",
          title: "HEAD is answered as GET is, without a body",
          message: "HEAD is answered with another status than GET",
          detail: "HEAD is answered with 405, GET with 200",
        },
      ],
      exchanges: [
        {
          method: "HEAD",
          url: "http://pets.example/v1/pets",
          headers: {},
          startedAt: "2026-11-22T04:00:02.000Z",
          milliseconds: 3,
          trouble: "the connection was reset",
        },
      ],
    }),
  ];
  const totals = Object.fromEntries(
    verdicts.map((verdict) => [verdict, cases.filter((one) => one.verdict === verdict).length]),
  ) as Record<Verdict, number>;
  return {
    format: 2,
    tool: { name: "nodewright", version: "0.1.0" },
    suite: { name: "pets", title: "Pets", version: "1.2.0", source: "pets.yaml" },
    protocol: "http",
    baseUrl: "http://pets.example/v1",
    seed: "5eed",
    startedAt: "2026-11-22T04:00:00.000Z",
    milliseconds: 1834,
    requests: 74,
    target: { client: "petd 1.4.2", chain: "regtest", height: 120, isSynchronised: true, headLagSeconds: 3 },
    cases,
    operations: [
      sampleOperation("getPet", "GET /pets/{petId}", { place: "5:5", calls: 31 }),
      sampleOperation("listPets", "GET /pets", { calls: 38 }),
      sampleOperation("getOwner", "GET /owner", {
        availability: "missing",
        availabilityReason: "it answered 501",
        calls: 2,
      }),
      sampleOperation("addPet", "POST /pets", {
        availability: "not sent",
        availabilityReason: "POST may change something",
        calls: 0,
      }),
    ],
    totals,
    notices: ["The example cat of getPet contradicts its schema: age is no integer (pets.yaml:22:9)."],
    outcome: "differs",
    ...more,
  };
}

function sampleOperation(operation: string, origin: string, more: Partial<OperationReport>): OperationReport {
  const calls = more.calls ?? 0;
  return {
    operation,
    origin,
    availability: "available",
    availabilityReason: "it answered",
    calls,
    ...(calls === 0 ? {} : { latency: { requests: calls, p50: 3.2, p95: 11.8, p99: 12.4, most: 12.4 } }),
    coverage: {
      parameters: { seen: ["petId"], unseen: [] },
      statuses: { seen: ["200"], unseen: ["404"] },
      members: { seen: ["/id", "/name"], unseen: ["/tag"] },
      arms: { seen: [], unseen: [] },
    },
    ...more,
  };
}
