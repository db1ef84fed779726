import { ServiceError } from "@nodewright/runtime";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BitcoinNodeContext } from "../context/context.ts";
import { addnode } from "../handlers/addnode.ts";
import { getaddednodeinfo } from "../handlers/getaddednodeinfo.ts";
import { getinfo } from "../handlers/getinfo.ts";
import { getnetworkinfo } from "../handlers/getnetworkinfo.ts";
import { getnodeaddresses } from "../handlers/getnodeaddresses.ts";
import { getpeerinfo } from "../handlers/getpeerinfo.ts";
import { node as nodeCommand } from "../handlers/node.ts";
import { createScriptedNode, likeBtcd, likeCore, refused, type ScriptedResponse } from "../testing/scripted-node.ts";
import { type IndexedChain, indexChain } from "../testing/test-chain.ts";
import { networkKindOf } from "./network-kind.ts";
import { namesOfServices, renderServices } from "./services.ts";

let chain: IndexedChain;

beforeAll(async () => {
  chain = await indexChain(1);
});

afterAll(() => chain.close());

type Answers = Readonly<Record<string, ScriptedResponse>>;

/** Calls a handler over a node with these responses; returns its outcome, and the last call to the node. */
async function over(
  responses: Answers,
  action: (context: BitcoinNodeContext) => unknown,
  more: Partial<BitcoinNodeContext> = {},
) {
  const node = createScriptedNode(responses);
  try {
    const outcome = await action(chain.context({ upstream: node.upstream, ...more }));
    return { outcome, asked: node.calls.at(-1) };
  } catch (outcome) {
    return { outcome, asked: node.calls.at(-1) };
  }
}

/** Peer in btcd's form. */
const peerOfBtcd = {
  id: 3,
  addr: "8.8.4.4:8333",
  addrlocal: "10.0.0.7:50123",
  services: "00001033",
  relaytxes: true,
  lastsend: 1_795_300_000,
  lastrecv: 1_795_300_001,
  bytessent: 127,
  bytesrecv: 4_096,
  conntime: 1_795_299_000,
  timeoffset: -2,
  pingtime: 250,
  version: 70_016,
  subver: "/Satoshi:31.0.0/",
  inbound: false,
  startingheight: 900_000,
  currentheight: 900_001,
  banscore: 0,
  feefilter: 1_000,
  syncnode: true,
  v2_connection: false,
};

