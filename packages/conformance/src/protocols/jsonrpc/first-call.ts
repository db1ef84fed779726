import { propertyRules } from "../../properties/property-rules.ts";
import type { CaseDraft } from "../../contract/planned-case.ts";
import { missingFindings } from "./absence.ts";
import { goodFindings, refusalFindings } from "./expect-input.ts";
import { ask, askWith } from "./rpc-call.ts";
import type { RpcOperation } from "./rpc-operation.ts";
import { rpcRules } from "./rpc-rules.ts";

/**
 * The call of a method that tells whether it is there: its first documented one, or one without parameters. A method that needs
 * parameters which no example shows is called without them, and has to refuse.
 */
export function firstCall({ context, method, documented }: RpcOperation): CaseDraft {
  const { examples, parameters, parameterStructure } = method;
  const good = examples.find(({ outcome, mayFail }) => outcome.kind === "success" && mayFail !== true);
  const example = good ?? examples[0];
  if (example !== undefined) return documented.run.caseOf(documented, example);
  const params = parameterStructure === "by-name" ? {} : [];
  return parameters.some(({ required }) => required)
    ? {
        group: "negative",
        name: "no-arguments",
        rule: propertyRules.invalidInput,
        expected: "an error, as parameters are missing",
        sent: params,
        play: async (play) => {
          const reply = await askWith(context, play, method, params);
          return missingFindings(context, method, reply, play) ?? refusalFindings(method, reply);
        },
      }
    : {
        group: "live",
        name: "no-arguments",
        rule: rpcRules.resultType,
        expected: "a result of the documented type",
        isLive: true,
        input: {},
        play: async (play) => {
          const reply = await ask(context, play, method, {});
          return (
            missingFindings(context, method, reply, play) ?? goodFindings(method, reply, { certainty: "documented" })
          );
        },
      };
}
