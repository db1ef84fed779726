import type { ApiModel, GraphqlDocument, Operation, TypeNode } from "@nodewright/model";
import { describe, expect, it } from "vitest";
import { emitClient } from "./emit-client.ts";

const source = { file: "api.yaml", line: 1, column: 1, start: 0, end: 0, pointer: "" };
const text: TypeNode = { kind: "string", source };

function operation(name: string, changes: Partial<Operation> = {}): Operation {
  return {
    name,
    origin: `GET /${name}`,
    binding: { kind: "http", method: "GET", path: `/${name}` },
    tags: [],
    parameters: [],
    successes: [
      {
        status: 200,
        content: { mediaType: "application/json", form: "json", type: text },
        headers: [],
        description: "",
        source,
      },
    ],
    failures: [],
    examples: [],
    links: [],
    extensions: { disabledByDefault: false, nodeControl: false, units: 1 },
    source,
    documentation: { summary: "Does something.", deprecated: true },
    ...changes,
  };
}

const required = {
  name: "id",
  property: "id",
  location: "path",
  required: true,
  type: text,
  style: "simple",
  explode: false,
  source,
} as const;

function client(changes: Partial<ApiModel>): string {
  const model: ApiModel = {
    name: "toy-shop",
    protocol: "http",
    title: "Toy shop",
    version: "1",
    document: "specs/shop.yaml",
    declarations: [],
    operations: [],
    documents: [],
    security: [],
    ...changes,
  };
  const [file] = emitClient.emit({ model, packageName: "@x/toy-shop-api" }).files;
  return file?.text ?? "";
}