describe("getpeerinfo", () => {
  it("tells of a peer of btcd in Bitcoin Core's form, and not where the node is", async () => {
    const responses = { ...likeBtcd, getpeerinfo: [peerOfBtcd, { ...peerOfBtcd, pingtime: 0, v2_connection: true }] };
    const expected = {
      id: 3,
      addr: "8.8.4.4:8333",
      network: "ipv4",
      services: "0000000000000409",
      servicesnames: ["NETWORK", "WITNESS", "NETWORK_LIMITED"],
      relaytxes: true,
      lastsend: 1_795_300_000,
      lastrecv: 1_795_300_001,
      bytessent: 127,
      bytesrecv: 4_096,
      conntime: 1_795_299_000,
      timeoffset: -2,
      pingtime: 0.00025,
      version: 70_016,
      subver: "/Satoshi:31.0.0/",
      inbound: false,
      startingheight: 900_000,
      minfeefilter: 1_000n,
      transport_protocol_type: "v1",
    };
    const { pingtime, ...unpinged } = expected;
    expect(pingtime).toBe(0.00025);
    const reported = [expected, { ...unpinged, transport_protocol_type: "v2" }];
    expect((await over(responses, (context) => getpeerinfo({}, context), { isShared: true })).outcome).toEqual(
      reported,
    );
    const [own] = (await over(responses, (context) => getpeerinfo({}, context))).outcome as readonly unknown[];
    expect(own).toEqual({ ...expected, addrlocal: "10.0.0.7:50123" });
  });

  it("tells of a peer of Bitcoin Core all that it tells, in its order", async () => {
    const peer = {
      id: 0,
      addr: "abc.onion:8333",
      addrbind: "127.0.0.1:9",
      addrlocal: "198.51.100.9:8333",
      network: "onion",
      mapped_as: 64_500,
      services: "0000000000000c09",
      servicesnames: ["NETWORK", "WITNESS", "NETWORK_LIMITED", "P2P_V2"],
      relaytxes: true,
      last_inv_sequence: 7,
      inv_to_send: 0,
      lastsend: 1,
      lastrecv: 2,
      last_transaction: 0,
      last_block: 0,
      bytessent: 3,
      bytesrecv: 4,
      conntime: 5,
      timeoffset: 0,
      pingtime: 0.25,
      minping: 0.125,
      version: 70_016,
      subver: "/Satoshi:31.0.0/",
      inbound: true,
      bip152_hb_to: false,
      bip152_hb_from: true,
      presynced_headers: -1,
      synced_headers: 8,
      synced_blocks: 8,
      inflight: [9],
      addr_relay_enabled: true,
      addr_processed: 10,
      addr_rate_limited: 0,
      permissions: ["noban"],
      minfeefilter: 0.000001,
      bytessent_per_msg: { addrv2: 40 },
      bytesrecv_per_msg: { ping: 32 },
      connection_type: "inbound",
      transport_protocol_type: "v2",
      session_id: "ab",
    };
    const responses = { ...likeCore, getpeerinfo: [{ ...peer, of_a_later_release: 1 }] };
    const { outcome } = await over(responses, (context) => getpeerinfo({}, context));
    expect(outcome).toEqual([{ ...peer, minfeefilter: 100n }]);
    expect(Object.keys((outcome as readonly object[])[0] ?? {})).toEqual(Object.keys(peer));
    const [shared] = (await over(responses, (context) => getpeerinfo({}, context), { isShared: true }))
      .outcome as readonly object[];
    expect(shared).not.toHaveProperty("addrbind");
    expect(shared).not.toHaveProperty("addrlocal");
  });

  it("has what stands for nothing where a node tells nothing of use", async () => {
    const reported = async (peer: object) =>
      (
        (await over({ ...likeCore, getpeerinfo: [peer] }, (context) => getpeerinfo({}, context)))
          .outcome as readonly unknown[]
      )[0];
    const bare = {
      id: 1,
      addr: "8.8.8.8:1",
      network: "ipv4",
      services: "0000000000000000",
      servicesnames: [],
      relaytxes: true,
      lastsend: 0,
      lastrecv: 0,
      bytessent: 0,
      bytesrecv: 0,
      conntime: 0,
      timeoffset: 0,
      version: 0,
      subver: "",
      inbound: false,
      minfeefilter: 0n,
      transport_protocol_type: "v1",
    };
    expect(await reported({ id: 1, addr: "8.8.8.8:1" })).toEqual(bare);
    const odd = {
      mapped_as: -1,
      last_inv_sequence: "x",
      last_block: 0.5,
      pingtime: -1,
      minping: "x",
      pingwait: Number.NaN,
      synced_blocks: -2,
      presynced_headers: 2_147_483_648,
      inflight: 7,
      permissions: "noban",
      bytessent_per_msg: [],
      connection_type: 7,
      session_id: 7,
      services: "10000000000000000",
    };
    expect(await reported({ ...bare, ...odd, minfeefilter: "x" })).toEqual(bare);
    expect(
      await reported({
        ...bare,
        pingtime: 0,
        minping: 0,
        synced_blocks: -1,
        synced_headers: 2_147_483_647,
        inflight: [0, -1, 1.5, 2_147_483_647, "1"],
        permissions: ["a", 7],
        bytesrecv_per_msg: { ping: 1, pong: "x" },
        services: "9",
        transport_protocol_type: undefined,
        v2_connection: true,
      }),
    ).toEqual({
      ...bare,
      pingtime: 0,
      minping: 0,
      synced_blocks: -1,
      synced_headers: 2_147_483_647,
      inflight: [0, 2_147_483_647],
      permissions: ["a"],
      bytesrecv_per_msg: { ping: 1, pong: 0 },
      services: "0000000000000009",
      servicesnames: ["NETWORK", "WITNESS"],
      transport_protocol_type: "v2",
    });
    // btcd writes decimal digits, and counts fees in satoshi.
    expect(
      await reported({ ...bare, syncnode: false, services: "1033", feefilter: 5, minping: 2_000_000 }),
    ).toMatchObject({
      services: "0000000000000409",
      minfeefilter: 5n,
      minping: 2,
    });
    expect(await reported({ ...bare, syncnode: false, services: "1f", feefilter: -5 })).toEqual(bare);
  });

  it("says that a response can't be read, and breaks on none", async () => {
    const response = (value: unknown) =>
      over({ ...likeCore, getpeerinfo: value }, (context) => getpeerinfo({}, context));
    for (const value of [7, "peers", {}, [7], [{}], [{ id: 1 }], [{ id: -1, addr: "a" }]]) {
      expect((await response(value)).outcome).toMatchObject({ code: "upstream_unavailable" });
    }
    expect((await response(null)).outcome).toEqual([]);
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...Object.keys(peerOfBtcd)), fc.jsonValue()), async (members) => {
        const { outcome } = await response([{ ...members, id: 1, addr: "a" }]);
        expect(outcome).toMatchObject([{ id: 1, services: expect.stringMatching(/^[0-9a-f]{16}$/) }]);
      }),
    );
  });
});

