import {
  describedFactsOf,
  describedOrderOf,
  includesBound,
  isOrderedType,
  mentionsByChance,
} from "@nodewright/api-model";
import type {
  SuiteContent,
  SuiteFailure,
  SuiteGraphqlDocument,
  SuiteHeader,
  SuiteHttpOperation,
  SuiteParameter,
  SuiteRpcMethod,
  SuiteSuccess,
} from "@nodewright/conformance/suite";
import type {
  ApiModel,
  Content,
  Documentation,
  Failure,
  GraphqlDocument,
  HttpBinding,
  Operation,
  Parameter,
  ResponseHeader,
  RpcBinding,
  Success,
} from "@nodewright/model";
import {
  argumentFacts,
  contentFacts,
  hasOutputBody,
  extensionFacts,
  parameterFacts,
} from "@nodewright/emit-contract/facts";
import type { Places } from "./places.ts";
import { matchesInput, type SoundExamples, soundExamples } from "./sound-examples.ts";
import { Serialiser } from "./serialiser.ts";

/** Creates the operations of a suite from those of its model. */
export class OperationWriter {
  readonly #model: ApiModel;
  readonly #places: Places;
  readonly #parts: Serialiser;

  constructor(model: ApiModel, places: Places) {
    this.#model = model;
    this.#places = places;
    this.#parts = new Serialiser(model, places);
  }

  http(operation: Operation, { method, path }: HttpBinding): SuiteHttpOperation {
    const { security } = operation;
    const sound = soundExamples(operation, this.#model);
    return {
      ...this.#named(operation),
      method,
      path,
      ...this.#inputs(operation, sound),
      ...this.#body(operation, sound),
      ...this.#outcomes(operation, sound),
      ...(security === undefined ? {} : { security }),
      ...this.#rest(operation),
    };
  }

  rpc(operation: Operation, { method, parameterStructure }: RpcBinding): SuiteRpcMethod {
    const sound = soundExamples(operation, this.#model);
    return {
      ...this.#named(operation),
      method,
      ...(parameterStructure === undefined ? {} : { parameterStructure }),
      ...(hasOutputBody(operation) ? {} : { isNotification: true }),
      ...this.#inputs(operation, sound),
      ...this.#outcomes(operation, sound),
      ...this.#rest(operation),
    };
  }

  graphql({ name, root, text, examples, relations, source }: GraphqlDocument): SuiteGraphqlDocument {
    return {
      name,
      root,
      text,
      examples: this.#parts.examples(examples),
      relations: this.#parts.relations(relations),
      ...this.#places.landmark(source),
    };
  }

  #named({ name, origin, tags }: Operation): Pick<SuiteHttpOperation, "name" | "origin" | "tags"> {
    return { name, origin, tags };
  }

  #inputs(
    { parameters, documentation }: Operation,
    sound: SoundExamples,
  ): Pick<SuiteHttpOperation, "parameters" | "examples"> {
    return {
      parameters: parameters.map((parameter) => this.#parameter(parameter, documentation, sound)),
      examples: this.#parts.examples(sound.cases),
    };
  }

  #parameter(parameter: Parameter, whole: Documentation | undefined, sound: SoundExamples): SuiteParameter {
    const { default: initial, ...facts } =
      parameter.location === "argument"
        ? argumentFacts(parameter, this.#model)
        : parameterFacts(parameter, this.#model);
    const examples = sound.valuesOf(parameter);
    const type = this.#parts.type(parameter.type);
    const own = textsOf(parameter.documentation);
    const bound = isOrderedType(type) ? includesBound(parameter.name, { own, whole: textsOf(whole) }) : undefined;
    return {
      ...facts,
      ...(initial !== undefined && matchesInput(initial, parameter, this.#model) ? { default: initial } : {}),
      type,
      ...(examples.length === 0 ? {} : { examples }),
      ...(bound === undefined ? {} : { includesBound: bound }),
      ...describedFactsOf(parameter.name, type, own),
      ...this.#places.landmark(parameter.source),
    };
  }

  #body({ body }: Operation, sound: SoundExamples): Pick<SuiteHttpOperation, "body"> {
    if (body === undefined) return {};
    const { required, source } = body;
    const contents = body.contents.map((content) => this.#content(content, sound));
    return { body: { required, contents, ...this.#places.landmark(source) } };
  }

  #content(content: Content, sound: SoundExamples): SuiteContent {
    const examples = sound.bodiesOf(content);
    return {
      ...contentFacts(content, this.#model),
      type: this.#parts.type(content.type),
      ...(examples.length === 0 ? {} : { examples }),
    };
  }

  #outcomes(
    { successes, failures }: Operation,
    sound: SoundExamples,
  ): Pick<SuiteHttpOperation, "successes" | "failures"> {
    return {
      successes: successes.flatMap((success) => this.#successes(success, sound)),
      failures: failures.map((failure) => this.#failure(failure, sound)),
    };
  }

  /** Returns one success for each media type in which a server may respond. */
  #successes(
    { status, content, equivalents = [], headers, source }: Success,
    sound: SoundExamples,
  ): readonly SuiteSuccess[] {
    return [content, ...equivalents].map((one) => ({
      status,
      ...(one === undefined ? {} : { content: this.#content(one, sound) }),
      headers: headers.map((header) => this.#header(header)),
      ...this.#places.landmark(source),
    }));
  }

  /** Returns a failure. The message of an HTTP failure is left out: it is only its description. */
  #failure(failure: Failure, sound: SoundExamples): SuiteFailure {
    const { name, status, rpcCode, message, data, contents, headers, source } = failure;
    return {
      name,
      ...(status === undefined ? {} : { status }),
      ...(rpcCode === undefined ? {} : { rpcCode, message }),
      ...(data === undefined ? {} : { data }),
      contents: contents.map((content) => this.#content(content, sound)),
      headers: headers.map((header) => this.#header(header)),
      ...this.#places.landmark(source),
    };
  }

  #header({ name, required, type }: ResponseHeader): SuiteHeader {
    return {
      name: name.toLowerCase(),
      required,
      type: this.#parts.type(type),
      ...this.#places.detail(type.source),
    };
  }

  #rest({
    links,
    relations,
    extensions,
    documentation,
    source,
  }: Operation): Pick<
    SuiteHttpOperation,
    "links" | "relations" | "extensions" | "isImmutable" | "isByChance" | "order" | "place"
  > {
    const order = describedOrderOf(textsOf(documentation));
    return {
      links: this.#parts.links(links),
      relations: this.#parts.relations(relations),
      extensions: extensionFacts(extensions),
      ...(extensions.immutable === undefined ? {} : { isImmutable: extensions.immutable }),
      ...(mentionsByChance(textsOf(documentation)) ? { isByChance: true } : {}),
      ...(order === undefined ? {} : { order }),
      ...this.#places.landmark(source),
    };
  }
}

function textsOf(documentation: Documentation | undefined): readonly (string | undefined)[] {
  return [documentation?.summary, documentation?.description];
}
