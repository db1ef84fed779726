import { propertyRules } from "../../properties/property-rules.ts";
import type { SuiteExample, SuiteRpcMethod } from "../../suite/suite.ts";
import { exampleDraft } from "./example-cases.ts";
import { missingFindings } from "./missing-method.ts";
import { refusalFindings } from "./refusal.ts";
import { ask, askWith } from "./rpc-call.ts";
import type { RpcDraft, RpcContext } from "./rpc-context.ts";
import { goodFindings } from "./good-answer.ts";
import { rpcRules } from "./rpc-rules.ts";

/**
 * The call of a method that tells whether it is there: its first documented one, or one without parameters. A method that needs
 * parameters which no example shows is called without them, and has to refuse.
 */
export function firstDraft(context: RpcContext, method: SuiteRpcMethod): RpcDraft {
  const example = firstExample(method);
  if (example !== undefined) return exampleDraft(context, method, example);
  const required = method.parameters.filter((parameter) => parameter.required);
  return required.length === 0 ? emptyDraft(context, method) : refusedDraft(context, method);
}

function firstExample({ examples }: SuiteRpcMethod): SuiteExample | undefined {
  return examples.find(({ outcome, mayFail }) => outcome.kind === "success" && mayFail !== true) ?? examples[0];
}

function emptyDraft(context: RpcContext, method: SuiteRpcMethod): RpcDraft {
  return {
    group: "live",
    name: "no-arguments",
    rule: rpcRules.resultType,
    expected: "a result of the documented type",
    isLive: true,
    input: {},
    play: async (play) => {
      const reply = await ask(context, play, method, {});
      return missingFindings(context, method, reply, play) ?? goodFindings(method, reply, "certain");
    },
  };
}

function refusedDraft(context: RpcContext, method: SuiteRpcMethod): RpcDraft {
  return {
    group: "negative",
    name: "no-arguments",
    rule: propertyRules.invalidInput,
    expected: "an error, as parameters are missing",
    params: method.parameterStructure === "by-name" ? {} : [],
    play: async (play) => {
      const reply = await askWith(context, play, method, method.parameterStructure === "by-name" ? {} : []);
      return missingFindings(context, method, reply, play) ?? refusalFindings(method, reply);
    },
  };
}