describe("getnetworkinfo and getinfo", () => {
  const ofBtcd = {
    version: 260_200,
    protocolversion: 70_002,
    blocks: 1,
    timeoffset: 3,
    connections: 2,
    proxy: "127.0.0.1:9050",
    difficulty: 1,
    testnet: false,
    relayfee: 1e-5,
    errors: "Something is odd",
  };

  it("are put together from what btcd tells", async () => {
    const responses = { ...likeBtcd, getinfo: ofBtcd, getpeerinfo: [peerOfBtcd, { ...peerOfBtcd, inbound: true }] };
    expect((await over(responses, (context) => getnetworkinfo({}, context))).outcome).toStrictEqual({
      version: 260_200,
      subversion: "/btcd:0.26.2/",
      protocolversion: 70_002,
      localservices: "0000000000000000",
      localservicesnames: [],
      localrelay: true,
      timeoffset: 3,
      networkactive: true,
      connections: 2,
      connections_in: 1,
      connections_out: 1,
      networks: [],
      relayfee: 1_000n,
      incrementalfee: 1_000n,
      localaddresses: [],
      warnings: ["Something is odd"],
    });
    const expected = { ...ofBtcd, difficulty: 4.656542373906925e-10, relayfee: 1_000n };
    expect((await over(responses, (context) => getinfo({}, context))).outcome).toEqual(expected);
    expect((await over(responses, (context) => getinfo({}, context), { isShared: true })).outcome).toEqual({
      ...expected,
      proxy: "",
    });
  });

  it("are the service's own without a node", async () => {
    expect(await getnetworkinfo({}, chain.context())).toStrictEqual({
      version: 10_203,
      subversion: "/nodewright:1.2.3/",
      protocolversion: 70_016,
      localservices: "0000000000000000",
      localservicesnames: [],
      localrelay: false,
      timeoffset: 0,
      networkactive: false,
      connections: 0,
      connections_in: 0,
      connections_out: 0,
      networks: [],
      relayfee: 1_000n,
      incrementalfee: 1_000n,
      localaddresses: [],
      warnings: [],
    });
  });

  it.each([
    [0, "/btcd:0.0.0/"],
    [1_020_304, "/btcd:1.2.3/"],
    [99_999_999, "/btcd:99.99.99/"],
    [2_147_483_647, "/btcd:2147.48.36/"],
    [2_147_483_648, "/btcd:0.0.0/"],
  ])("name the version %i of btcd %s", async (version, subversion) => {
    const responses = { ...likeBtcd, getinfo: { ...ofBtcd, version, relayfee: 0.5, errors: "" }, getpeerinfo: [7] };
    expect((await over(responses, (context) => getnetworkinfo({}, context))).outcome).toMatchObject({
      subversion,
      relayfee: 50_000_000n,
      incrementalfee: 50_000_000n,
      connections: 1,
      connections_in: 0,
      connections_out: 1,
      warnings: [],
    });
  });

  it("count the connections that Bitcoin Core does not, and keep to their bounds", async () => {
    const reported = async (more: object) =>
      (
        await over({ getnetworkinfo: { ...(likeCore["getnetworkinfo"] as object), ...more } }, (context) =>
          getnetworkinfo({}, context),
        )
      ).outcome;
    const greatest = 2_147_483_647;
    const places = (port: number, score: number) => ({ localaddresses: [{ address: "198.51.100.9", port, score }] });
    expect(await reported({ connections_out: undefined })).toMatchObject({ connections_out: 10 });
    expect(await reported({ connections_out: undefined, connections_in: 12 })).toMatchObject({ connections_out: 0 });
    expect(
      await reported({ connections: greatest, connections_in: greatest, connections_out: greatest }),
    ).toMatchObject({
      connections: greatest,
      connections_in: greatest,
      connections_out: greatest,
    });
    expect(await reported({ connections: greatest + 1, connections_in: -1, connections_out: -1 })).toMatchObject({
      connections: 0,
      connections_in: 0,
      connections_out: 0,
    });
    for (const score of [greatest, -greatest]) {
      expect(await reported(places(65_535, score))).toMatchObject(places(65_535, score));
      expect(await reported(places(0, score))).toMatchObject(places(0, score));
    }
    expect(await reported(places(65_536, greatest + 1))).toMatchObject(places(0, 0));
    expect(await reported(places(-1, -greatest - 1))).toMatchObject(places(0, 0));
    expect(await reported({ localrelay: false, networkactive: false })).toMatchObject({
      localrelay: false,
      networkactive: false,
    });
  });

  it("are what Bitcoin Core tells, without its places on a shared node", async () => {
    const { outcome } = await over(likeCore, (context) => getnetworkinfo({}, context));
    const reported = likeCore["getnetworkinfo"] as Readonly<Record<string, unknown>>;
    expect(outcome).toEqual({ ...reported, relayfee: 100n, incrementalfee: 100n });
    expect(Object.keys(outcome as object)).toEqual(Object.keys(reported));
    const shared = (await over(likeCore, (context) => getnetworkinfo({}, context), { isShared: true })).outcome;
    expect(shared).toMatchObject({ networks: [{ name: "ipv4", proxy: "" }], localaddresses: [], connections: 11 });
    expect((await over(likeCore, (context) => getinfo({}, context))).outcome).toEqual({
      version: 310_000,
      protocolversion: 70_016,
      blocks: 1,
      timeoffset: -1,
      connections: 11,
      proxy: "10.1.2.3:9050",
      difficulty: 4.656542373906925e-10,
      testnet: false,
      relayfee: 100n,
      errors: "Unknown new rules activated",
    });
  });

  it("have what stands for nothing where a node tells nothing of use", async () => {
    const odd = {
      version: -1,
      connections: "many",
      connections_in: 2,
      localservices: "xyz",
      networks: [{}],
      localaddresses: [{}],
    };
    const nothing = { ...odd, subversion: 7, relayfee: "much", timeoffset: 0.5, networkactive: "yes", warnings: 7 };
    const { outcome } = await over({ getnetworkinfo: nothing }, (context) => getnetworkinfo({}, context));
    expect(outcome).toEqual({
      version: 0,
      subversion: "",
      protocolversion: 0,
      localservices: "0000000000000000",
      localservicesnames: [],
      localrelay: true,
      timeoffset: 0,
      networkactive: true,
      connections: 0,
      connections_in: 2,
      connections_out: 0,
      networks: [{ name: "", limited: false, reachable: false, proxy: "", proxy_randomize_credentials: false }],
      relayfee: 1_000n,
      incrementalfee: 1_000n,
      localaddresses: [{ address: "", port: 0, score: 0 }],
      warnings: [],
    });
    const named = async (localservices: unknown, localservicesnames?: unknown) =>
      (
        await over({ getnetworkinfo: { ...nothing, localservices, localservicesnames } }, (context) =>
          getnetworkinfo({}, context),
        )
      ).outcome;
    expect(await named("9")).toMatchObject({
      localservices: "0000000000000009",
      localservicesnames: ["NETWORK", "WITNESS"],
    });
    expect(await named("9", ["X"])).toMatchObject({ localservicesnames: ["X"] });
    expect(await named("1".repeat(17))).toMatchObject({ localservices: "0".repeat(16) });
    for (const value of [{ networks: [7] }, { localaddresses: [7] }, { networks: 7 }])
      expect(
        (await over({ getnetworkinfo: { ...nothing, ...value } }, (context) => getnetworkinfo({}, context))).outcome,
      ).toMatchObject({ code: "upstream_unavailable" });
  });

  it("take warnings of older nodes, one text or none", async () => {
    const old = { ...(likeCore["getnetworkinfo"] as object), warnings: "Update!" };
    const reported = async (warnings: unknown) =>
      (await over({ getnetworkinfo: { ...old, warnings } }, (context) => getnetworkinfo({}, context))).outcome;
    expect(await reported("Update!")).toMatchObject({ warnings: ["Update!"] });
    expect(await reported("")).toMatchObject({ warnings: [] });
    expect(await reported(null)).toMatchObject({ warnings: [] });
  });

  it("differ when the node gives no response: getinfo always has one", async () => {
    const away = new ServiceError("upstream_unavailable", "The node could not be reached");
    for (const responses of [{ getnetworkinfo: away }, { ...likeBtcd, getinfo: away }, { ...likeBtcd, getinfo: 7 }]) {
      const { outcome } = await over(responses, (context) => getinfo({}, context));
      expect(outcome).toMatchObject({ version: 10_203, blocks: 1, connections: 0, relayfee: 1_000n, errors: "" });
      expect((await over(responses, (context) => getnetworkinfo({}, context))).outcome).toMatchObject({
        code: "upstream_unavailable",
      });
    }
  });

  it.each([
    [{ version: 2_147_483_647 }, { version: 2_147_483_647 }],
    [{ version: 2_147_483_648 }, { version: 10_203 }],
    [{ version: -1 }, { version: 10_203 }],
    [{ protocolversion: 2_147_483_647 }, { protocolversion: 2_147_483_647 }],
    [{ protocolversion: 2_147_483_648 }, { protocolversion: 70_016 }],
    [{ timeoffset: -7 }, { timeoffset: -7 }],
    [{ timeoffset: 0.5 }, { timeoffset: 0 }],
    [{ connections: 2_147_483_647 }, { connections: 2_147_483_647 }],
    [{ connections: 2_147_483_648 }, { connections: 0 }],
    [{ connections: -1 }, { connections: 0 }],
    [{ relayfee: "much" }, { relayfee: 1_000n }],
    [{ proxy: 7 }, { proxy: "" }],
    [{ errors: "" }, { errors: "" }],
    [{ errors: 7 }, { errors: "" }],
    [{ errors: "Look at /srv/btcd" }, { errors: "Look at (path)" }],
  ])("are read within bounds, as far as getinfo goes: %j", async (more, expected) => {
    const responses = { ...likeBtcd, getinfo: { ...ofBtcd, ...more } };
    expect((await over(responses, (context) => getinfo({}, context))).outcome).toMatchObject(expected);
  });

  it.each([
    [{ networks: [{ proxy: "" }, { name: "onion", proxy: "10.1.2.3:9050" }] }, { proxy: "10.1.2.3:9050" }],
    [{ networks: [7, { proxy: 7 }, {}] }, { proxy: "" }],
    [{ networks: "none" }, { proxy: "" }],
    [{ networks: [{ proxy: "a:1" }], proxy: "b:2" }, { proxy: "b:2" }],
    [{ warnings: ["One.", "Two."] }, { errors: "One.; Two." }],
    [{ warnings: [] }, { errors: "" }],
    [{ warnings: Array(25).fill("w") }, { errors: Array(20).fill("w").join("; ") }],
    [{ warnings: ["One."], errors: "Another" }, { errors: "Another" }],
  ])("take from Bitcoin Core's getnetworkinfo what getinfo had: %j", async (more, expected) => {
    const getnetworkinfo = { ...(likeCore["getnetworkinfo"] as object), ...more };
    expect((await over({ getnetworkinfo }, (context) => getinfo({}, context))).outcome).toMatchObject(expected);
  });

  it("do not wait long for a node that hangs", async () => {
    const hanging = createScriptedNode({});
    const upstream = { ...hanging.upstream, call: () => new Promise<never>(() => {}) };
    expect(await getinfo({}, chain.context({ upstream }))).toMatchObject({ connections: 0 });
  });
});

