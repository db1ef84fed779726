import { isRecord } from "@nodewright/api-model";
import type { Finding } from "../../contract/finding.ts";
import { memberOf } from "../../compare/member-facts.ts";
import { plainName } from "../../compare/volatile-names.ts";
import type { SuiteRpcMethod } from "../../suite/suite.ts";
import { requiredOf } from "./good-inputs.ts";
import { isHash } from "./immutability.ts";
import { ask, resultType } from "./rpc-call.ts";
import type { CaseDraft, RpcContext } from "./rpc-context.ts";
import { finding } from "./rpc-finding.ts";
import { rpcRules } from "./rpc-rules.ts";

const parentName = /^(?:parenthash|previousblockhash|prevhash|prevblockhash|previoushash|prevblock|parentid)$/;

/** The parent that an object names by its hash is there, one place below it. */
export function* parentDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  const [parameter, ...others] = requiredOf(method);
  if (parameter === undefined || others.length > 0) return;
  for (const answer of context.session.live.answersOf(method.name)) {
    if (!isRecord(answer.value) || !isHash(answer.input[parameter.property])) continue;
    const child = answer.value;
    const name = Object.keys(child).find((one) => parentName.test(plainName(one)));
    const parent = name === undefined ? undefined : child[name];
    const height = heightOf(child);
    if (!isHash(parent) || /^(?:0x)?0*$/.test(parent) || height === undefined || height === 0n) continue;
    const input = { ...answer.input, [parameter.property]: parent };
    yield {
      group: "relation",
      name: "parent",
      rule: rpcRules.parent,
      expected: "the parent, one place below",
      isLive: true,
      input,
      play: async (play): Promise<readonly Finding[]> => {
        const reply = await ask(context, play, method, input);
        const place = memberOf(resultType(method), String(name), context.suite.types)?.place ?? method.place;
        if (reply.outcome.kind === "unreadable") return reply.findings;
        if (reply.outcome.kind === "error" || reply.outcome.value === null) {
          // A node that keeps no old blocks does not have every parent.
          return [...reply.findings, finding(rpcRules.parent, "the parent is not there", undefined, { place })];
        }
        const { value } = reply.outcome;
        const below = isRecord(value) ? heightOf(value) : undefined;
        if (below === undefined || below === height - 1n) return reply.findings;
        const detail = `the parent is at ${below}, its child at ${height}`;
        return [
          ...reply.findings,
          finding(rpcRules.parent, "the parent is not one place below its child", detail, { place }),
        ];
      },
    };
    return;
  }
}

function heightOf(value: Readonly<Record<string, unknown>>): bigint | undefined {
  const found = Object.entries(value).find(([name]) =>
    ["height", "number", "blocknumber"].includes(plainName(name)),
  )?.[1];
  if (typeof found === "bigint") return found;
  if (typeof found === "number") return Number.isSafeInteger(found) ? BigInt(found) : undefined;
  return typeof found === "string" && /^(?:0x[0-9a-f]{1,16}|[0-9]{1,18})$/i.test(found) ? BigInt(found) : undefined;
}
