import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** A key with a self-signed certificate, in PEM. */
export interface SelfSigned {
  readonly key: string;
  readonly cert: string;
}

/** Creates a certificate (RFC 5280, section 4.1) for an IP address or a hostname with a validity period. */
export function selfSignedCertificate(host: string, notBefore: Date, notAfter: Date): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(set(sequence(objectId("550403"), element(0x0c, Buffer.from(host)))));
  const certificate = sequence(
    element(0xa0, element(0x02, Buffer.from([2]))),
    element(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256(),
    name,
    sequence(time(notBefore), time(notAfter)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    element(0xa3, sequence(alternativeNames(host))),
  );
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: pem(sequence(certificate, ecdsaWithSha256(), bits(signature(certificate, privateKey)))),
  };
}

function signature(content: Buffer, key: KeyObject): Buffer {
  return sign("sha256", content, key);
}

function ecdsaWithSha256(): Buffer {
  return sequence(objectId("2a8648ce3d040302"));
}

function alternativeNames(host: string): Buffer {
  const isAddress = /^[\d.]+$/.test(host);
  const name = isAddress ? element(0x87, Buffer.from(host.split(".").map(Number))) : element(0x82, Buffer.from(host));
  return sequence(objectId("551d11"), element(0x04, sequence(name)));
}

/** Encodes a UTCTime: years until 2049. */
function time(moment: Date): Buffer {
  const digits = moment.toISOString().replaceAll(/[-:T]|\.\d+Z/g, "");
  return element(0x17, Buffer.from(`${digits.slice(2)}Z`));
}

function objectId(hex: string): Buffer {
  return element(0x06, Buffer.from(hex, "hex"));
}

function bits(content: Buffer): Buffer {
  return element(0x03, Buffer.concat([Buffer.from([0]), content]));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return element(0x30, ...parts);
}

function set(...parts: readonly Buffer[]): Buffer {
  return element(0x31, ...parts);
}

function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  return length < 0x100 ? Buffer.from([0x81, length]) : Buffer.from([0x82, length >> 8, length & 0xff]);
}

function pem(content: Buffer): string {
  const lines = content.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}
