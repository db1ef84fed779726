import { UpstreamRpcError } from "@nodewright/upstream";
import { describe, expect, it } from "vitest";
import { isExecutionError, revertDataOf } from "./execution-error.ts";

describe("a failure inside the machine", () => {
  it.each<[string, number, string, unknown?]>([
    ["geth", 3, "execution reverted: not the owner", "0x08c379a0"],
    ["geth", -32000, "out of gas"],
    ["geth", -32000, "invalid opcode: INVALID"],
    ["geth", -32000, "invalid opcode: opcode 0x0c not defined"],
    ["geth", -32000, "invalid jump destination"],
    ["geth", -32000, "stack underflow (0 <=> 1)"],
    ["geth", -32000, "stack limit reached 1024 (1023)"],
    ["geth", -32000, "write protection"],
    ["geth", -32000, "return data out of bounds"],
    ["geth", -32000, "contract address collision"],
    ["geth", -32000, "max code size exceeded"],
    ["geth", -32000, "contract creation code storage out of gas"],
    ["geth", -32000, "invalid code: must not begin with 0xef"],
    ["geth", -32000, "bad elliptic curve pairing size"],
    ["geth", -32000, "invalid input length"],
    ["geth", -32000, "point is not on curve"],
    ["anvil", -32003, "EVM error InvalidFEOpcode"],
    ["anvil", 3, "execution reverted", "0x"],
    ["Reth", -32000, "EVM error: InvalidJump"],
    ["Reth", -32003, "out of gas: gas required exceeds: 100000"],
    ["Reth", -32003, "out of memory: memory limit exceeded during memory expansion"],
    ["Besu", -32000, "Execution reverted", "0x4e487b71"],
    ["Besu", -32015, "Bad instruction", null],
    ["Besu", -32015, "Out of gas", null],
    ["Besu", -32015, "No code section at requested index", null],
    ["Nethermind", -32015, "VM execution error.", "Reverted 0x7a933234"],
    ["Nethermind", -32015, "VM execution error.", "err: revert (supplied gas 36000000)"],
    ["Nethermind", -32000, "execution reverted", "0x01"],
    ["Nethermind", -32003, "out of gas"],
    ["Nethermind", -32003, "Precompile ecrecover failed with error: invalid input"],
    ["Nethermind", -32015, "BadInstruction"],
    ["a gateway", -32000, "VM execution error."],
  ])("is known as %s tells it: %d %s", (_client, code, message, data) => {
    expect(isExecutionError(new UpstreamRpcError(code, message, data))).toBe(true);
  });

  it.each<[string, number, string, unknown?]>([
    ["geth", -32000, "insufficient funds for gas * price + value: address 0x12 have 0 want 1"],
    ["geth", -32000, "err: insufficient funds for gas * price + value: address 0x12 have 0 want 1 (supplied gas 5)"],
    ["geth", -32000, "intrinsic gas too low: have 100, want 21000"],
    ["geth", -32000, "err: max fee per gas less than block base fee: address 0x12, maxFeePerGas: 1, baseFee: 2"],
    ["geth", -32000, "max initcode size exceeded: code size 49153 limit 49152"],
    ["geth", -32000, "header not found"],
    ["geth", -32000, "execution aborted (timeout = 5s)"],
    ["geth", -32000, "missing trie node 12 (path ) state 0x12 is not available"],
    ["Besu", -32004, "Upfront cost exceeds account balance"],
    ["Besu", -32003, "Intrinsic gas exceeds gas limit"],
    ["Nethermind", -32015, "VM execution error.", "err: insufficient funds for transfer (supplied gas 1)"],
    ["Nethermind", -32015, "insufficient sender balance"],
    ["any", -32601, "the method eth_call does not exist/is not available"],
    ["any", -32602, "invalid argument 0: hex string of odd length"],
    ["any", -32603, "Internal error"],
  ])("is told from one before it began, as %s tells that: %d %s", (_client, code, message, data) => {
    expect(isExecutionError(new UpstreamRpcError(code, message, data))).toBe(false);
  });
});

it.each([
  ["0x08C379A0", "0x08c379a0"],
  ["0x", "0x"],
  [{ data: "0x01" }, "0x01"],
  ["Reverted 0x7a933234", "0x7a933234"],
  ["err: 0xdf2d9b42 (supplied gas 36000000)", "0xdf2d9b42"],
  ["revert", "0x"],
  ["0x1", "0x"],
  [undefined, "0x"],
  [null, "0x"],
  [{ data: { data: "0x01" } }, "0x"],
])("the data of a revert is found in %j", (data, found) => {
  expect(revertDataOf(new UpstreamRpcError(3, "execution reverted", data))).toBe(found);
});
