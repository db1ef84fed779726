import { isRecord } from "@nodewright/api-model";
import { parameterDifferences, resolveServed, servedParameters } from "../../compare/served-operations.ts";
import { type Finding, finding } from "../../contract/finding.ts";
import { type ProtocolDraft, requestDraft } from "./protocol-case.ts";
import { checkedMethods, type RpcContext } from "./rpc-context.ts";
import { readReply } from "./rpc-reply.ts";
import { requestText, rpcPost } from "./rpc-request.ts";
import { rpcRules } from "./rpc-rules.ts";

const discovery = "rpc.discover";

/** Plans the OpenRPC Service Discovery Method: a target that supports it returns its own description. */
export function discoveryDraft(context: RpcContext): ProtocolDraft {
  const takesNames = context.suite.operations.every(({ parameterStructure }) => parameterStructure === "by-name");
  return requestDraft({
    name: "discovery",
    rule: rpcRules.discovery,
    expected: "an OpenRPC document that has the methods of this one, or an error where the target does not offer it",
    request: rpcPost(requestText({ method: discovery, params: takesNames ? {} : [], id: 9 })),
    check: (response, play) => {
      const { outcome } = readReply(response, { members: context.suite.envelope, ids: [9] });
      if (outcome.kind !== "result") return play.skip(`The target does not offer ${discovery}`);
      const served = outcome.value;
      if (!isRecord(served) || typeof served["openrpc"] !== "string" || !Array.isArray(served["methods"]))
        return [finding(rpcRules.discovery, `the result of ${discovery} is not an OpenRPC document`)];
      return servedFindings(context, served, served["methods"]);
    },
  });
}

/** Returns findings for methods that had a response but are absent from the served document. */
function servedFindings(
  context: RpcContext,
  document: Readonly<Record<string, unknown>>,
  methods: readonly unknown[],
): readonly Finding[] {
  const served = new Map(
    methods
      .map((method) => resolveServed(document, method))
      .filter(isRecord)
      .map((method) => [method["name"], method]),
  );
  return checkedMethods(context)
    .filter(({ name, method }) => context.offered.has(name) && !method.startsWith("rpc."))
    .flatMap(({ method, parameters, place }): readonly Finding[] => {
      const other = served.get(method);
      const subject = `the document that ${discovery} returns`;
      if (other === undefined)
        return [finding(rpcRules.discovery, `${subject} lacks the method ${method}`, undefined, { place })];
      const others = servedParameters(document, other["params"]);
      const found = others === undefined ? [] : parameterDifferences(parameters, others);
      return found.map((one) => finding(rpcRules.discovery, `${subject} ${one}, of ${method}`, undefined, { place }));
    });
}
