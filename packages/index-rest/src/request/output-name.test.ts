import { expect, test } from "vitest";
import { outputNameText, readOutputName } from "./output-name.ts";

const txid = "0e3e2357e806b6cdb1f70b54c3a3a17b6714ee1f0e68bebb44a74b1efd512098";

test.each([0, 1, 4_294_967_295])("output %d of a transaction is read as it is written", (vout) => {
  expect(readOutputName(outputNameText({ txid, vout }))).toEqual({ txid, vout });
  expect(readOutputName(`${txid.toUpperCase()}:${vout}`)).toEqual({ txid, vout });
});

test.each([
  "",
  txid,
  `${txid}:`,
  `${txid}:-1`,
  `${txid}:1e0`,
  `${txid}:12345678901`,
  `${txid.slice(1)}:0`,
  `${txid} :0`,
])("%j names no output", (text) => {
  expect(readOutputName(text)).toBeUndefined();
});
