import { type ApiModel, pascalCase } from "@nodewright/model";
import { lowerFirst } from "@nodewright/output";

/** Exported names of the client's file. */
export interface ClientNames {
  /** Such as `PetstoreClient`. */
  readonly client: string;
  /** Such as `createPetstoreClient`. */
  readonly creator: string;
  /** Such as `PetstoreClientOptions`; only if it differs from the options of every client. */
  readonly options: string;
  /** Such as `PetstoreSecurity`. */
  readonly security: string;
  /** Such as `PetstoreServers`, the type of `petstoreServers`. */
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
