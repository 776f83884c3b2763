import { badRequest } from '#server/errors.ts';
import { type Endpoint, type EndpointName, endpoints } from '#shared/endpoints.ts';

/**
 * Finds the operation of a request by its raw path. The path is cut into segments before anything is decoded, so that an id may hold
 * `/`, `%`, `?` or `..`; a segment of ours (`documents`, `import`) is matched as written, so `%65xport` is the id "export".
 */
export interface RestMatch {
  name: EndpointName;
  endpoint: Endpoint;
  /** Decoded path parameters. */
  parameters: Record<string, string>;
}

export type Matched =
  | { kind: 'found'; match: RestMatch }
  | { kind: 'wrong method'; allow: string[]; paths: Endpoint[] }
  | { kind: 'unknown' };

interface Pattern {
  name: EndpointName;
  endpoint: Endpoint;
  segments: string[];
  parameterCount: number;
}

const patterns: Pattern[] = (Object.entries(endpoints) as [EndpointName, Endpoint][])
  .map(([name, endpoint]) => {
    const segments = endpoint.path.split('/');
    return { name, endpoint, segments, parameterCount: segments.filter(isParameter).length };
  })
  // `documents/export` before `documents/{docId}`.
  .sort((a, b) => a.parameterCount - b.parameterCount);

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}

export function matchRest(method: string, rawPath: string): Matched {
  const segments = rawPath.split('/');
  const fitting = patterns.filter((pattern) => fits(pattern, segments));
  if (fitting.length === 0) return { kind: 'unknown' };
  const found = fitting.find((pattern) => pattern.endpoint.method === (method === 'HEAD' ? 'GET' : method));
  if (found) return { kind: 'found', match: { ...found, parameters: readParameters(found, segments) } };
  const methods = new Set(fitting.map((pattern) => pattern.endpoint.method as string));
  if (methods.has('GET')) methods.add('HEAD');
  return {
    kind: 'wrong method',
    allow: [...methods, 'OPTIONS'].sort(),
    paths: fitting.map((pattern) => pattern.endpoint),
  };
}

function fits(pattern: Pattern, segments: string[]): boolean {
  if (pattern.segments.length !== segments.length) return false;
  return pattern.segments.every((own, index) =>
    isParameter(own) ? segments[index] !== '' : own === segments[index],
  );
}

function readParameters(pattern: Pattern, segments: string[]): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [index, own] of pattern.segments.entries()) {
    if (isParameter(own))
      parameters[own.slice(1, -1)] = decodeSegment(own.slice(1, -1), segments[index] ?? '');
  }
  return parameters;
}

function decodeSegment(name: string, segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badRequest(name, 'is not valid URL encoding');
  }
}
