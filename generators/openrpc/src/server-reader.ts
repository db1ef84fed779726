// OpenRPC 1.3, section "Server Object".
import type { Server } from "@nodewright/model";
import type { SourceValue } from "@nodewright/source";
import type { Reading } from "./reading.ts";

/** Reads the servers of the document. Variables of an OpenRPC URL are runtime expressions, `${name}`; the model writes `{name}`. */
export function readServers({ members }: Reading, document: SourceValue): readonly Server[] {
  return members.list(document, "servers").flatMap((place) => {
    const url = members.requiredText(place, "A server", "url", "It is where requests are sent.");
    if (url === undefined) return [];
    const name = members.text(place, "name");
    const description = members.text(place, "description") ?? members.text(place, "summary");
    return {
      url: url.replaceAll("${", "{"),
      variables: (place.member("variables")?.members ?? []).map(([variable, value]) => readVariable(variable, value)),
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
    };
  });
}

function readVariable(name: string, place: SourceValue): Server["variables"][number] {
  const values = place.member("enum")?.items.flatMap((item) => item.string ?? []);
  const description = place.member("description")?.string;
  return {
    name,
    default: place.member("default")?.string ?? values?.[0] ?? "",
    ...(values === undefined ? {} : { values }),
    ...(description === undefined ? {} : { description }),
  };
}
