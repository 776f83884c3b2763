import { OpenAiService } from '#server/embeddings/openai/openai-service.ts';
import { createLog } from '#server/log.ts';
import { startReceiver } from './webhook-receiver.ts';

interface Asked {
  input: string[];
  model: string;
  dimensions?: number;
  encoding_format?: string;
}

type Answering = Parameters<Awaited<ReturnType<typeof startReceiver>>['answer']>[0];
type Response = Parameters<Answering>[0];
/** What becomes of one request. */
export type Misbehaviour = (response: Response, asked: Asked) => void;

/** Words are places: texts with the same words are near each other. */
export function embeddingOf(text: string, dimension: number): number[] {
  const vector = new Array<number>(dimension).fill(0);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    let hash = 7;
    for (const letter of word) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
    const place = hash % dimension;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}

export const json = (response: Response, body: unknown, status = 200) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

export const status =
  (code: number, headers: Record<string, string> = {}, body: unknown = {}): Misbehaviour =>
  (response) => {
    response.writeHead(code, headers).end(JSON.stringify(body));
  };

/** As it should be. */
export const well: Misbehaviour = (response, { input, dimensions = 8 }) => {
  json(response, { data: input.map((text, index) => ({ index, embedding: embeddingOf(text, dimensions) })) });
};

/** A real HTTP server that speaks OpenAI's embeddings: requests are answered by what was planned for them, in order, then by the last. */
export async function startEmbeddingServer() {
  const receiver = await startReceiver();
  const asked: (Asked & { authorization: string | undefined; path: string })[] = [];
  let plan: Misbehaviour[] = [well];
  receiver.answer((response, message) => {
    const { headers, path } = message;
    const body: Asked = JSON.parse(message.body);
    asked.push({ ...body, authorization: headers.authorization, path });
    const [next = well] = plan;
    if (plan.length > 1) plan = plan.slice(1);
    next(response, body);
  });
  return {
    url: `${receiver.url}/v1`,
    port: receiver.port,
    asked,
    /** What becomes of the next requests; the last of them of all further ones. */
    plan(...given: Misbehaviour[]) {
      plan = given;
    },
    close: () => receiver.close(),
  };
}
export type EmbeddingServer = Awaited<ReturnType<typeof startEmbeddingServer>>;

type ServiceOptions = ConstructorParameters<typeof OpenAiService>[0];

/** A service at this server, whose tries follow upon one another without a wait. */
export function openService(
  { url }: Pick<EmbeddingServer, 'url'>,
  given: Partial<ServiceOptions> = {},
): OpenAiService {
  return new OpenAiService({
    url,
    apiKey: null,
    model: 'm',
    dimensions: null,
    timeoutMs: 10_000,
    mayBePrivate: true,
    log: createLog('silent'),
    wait: async () => undefined,
    ...given,
  });
}