describe("getaddednodeinfo", () => {
  const address = "203.0.113.7:8333";
  const ofBtcd = [
    { addednode: address, connected: true, addresses: [{ address: "203.0.113.7", connected: "outbound" }] },
    { addednode: "192.0.2.1:8333", connected: false, addresses: [{ address: "192.0.2.1", connected: "false" }] },
  ];
  const expected = [
    { addednode: address, connected: true, addresses: [{ address, connected: "outbound" }] },
    { addednode: "192.0.2.1:8333", connected: false, addresses: [] },
  ];

  it("queries each node in its own way, and tells the same", async () => {
    const btcd = { ...likeBtcd, getaddednodeinfo: ofBtcd };
    const core = { ...likeCore, getaddednodeinfo: expected };
    const asked = async (responses: Answers, input: object) =>
      await over(responses, (context) => getaddednodeinfo(input, context));
    expect(await asked(btcd, {})).toMatchObject({ outcome: expected, asked: { params: [true] } });
    expect(await asked(core, {})).toMatchObject({ outcome: expected, asked: { params: [] } });
    expect(await asked(btcd, { node: address })).toMatchObject({ asked: { params: [true, address] } });
    expect(await asked(core, { node: true, peer: address })).toMatchObject({ asked: { params: [address] } });
    expect((await asked(core, { node: false })).outcome).toEqual([address, "192.0.2.1:8333"]);
  });

  it("tells of each connection, and no more than that", async () => {
    const addresses = [
      { address: "203.0.113.7", connected: "inbound" },
      { address: "198.51.100.9:9", connected: "outbound" },
      { connected: "outbound" },
      { address: "192.0.2.9", connected: "false" },
      { address: "192.0.2.9" },
      "192.0.2.9",
    ];
    const reported = async (node: object) =>
      (await over({ ...likeBtcd, getaddednodeinfo: [node] }, (context) => getaddednodeinfo({}, context))).outcome;
    expect(await reported({ addednode: address, connected: true, addresses })).toStrictEqual([
      {
        addednode: address,
        connected: true,
        addresses: [
          { address, connected: "inbound" },
          { address: "198.51.100.9:9", connected: "outbound" },
          { address, connected: "outbound" },
        ],
      },
    ]);
    const apart = [{ addednode: address, connected: false, addresses: [] }];
    expect(await reported({ addednode: address, connected: false, addresses })).toStrictEqual(apart);
    expect(await reported({ addednode: address, connected: "true", addresses })).toStrictEqual(apart);
    expect(await reported({ addednode: address, connected: true })).toStrictEqual([
      { addednode: address, connected: true, addresses: [] },
    ]);
    for (const unusable of [{ connected: true }, { addednode: address, connected: true, addresses: 7 }]) {
      expect(await reported(unusable)).toMatchObject({ code: "upstream_unavailable" });
    }
  });

  it("says that a peer was not added", async () => {
    for (const software of [likeBtcd, likeCore]) {
      const responses = { ...software, getaddednodeinfo: refused(-24, "Node has not been added") };
      const { outcome } = await over(responses, (context) => getaddednodeinfo({ node: "x" }, context));
      expect(outcome).toMatchObject({ rpcCode: -24, message: "Error: Node has not been added." });
    }
  });
});

