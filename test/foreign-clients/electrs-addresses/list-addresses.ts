import { createHash } from "node:crypto";
import { base58, base58check, bech32, bech32m } from "@scure/base";
import { createRandom, type Random } from "../../ethereum-differential/random.ts";

const withChecksum = base58check((content: Uint8Array) =>
  Uint8Array.from(createHash("sha256").update(content).digest()),
);
const encodings = { bech32, bech32m };

/** Bytes before the hash in base58: those of the networks, and of other chains and other things (BIP 32, private keys). */
const knownVersions = [0x00, 0x05, 0x6f, 0xc4] as const;
const otherVersions = [0x01, 0x1e, 0x30, 0x80, 0xef, 0xff] as const;
/** Human-readable parts of the networks and of other chains. */
const knownPrefixes = ["bc", "tb", "bcrt"] as const;
const otherPrefixes = ["ltc", "tltc", "bcr", "b", "tbc", "lq", "ex", "bc1", "x".repeat(30), "bt"] as const;
const base58Characters = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const bech32Characters = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const otherCharacters = "0OIl!?-_.~+bio1";

/** What the committed corpus was made with. */
export const corpusSeed = 173;
export const corpusRounds = 36;

/** Lists addresses, good ones and several kinds of malformed ones, the same for the same seed; none twice. */
export function listAddresses(seed: number, rounds: number): readonly string[] {
  const random = createRandom(seed);
  const addresses = new Set<string>(listEdges());
  for (let round = 0; round < rounds; round += 1) {
    for (const mutate of mutations) addresses.add(mutate(random));
  }
  return [...addresses];
}

function listEdges(): readonly string[] {
  const lengths = [0, 1, 3, 4, 5, 20, 21, 22, 36, 37, 38, 40].map((length) => base58.encode(new Uint8Array(length)));
  const payloads = [0, 1, 20, 22, 30, 32, 33, 78].map((length) => withChecksum.encode(new Uint8Array(length)));
  const digits = [1, 2, 33, 34, 35, 49, 50, 51, 62, 89, 90, 91, 100, 500].flatMap((length) => [
    "1".repeat(length),
    "z".repeat(length),
    `bc1${"q".repeat(length)}`,
  ]);
  return [
    "",
    "1",
    "bc",
    "bc1",
    "BC1",
    "tb1",
    "bcrt1",
    "bcrt1qqqqqq",
    "abc",
    "null",
    ...lengths,
    ...payloads,
    ...digits,
  ];
}

const mutations: readonly ((random: Random) => string)[] = [
  (random) => goodBase58(random),
  (random) => goodSegwit(random),
  (random) => goodSegwit(random).toUpperCase(),
  // Base58
  (random) => exchange(random, goodBase58(random), base58Characters),
  (random) => exchange(random, goodBase58(random), otherCharacters),
  (random) => cut(random, goodBase58(random)),
  (random) => insert(random, goodBase58(random), base58Characters),
  (random) => withChecksum.encode(concat(random.of(otherVersions), bytes(random, 20))),
  (random) => withChecksum.encode(concat(random.of(knownVersions), bytes(random, random.below(36)))),
  (random) => withChecksum.encode(concat(random.of(otherVersions), bytes(random, random.below(36)))),
  (random) => base58.encode(bytes(random, random.below(40))),
  // Bech32
  (random) => exchange(random, goodSegwit(random), bech32Characters),
  (random) => exchange(random, goodSegwit(random), otherCharacters),
  (random) => cut(random, goodSegwit(random)),
  (random) => insert(random, goodSegwit(random), bech32Characters),
  (random) => mixCase(random, goodSegwit(random)),
  (random) => segwit(random, random.of(otherPrefixes), random.below(17)),
  (random) => segwit(random, random.of(otherPrefixes), random.below(17)).toUpperCase(),
  (random) => segwit(random, random.of(knownPrefixes), random.below(17), random.below(45)),
  (random) => segwit(random, random.of(otherPrefixes), random.below(17), random.below(45)),
  (random) => segwit(random, random.of(knownPrefixes), 0, random.of([2, 19, 20, 21, 31, 32, 33, 40])),
  (random) => segwit(random, random.of(knownPrefixes), 17 + random.below(15), 32),
  (random) => wrongEncoding(random, random.of(knownPrefixes)),
  (random) => wrongEncoding(random, random.of(otherPrefixes)),
  (random) => unevenWords(random),
  // Anything
  (random) => text(random, random.below(70), base58Characters),
  (random) => `bc1${text(random, random.below(70), bech32Characters)}`,
  (random) => text(random, random.below(95), `${base58Characters}${otherCharacters}`),
];

function goodBase58(random: Random): string {
  return withChecksum.encode(concat(random.of(knownVersions), bytes(random, 20)));
}

function goodSegwit(random: Random): string {
  const version = random.of([0, 1, 2, 16]);
  return segwit(random, random.of(knownPrefixes), version, version === 0 ? random.of([20, 32]) : 32);
}

function segwit(random: Random, prefix: string, version: number, length = 20): string {
  return encode(version === 0 ? "bech32" : "bech32m", prefix, [version, ...bech32.toWords(bytes(random, length))]);
}

/** BIP 350: version 0 in bech32m, or a later one in bech32. */
function wrongEncoding(random: Random, prefix: string): string {
  const version = random.below(17);
  return encode(version === 0 ? "bech32m" : "bech32", prefix, [version, ...bech32.toWords(bytes(random, 32))]);
}

/** BIP 173: padding of five bits or more, or of bits that are not zero. */
function unevenWords(random: Random): string {
  const words = Array.from({ length: 30 + random.below(30) }, () => random.below(32));
  return encode("bech32m", random.of(knownPrefixes), [1, ...words]);
}

function encode(encoding: keyof typeof encodings, prefix: string, words: readonly number[]): string {
  return encodings[encoding].encode(prefix, [...words], false);
}

function exchange(random: Random, address: string, characters: string): string {
  const at = random.below(address.length);
  return address.slice(0, at) + random.of([...characters]) + address.slice(at + 1);
}

function insert(random: Random, address: string, characters: string): string {
  const at = random.below(address.length + 1);
  return address.slice(0, at) + random.of([...characters]) + address.slice(at);
}

function cut(random: Random, address: string): string {
  const at = random.below(address.length);
  return address.slice(0, at) + address.slice(at + 1 + random.below(3));
}

function mixCase(random: Random, address: string): string {
  const at = random.below(address.length);
  return address.slice(0, at) + address.slice(at).toUpperCase();
}

function text(random: Random, length: number, characters: string): string {
  return Array.from({ length }, () => random.of([...characters])).join("");
}

function bytes(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.below(256));
}

function concat(version: number, content: Uint8Array): Uint8Array {
  return Uint8Array.of(version, ...content);
}
