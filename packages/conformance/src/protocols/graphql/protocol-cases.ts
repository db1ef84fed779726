import { planKeyCases } from "../../properties/key.ts";
import type { Finding } from "../../contract/finding.ts";
import { type CasePlay, type PlannedCase, protocolOperation } from "../../contract/planned-case.ts";
import { graphqlCase } from "./graphql-case.ts";
import { postOf } from "./graphql-request.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { GraphqlRun } from "./graphql-run.ts";
import { neverDone, type ProtocolAudit, protocolAudits } from "./protocol-audits.ts";
import { isOwnMediaType, readResponse } from "./read-response.ts";

/** The rules of GraphQL over HTTP, which hold whatever the schema is. */
export function planProtocol(run: GraphqlRun): readonly PlannedCase[] {
  const audits = protocolAudits.filter(({ needsMutations }) => !needsMutations || run.schema.getMutationType() != null);
  return [...audits.map((audit) => auditCase(run, audit)), planCoercionStatus()];
}

function auditCase(run: GraphqlRun, audit: ProtocolAudit): PlannedCase {
  const { name, request, checks } = audit;
  const [first] = checks;
  if (first === undefined) throw new Error(`The audit ${name} checks nothing`);
  return {
    ...graphqlCase({
      operation: protocolOperation,
      group: "protocol",
      name,
      rule: first.rule,
      expected: checks.map(({ rule }) => rule.title).join("; "),
      isLive: false,
      play: (play) => playAudit(run, audit, play),
    }),
    preview: [request],
  };
}

async function playAudit(run: GraphqlRun, audit: ProtocolAudit, play: CasePlay): Promise<readonly Finding[]> {
  if (audit.needsGet && run.servesGet === false) return play.skip("The target does not serve GET");
  const answer = await play.send(audit.request);
  if (answer.status === 401 || answer.status === 403) return play.skip("The target asks for a key");
  const checks = audit.isNoRequest ? [...audit.checks, neverDone] : audit.checks;
  return checks.flatMap(({ rule, problemOf }): readonly Finding[] => {
    const message = problemOf(answer);
    return message === undefined
      ? []
      : [
          {
            rule,
            message,
            detail: `status ${answer.status}, ${answer.headers.get("content-type") ?? "no content type"}`,
          },
        ];
  });
}

/** A variable of a wrong value in a document that is valid: what the audits' own request for it is not. */
function planCoercionStatus(): PlannedCase {
  const question = {
    query: "query ($given: Boolean!) { __typename @include(if: $given) }",
    variables: { given: null },
  };
  return graphqlCase({
    operation: protocolOperation,
    group: "protocol",
    name: "status-of-wrong-variables",
    rule: graphqlRules.coercionStatus,
    expected: "a status from 400 for variables that are refused, as application/graphql-response+json",
    isLive: false,
    question,
    play: async (play) => {
      const response = readResponse(await play.send(postOf(question)), question.query);
      const { status } = response.answer;
      if (!isOwnMediaType(response.answer) || response.hasData || status >= 400) return [];
      return [{ rule: graphqlRules.coercionStatus, message: `The status is ${status} where variables are refused` }];
    },
  });
}

/** Ways of not having the key, where the run has one: an SDL says nothing of keys. */
export function planKeys(run: GraphqlRun): readonly PlannedCase[] {
  const question = { query: "{ __typename }" };
  const cases = planKeyCases({
    apiKey: run.session.options.apiKey,
    isDescribed: false,
    hasScheme: true,
    call: async (play, key) => {
      const answer = await play.send(postOf(question), { key });
      const { hasData, data } = readResponse(answer, question.query);
      return { answer, hasResult: hasData && data !== null, findings: [] };
    },
  });
  return cases.map((one) =>
    graphqlCase({ ...one, operation: protocolOperation, group: "key", isLive: false, question }),
  );
}
