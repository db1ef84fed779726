/** Bitcoin Core's names of the services that a node may offer, by their bits. */
const serviceNames: ReadonlyMap<number, string> = new Map([
  [0, "NETWORK"],
  [2, "BLOOM"],
  [3, "WITNESS"],
  [6, "COMPACT_FILTERS"],
  [10, "NETWORK_LIMITED"],
  [11, "P2P_V2"],
]);

const serviceBits = 64;

/** Renders services as 16 hexadecimal digits. */
export function renderServices(services: bigint): string {
  return BigInt.asUintN(serviceBits, services).toString(16).padStart(16, "0");
}

/** Returns the names of services, by their bits from the lowest up. */
export function namesOfServices(services: bigint): readonly string[] {
  const names: string[] = [];
  for (let bit = 0; bit < serviceBits; bit += 1) {
    if (((services >> BigInt(bit)) & 1n) === 1n) names.push(serviceNames.get(bit) ?? `UNKNOWN[2^${bit}]`);
  }
  return names;
}
