import type { UpstreamRpcError } from "@nodewright/upstream";

/** Code of a revert, with its data, in geth, Erigon, Reth, anvil and Besu. */
const revertCode = 3;

/** Code of execution errors in Nethermind and Besu; in Nethermind also of some errors before the execution. */
const executionErrorCode = -32_015;

/** Beginnings of the clients' messages for execution errors, case-insensitive. */
const executionErrors: readonly string[] = [
  // Geth and Erigon (`core/vm/errors.go`).
  "execution reverted",
  "out of gas(?! covering)",
  "contract creation code storage out of gas",
  "max call depth exceeded",
  "max code size exceeded",
  // If numbers follow, it is about the call's own data and precedes the execution.
  "max initcode size exceeded(?!:)",
  "insufficient balance for transfer",
  "contract address collision",
  "invalid opcode",
  "invalid jump destination",
  "invalid code: must not begin",
  "stack (?:underflow|overflow|limit reached)",
  "write protection",
  "return data out of bounds",
  // Geth's precompiled contracts (`core/vm/contracts.go`), when the call goes to one of them itself.
  "one or more of base/exponent/modulus length exceeded",
  "bad elliptic curve pairing size",
  "bn256: ",
  "invalid (?:input length|final flag|field element|g[12] point|point: not on curve)",
  "(?:g[12] )?point is not (?:on|in) (?:curve|correct subgroup)",
  "mismatched versioned hash",
  "error verifying kzg proof",
  // Reth and anvil: `EVM error InvalidFEOpcode`, `EVM error: StackUnderflow`.
  "evm error",
  "out of memory: memory limit exceeded",
  // Besu (`ExceptionalHaltReason`).
  "bad (?:instruction|jump destination)",
  "out of (?:stack|bounds)",
  "illegal state change",
  "code is (?:too large|invalid)",
  "precompile(?:d contract)? error",
  // Nethermind (`EvmExceptionType`, and its words for precompiles), and its predecessor.
  "(?:badinstruction|outofgas|stack(?:over|under)flow|invalidjumpdestination|accessviolation|staticcallviolation|precompilefailure)\\b",
  "precompile .* failed",
  "revert(?:ed)?\\b",
  "vm exception while processing transaction",
];

const executionError = new RegExp(`^(?:err: )?(?:${executionErrors.join("|")})`, "i");

/** Nethermind's message for any error of a call, with the details as data. */
const anyFailure = /^vm execution error/i;

/** Errors before the execution, which the code alone does not distinguish. */
const earlyFailure =
  /insufficient (?:funds|sender balance)|intrinsic gas|gas limit|base fee|fee (?:cap|per gas)|nonce (?:is )?too|not an eoa|deployed code/i;

/** Returns whether the error response to a call is an execution error of the EVM, and not an error before the execution. */
export function isExecutionError({ code, message, data }: UpstreamRpcError): boolean {
  if (code === revertCode) return true;
  if (code !== executionErrorCode && !anyFailure.test(message)) return executionError.test(message);
  return !earlyFailure.test(`${message} ${typeof data === "string" ? data : ""}`);
}

/** Returns the revert data of a call; `0x` when the node does not report it. Nethermind adds words around it. */
export function revertDataOf({ data }: UpstreamRpcError): string {
  const text = isWrapped(data) ? data.data : data;
  if (typeof text !== "string") return "0x";
  const found = /^(?:reverted |err: )?(0x(?:[0-9a-f]{2})*)(?: \(supplied gas [0-9]+\))?$/i.exec(text);
  return found?.[1]?.toLowerCase() ?? "0x";
}

/** Returns whether the error's data is wrapped: some gateways put it into an object. */
function isWrapped(data: unknown): data is { readonly data: unknown } {
  return typeof data === "object" && data !== null && "data" in data;
}
