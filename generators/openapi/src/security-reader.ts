// OpenAPI 3.1, sections 4.8.27 (Security Scheme Object) to 4.8.30 (Security Requirement Object).
import type { SecurityRequirement, SecurityScheme } from "@nodewright/model";
import type { SourceValue } from "@nodewright/source";
import { suggestion } from "./parameter-style.ts";
import { follow, type Reading } from "./reading.ts";

const schemeTypes = ["apiKey", "http", "mutualTLS", "oauth2", "openIdConnect"] as const;
const keyLocations = ["query", "header", "cookie"] as const;
/** Required URLs of each OAuth flow. */
const flows: Readonly<Record<string, readonly string[]>> = {
  implicit: ["authorizationUrl"],
  password: ["tokenUrl"],
  clientCredentials: ["tokenUrl"],
  authorizationCode: ["authorizationUrl", "tokenUrl"],
  deviceAuthorization: ["deviceAuthorizationUrl", "tokenUrl"],
};

/** Reads every security scheme of the document. */
export function readSecuritySchemes(reading: Reading, document: SourceValue): readonly SecurityScheme[] {
  const schemes = document.member("components")?.member("securitySchemes")?.members ?? [];
  return schemes.flatMap(([name, item]) => {
    const followed = follow(reading, item);
    if (followed === undefined || !followed.place.isObject) return [];
    const scheme = readScheme(reading, name, followed.place);
    if (scheme === undefined) return [];
    return [followed.description === undefined ? scheme : { ...scheme, description: followed.description }];
  });
}

function readScheme(reading: Reading, name: string, place: SourceValue): SecurityScheme | undefined {
  const owner = `The security scheme "${name}"`;
  const text = reading.members.requiredText(place, owner, "type", `It must be one of ${schemeTypes.join(", ")}.`);
  if (text === undefined) return undefined;
  const type = schemeTypes.find((candidate) => candidate === text);
  const bearer = { name, kind: "bearer", location: "header", parameter: "Authorization" } as const;
  switch (type) {
    case "apiKey":
      return readKey(reading, name, place);
    case "http":
      return readHttpScheme(reading, name, place);
    case "mutualTLS":
      return { name, kind: "mutual-tls", location: "header", parameter: "" };
    case "oauth2":
      checkFlows(reading, owner, place);
      return bearer;
    case "openIdConnect":
      reading.members.requiredText(place, owner, "openIdConnectUrl", "It is where the provider is described.");
      return bearer;
    case undefined:
      reading.report("unknown-scheme-type", place.memberSource("type"), {
        type: text,
        types: schemeTypes.join(", "),
        suggestion: suggestion(text, schemeTypes),
      });
      return undefined;
    default:
      return type satisfies never;
  }
}

function readKey(reading: Reading, name: string, place: SourceValue): SecurityScheme | undefined {
  const owner = `The security scheme "${name}"`;
  const parameter = reading.members.requiredText(place, owner, "name", "It is what callers send the key as.");
  const text = reading.members.requiredText(place, owner, "in", "It is the location of the key.");
  const location = keyLocations.find((candidate) => candidate === text);
  if (text !== undefined && location === undefined)
    reading.report("wrong-key-location", place.memberSource("in"), { location: text });
  if (parameter === undefined || location === undefined) return undefined;
  return { name, kind: "api-key", location, parameter };
}

/** Reads a scheme of the HTTP Authentication Scheme Registry. Names are case-insensitive. */
function readHttpScheme(reading: Reading, name: string, place: SourceValue): SecurityScheme | undefined {
  const reason = "It is a word such as basic or bearer.";
  const scheme = reading.members.requiredText(place, `The security scheme "${name}"`, "scheme", reason);
  if (scheme === undefined) return undefined;
  const known = scheme.toLowerCase();
  const common = { name, location: "header", parameter: "Authorization" } as const;
  if (known === "basic" || known === "bearer") return { ...common, kind: known };
  return { ...common, kind: "other-http", scheme };
}

function checkFlows(reading: Reading, owner: string, place: SourceValue): void {
  const member = place.member("flows");
  if (member === undefined) {
    reading.members.missing(place, owner, "flows", "They say how a token is obtained.");
    return;
  }
  const known = Object.keys(flows).filter((flow) => flow !== "deviceAuthorization" || reading.version === "3.2");
  for (const [flow, item] of member.members) {
    if (flow.startsWith("x-")) continue;
    if (!known.includes(flow)) {
      const facts = { flow, flows: known.join(", "), suggestion: suggestion(flow, known) };
      reading.report("unknown-flow", member.keySource(flow), facts);
      continue;
    }
    for (const name of flows[flow] ?? []) {
      if (!item.has(name)) reading.report("missing-flow-url", item.source, { flow, name });
    }
    if (!item.has("scopes")) reading.members.missing(item, `The flow "${flow}"`, "scopes", "It may be empty.");
  }
}

/** Reads the alternatives under `security` of an operation, or of the document if the operation has none. */
export function readRequirements(
  reading: Reading,
  document: SourceValue,
  operation: SourceValue,
): readonly SecurityRequirement[] | undefined {
  const owner = operation.has("security") ? operation : document;
  const list = owner.member("security");
  if (list === undefined) return undefined;
  const schemes = document.member("components")?.member("securitySchemes");
  const requirements = reading.members.list(owner, "security").flatMap((requirement) => {
    const named = requirement.members.map(([name, scopes]) => ({ name, scheme: schemeName(reading, name), scopes }));
    const unknown = named.filter(({ scheme }) => !schemes?.has(scheme));
    // An alternative with an unknown scheme is kept: without it the operation might seem to need no authentication.
    for (const { name } of unknown) reportUnknownScheme(reading, requirement, name, schemes);
    return [named.map(({ scheme, scopes }) => ({ scheme, scopes: scopesOf(reading, scheme, scopes) }))];
  });
  // An empty list removes the requirements of the document: no authentication is needed.
  if (list.node.kind === "array" && list.items.length === 0) return [[]];
  return requirements.length === 0 ? undefined : requirements;
}

/** Returns the name of a scheme. OpenAPI 3.2 allows a reference to a scheme instead of its name. */
function schemeName({ version }: Reading, name: string): string {
  return version === "3.2" ? name.replace(/^[^#]*#\/components\/securitySchemes\//, "") : name;
}

/** Checks the requirements of the document itself, which may apply to no operation. */
export function checkRequirements(reading: Reading, document: SourceValue): void {
  readRequirements(reading, document, document);
}

function scopesOf(reading: Reading, scheme: string, scopes: SourceValue): readonly string[] {
  if (scopes.node.kind !== "array") reading.members.wrong(scopes, scheme, "a list of scopes");
  return scopes.items.flatMap(({ string }) => string ?? []);
}

function reportUnknownScheme(
  reading: Reading,
  requirement: SourceValue,
  name: string,
  schemes: SourceValue | undefined,
): void {
  const known = (schemes?.members ?? []).map(([scheme]) => scheme);
  reading.report("unknown-security-scheme", requirement.keySource(name), { name, suggestion: suggestion(name, known) });
}
