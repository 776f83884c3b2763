import { Skeleton, Tabs } from '@mantine/core';
import { useRef, useState } from 'react';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { copyText } from '#client/lib/copy-text.ts';
import { curlCommand } from '#client/lib/curl-command.ts';
import { keyPlaceholder } from '#client/lib/snippet-key.ts';
import { playgroundTabs } from '#shared/playground.ts';
import { type Deleted, deletedId, nextDeleted } from './deleted.ts';
import { EndpointCard } from './endpoint-card.tsx';
import { type Endpoint, makerOf, type Schema } from './endpoints.ts';
import { type Draft, fitRequest } from './fit-request.ts';
import { clearHistory, readHistory, remember, type SentRequest } from './history.ts';
import classes from './playground.module.css';
import type { ChangePlayground, PlaygroundState } from './playground-state.ts';
import { RequestForm } from './request-form.tsx';
import { requestPath } from './request-path.ts';
import { HistoryList } from './response/history-list.tsx';
import { ResponsePanel } from './response/response-panel.tsx';
import { isSuccess } from './send-request.ts';
import type { Place } from './use-place.ts';
import { type Answered, useSender } from './use-sender.ts';
import { useUndoableDeletion } from './use-undoable-deletion.ts';

interface EndpointTabsProps {
  endpoints: Endpoint[];
  schemas: Record<string, Schema>;
  place: Place;
  state: PlaygroundState;
  onChange: ChangePlayground;
}

