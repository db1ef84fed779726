import { expect, it } from "vitest";
import { publicNodeText } from "./node-text.ts";

it.each([
  ["nonce too low: next nonce 34, tx nonce 16", "nonce too low: next nonce 34, tx nonce 16"],
  ["execution reverted: a:b 1.2.3", "execution reverted: a:b 1.2.3"],
  ["Post https://u:p@node.example:8545/key: EOF", "Post (address) EOF"],
  ["dial tcp 10.0.0.7:8545: connect: connection refused", "dial tcp (address): connect: connection refused"],
  ["dial tcp [::1]:8545: i/o timeout", "dial tcp (address): i/o timeout"],
  ["boom\n    at handler (/srv/app.js:1:2)", "boom"],
  ["", "The node answered an error without a text"],
  ["\n", "The node answered an error without a text"],
  ["x".repeat(501), `${"x".repeat(499)}…`],
  ["x".repeat(500), "x".repeat(500)],
])("a node's %j is shown as %j", (message, shown) => {
  expect(publicNodeText(message)).toBe(shown);
});
