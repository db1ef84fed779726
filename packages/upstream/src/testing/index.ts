export { responseOfChain, createFakeChain } from "./fake-chain.ts";
export type { FakeChain } from "./fake-chain.ts";
export { faults, FaultyNode, NodeRefusal } from "./faulty-node.ts";
export type { Fault, FaultName, FaultyNodeOptions, NodeCall } from "./faulty-node.ts";
export { responseOfExecutionChain } from "./fake-execution-chain.ts";
export type { FakeExecutionClient } from "./fake-execution-chain.ts";
export { hostileBodies } from "./hostile-bodies.ts";
export type { HostileBody, HostileBodyName } from "./hostile-bodies.ts";
