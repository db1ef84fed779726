import type { PlannedCase } from "../contract/planned-case.ts";
import { planRelations, type RelationTarget } from "../relations/relation-cases.ts";
import type { SuiteGraphqlDocument } from "../suite/suite.ts";
import type { GraphqlRun } from "./graphql-run.ts";

/** What the description says holds between the answers of its operations. */
export function planDescribed(run: GraphqlRun, document: SuiteGraphqlDocument): readonly PlannedCase[] {
  return planRelations(graphqlTarget(run), document).filter(({ writes }) => !writes);
}

function graphqlTarget(run: GraphqlRun): RelationTarget {
  const documents = new Map(run.suite.documents.map((document) => [document.name, document]));
  return {
    session: run.session,
    isImmutable: () => false,
    has: (name) => documents.has(name),
    call: async (play, name, input) => {
      const document = documents.get(name);
      if (document === undefined) return { problem: `there is no operation ${name}` };
      const { data, response, findings } = await run.ask(play, { query: document.text, variables: input });
      if (data === undefined || response.errors.length > 0) return { problem: `${name} is answered with errors` };
      const isBroken = findings.some(({ rule }) => rule.level === "MUST");
      return isBroken ? { problem: `the answer of ${name} is not as described` } : { value: data };
    },
  };
}