describe("a generated client", () => {
  it("has a documented method for each operation, its input optional where nothing in it is required", () => {
    const emitted = client({ operations: [operation("list"), operation("getItem", { parameters: [required] })] });
    expect(emitted).toContain(`  /**
   * Does something.
   *
   * @deprecated
   * @generated from GET /list
   */
  readonly list: (input?: ListInput, options?: CallOptions) => Promise<ListOutput>;`);
    expect(emitted).toContain(
      "readonly getItem: (input: GetItemInput, options?: CallOptions) => Promise<GetItemOutput>;",
    );
    expect(emitted).toContain("list: (input, callOptions) => client.call(calls.list, input, callOptions),");
  });

  it("takes its key as the document says, in query and header", () => {
    const scheme = { name: "key", kind: "api-key", location: "query", parameter: "token" } as const;
    const emitted = client({ security: [scheme], operations: [operation("list")] });
    expect(emitted).toContain('    query: "token",\n    header: "X-API-Key",\n');
    expect(client({ operations: [operation("list")] })).toContain(`createHttpClient(options, {
    query: "apikey",
    header: "X-API-Key",
    operations: () => import("./operations.ts"),
  });`);
  });

  it("has an option for the credentials of each scheme that requests carry something for", () => {
    const emitted = client({
      operations: [operation("list")],
      security: [
        { name: "petstore_auth", kind: "bearer", location: "header", parameter: "Authorization", description: "OAuth" },
        { name: "log in", kind: "basic", location: "header", parameter: "Authorization" },
        { name: "petstore-auth", kind: "api-key", location: "cookie", parameter: "session" },
        { name: "certificate", kind: "mutual-tls", location: "header", parameter: "" },
      ],
    });
    expect(emitted).toContain("export interface ToyShopClientOptions extends ClientOptions {");
    expect(emitted).toContain("   * OAuth\n   *\n   * @generated from the security scheme petstore_auth\n");
    expect(emitted).toContain("  readonly petstoreAuth?: Credential | undefined;");
    expect(emitted).toContain("  readonly logIn?: BasicCredentialOption | undefined;");
    expect(emitted).toContain("  readonly petstoreAuth2?: Credential | undefined;");
    expect(emitted).toContain(`    schemes: securitySchemes,
    security: {
      petstoreAuth: "petstore_auth",
      logIn: "log in",
      petstoreAuth2: "petstore-auth",
    },
  });`);
    expect(emitted).not.toContain("certificate");
  });

  it("knows the servers of the document, and speaks to the first where that has a whole URL", () => {
    const servers = [
      {
        url: "https://{region}.example.com",
        description: "The one to use for everything that is not a test",
        variables: [{ name: "region", default: "eu", values: ["eu", "us"], description: "Where data is kept." }],
      },
      { url: "http://localhost", name: "local", variables: [] },
      { url: "/v1", description: "Local", variables: [] },
    ];
    const emitted = client({ servers, operations: [operation("list")] });
    expect(emitted).toContain(`  readonly server: ServerFacts<{
    /** Where data is kept. */
    readonly region?: "eu" | "us";
  }>;
  readonly local: ServerFacts;
  /** Local */
  readonly local2: ServerFacts;`);
    expect(emitted).toContain("export const toyShopServers: ToyShopServers = {");
    expect(emitted).toContain("(options: ToyShopClientOptions = {}): ToyShopClient {");
    expect(emitted).toContain("    baseUrl: serverUrl(toyShopServers.server),\n");
    expect(emitted).toContain("  readonly baseUrl?: string | undefined;");
    const relative = client({ servers: servers.slice(2), operations: [operation("list")] });
    expect(relative).toContain("(options: ClientOptions): ToyShopClient {");
    expect(client({ servers: [{ url: "/", variables: [] }] })).not.toContain("Servers");
  });

  it("says what a call gives that depends on what is requested", () => {
    const answer = (mediaType: string, form: "json" | "binary" | "event-stream") => ({
      status: 200,
      content: { mediaType, form, type: text },
      headers: [],
      description: "",
      source,
    });
    const emitted = client({
      operations: [
        operation("download", { successes: [answer("image/png", "binary")], parameters: [required] }),
        operation("export", { successes: [answer("image/png", "binary")] }),
        operation("chat", {
          successes: [answer("application/json", "json"), answer("text/event-stream", "event-stream")],
        }),
      ],
    });
    expect(emitted).toContain("readonly download: BytesCall<DownloadInput, DownloadOutput>;");
    expect(emitted).toContain("readonly export: OptionalBytesCall<ExportInput, ExportOutput>;");
    expect(emitted).toContain('readonly chat: OptionalNegotiatedCall<ChatInput, ChatReply, "application/json">;');
    expect(emitted).toContain("    chat: client.method(calls.chat),");
  });

  it("has no member that the language calls without being asked to", () => {
    const names = ["then", "toJSON", "toString", "valueOf", "constructor", "catch", "client", "options", "2fa"];
    const emitted = client({ operations: names.map((name) => operation(name)) });
    for (const name of ["then2", "toJSON2", "toString2", "valueOf2", "constructor", "catch", "client", "options"]) {
      expect(emitted).toContain(`\n  readonly ${name}: (input?: `);
    }
    expect(emitted).toContain('    "2fa": (input, callOptions) => client.call(calls["2fa"], input, callOptions),');
  });

  it("has pages where the document links the next one", () => {
    const paged = operation("list", { links: [{ name: "next", operation: "list", inputs: {}, source }] });
    const emitted = client({ operations: [paged, operation("other")] });
    expect(emitted).toContain("=> AsyncIterable<ListOutput>;");
    expect(emitted).toContain(
      "list: (input, callOptions) => client.pages({ ...calls }, calls.list, input, callOptions),",
    );
    expect(emitted).not.toContain("AsyncIterable<OtherOutput>");
  });

  it("keeps its own members apart from operations of the same name", () => {
    const binding = { kind: "rpc", method: "batch", parameterStructure: "either" } as const;
    const emitted = client({ protocol: "rpc", operations: [operation("batch", { binding })] });
    expect(emitted).toContain("batch2: (input, callOptions) => client.call(calls.batch, input, callOptions),");
    expect(emitted).toContain("batch: client.batch(calls),");
    expect(emitted).toContain("readonly batch: BatchCall<ToyShopCalls>;");
  });

  it("has a method for each operation document of a GraphQL schema, and one for texts of one's own", () => {
    const document = {
      name: "latestBlock",
      root: "query",
      text: "query LatestBlock { block { number } }",
      variables: [],
      result: text,
      rootFields: ["block"],
      examples: [],
      source,
      documentation: {},
    } as const;
    const emitted = client({ protocol: "graphql", documents: [document] });
    expect(emitted).toContain(
      "latestBlock: (input, callOptions) => client.call(documents.latestBlock, input, callOptions),",
    );
    const own = client({ protocol: "graphql" });
    expect(own).toContain("readonly query: GraphqlQuery;");
    expect(own).toContain("query: client.query,");
    expect(own).not.toContain("subscribe");
  });

  it("has pages of operations over a range, and gives no operation their name", () => {
    const document = (name: string, changes: Partial<GraphqlDocument> = {}): GraphqlDocument => ({
      name,
      root: "query",
      text: "",
      variables: [],
      result: text,
      rootFields: [],
      examples: [],
      source,
      documentation: {},
      ...changes,
    });
    const pages = { from: ["from"], to: ["to"], items: ["block", "logs"], length: 10 };
    const end = { document: "head", path: ["height"] };
    const closed = client({ protocol: "graphql", documents: [document("logs", { pages }), document("pages")] });
    expect(closed).toContain('readonly logs: RangePagesCall<LogsQueryVariables, LogsQuery, "block.logs">;');
    expect(closed).toContain(
      "logs: (input, callOptions) => client.pages(documents.logs, undefined, input, callOptions),",
    );
    expect(closed).toContain("pages2: (input, callOptions) => client.call(documents.pages, input, callOptions),");
    const open = client({
      protocol: "graphql",
      documents: [document("pages", { pages: { ...pages, end } }), document("head")],
    });
    expect(open).toContain(
      "pages2: (input, callOptions) => client.pages(documents.pages, documents.head, input, callOptions),",
    );
    expect(client({ protocol: "graphql", documents: [document("pages")] })).toContain("pages: (input, callOptions)");
  });

  it("subscribes with operation documents and with texts of one's own where the schema has subscriptions", () => {
    const document = {
      name: "subscribe",
      root: "subscription",
      text: "subscription Subscribe { block { number } }",
      variables: [],
      result: text,
      rootFields: ["block"],
      examples: [],
      source,
      documentation: {},
    } as const;
    const binding = { kind: "graphql", root: "subscription", field: "block" } as const;
    const emitted = client({
      protocol: "graphql",
      operations: [operation("block", { binding })],
      documents: [document],
    });
    expect(emitted).toContain("readonly subscribe: GraphqlSubscribe;");
    expect(emitted).toContain("subscribe: client.subscribe,");
    expect(emitted).toMatch(/readonly subscribe2: \([^)]*\) => GraphqlSubscription<SubscribeSubscription>;/);
    expect(emitted).toMatch(
      /subscribe2: \(input, callOptions\) =>\s+client\.subscription\(documents\.subscribe, input, callOptions\),/,
    );
  });
});
