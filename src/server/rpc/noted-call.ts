import type { AppError } from '#server/errors.ts';
import type { KeptRequest, RequestTexts } from '#server/request-log/request-row.ts';
import { isReplayed, type RequestType } from '#shared/request-kinds.ts';
import type { AnswerList } from '#shared/requests.ts';
import type { Context, UsageScope } from './context.ts';
import { isCounted } from './count-call.ts';
import { keptAnswer } from './kept-answer.ts';
import { cut, isShort, keptInput, wordsOf } from './kept-input.ts';

type Noting = Pick<Context, 'deps' | 'principal' | 'request' | 'noteRequest'>;
/** What was asked and answered. */
type About = Pick<KeptRequest, 'collection' | 'found' | 'toTexts'>;
type Outcome = { output: unknown } | { error: AppError };

const errorCharactersMax = 400;

/**
 * A call that is listed among the requests of its workspace: over REST whatever is counted, of the console's what searches or changes something, since a
 * page asks for much that nobody has asked for. Of whom it is not known before it is over, nothing is listed.
 */
export class NotedCall {
  readonly #ctx: Noting;
  readonly #path: string;
  readonly #kind: CallKind;
  readonly #since = performance.now();
  readonly #collections = new Map<string, { id: number; name: string }>();
  #workspaceId: number | null;
  /** About several workspaces: the members of one are not those of another. */
  #isAcross = false;
  /** Undefined: it was not read. */
  #input: unknown;

  constructor(ctx: Noting, path: string, type: 'query' | 'mutation' | 'subscription') {
    const { principal } = ctx;
    this.#ctx = ctx;
    this.#path = path;
    this.#kind = kindOf(path, type === 'query');
    this.#workspaceId = principal?.kind === 'key' ? principal.workspaceId : null;
  }

  readonly input = (input: unknown): void => {
    this.#input = input;
  };

  about({ workspaceId, collection }: UsageScope): void {
    this.#workspaceId ??= workspaceId;
    this.#isAcross ||= workspaceId !== this.#workspaceId;
    if (collection) this.#collections.set(collection.reference, collection);
  }

  end(outcome: Outcome): void {
    const workspaceId = this.#workspaceId;
    const { isListed, isDeed } = this.#kind;
    if (workspaceId === null || !isListed || !(isDeed || this.#ctx.request.way === 'rest')) return;
    const status = 'error' in outcome ? outcome.error.status : 200;
    const { noteRequest, deps } = this.#ctx;
    const tookMs = performance.now() - this.#since;
    const toRequest = (answered: Pick<KeptRequest, 'status' | 'tookMs'>) =>
      this.#toRequest(outcome, answered);
    if (noteRequest) noteRequest({ workspaceId, status, toRequest });
    else deps.requestLog.note(workspaceId, () => toRequest({ status, tookMs }));
  }

  #toRequest(outcome: Outcome, { status, tookMs }: Pick<KeptRequest, 'status' | 'tookMs'>): KeptRequest {
    const { principal, request } = this.#ctx;
    const { collection, found, toTexts } = this.#isAcross ? acrossWorkspaces(outcome) : this.#told(outcome);
    // Field by field: to spread objects into each other took longer than all the rest.
    return {
      status,
      tookMs,
      requestId: request.requestId,
      operation: this.#path,
      type: this.#kind.type,
      way: request.way === 'rest' ? 'api' : 'console',
      keyId: principal?.kind === 'key' ? principal.keyId : null,
      collection,
      found,
      toTexts,
    };
  }

  #told(outcome: Outcome): About {
    const operation = this.#path;
    const input = this.#input;
    const { isQuery, type } = this.#kind;
    const lists = 'output' in outcome ? keptAnswer(operation, { input, output: outcome.output }) : null;
    const isByKey = this.#ctx.principal?.kind === 'key';
    const [only, another] = this.#collections.values();
    return {
      collection: only && !another ? { id: only.id, name: only.name } : null,
      found: type === 'search' ? foundIn(lists) : null,
      toTexts: textsOf({
        operation,
        isQuery,
        isByKey,
        input,
        lists,
        collections: this.#collections,
        error: 'error' in outcome ? outcome.error : null,
      }),
    };
  }
}

/** Who asks may see all of it, who looks may not: that there was such a call is all that is told. */
function acrossWorkspaces(outcome: Outcome): About {
  const message = 'It was about several workspaces, so no more of it is kept';
  const error = 'error' in outcome ? { code: outcome.error.code, message } : null;
  const texts: RequestTexts = { words: null, input: null, answer: null, error, replay: 'scope' };
  return { collection: null, found: null, toTexts: () => texts };
}

interface Told {
  operation: string;
  isQuery: boolean;
  isByKey: boolean;
  input: unknown;
  collections: ReadonlyMap<string, { id: number; name: string }>;
  lists: AnswerList[] | null;
  error: AppError | null;
}

/** Of what is small by itself the texts are made later; what may hold documents is let go at once. Nothing else of the request stays until then. */
function textsOf(told: Told): () => RequestTexts {
  if (isReplayed(told.operation) && isShort(told.input)) return () => toTexts(told);
  const texts = toTexts(told);
  return () => texts;
}

function toTexts({ operation, isQuery, isByKey, input, collections, lists, error }: Told): RequestTexts {
  const kept = keptInput({ operation, isQuery, isByKey }, input, collections);
  return {
    input: kept.input,
    replay: kept.replay,
    words: wordsOf(operation, input),
    error: error && errorOf(error),
    answer: lists,
  };
}

function errorOf({ code, message }: AppError): { code: string; message: string } {
  return { code, message: cut(message, errorCharactersMax) };
}

/** Of all searches of the request. */
function foundIn(lists: AnswerList[] | null): number | null {
  if (lists === null || lists.every(({ found }) => found === null)) return null;
  return lists.reduce((sum, { found }) => sum + (found ?? 0), 0);
}

const searches = new Set([
  'search.keyword',
  'search.vector',
  'search.hybrid',
  'search.similar',
  'search.multi',
  'search.suggest',
  'chat.ask',
]);

interface CallKind {
  isQuery: boolean;
  type: RequestType;
  isListed: boolean;
  isDeed: boolean;
}

/** There are as many as procedures. */
const kinds = new Map<string, CallKind>();

function kindOf(path: string, isQuery: boolean): CallKind {
  const known = kinds.get(path);
  if (known) return known;
  const type = typeOf(path, isQuery);
  const kind = { isQuery, type, isListed: isCounted(path), isDeed: isDeed(path, type) };
  kinds.set(path, kind);
  return kind;
}

function typeOf(path: string, isQuery: boolean): RequestType {
  if (searches.has(path)) return 'search';
  if (isQuery) return 'read';
  const verb = path.slice(path.indexOf('.') + 1);
  if (verb.startsWith('delete')) return 'delete';
  return /^(create|import|load|write|put|upsert|record)/.test(verb) ? 'insert' : 'update';
}

/** Words are completed while somebody types; what is then searched for is listed. */
function isDeed(path: string, type: RequestType): boolean {
  return type !== 'read' && path !== 'search.suggest';
}
