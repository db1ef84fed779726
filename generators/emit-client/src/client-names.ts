import { type ApiModel, pascalCase } from "@nodewright/model";
import { lowerFirst } from "@nodewright/output";

/** The names that the client's file exports. */
export interface ClientNames {
  /** `PetstoreClient`. */
  readonly client: string;
  /** `createPetstoreClient`. */
  readonly creator: string;
  /** `PetstoreClientOptions`; only where there is more to say than every client's options do. */
  readonly options: string;
  /** `PetstoreSecurity`. */
  readonly security: string;
  /** `PetstoreServers`, the type of `petstoreServers`. */
  readonly serversType: string;
  readonly servers: string;
}

export function clientNames(model: ApiModel): ClientNames {
  const api = pascalCase(model.name);
  return {
    client: `${api}Client`,
    creator: `create${api}Client`,
    options: `${api}ClientOptions`,
    security: `${api}Security`,
    serversType: `${api}Servers`,
    servers: `${lowerFirst(api)}Servers`,
  };
}
