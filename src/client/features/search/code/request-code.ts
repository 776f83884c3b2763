import { type CurlRequest, curlCommand } from '#client/lib/curl-command.ts';

/** A request with a JSON body. */
type JsonRequest = Pick<CurlRequest, 'method' | 'url' | 'body'> & { headers: Record<string, string> };

export type Language = 'curl' | 'fetch' | 'python';

/** Code that sends the request and prints the answer, with nothing to install; it runs as it is pasted. */
export function requestCode(language: Language, request: JsonRequest): string {
  switch (language) {
    case 'curl':
      return curlCommand(request);
    case 'fetch':
      return fetchCode(request);
    case 'python':
      return pythonCode(request);
  }
}

function fetchCode({ method, url, headers, body }: JsonRequest): string {
  return `const response = await fetch(${JSON.stringify(url)}, {
  method: ${JSON.stringify(method)},
  headers: ${indented({ ...headers, 'Content-Type': 'application/json' }, 2)},
  body: JSON.stringify(${indented(body, 2)}),
});
if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);
console.log(JSON.stringify(await response.json(), null, 2));
`;
}

function indented(value: unknown, by: number): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(by)}`);
}

function pythonCode({ method, url, headers, body }: JsonRequest): string {
  return `import json
import urllib.request

request = urllib.request.Request(
    ${JSON.stringify(url)},
    method=${JSON.stringify(method)},
    headers=${pythonLiteral({ ...headers, 'Content-Type': 'application/json' })},
    data=json.dumps(${pythonLiteral(body)}).encode(),
)
with urllib.request.urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2))
`;
}

/** What JSON and Python write the same stays as JSON writes it. */
function pythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}: ${pythonLiteral(one)}`).join(', ')}}`;
}