describe("getnodeaddresses", () => {
  const known = [
    { time: 1, services: 1_033, address: "8.8.4.4", port: 8_333 },
    { time: 2, services: 1_033, address: "2606:4700::7", port: 8_333 },
    { time: 3, services: 9, address: "abcdefg.onion", port: 8_333 },
  ];

  it("finds the kind of network that btcd does not tell", async () => {
    const responses = { ...likeBtcd, getnodeaddresses: ([count]: readonly number[]) => known.slice(0, count) };
    const ask = async (input: object) => await over(responses, (context) => getnodeaddresses(input, context));
    expect((await ask({})).outcome).toEqual([{ ...known[0], services: 1_033n, network: "ipv4" }]);
    expect((await ask({ count: 0 })).outcome).toHaveLength(3);
    expect((await ask({ count: 1, network: "onion" })).outcome).toMatchObject([{ address: "abcdefg.onion" }]);
    expect((await ask({ count: 5, network: "cjdns" })).outcome).toEqual([]);
    expect((await ask({ network: "ipv5" })).outcome).toMatchObject({
      rpcCode: -8,
      message: "Network not recognized: ipv5",
    });
  });

  it("has what stands for nothing where a node tells nothing of use, and no address without a port", async () => {
    const reported = async (more: object) =>
      (
        await over({ ...likeCore, getnodeaddresses: [{ address: "8.8.4.4", port: 1, ...more }] }, (context) =>
          getnodeaddresses({}, context),
        )
      ).outcome;
    const bare = { time: 0, services: 0n, address: "8.8.4.4", port: 1, network: "ipv4" };
    expect(await reported({})).toStrictEqual([bare]);
    expect(await reported({ time: -1, services: -1, network: 7 })).toStrictEqual([bare]);
    expect(await reported({ services: 1.5 })).toStrictEqual([bare]);
    expect(await reported({ services: "9" })).toStrictEqual([bare]);
    expect(await reported({ services: 2 ** 63, network: "cjdns" })).toStrictEqual([
      { ...bare, services: 2n ** 63n, network: "cjdns" },
    ]);
    expect(await reported({ services: 2n ** 64n - 1n })).toStrictEqual([{ ...bare, services: 2n ** 64n - 1n }]);
    expect(await reported({ services: 2n ** 64n + 9n })).toStrictEqual([{ ...bare, services: 9n }]);
    for (const port of [0, 65_535]) expect(await reported({ port })).toStrictEqual([{ ...bare, port }]);
    for (const unusable of [{ port: -1 }, { port: 65_536 }, { port: "1" }, { address: 7 }]) {
      expect(await reported(unusable)).toMatchObject({
        code: "upstream_unavailable",
        message: "The node's response to getnodeaddresses can't be read",
      });
    }
  });

  it("asks btcd for no more than are wanted, unless it has to choose", async () => {
    const responses = { ...likeBtcd, getnodeaddresses: known };
    const params = async (input: object) =>
      (await over(responses, (context) => getnodeaddresses(input, context))).asked?.params;
    expect(await params({ count: 2 })).toEqual([2]);
    expect(await params({ count: 0 })).toEqual([2_147_483_647]);
    expect(await params({ count: 2, network: "onion" })).toEqual([2_147_483_647]);
    const long = await over(responses, (context) => getnodeaddresses({ network: "x".repeat(101) }, context));
    expect(long.outcome).toMatchObject({ message: `Network not recognized: ${"x".repeat(100)}` });
    expect(long.asked).toBeUndefined();
  });

  it("leaves to Bitcoin Core what it can do", async () => {
    const responses = { ...likeCore, getnodeaddresses: [{ ...known[0], network: "ipv4" }] };
    const { asked } = await over(responses, (context) => getnodeaddresses({ count: 2, network: "ipv4" }, context));
    expect(asked).toEqual({ method: "getnodeaddresses", params: [2, "ipv4"] });
  });
});

