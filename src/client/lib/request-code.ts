import { type CurlRequest, curlCommand } from './curl-command.ts';

/** A request with a JSON body, another text, or none. */
type CodedRequest = Pick<CurlRequest, 'method' | 'url' | 'body' | 'text'> & {
  headers: Record<string, string>;
};

export type Language = 'curl' | 'fetch' | 'python';

/** Code that sends the request and prints the answer, with nothing to install; it runs as it is pasted. */
export function requestCode(language: Language, request: CodedRequest): string {
  switch (language) {
    case 'curl':
      return curlCommand(request);
    case 'fetch':
      return fetchCode(request);
    case 'python':
      return pythonCode(request);
  }
}

/** What is asked for with an `Accept` of its own is no single JSON value. */
const isJsonAnswer = ({ headers }: CodedRequest) => !('Accept' in headers);

function headersOf({ headers, body }: CodedRequest): Record<string, string> {
  return body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' };
}

function fetchCode(request: CodedRequest): string {
  const { method, url, body, text } = request;
  const options = [
    ...(method === 'GET' ? [] : [`method: ${JSON.stringify(method)},`]),
    `headers: ${indented(headersOf(request), 2)},`,
    ...(body === undefined ? [] : [`body: JSON.stringify(${indented(body, 2)}),`]),
    ...(text === undefined ? [] : [`body: ${JSON.stringify(text)},`]),
  ];
  const answer = isJsonAnswer(request)
    ? 'JSON.stringify(await response.json(), null, 2)'
    : 'await response.text()';
  return `const response = await fetch(${JSON.stringify(url)}, {
  ${options.join('\n  ')}
});
if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);
console.log(${answer});
`;
}

function indented(value: unknown, by: number): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(by)}`);
}

function pythonCode(request: CodedRequest): string {
  const { method, url, body, text } = request;
  const isJson = isJsonAnswer(request);
  const options = [
    JSON.stringify(url),
    ...(method === 'GET' ? [] : [`method=${JSON.stringify(method)}`]),
    `headers=${pythonLiteral(headersOf(request))}`,
    ...(body === undefined ? [] : [`data=json.dumps(${pythonLiteral(body)}).encode()`]),
    ...(text === undefined ? [] : [`data=${JSON.stringify(text)}.encode()`]),
  ];
  const answer = isJson ? 'json.dumps(json.load(response), indent=2)' : 'response.read().decode()';
  return `${isJson || body !== undefined ? 'import json\n' : ''}import urllib.request

request = urllib.request.Request(
${options.map((option) => `    ${option},`).join('\n')}
)
with urllib.request.urlopen(request) as response:
    print(${answer})
`;
}

const lineCharactersMax = 72;

/** What JSON and Python write the same stays as JSON writes it; what is long goes over lines, `by` blanks further in. */
function pythonLiteral(value: unknown, by = 4): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const parts = (inner: number) =>
    Array.isArray(value)
      ? value.map((one) => pythonLiteral(one, inner))
      : Object.entries(value)
          .filter(([, one]) => one !== undefined)
          .map(([key, one]) => `${JSON.stringify(key)}: ${pythonLiteral(one, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const line = `${open}${parts(by).join(', ')}${close}`;
  if (line.length <= lineCharactersMax && !line.includes('\n')) return line;
  const margin = ' '.repeat(by);
  return `${open}\n${parts(by + 4)
    .map((part) => `${margin}    ${part},\n`)
    .join('')}${margin}${close}`;
}