/** The endpoints by tab, one of them open, and beside them what was answered. */
export function EndpointTabs({ endpoints, schemas, place, state, onChange }: EndpointTabsProps) {
  const { apiKey, collection } = place;
  const open = endpoints.find(({ id }) => id === state.endpoint) ?? endpoints[0];
  const { history, note, clear } = useHistory();
  const drafts = useDrafts();
  const side = useRef<HTMLDivElement>(null);
  const offerUndo = useUndoableDeletion();
  const [deleted, setDeleted] = useState<Deleted>([]);
  const sender = useSender({
    apiKey,
    collectionId: collection?.id ?? null,
    onSent: note,
    onAnswered: (answered) => {
      side.current?.scrollIntoView({ block: 'nearest' });
      offerUndo(answered);
      setDeleted((before) => nextDeleted(before, answered));
      if (isDeletion(answered) || (hasNoVectors(place) && isOfDocuments(answered))) place.readSampleAgain();
      // The chosen collection said which project it is; without it the selectors would go to another.
      if (isSuccess(answered.response.status) && answered.endpoint.id === 'collections.delete')
        place.selectProject(place.project?.id ?? null);
    },
  });
  const copyCurl = async ({ method }: Endpoint, { url, body }: Draft) => {
    const key = apiKey ? await sender.keyValue() : keyPlaceholder;
    if (key === null) return;
    const command = curlCommand({
      method,
      url: `${window.location.origin}${requestPath(url) ?? ''}`,
      headers: { 'X-API-Key': key },
      ...(body !== null && { json: body }),
    });
    await copyText(
      command,
      apiKey ? `It uses the key “${apiKey.name}”.` : `Put a key in place of ${keyPlaceholder}.`,
    );
  };
  const noticeOf = (url: string, endpoint: Endpoint) => {
    if (isComparing(endpoint) && hasNoVectors(place)) return noVectors;
    const id = endpoint.method === 'PUT' ? null : deletedId(deleted, requestPath(url) ?? '');
    return id === null ? null : deletedText(id, makerOf(endpoint, endpoints));
  };
  const bringBack = (sent: SentRequest) => {
    const endpoint = endpoints.find(({ id }) => id === sent.endpoint);
    if (!endpoint) return;
    drafts.put(endpoint.id, sent.collection, {
      url: sent.path,
      body: sent.body ?? (endpoint.body ? '' : null),
    });
    onChange({ endpoint: endpoint.id, ...(sent.collection !== null && { collection: sent.collection }) });
  };
  return (
    <Tabs
      value={open?.tab ?? null}
      keepMounted={false}
      onChange={(tab) => onChange({ endpoint: endpoints.find((one) => one.tab === tab)?.id ?? '' })}
    >
      <Tabs.List>
        {playgroundTabs.map((tab) => (
          <Tabs.Tab key={tab} value={tab}>
            {tab}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <div className={classes['columns']}>
        {playgroundTabs.map((tab) => (
          <Tabs.Panel key={tab} value={tab} pt="md" className={classes['cards'] ?? ''}>
            {endpoints
              .filter((endpoint) => endpoint.tab === tab)
              .map((endpoint) => {
                const isDisabled = endpoint.needsCollection && collection === null;
                return (
                  <EndpointCard
                    key={endpoint.id}
                    endpoint={endpoint}
                    isOpen={endpoint.id === open?.id}
                    isNamed={endpoint.id === state.endpoint}
                    isDisabled={isDisabled}
                    onOpen={() => onChange({ endpoint: endpoint.id })}
                  >
                    {place.isSampleSettled ? (
                      <RequestForm
                        key={`${collection?.id} ${drafts.generation}`}
                        endpoint={endpoint}
                        fitted={fitRequest(endpoint, {
                          projectId: place.project?.id ?? null,
                          collection,
                          sample: place.sample,
                          names: place.collections.map(({ name }) => name),
                        })}
                        kept={drafts.get(endpoint.id, collection?.id ?? null)}
                        schemas={schemas}
                        fields={place.sample?.fields.map(({ path }) => path) ?? []}
                        isDisabled={isDisabled}
                        noticeOf={(url) => noticeOf(url, endpoint)}
                        isRunning={sender.running === endpoint.id}
                        isBusy={sender.running !== null}
                        onKeep={(draft) => drafts.keep(endpoint.id, collection?.id ?? null, draft)}
                        onSend={(draft) => void sender.send(endpoint, draft)}
                        onCancel={sender.cancel}
                        onCopyCurl={(draft) => void copyCurl(endpoint, draft)}
                      />
                    ) : (
                      <Skeleton height="12rem" />
                    )}
                  </EndpointCard>
                );
              })}
          </Tabs.Panel>
        ))}
        <div ref={side} className={classes['side']}>
          <ResponsePanel
            answered={sender.answered}
            isRunning={sender.running !== null}
            hint={hintFor(sender.answered, { endpoints, deleted })}
            historyCount={history.length}
            history={<HistoryList history={history} onOpen={bringBack} onClear={clear} />}
          />
        </div>
      </div>
    </Tabs>
  );
}

function useHistory() {
  const userId = useAuth().user?.id ?? 0;
  const [history, setHistory] = useState(() => readHistory(userId));
  return {
    history,
    note: (sent: SentRequest) => setHistory((before) => remember(userId, before, sent)),
    clear: () => {
      clearHistory(userId);
      setHistory([]);
    },
  };
}

/** What was typed, by endpoint and collection, as long as the page lives. `generation` counts those that came from elsewhere. */
function useDrafts() {
  const kept = useRef(new Map<string, Draft>());
  const [generation, setGeneration] = useState(0);
  const nameOf = (endpoint: string, collection: number | null) => `${endpoint} ${collection}`;
  const keep = (endpoint: string, collection: number | null, draft: Draft | undefined) => {
    if (draft) kept.current.set(nameOf(endpoint, collection), draft);
    else kept.current.delete(nameOf(endpoint, collection));
  };
  return {
    generation,
    keep,
    get: (endpoint: string, collection: number | null) => kept.current.get(nameOf(endpoint, collection)),
    put: (endpoint: string, collection: number | null, draft: Draft) => {
      keep(endpoint, collection, draft);
      setGeneration(generation + 1);
    },
  };
}

function hasNoVectors({ sample }: Place): boolean {
  return sample !== null && sample.documents.length > 0 && sample.comparableId === null;
}

/** One that may be there now. */
function isOfDocuments({ endpoint, response }: Answered): boolean {
  return endpoint.tab === 'Documents' && isSuccess(response.status);
}

function isComparing({ path }: Endpoint): boolean {
  return path.endsWith('/similar');
}

const noVectors =
  'No document of this collection has a vector to compare: there is no text in them, they wait for theirs, or none was sent with them. “Add a document” with a text, or with an “embedding”, makes one.';

function isDeletion({ endpoint, response }: Answered): boolean {
  return endpoint.id === 'documents.delete' && isSuccess(response.status);
}

function deletedText(id: string, maker: Endpoint | null): string {
  const again = maker ? ` “${maker.name}” can make it again, or write another id.` : '';
  return `“${id}” was deleted by a request from this page.${again}`;
}

/** What is missing is often what the endpoint above would have made. */
function hintFor(
  answered: Answered | null,
  { endpoints, deleted }: { endpoints: Endpoint[]; deleted: Deleted },
): string | null {
  if (answered?.response.status !== 404) return null;
  const maker = makerOf(answered.endpoint, endpoints);
  const id = deletedId(deleted, answered.request.path);
  if (id !== null) return deletedText(id, maker);
  return maker ? `“${maker.name}” makes one with this id: execute it first, or write another id.` : null;
}
