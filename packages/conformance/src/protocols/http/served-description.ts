import { isRecord } from "@nodewright/api-model";
import { parse } from "yaml";
import {
  comparedParameters,
  parameterDifferences,
  resolveServed,
  servedParameters,
  servedPaths,
  shapeOf,
} from "../../compare/served-operations.ts";
import type { Finding } from "../../contract/finding.ts";
import type { ReceivedResponse, PlainRequest } from "../../contract/exchange.ts";
import { type CasePlay, type PlannedCase, protocolCase } from "../../contract/planned-case.ts";
import { withPlace } from "../../suite/with-place.ts";
import { type HttpContext, wellObserved } from "./http-context.ts";
import { httpRules } from "./http-rules.ts";

/** Paths at which frameworks serve the description of an API. */
const usualPaths = ["/openapi.json", "/openapi.yaml"];

type Members = Readonly<Record<string, unknown>>;

/** Plans the check that a target which serves its own description serves the one of this suite. */
export function planServedDescription(context: HttpContext): readonly PlannedCase[] {
  const documented = context.suite.operations.flatMap(({ method, path }) =>
    method === "GET" && /(?:openapi|api-docs|swagger)(?:\.json|\.ya?ml)?$/i.test(path) ? [path] : [],
  );
  const requests = (documented.length > 0 ? documented : usualPaths).map(
    (path): PlainRequest => ({ method: "GET", path, query: "", headers: { accept: "application/json, */*;q=0.8" } }),
  );
  return [
    protocolCase({
      name: "served-description",
      group: "protocol",
      rule: httpRules.servedDescription,
      expected: "an OpenAPI document that has the operations of this one, or 404 where the target serves none",
      requests: requests.length,
      preview: requests.slice(0, 1),
      play: async (play) => {
        const served = await findDescription(play, requests);
        return served === undefined
          ? play.skip("The target serves no description of itself")
          : findingsOf(context, served);
      },
    }),
  ];
}

async function findDescription(play: CasePlay, requests: readonly PlainRequest[]): Promise<Members | undefined> {
  for (const request of requests) {
    const response = await play.send(request);
    const served = response.status === 200 && !response.isCut ? read(response) : undefined;
    if (isRecord(served) && /^3\./.test(String(served["openapi"])) && isRecord(served["paths"])) return served;
  }
  return undefined;
}

/** Parses a document; JSON is YAML too. */
function read({ text }: ReceivedResponse): unknown {
  try {
    return parse(text ?? "", { uniqueKeys: false, logLevel: "silent" });
  } catch {
    return undefined;
  }
}

function findingsOf(context: HttpContext, document: Members): readonly Finding[] {
  const paths = new Map(
    Object.entries(isRecord(document["paths"]) ? document["paths"] : {}).map(([path, item]) => [shapeOf(path), item]),
  );
  const { operations } = context.suite;
  const served = servedPaths(
    operations.map(({ path }) => shapeOf(path)),
    [...paths.keys()],
  );
  // A description with few of these paths is of another API.
  if (2 * served.size < new Set(operations.map(({ path }) => shapeOf(path))).size) return [];
  return operations.flatMap((operation): readonly Finding[] => {
    const found = (what: string): Finding => ({
      rule: httpRules.servedDescription,
      message: `the description that the target serves ${what}, of ${operation.origin}`,
      guess: "an OpenAPI document that a target serves is taken to describe its interface as it is",
      ...withPlace(operation.place),
    });
    const item = resolveServed(document, paths.get(served.get(shapeOf(operation.path)) ?? ""));
    const other = isRecord(item) ? item[operation.method.toLowerCase()] : undefined;
    if (!isRecord(item) || !isRecord(other)) {
      const isThere = wellObserved(context, operation.name).length > 0;
      return isThere ? [found(isRecord(item) ? "lacks the method" : "lacks the path")] : [];
    }
    const others = servedParameters(document, item["parameters"], other["parameters"]);
    return others === undefined
      ? []
      : parameterDifferences(comparedParameters(operation.parameters), others).map(found);
  });
}
