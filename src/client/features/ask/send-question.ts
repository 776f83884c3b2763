import { createParser } from 'eventsource-parser';
import { isRecord, parseJson } from '#client/lib/json.ts';
import { noteFailure } from '#client/lib/reachability.ts';
import { bringSessionBack } from '#client/lib/session-keeper.ts';
import type { ChatEvent, ChatModel } from '#shared/chat.ts';
import type { ErrorDetail } from '#shared/errors.ts';
import { restCall } from '#shared/rest-addresses.ts';

interface QuestionToSend {
  message: string;
  /** Ids, all of one project. */
  collections: number[];
  model: ChatModel;
  /** Null: a new conversation is begun. */
  conversationId: number | null;
}

/** The server's refusal, before the answer or in the middle of it. */
export class AskError extends Error {
  override readonly name = 'AskError';
  readonly code: string | null;
  readonly requestId: string | null;
  readonly details: ErrorDetail[];

  constructor(body: unknown, status: number | null) {
    const said = isRecord(body) ? body : {};
    const words = typeof said['message'] === 'string' ? said['message'] : null;
    super(words ?? `The server cannot be reached (${status ?? 'no answer'}). Try again.`);
    this.code = typeof said['code'] === 'string' ? said['code'] : null;
    this.requestId = typeof said['requestId'] === 'string' ? said['requestId'] : null;
    this.details = Array.isArray(said['details']) ? (said['details'] as ErrorDetail[]) : [];
  }
}

const unreachable = 'The server cannot be reached. Check your connection and try again.';
const brokenOff = 'The connection broke off before the answer was whole.';

/**
 * Asks, and yields the answer as it is made: `done` is the last event of an answer that is whole.
 * @throws AskError · Error with a sentence for a connection that is not there or breaks off · the signal's reason
 */
export async function* sendQuestion(
  question: QuestionToSend,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  const { body } = await request(question, signal);
  if (!body) throw new Error(brokenOff);
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let events: ChatEvent[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => void events.push({ event, data: parseJson(data) } as ChatEvent),
  });
  for (;;) {
    const piece = await reader.read().catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new Error(brokenOff, { cause });
    });
    if (piece.done) throw new Error(brokenOff);
    parser.feed(decoder.decode(piece.value, { stream: true }));
    for (const event of events) {
      if (event.event === 'error') throw new AskError(event.data, null);
      yield event;
      if (event.event === 'done') return;
    }
    events = [];
  }
}

/** A session that has ended meanwhile is waited for, and the question sent once more. */
async function request(question: QuestionToSend, signal: AbortSignal): Promise<Response> {
  const answer = await post(question, signal);
  if (answer.ok) return answer;
  const again = answer.status === 401 && (await bringSessionBack()) ? await post(question, signal) : answer;
  if (again.ok) return again;
  throw new AskError(parseJson(await again.text()), again.status);
}

async function post({ conversationId, ...rest }: QuestionToSend, signal: AbortSignal): Promise<Response> {
  const { method, path } = restCall('POST /api/chat', {});
  const body = { ...rest, collections: rest.collections.map(String), conversation_id: conversationId };
  try {
    return await fetch(path, {
      method,
      credentials: 'include',
      headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
      body: JSON.stringify(body),
      signal,
    });
  } catch (cause) {
    signal.throwIfAborted();
    noteFailure(cause);
    throw new Error(unreachable, { cause });
  }
}
