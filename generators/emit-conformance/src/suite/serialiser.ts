import {
  type DescribedFacts,
  describedFactsOf,
  includesBound,
  isOrderedType,
  statesExcerpt,
} from "@nodewright/api-model";
import {
  type ApiModel,
  type Example,
  isOfType,
  type Link,
  type RecordMember,
  type Relation,
  type TypeNode,
} from "@nodewright/model";
import type { SuiteExample, SuiteLink, SuiteRelation, SuiteType, SuiteTypes } from "@nodewright/conformance/suite";
import type { PlaceMember, Places } from "./places.ts";

/** Members with locations and documentation, and those that only generated code uses. */
const leftOut: ReadonlySet<string> = new Set(
  "source defaultSource documentation summary description default representation assertsFormat selection keyword arguments".split(
    " ",
  ),
);

/** Members that contain data of the document. */
const dataMembers: ReadonlySet<string> = new Set("values discriminator input params outcome inputs".split(" "));

/** Serialises the parts of a model. */
export class Serialiser {
  readonly #model: ApiModel;
  readonly #places: Places;

  constructor(model: ApiModel, places: Places) {
    this.#model = model;
    this.#places = places;
  }

  /**
   * Returns every declaration, by name and in the order of the model: including those that no operation refers to, so that an operation
   * that refers to another one changes only itself.
   */
  declarations(): SuiteTypes {
    return Object.fromEntries(
      this.#model.declarations.map(({ name, type, source }) => [
        name,
        this.#serialised(type, this.#places.landmark(source)) as SuiteType,
      ]),
    );
  }

  type(type: TypeNode): SuiteType {
    return this.#value(type) as SuiteType;
  }

  examples(examples: readonly Example[]): readonly SuiteExample[] {
    return this.#value(examples) as readonly SuiteExample[];
  }

  links(links: readonly Link[]): readonly SuiteLink[] {
    return this.#value(links) as readonly SuiteLink[];
  }

  relations(relations: readonly Relation[] = []): readonly SuiteRelation[] {
    return this.#value(relations) as readonly SuiteRelation[];
  }

  #value(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#value(one));
    if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    if (typeof value !== "object" || value === null) return value;
    return this.#serialised(value, isSourced(value) ? this.#places.detail(value.source) : {});
  }

  #serialised(part: object, place: PlaceMember): object {
    const members = Object.entries(part).filter(([name, value]) => !leftOut.has(name) && !isDefault(name, value));
    return {
      ...Object.fromEntries(members.map(([name, value]) => [name, dataMembers.has(name) ? value : this.#value(value)])),
      ...("kind" in part ? this.#shown(part as TypeNode) : {}),
      ...memberFacts(part),
      ...place,
    };
  }

  /** Returns the default and examples of a type that are valid against it: the others are reported as warnings, and would mislead. */
  #shown(type: TypeNode): Pick<Extract<SuiteType, { kind: "list" }>, "default" | "examples" | "isExcerpt"> {
    const examples = type.documentation?.examples?.filter((value) => isOfType(value, type, this.#model)) ?? [];
    const hasDefault = type.default !== undefined && isOfType(type.default, type, this.#model);
    const isExcerpt = type.kind === "list" && statesExcerpt([type.documentation?.description]);
    return {
      ...(hasDefault ? { default: type.default } : {}),
      ...(isExcerpt ? { isExcerpt } : {}),
      ...(examples.length === 0 ? {} : { examples }),
    };
  }
}

const boundName =
  /^(?:min|max|from|to|after|before|since|until)(?![a-z])|(?:Min|Max|From|To|After|Before|Since|Until|_(?:min|max|from|to|after|before|since|until))$/;

/** Returns the facts about a member in the document's prose: about a count, or a filter that is an object. */
function memberFacts(part: object): DescribedFacts & { readonly includesBound?: boolean } {
  if (!("name" in part && "type" in part && "required" in part)) return {};
  const { name, type, documentation } = part as RecordMember;
  const own = [documentation, type.documentation].flatMap((one) => [one?.summary, one?.description]);
  const isBound = boundName.test(name) && isOrderedType(type as SuiteType);
  const isIncluded = isBound ? includesBound(name, { own, whole: [] }) : undefined;
  const facts = describedFactsOf(name, type as SuiteType, own);
  return isIncluded === undefined ? facts : { ...facts, includesBound: isIncluded };
}

function isSourced(part: object): part is Pick<TypeNode, "source"> {
  return "source" in part;
}

/** Returns whether a member has its default value, so that it can be left out. */
function isDefault(name: string, value: unknown): boolean {
  if (value === undefined || value === "read-write") return true;
  if (name === "prefix" || name === "patterns") return Array.isArray(value) && value.length === 0;
  if (name === "additional") return (value as TypeNode).kind === "any";
  return value === false && name !== "required" && name !== "integer";
}