describe("peers are commanded", () => {
  const notFound = refused(-8, "peer not found");
  const notAdded = "Error: Node could not be removed. It has not been added previously.";

  it("over Bitcoin Core by its own methods", async () => {
    const responses = { ...likeCore, addnode: null, disconnectnode: null };
    const command = async (input: Parameters<typeof nodeCommand>[0]) =>
      (await over(responses, (context) => nodeCommand(input, context))).asked;
    const target = "203.0.113.7:8333";
    expect(await command({ subcmd: "connect", target, connectsubcmd: "perm" })).toEqual({
      method: "addnode",
      params: [target, "add"],
    });
    expect(await command({ subcmd: "connect", target })).toEqual({ method: "addnode", params: [target, "onetry"] });
    expect(await command({ subcmd: "remove", target })).toEqual({ method: "addnode", params: [target, "remove"] });
    expect(await command({ subcmd: "disconnect", target })).toEqual({ method: "disconnectnode", params: [target] });
    expect(await command({ subcmd: "disconnect", target: "17" })).toEqual({
      method: "disconnectnode",
      params: ["", 17],
    });
    const encrypted = await over(responses, (context) =>
      addnode({ node: target, command: "add", v2transport: true }, context),
    );
    expect(encrypted.asked).toEqual({ method: "addnode", params: [target, "add", true] });
  });

  it("over btcd by the same parameters, of which a connection alone has a kind", async () => {
    const responses = { ...likeBtcd, addnode: null, node: null };
    const target = "203.0.113.7:8333";
    const command = async (input: Parameters<typeof nodeCommand>[0]) =>
      (await over(responses, (context) => nodeCommand(input, context))).asked;
    const asked = (...params: readonly string[]) => ({ method: "node", params });
    expect(await command({ subcmd: "connect", target })).toEqual(asked("connect", target, "temp"));
    expect(await command({ subcmd: "connect", target, connectsubcmd: "temp" })).toEqual(
      asked("connect", target, "temp"),
    );
    expect(await command({ subcmd: "connect", target, connectsubcmd: "perm" })).toEqual(
      asked("connect", target, "perm"),
    );
    expect(await command({ subcmd: "remove", target })).toEqual(asked("remove", target));
    expect(await command({ subcmd: "disconnect", target: "17" })).toEqual(asked("disconnect", "17"));
    for (const more of [{}, { v2transport: false }]) {
      const { asked: plain } = await over(responses, (context) =>
        addnode({ node: target, command: "onetry", ...more }, context),
      );
      expect(plain).toEqual({ method: "addnode", params: [target, "onetry"] });
    }
  });

  it.each([
    ["17", ["", 17]],
    ["1".repeat(15), ["", 111_111_111_111_111]],
    ["1".repeat(16), ["1".repeat(16)]],
    ["17:8333", ["17:8333"]],
    ["a17", ["a17"]],
    ["", [""]],
  ])("over Bitcoin Core by an id, if they have one: %j", async (target, params) => {
    const responses = { ...likeCore, disconnectnode: null };
    const { asked } = await over(responses, (context) => nodeCommand({ subcmd: "disconnect", target }, context));
    expect(asked).toEqual({ method: "disconnectnode", params });
  });

  it.each([
    [refused(-8, "peer already connected"), -23, "Error: Node already added"],
    [refused(-8, "peer exists as a permanent peer"), -23, "Error: Node already added"],
    [refused(-8, "peer not found"), -24, notAdded],
    [refused(-8, "can't remove a temporary peer, use disconnect instead"), -24, notAdded],
    [refused(-8, "max peers reached"), -34, "Error: Already at capacity for specified connection type."],
    [refused(-8, "lookup nowhere on 10.0.0.2:53: no such host"), -8, "lookup nowhere on (address): no such host"],
  ])("and refused by btcd in Bitcoin Core's words: %s", async (error, rpcCode, message) => {
    const { outcome } = await over({ ...likeBtcd, addnode: error }, (context) =>
      addnode({ node: "x", command: "add" }, context),
    );
    expect(outcome).toMatchObject({ rpcCode, message });
  });

  it("but nothing is removed that is not there", async () => {
    const responses = { ...likeBtcd, addnode: notFound, node: notFound };
    const removed = await over(responses, (context) => addnode({ node: "x", command: "remove" }, context));
    expect(removed.outcome).toMatchObject({ rpcCode: -24, message: notAdded });
    const apart = await over(responses, (context) => nodeCommand({ subcmd: "disconnect", target: "7" }, context));
    expect(apart.outcome).toMatchObject({ rpcCode: -29, message: "Node not found in connected nodes" });
    const plain = await over(likeBtcd, (context) => addnode({ node: "x", command: "add", v2transport: true }, context));
    expect(plain.outcome).toMatchObject({
      rpcCode: -8,
      message: "Error: v2transport requested but not enabled (see -v2transport)",
    });
    const temporary = { ...likeBtcd, node: refused(-8, "can't remove a temporary peer, use disconnect instead") };
    const kept = await over(temporary, (context) => nodeCommand({ subcmd: "remove", target: "7" }, context));
    expect(kept.outcome).toMatchObject({ rpcCode: -24, message: notAdded });
  });
});

