import type { EthereumHandler } from "@nodewright/ethereum-api/server";
import { isServiceError, ServiceError } from "@nodewright/runtime";
import { isUpstreamRpcError, mayHaveArrived, publicNodeText, type UpstreamRpcError } from "@nodewright/upstream";
import type { EthereumContext } from "../request/context.ts";
import type { EthereumParents } from "./parents.ts";
import { bytesOf } from "../raw/rlp.ts";
import { hashOfSigned } from "../raw/signed-transaction.ts";
import { troubleWhateverCode } from "../node-calls/node-trouble.ts";
import { failureOfNode, failureOfTrouble, isMethodMissing } from "../node-calls/upstream-calls.ts";

/**
 * Resolver of `Mutation.sendRawTransaction`: sent once, never repeated automatically.
 *
 * The node's rejection of the transaction is returned in its own words. When it is unknown whether the transaction has arrived, the failure
 * contains the hash to look it up.
 */
export const sendRawTransaction: EthereumHandler<"sendRawTransaction", EthereumContext, EthereumParents> = async (
  { data },
  context,
) => {
  const hash = hashOfSigned(bytesOf(data));
  const result = await handIn(data, hash, context);
  if (typeof result === "string" && result.toLowerCase() === hash) return hash;
  throw new ServiceError(
    "upstream_unavailable",
    `The node accepted the transaction and returned another hash; look for it under ${hash}`,
    { details: { hash } },
  );
};

async function handIn(data: string, hash: string, context: EthereumContext): Promise<unknown> {
  try {
    return await context.calls.write("eth_sendRawTransaction", [data]);
  } catch (reason) {
    if (isUpstreamRpcError(reason)) throw refusalOf(reason, hash);
    if (isServiceError(reason) && isUncertain(reason)) throw uncertaintyOf(reason, hash);
    throw reason;
  }
}

/**
 * Converts the error of a rejected transaction. Clients differ in its code, so only the message distinguishes trouble of the node's own.
 */
function refusalOf(reason: UpstreamRpcError, hash: string): unknown {
  const text = publicNodeText(reason.message);
  if (isMethodMissing(reason)) return failureOfNode(reason);
  const trouble = troubleWhateverCode(reason);
  if (trouble !== undefined) {
    const failure = failureOfTrouble(trouble, reason);
    return trouble === "slow" ? uncertaintyOf(failure, hash) : failure;
  }
  return new ServiceError("invalid_input", text, { cause: reason });
}

/** Returns whether the outcome is uncertain. The time limit of the request may end the call as well as that of the upstream. */
function isUncertain(reason: ServiceError): boolean {
  return mayHaveArrived(reason) || reason.code === "upstream_timeout";
}

function uncertaintyOf(reason: ServiceError, hash: string): ServiceError {
  return new ServiceError(
    reason.code,
    `The node did not respond, and the transaction may have reached it: look for it under ${hash} before sending it again`,
    { details: { hash }, cause: reason, retryAfterSeconds: reason.retryAfterSeconds },
  );
}
