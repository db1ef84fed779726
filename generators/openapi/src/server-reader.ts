// OpenAPI 3.1, sections 4.8.5 (Server Object) and 4.8.6 (Server Variable Object).
import type { Server } from "@nodewright/model";
import type { SourceValue } from "@nodewright/source";
import { pathParametersOf, sourceOfPart } from "./path-template.ts";
import type { Reading } from "./reading.ts";

/** Reads the servers of the document, in document order. */
export function readServers(reading: Reading, document: SourceValue): readonly Server[] {
  return reading.members.list(document, "servers").flatMap((place) => {
    const url = reading.members.requiredText(place, "A server", "url", "It is where the API is served.");
    if (url === undefined) return [];
    const variables = readVariables(reading, place);
    const urlSource = place.memberSource("url");
    for (const name of new Set(pathParametersOf(url))) {
      if (place.member("variables")?.has(name)) continue;
      reading.report("undescribed-server-variable", sourceOfPart(place.document, urlSource, url, `{${name}}`), {
        name,
      });
    }
    const name = reading.members.text(place, "name");
    const description = reading.members.text(place, "description");
    return [
      {
        url,
        variables,
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description }),
      },
    ];
  });
}

function readVariables(reading: Reading, server: SourceValue): Server["variables"] {
  return (server.member("variables")?.members ?? []).flatMap(([name, place]) => {
    const owner = `The variable "${name}"`;
    const initial = reading.members.requiredText(place, owner, "default", "It is used when no other value is given.");
    const values = place.has("enum")
      ? reading.members.list(place, "enum").flatMap((item) => readValue(reading, item))
      : undefined;
    if (initial === undefined) return [];
    const isListed = values === undefined || values.length === 0 || values.includes(initial);
    if (!isListed) {
      const source = place.memberSource("default");
      reading.report("wrong-server-default", source, { value: initial, name });
    }
    const description = reading.members.text(place, "description");
    return [
      {
        name,
        default: initial,
        ...(values === undefined ? {} : { values }),
        ...(description === undefined ? {} : { description }),
      },
    ];
  });
}

function readValue(reading: Reading, item: SourceValue): readonly string[] {
  if (item.string === undefined) reading.members.wrong(item, "enum", "texts");
  return item.string === undefined ? [] : [item.string];
}