it.each([
  ["8.8.8.8", "ipv4"],
  ["8.8.8.8:8333", "ipv4"],
  ["10.1.2.3:8333", "not_publicly_routable"],
  ["127.0.0.1", "not_publicly_routable"],
  ["100.127.0.1", "not_publicly_routable"],
  ["[2606:4700::1]:8333", "ipv6"],
  ["2606:4700::1", "ipv6"],
  ["[::1]:8333", "not_publicly_routable"],
  ["fd00::1", "not_publicly_routable"],
  ["abc.onion:8333", "onion"],
  ["abc.b32.i2p:0", "i2p"],
  ["seed.example.org:8333", "not_publicly_routable"],
  ["", "not_publicly_routable"],
  // The first and the last of each subnet that is useless outside (RFC 6890), and their neighbors.
  ...[
    ["0.0.0.0", "0.255.255.255", "1.0.0.0"],
    ["10.0.0.0", "10.255.255.255", "11.0.0.0", "9.255.255.255"],
    ["100.64.0.0", "100.127.255.255", "100.128.0.0", "100.63.255.255"],
    ["127.0.0.0", "127.255.255.255", "128.0.0.0", "126.255.255.255"],
    ["169.254.0.0", "169.254.255.255", "169.255.0.0", "169.253.255.255"],
    ["172.16.0.0", "172.31.255.255", "172.32.0.0", "172.15.255.255"],
    ["192.0.2.0", "192.0.2.255", "192.0.3.0", "192.0.1.255"],
    ["192.168.0.0", "192.168.255.255", "192.169.0.0", "192.167.255.255"],
    ["198.18.0.0", "198.19.255.255", "198.20.0.0", "198.17.255.255"],
    ["198.51.100.0", "198.51.100.255", "198.51.101.0", "198.51.99.255"],
    ["203.0.113.0", "203.0.113.255", "203.0.114.0", "203.0.112.255"],
    ["255.255.255.255", "255.255.255.255", "255.255.255.254"],
    ["::", "::", "::2"],
    ["::1", "::1", "::2"],
    ["2001:10::", "2001:1f:ffff::", "2001:f::"],
    ["2001:20::", "2001:2f:ffff::", "2001:30::"],
    ["2001:db8::", "2001:db8:ffff::", "2001:db9::", "2001:db7:ffff::"],
    ["fc00::", "fdff:ffff::", "fe00::", "fbff:ffff::"],
    ["fe80::", "fe80::ffff:ffff:ffff:ffff", "fe80:0:0:1::", "fe7f:ffff::"],
  ].flatMap(([first = "", last = "", ...neighbours]) => [
    ...[first, last].map((address): [string, string] => [address, "not_publicly_routable"]),
    ...neighbours.map((address): [string, string] => [address, address.includes(":") ? "ipv6" : "ipv4"]),
  ]),
  ["[2606:4700::1]", "ipv6"],
  ["[2606:4700::1]x", "not_publicly_routable"],
  ["x[2606:4700::1]", "not_publicly_routable"],
  ["[8.8.8.8]:1", "ipv4"],
  ["8.8.8.8:", "not_publicly_routable"],
  ["8.8.8.8:x", "not_publicly_routable"],
  ["abc.onion", "onion"],
  ["abc.b32.i2p", "i2p"],
  ["abc.onion.example", "not_publicly_routable"],
])("takes %j for an address of %s", (address, kind) => {
  expect(networkKindOf(address)).toBe(kind);
});

it("names services by their bits", () => {
  expect(namesOfServices(0x2000_0c09n)).toEqual(["NETWORK", "WITNESS", "NETWORK_LIMITED", "P2P_V2", "UNKNOWN[2^29]"]);
  expect(renderServices(0xc09n)).toBe("0000000000000c09");
  expect(namesOfServices(0x44n)).toEqual(["BLOOM", "COMPACT_FILTERS"]);
  expect(namesOfServices(0n)).toEqual([]);
});
