import { type ApiModel, pascalCase } from "@nodewright/model";

/** Names that the server's files share. */
export interface ServerNames {
  /** `Index`, `EthereumNode`. */
  readonly api: string;
  readonly signatures: string;
  readonly handler: string;
  readonly handlers: string;
  readonly options: string;
  /** Function that creates the Fastify plugin: `createIndexRoutes`, `createBitcoinRpc`, `createEthereumGraphql`. */
  readonly factory: string;
  /** REST: the handlers that check the credentials of each security scheme. */
  readonly securityHandlers: string;
  /** GraphQL: the table of the values that represent objects while they are resolved. */
  readonly parents: string;
  /** GraphQL: the resolvers of all object types. */
  readonly resolvers: string;
}

const factoryEndings = { http: "Routes", rpc: "Rpc", graphql: "Graphql" } as const;

export function serverNames(model: ApiModel): ServerNames {
  const api = pascalCase(model.name);
  const ending = factoryEndings[model.protocol];
  return {
    api,
    signatures: `${api}Signatures`,
    handler: `${api}Handler`,
    handlers: `${api}Handlers`,
    options: `${api}${ending}Options`,
    factory: `create${api}${ending}`,
    securityHandlers: `${api}SecurityHandlers`,
    parents: `${api}Parents`,
    resolvers: `${api}Resolvers`,
  };
}

/** Names in `webhooks.ts`: the server of the requests that an API makes, and their sender. */
export interface WebhookNames {
  readonly signatures: string;
  readonly handler: string;
  readonly handlers: string;
  readonly options: string;
  readonly factory: string;
  readonly sender: string;
  readonly senderFactory: string;
}

export function webhookNames(model: ApiModel): WebhookNames {
  const api = pascalCase(model.name);
  return {
    signatures: `${api}WebhookSignatures`,
    handler: `${api}WebhookHandler`,
    handlers: `${api}WebhookHandlers`,
    options: `${api}WebhooksOptions`,
    factory: `create${api}Webhooks`,
    sender: `${api}WebhookSender`,
    senderFactory: `create${api}WebhookSender`,
  };
}
