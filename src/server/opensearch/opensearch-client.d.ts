/** What is used of the client: its own types describe all that a cluster can be asked, and take the compiler longer than the rest of the server. */
declare module '@opensearch-project/opensearch' {
  interface Asked extends Promise<{ body: unknown }> {
    abort(): void;
  }

  export class Serializer {
    deserialize(json: string): unknown;
  }

  export class Client {
    constructor(options: {
      nodes: string[];
      maxRetries: number;
      requestTimeout: number;
      Serializer: typeof Serializer;
    });
    transport: {
      request(
        request: {
          method: string;
          path: string;
          querystring?: Record<string, string>;
          body?: object;
          bulkBody?: (object | string)[];
        },
        options: { requestTimeout: number },
      ): Asked;
    };
    close(): Promise<void>;
  }
}
