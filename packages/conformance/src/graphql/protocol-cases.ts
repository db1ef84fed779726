import { wrongKeys } from "../wire/wrong-keys.ts";
import type { Finding } from "../contract/finding.ts";
import { type CasePlay, type PlannedCase, protocolOperation } from "../contract/planned-case.ts";
import { graphqlCase } from "./graphql-case.ts";
import { postOf } from "./graphql-request.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { GraphqlRun } from "./graphql-run.ts";
import { neverDone, type ProtocolAudit, protocolAudits } from "./protocol-audits.ts";
import { isOwnMediaType, readResponse } from "./read-response.ts";

/** The rules of GraphQL over HTTP, which hold whatever the schema is. */
export function planProtocol(run: GraphqlRun): readonly PlannedCase[] {
  const audits = protocolAudits.filter(
    ({ needsMutations }) => needsMutations !== true || run.schema.getMutationType() != null,
  );
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
  if (audit.needsGet === true && run.servesGet === false) return play.skip("The target does not serve GET");
  const answer = await play.send(audit.request);
  if (answer.status === 401 || answer.status === 403) return play.skip("The target asks for a key");
  const checks = audit.isNoRequest === true ? [...audit.checks, neverDone] : audit.checks;
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

/** What a target that asks for a key does without the right one. */
export function planKeys(run: GraphqlRun): readonly PlannedCase[] {
  const { apiKey } = run.session.options;
  if (apiKey === undefined) return [];
  const question = { query: "{ __typename }" };
  return wrongKeys(apiKey).map(({ name, key }) =>
    graphqlCase({
      operation: protocolOperation,
      group: "key",
      name,
      rule: name === "no-key" ? graphqlRules.keyAsked : graphqlRules.key,
      expected: "status 401 with WWW-Authenticate, and no data",
      isLive: false,
      question,
      play: async (play) => {
        const answer = await play.send(postOf(question), { key });
        const { hasData, data } = readResponse(answer, question.query);
        if (answer.status >= 200 && answer.status < 300 && hasData && data !== null) {
          if (name === "no-key") run.isOpen = true;
          // Who asks everybody in need not look at keys.
          const rule = run.isOpen ? graphqlRules.keyAsked : graphqlRules.key;
          return [
            {
              rule,
              message:
                name === "no-key" ? "A request without a key is answered" : "A request with a wrong key is answered",
            },
          ];
        }
        const findings: Finding[] = [];
        if (hasData && data !== null)
          findings.push({ rule: graphqlRules.key, message: "A request that is refused for its key has data" });
        if (answer.status !== 401 && answer.status !== 403) {
          findings.push({
            rule: graphqlRules.keyStatus,
            message: "A request without the right key is refused with another status than 401 and 403",
            detail: `status ${answer.status}`,
          });
        }
        if (answer.status === 401 && !answer.headers.has("www-authenticate")) {
          findings.push({
            rule: graphqlRules.challenge,
            message: "The status is 401, and the header www-authenticate is missing",
          });
        }
        return findings;
      },
    }),
  );
}
