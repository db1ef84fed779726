import type { UpstreamRpcError } from "@nodewright/upstream";

/** Geth, Erigon, Reth, anvil and Besu give a revert this code, and its data with it. */
const revertCode = 3;

/** Nethermind and Besu give it to failures inside the machine; Nethermind to some before it as well. */
const machineErrorCode = -32_015;

/**
 * How clients name failures inside the machine when they give them as errors of a call: the beginnings of their texts,
 * whatever the case.
 */
const machineFailures: readonly string[] = [
  // Geth and Erigon (`core/vm/errors.go`).
  "execution reverted",
  "out of gas(?! covering)",
  "contract creation code storage out of gas",
  "max call depth exceeded",
  "max code size exceeded",
  // With figures behind it, it is about the call's own data and said before it began.
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
  // Nethermind (`EvmExceptionType`, and its words for precompiles), and what came before it.
  "(?:badinstruction|outofgas|stack(?:over|under)flow|invalidjumpdestination|accessviolation|staticcallviolation|precompilefailure)\\b",
  "precompile .* failed",
  "revert(?:ed)?\\b",
  "vm exception while processing transaction",
];

const machineFailure = new RegExp(`^(?:err: )?(?:${machineFailures.join("|")})`, "i");

/** Nethermind's words for any failure of a call, with more of it as data. */
const someFailure = /^vm execution error/i;

/** What is wrong with a call before it begins, where the code alone would not tell. */
const earlyFailure =
  /insufficient (?:funds|sender balance)|intrinsic gas|gas limit|base fee|fee (?:cap|per gas)|nonce (?:is )?too|not an eoa|deployed code/i;

/** Whether a node's error answer to a call says that the call failed inside the machine, and not before it began. */
export function isMachineFailure({ code, message, data }: UpstreamRpcError): boolean {
  if (code === revertCode) return true;
  if (code !== machineErrorCode && !someFailure.test(message)) return machineFailure.test(message);
  return !earlyFailure.test(`${message} ${typeof data === "string" ? data : ""}`);
}

/** What a call reverted with; `0x` when the node does not tell. Nethermind has put words around it. */
export function revertDataOf({ data }: UpstreamRpcError): string {
  const text = isWrapped(data) ? data.data : data;
  if (typeof text !== "string") return "0x";
  const found = /^(?:reverted |err: )?(0x(?:[0-9a-f]{2})*)(?: \(supplied gas [0-9]+\))?$/i.exec(text);
  return found?.[1]?.toLowerCase() ?? "0x";
}

/** Gateways have been seen to put the error's data into an object. */
function isWrapped(data: unknown): data is { readonly data: unknown } {
  return typeof data === "object" && data !== null && "data" in data;
}
