import { isRecord } from "@nodewright/api-model";
import { planKeyCases } from "../../../properties/key.ts";
import { type Finding, finding } from "../../../contract/finding.ts";
import { type CasePlay, type PlannedCase, protocolCase } from "../../../contract/planned-case.ts";
import { showValue } from "../../../compare/show-value.ts";
import { postOf } from "../contract/graphql-request.ts";
import { graphqlRules } from "../contract/graphql-rules.ts";
import type { GraphqlRun } from "../run/graphql-run.ts";
import { auditResponse, type AuditResponse, neverDone, type ProtocolAudit, protocolAudits } from "./protocol-audits.ts";
import { readResponse } from "../response/read-response.ts";

/** Plans the rules of GraphQL over HTTP that are independent of the schema. */
export function planProtocol(run: GraphqlRun): readonly PlannedCase[] {
  // Optional behaviour is checked with --strict only.
  const { strict = false } = run.session.options;
  const audits = protocolAudits.filter(
    ({ needsMutations, isOptional }) =>
      (!needsMutations || run.schema.getMutationType() != null) && (!isOptional || strict),
  );
  return audits.map((audit) => auditCase(run, audit));
}

function auditCase(run: GraphqlRun, audit: ProtocolAudit): PlannedCase {
  const { name, request, checks } = audit;
  const [first] = checks;
  if (first === undefined) throw new Error(`The audit ${name} checks nothing`);
  return protocolCase({
    group: "protocol",
    name,
    rule: first.rule,
    expected: checks.map(({ rule }) => rule.title).join("; "),
    preview: [request],
    play: (play) => playAudit(run, audit, play),
  });
}

async function playAudit(run: GraphqlRun, audit: ProtocolAudit, play: CasePlay): Promise<readonly Finding[]> {
  if (audit.needsGet && run.servesGet === false) return play.skip("The target does not serve GET");
  const received = await play.send(audit.request);
  if (received.status === 401 || received.status === 403) return play.skip("The target requires a key");
  const detail = `status ${received.status}, ${received.headers.get("content-type") ?? "no content type"}`;
  const checks = audit.isNoRequest ? [...audit.checks, neverDone] : audit.checks;
  const response = auditResponse(received);
  const findings = checks.flatMap(({ rule, problemOf }): readonly Finding[] => {
    const message = problemOf(response);
    return message === undefined ? [] : [finding(rule, message, detail)];
  });
  return [...findings, ...(audit.needsMutations ? [] : rootFindings(run, response))];
}

/** Returns findings of `__typename`: all audits request it of the query type, and no other request does. */
function rootFindings({ queryType }: GraphqlRun, { body }: AuditResponse): readonly Finding[] {
  const data = body?.["data"];
  const name = isRecord(data) ? data["__typename"] : undefined;
  if (name === undefined || name === queryType) return [];
  return [finding(graphqlRules.typename, `__typename of the query type is not ${queryType}`, showValue(name))];
}

/** Plans requests without a valid key, when the run has one: SDL does not declare keys. */
export function planKeys(run: GraphqlRun): readonly PlannedCase[] {
  const request = { query: "{ __typename }" };
  const cases = planKeyCases({
    session: run.session,
    isDescribed: false,
    hasScheme: true,
    call: async (play, key) => {
      const received = await play.send(postOf(request), { key });
      const { hasData, data } = readResponse(received);
      return { response: received, hasResult: hasData && data !== null, findings: [] };
    },
  });
  return cases.map((one) => protocolCase({ ...one, preview: [postOf(request)] }));
}
