import { type PlaygroundTab, playgroundTabs } from '#shared/playground.ts';

/** As much of JSON Schema as the API's description uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  description?: string;
  default?: unknown;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: Schema;
  example?: unknown;
}

interface DescribedOperation {
  operationId: string;
  summary: string;
  description: string;
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown } | undefined> };
  'x-playground'?: PlaygroundTab;
}

/** Of `/api/openapi.json`, what the playground is made from. */
export interface ApiDescription {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, Schema> };
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Endpoint {
  id: string;
  tab: PlaygroundTab;
  name: string;
  description: string;
  method: Method;
  /** `/api/collections/{name}/search` */
  path: string;
  needsCollection: boolean;
  parameters: Parameter[];
  body: { schema: Schema; example: unknown } | null;
}

/** Those of the playground, by tab and path, in the description's order. */
export function readEndpoints({ paths }: ApiDescription): Endpoint[] {
  const all = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => toEndpoint(path, method, operation) ?? []),
  );
  return playgroundTabs.flatMap((tab) => all.filter((endpoint) => endpoint.tab === tab));
}

function toEndpoint(path: string, method: string, operation: DescribedOperation): Endpoint | null {
  const { operationId, 'x-playground': tab, summary, description, parameters, requestBody } = operation;
  if (tab === undefined) return null;
  const json = requestBody?.content['application/json'];
  return {
    id: operationId,
    tab,
    name: summary,
    // Who may call it stands in a paragraph of its own.
    description: description.split('\n\n')[0] ?? '',
    method: method.toUpperCase() as Method,
    path,
    needsCollection: path.startsWith('/api/collections/{name}'),
    parameters,
    body: json ? { schema: json.schema, example: json.example } : null,
  };
}

/** The endpoint that makes the thing another one asks for by its id: the POST to the list it stands in. */
export function makerOf({ path, id }: Endpoint, endpoints: Endpoint[]): Endpoint | null {
  const list = /^(.+)\/\{\w+\}$/.exec(path)?.[1];
  const maker = endpoints.find((one) => one.method === 'POST' && one.path === list);
  return maker && maker.id !== id ? maker : null;
}
