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
    // Strings that look like a place, and are none.
    "say 'hi' and 'bye'",
    '1"/a b/" wide',
    "a 1.2.3.4.5 version and v1.2.3.4 and 1.2.3.4x",
    "the localhosts and my.localhost and localhost-2",
    "12:34 and ab::x and :: and 1:2:3",
    "btc.d:1 and node:8332 and a.b:123456",
    "and/or, I/O, P2SH/P2WSH, 3/4",
    "m/84'/0'/0'",
    "basic income and bearer bonds, basic1",
    "the authorization is missing",
    "passed: 5, bypassing: 3, compass: north",
    "apikeys and cookies: 3, a secret: 5",
    "token: USDC, no api key: sign up, cookie: none, eyJ.a.b",
    "a tcpdump of it, xtcp host, tcp7 host",
    "look at the block at height 5 (orphan)",
    "at least (1)",
    "goroutine 7 [running]:",
    "Traceback (most recent call last):",
    "password authentication failed for user 3",
    "Error: The wallet passphrase entered was incorrect.",
    "passwd is required",
    "the secret: 5 of 6",
    "Invalid address 1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2, bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
    "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8",
    "m/44h\\x and \\x01 and a\\b",
    "user:pass at host",
    "a@b and :@",
    "f: x",
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
    ["@10.0.0.1:80http://u:p@h", "@(address)(address)"],
    ["@1http://u:p@h", "@1(address)"],
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
    ["X-Api-Key: 0123abcd refused", "(credentials) refused"],
    ['{"apiKey": "01 23", "my_api_key":"4"}', '{"(credentials), "(credentials)}'],
    ["x-auth-token: 0123 access_token : abc", "(credentials) (credentials)"],
    ["Cookie: session=0123; and Set-Cookie: sid=abc", "(credentials) and (credentials)"],
    ["jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln expired", "jwt (credentials) expired"],
    ["(eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.)", "((credentials))"],
    // Each kind of a place, alone, at either end and more than once.
    ["'/a b/c'", "'(path)'"],
    ['`~/x y` and "c:/x y"', '`(path)` and "(path)"'],
    ["'\\\\server\\x y'", "'(path)'"],
    ["D:\\a\\b: gone", "(path): gone"],
    ["./a/b, ../c and ~/d", "(path), (path) and (path)"],
    ["/a/b/c:10:5: boom", "(path): boom"],
    ["/tmp", "(path)"],
    ["in /etc and /Users", "in (path) and (path)"],
    ["--conf=/a/b.conf?x", "--conf=(path)?x"],
    ["ws://h:1/x wss://h git+ssh://h/x", "(address) (address) (address)"],
    ["10.0.0.1, 255.255.255.255:65535 and (10.0.0.1)", "(address), (address) and ((address))"],
    ["LOCALHOST:1 localhost", "(address) (address)"],
    ["db-1.example.com:5432", "(address)"],
    ["[::1] [fe80::1%eth0]:80", "(address) (address)"],
    ["::1 and 2001:DB8::", "(address) and (address)"],
    ["1:2:3:4:5:6:7:8", "(address)"],
    ["udp4 host:1, tcp6 host: x", "udp4 (address), tcp6 (address): x"],
    ["connect ECONNREFUSED btcd:8334", "connect ECONNREFUSED (address)"],
    [
      "EAI_AGAIN btcd; ETIMEDOUT btcd, EHOSTUNREACH btcd)",
      "EAI_AGAIN (address); ETIMEDOUT (address), EHOSTUNREACH (address))",
    ],
    ["authorization = bearer abc.def", "(credentials)"],
    ['"Authorization":"Basic YWI=" x', '"(credentials) x'],
    ["Bearer abcdefg8 and basic YWJjZGVmZ2g=", "(credentials) and (credentials)"],
    ["passphrase: 'a b' my_passwd=x", "(credentials) (credentials)"],
    ['Password = "a b" x', "(credentials) x"],
    ["secret: 'two words' and secret_key: \"other words\"", "(credentials) and (credentials)"],
    ["secret=1 api-key=2 cookie=3 API_KEY=4", "(credentials) (credentials) (credentials) (credentials)"],
    ["pwd=hunter2 PWD: hunter2", "(credentials) (credentials)"],
    ["password is \"hunter two\" and password 'x y'", "(credentials) and (credentials)"],
    ["user alice password hunter2, passwd is 0123", "user alice (credentials) (credentials)"],
    ['secret: hunter2 {"secret":"x"} secret_key: "x y"', '(credentials) {"(credentials)} (credentials)'],
    ["key 5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ", "key (credentials)"],
    ["(L1aW4aubDFB7yfras2S1mN3bqg9nwySY8nkoLmJebSLD5BWv3ENZ)", "((credentials))"],
    ["cRhgCJb5yDT8t7iJVvkyx5ArWEeC9gzmFSRhiZdEVsVi5DpTZwSe", "(credentials)"],
    [
      "wpkh(tprv8ZgxMBicQKsPd7Uf69XL1XwhmjHopUGep8GuEiJDZmbQz6o58LninorQAfcKZWARbtRtfnLcJ5MQ2AtHcQJCCRUcMRvmDUjyEmNUWwx8UbK/0)",
      "wpkh((credentials)/0)",
    ],
    ["-----BEGIN PRIVATE KEY----- MIIE", "(credentials)"],
    ["a -----BEGIN RSA PRIVATE KEY-----\nMIIE\nAA=\n-----END RSA PRIVATE KEY----- b", "a (credentials) b"],
    ["open C:\\Program Files\\Bitcoin\\x.dat: no", "open (path): no"],
    ["open E:/bitcoin/data: no", "open (path): no"],
    ["in ..\\conf\\bitcoin.conf, ~\\x and %APPDATA%\\Bitcoin", "in (path) (path) and (path)"],
    ["on \\\\?\\C:\\node\\x", "on (path)"],
    // Stacks of several languages.
    ["boom\r\n\tat x", "boom"],
    ['boom\nFile "x.py"', "boom"],
    ["boom\n  File 'x.py'", "boom"],
    ["boom\nstack backtrace:", "boom"],
    ["boom\n stack trace: x", "boom"],
    ["boom at async f (node:internal/x:1:2)", "boom"],
    ["boom at new X (<anonymous>)", "boom"],
    ["boom at f (anonymous)", "boom"],
    ["boom at a.b$c (Unknown Source)", "boom"],
    ["boom at f (...)", "boom"],
    ["boom at f (C:\\a\\b.js)", "boom"],
    ["at f (x.js:1:2)", "The node gave no reason"],
    ["boom at /srv/app.js:10:20", "boom"],
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

  it.each([
    "password",
    "authorization",
    "a-".repeat(20),
    "token",
    "password \t",
    "api-key \t",
    "cookie: ",
    "eyJ-",
    "a:\\ b",
    "-----BEGIN PRIVATE KEY-----",
  ])("takes time in proportion to its length: %s", async (piece) => {
    const text = piece.repeat(2_048);
    const work = async (): Promise<void> => {
      for (let time = 0; time < 100; time += 1) publicNodeText(text);
    };
    expect(await cpuMillisecondsDuring(work)).toBeLessThan(2_000);
  });

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
      fc.property(
        fc.array(fc.oneof(piece, fc.string({ unit: "binary" })), { maxLength: 300, size: "max" }),
        (pieces) => {
          const text = publicNodeText(pieces.join(""));
          expect(text.length).toBeLessThanOrEqual(1_024);
          expect(text.isWellFormed()).toBe(true);
          expect(text).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
          expect(text).not.toMatch(/u:p@|(?<![\w.])10\.0\.0\.1:80/);
        },
      ),
    );
  });
});
