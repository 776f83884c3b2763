/** The REST operations that the console calls or shows. A test finds each in the catalogue, so that none is shown that does not exist. */
export const restAddresses = [
  'GET /api/collections/{name}/hybrid-search',
  'POST /api/collections/{name}/search',
  'POST /api/collections/{name}/vector-search',
  'POST /api/collections/{name}/hybrid-search',
  'POST /api/collections/{name}/documents/import',
  'POST /api/collections/{name}/events',
  'GET /api/collections/{name}/documents/export',
  'POST /api/multi-search',
  'POST /api/chat',
] as const;
type Address = (typeof restAddresses)[number];

type MethodOf<A extends string> = A extends `${infer Method} ${string}` ? Method : never;
type ParameterOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterOf<Rest>
  : never;

/** `{name}` of the address is the parameter `name`, encoded. */
export function restCall<A extends Address>(
  address: A,
  parameters: Record<ParameterOf<A>, string | number>,
): { method: MethodOf<A>; path: string } {
  const [method, template = ''] = address.split(' ');
  const values = new Map<string, unknown>(Object.entries(parameters));
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values.get(name))),
  );
  return { method: method as MethodOf<A>, path };
}
