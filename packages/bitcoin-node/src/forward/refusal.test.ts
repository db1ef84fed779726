import { ServiceError } from "@nodewright/runtime";
import { UpstreamRpcError } from "@nodewright/upstream";
import { describe, expect, it } from "vitest";
import { createScriptedNode, likeBtcd, likeCore, refused } from "../testing/scripted-node.ts";
import { callNode, getSoftware } from "./call-node.ts";
import { refusalOfNode } from "./refusal.ts";

describe("a node's own error", () => {
  it.each([
    [-32601, "Method not found", { code: "not_implemented", rpcCode: -32601, details: { reason: "not-implemented" } }],
    [-1, "Command unimplemented", { rpcCode: -32601, details: { reason: "not-implemented", method: "ping" } }],
    [
      -1,
      "This implementation does not implement wallet commands",
      { rpcCode: -32601, details: { reason: "not-implemented" } },
    ],
    [-32603, "limited user not authorized for this method", { rpcCode: -1, details: { reason: "node-refuses" } }],
    [-5, "Command unimplemented", { rpcCode: -5, message: "Command unimplemented" }],
    [-1, "It says: Command unimplemented", { rpcCode: -1, message: "It says: Command unimplemented" }],
    [-99, "The lowest of its own", { rpcCode: -99, message: "The lowest of its own" }],
    [-100, "Of JSON-RPC", { rpcCode: -1, message: "The node could not carry out ping" }],
    [0, "none", { rpcCode: -1, message: "The node could not carry out ping" }],
    [-28, "Loading block index…", { code: "upstream_unavailable", message: "The node is starting" }],
    [
      -32603,
      "open /srv/x: no such file",
      { code: "upstream_unavailable", message: "The node failed to respond to ping" },
    ],
    [-8, "Block height out of range", { code: "invalid_input", rpcCode: -8, message: "Block height out of range" }],
    [-32600, "Invalid request: malformed", { rpcCode: -1, message: "The node could not carry out ping" }],
    [7, "seven", { rpcCode: -1, message: "The node could not carry out ping" }],
    [-5, "", { rpcCode: -5, message: "The node gave no reason" }],
    [-5, "open /home/alice/x at 10.0.0.1:8332", { rpcCode: -5, message: "open (path) at (address)" }],
  ])("%i %s", (code, message, expected) => {
    const refusal = refusalOfNode("ping", new UpstreamRpcError(code, message));
    expect(refusal).toMatchObject(expected);
    // A failure of the node is one over HTTP, and its refusal is not.
    expect(refusal.rpcHttpStatus).toBe(refusal.rpcCode === -32603 ? 503 : 200);
  });
});

describe("what a node runs", () => {
  it.each([
    ["btcd", likeBtcd, { kind: "btcd", version: 0 }],
    ["Bitcoin Core 31", likeCore, { kind: "core", version: 310_000 }],
    ["what refuses both questions", { version: refused(-1, "No") }, { kind: "core", version: 0 }],
    [
      "a btcd that has learnt getnetworkinfo",
      { getnetworkinfo: { version: 300_000, subversion: "/btcwire:0.5.0/btcd:0.30.0/" } },
      { kind: "btcd", version: 300_000 },
    ],
    [
      "a btcd that lets the service do little",
      { ...likeBtcd, getnetworkinfo: refused(-32603, "limited user not authorized for this method") },
      { kind: "btcd", version: 0 },
    ],
  ])("is found out: %s", async (_name, responses, expected) => {
    expect(await getSoftware(createScriptedNode(responses), "ping")).toEqual(expected);
  });

  it("is asked once, and again when the node was away", async () => {
    const node = createScriptedNode({ ...likeBtcd, ping: null });
    const asked = () => node.calls.filter(({ method }) => method === "version").length;
    for (let count = 0; count < 3; count += 1) await getSoftware(node, "ping");
    expect(asked()).toBe(1);
    const away = new ServiceError("upstream_unavailable", "The node could not be reached");
    node.script({ ping: away });
    await expect(callNode(node, { method: "ping" })).rejects.toBe(away);
    node.script({ ...likeCore, ping: null });
    expect(await getSoftware(node, "ping")).toEqual({ kind: "core", version: 310_000 });
  });

  it("is queried again after the node gave no response to the question itself", async () => {
    const starting = refused(-28, "Verifying blocks…");
    const node = createScriptedNode({ getnetworkinfo: starting });
    await expect(getSoftware(node, "ping")).rejects.toMatchObject({ message: "The node is starting" });
    node.script(likeCore);
    expect(await getSoftware(node, "ping")).toMatchObject({ kind: "core" });
  });
});
