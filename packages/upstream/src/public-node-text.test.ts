import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuMillisecondsDuring } from "../../../test/support/cpu-time.ts";
import { publicNodeText } from "./public-node-text.ts";

const txid = "5fc0b2a1".repeat(8);

describe("a node's text", () => {
  it.each([
    'sendrawtransaction RPC error: {"code":-26,"message":"min relay fee not met, 100 < 141"}',
    "bad-txns-inputs-missingorspent",
    "mandatory-script-verify-flag-failed (Script evaluated without error but finished with a false/empty top stack element)",
    `mandatory-script-verify-flag-failed (Signature must be zero for failed CHECK(MULTI)SIG operation), input 0 of ${txid} (wtxid ${txid}), spending ${txid}:12`,
    "non-mandatory-script-verify-flag (Using OP_CODESEPARATOR in non-segwit script)",
    "min relay fee not met, 100 < 141",
    `insufficient fee, rejecting replacement ${txid}; new feerate 0.00001000 BTC/kvB <= old feerate 0.00002000 BTC/kvB`,
    `too-long-mempool-chain, too many descendants for tx ${txid} [limit: 25]`,
    "Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)",
    "TX decode failed. Make sure the tx has at least one input.",
    "Transaction outputs already in utxo set",
    "dust, tx with dust output must be 0-fee",
    "Block at height 5 (pruned data)",
    "TX rejected: output [0] of tx",
    "a false/empty top stack element of P2SH/btcd",
    "derivation path m/44'/60'/0'/0/0",
    "-26: 64: non-mandatory",
    "12:30:45 [1]",
    "nonce too low: next nonce 34, tx nonce 16",
    "insufficient funds for gas * price + value: address 0x71562b71999873DB5b286dF957af199Ec94617F7 have 1 want 2",
    "max fee per gas less than block base fee: address 0x71562b71999873DB5b286dF957af199Ec94617F7, maxFeePerGas: 1, baseFee: 7",
    "execution reverted: ERC20: transfer amount exceeds balance",
    "execution reverted: a:b 1.2.3",
    "min relay fee not met, 0 < 141",
    "bypass: x",
    "ERC20: invalid token: 5",
    "execution reverted: überwiesen, 送金 ✓",
    "missing trie node 1a2b (path 0a0b) state 0x1a2b is not available, not found",
    "x".repeat(1_024),
  ])("stays byte for byte where it is a reason: %s", (message) => {
    expect(publicNodeText(message)).toBe(message);
  });

  it.each([
    ["open /home/alice/.bitcoin/mempool.dat.new: no space left", "open (path): no space left"],
    ['open "/home/alice/my node/x.dat": no space left', 'open "(path)": no space left'],
    ["open /srv/äöü/block files: no space left", "open (path) files: no space left"],
    ["cannot read /data", "cannot read (path)"],
    ["cannot read /wallet.dat", "cannot read (path)"],
    ["cannot read ~/.bitcoin and ../secrets/key", "cannot read (path) and (path)"],
    ["-datadir=/mnt/node", "-datadir=(path)"],
    ["at C:\\Bitcoin\\blocks\\blk00000.dat", "at (path)"],
    ["on \\\\server\\share\\node", "on (path)"],
    ["dial tcp 10.1.2.3:8333: connect: connection refused", "dial tcp (address): connect: connection refused"],
    ["dial tcp btcd:8334: connect: connection refused", "dial tcp (address): connect: connection refused"],
    ["getaddrinfo ENOTFOUND node.internal", "getaddrinfo ENOTFOUND (address)"],
    ["lookup seed.example.org on 192.168.7.1:53: no such host", "lookup seed.example.org on (address): no such host"],
    ["dial tcp [2001:db8::7]:8333: i/o timeout", "dial tcp (address): i/o timeout"],
    ["bound to fe80::1%eth0 and 2001:db8:0:0:0:0:0:7", "bound to (address) and (address)"],
    ["node.internal:8332 and localhost:18443", "(address) and (address)"],
    ["http://alice:secret@node.local:8332/ gives 500", "(address) gives 500"],
    ['http://user:pa"ss)w@10.0.0.1 gives 500', "(address) gives 500"],
    ["Post https://u:p@node.example:8545/key: EOF", "Post (address) EOF"],
    ["for user:pass@host of", "for (address) of"],
    ["Authorization: Basic dXNlcjpwYXNz0 refused", "(credentials) refused"],
    ["Authorization: Basic dXNlcjpwYXNz", "(credentials)"],
    ["no rpcpassword=hunter2 and rpc-password=hunter2", "no (credentials) and (credentials)"],
    ["pass=hunter2 password: hunter2 passwd : hunter2", "(credentials) (credentials) (credentials)"],
    ['{"password":"hunter2 and 3"}', '{"(credentials)}'],
    ["--rpcpassword='hunter 2' is wrong", "(credentials) is wrong"],
    ["my_api_key=0123 auth-token=0123", "(credentials) (credentials)"],
    ["no apikey=0123 and token=abc", "no (credentials) and (credentials)"],
    ["cookie __cookie__:00ff", "cookie (credentials)"],
    ["boom\n    at handler (/srv/app.js:1:2)\n    at next (node:internal/x:3:4)", "boom"],
    ["boom at foo (/srv/app.js:1:2) at bar (native)", "boom"],
    ["boom at foo (…)", "boom"],
    ["boom at Object.call [as method] (app.js:1:2)", "boom"],
    ["boom at com.example.Node.call(Node.java:33)", "boom"],
    ["boom at file:///srv/app.js:1:2", "boom"],
    ['boom\nTraceback (most recent call last):\n  File "x.py", line 3, in f', "boom"],
    ["panic: boom\n\ngoroutine 7 [running]:\nmain.f(0x1)", "panic: boom"],
    ["one\r\ntwo\tthree\u0000\u001b[31mred\u2028four", "one two three [31mred four"],
    ["zero\u200bwidth \u202eright to left", "zerowidth right to left"],
    ["half \ud83d of a pair", "half of a pair"],
    ["", "The node gave no reason"],
    [" \n\u0007 ", "The node gave no reason"],
  ])("tells no place, no credentials and no stack: %j", (message, expected) => {
    expect(publicNodeText(message)).toBe(expected);
  });

  it.each([
    ["x".repeat(1_025), `${"x".repeat(1_023)}…`],
    ["é".repeat(5_000_000), `${"é".repeat(1_023)}…`],
    [`${"x".repeat(1_022)}😀😀`, `${"x".repeat(1_022)}…`],
    [`http://u:p@10.0.0.1/${"x".repeat(5_000_000)}`, "(address)…"],
    [`boom\n at ${"x".repeat(5_000_000)}`, "boom"],
  ])("is cut at 1,024 characters: %#", (message, expected) => {
    expect(publicNodeText(message)).toBe(expected);
  });

  it.each(["password", "authorization", "a-".repeat(20), "token", "password \t"])(
    "takes time in proportion to its length: %s",
    async (piece) => {
      const text = piece.repeat(2_048);
      const work = async (): Promise<void> => {
        for (let time = 0; time < 100; time += 1) publicNodeText(text);
      };
      expect(await cpuMillisecondsDuring(work)).toBeLessThan(2_000);
    },
  );

  it("is one line of at most 1,024 well-formed characters", () => {
    const piece = fc.constantFrom(
      ...[
        "/a/b",
        "10.0.0.1:80",
        "http://u:p@h",
        " at f (x:1)",
        "\n",
        " ",
        ":",
        "@",
        "tcp ",
        "[::1]",
        "(",
        ")",
        "…",
        "~",
        "'",
      ],
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ unit: "binary" })), { maxLength: 300 }), (pieces) => {
        const text = publicNodeText(pieces.join(""));
        expect(text.length).toBeLessThanOrEqual(1_024);
        expect(text.isWellFormed()).toBe(true);
        expect(text).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        expect(text).not.toMatch(/u:p@|(?<![\w.])10\.0\.0\.1:80/);
      }),
    );
  });
});
