/** Where signed-in users hear of changes, as server-sent events. */
export const livePath = '/api/live';

/** Carries, on every answer to the console, the place in the log of changes from before the answer was read. */
export const livePositionHeader = 'Live-Position';

/**
 * The events of the stream. `ready`: from here on nothing is missed; `change`: a `LiveChange`; `reset`: some changes cannot be told, so all that is
 * shown may be out of date; `end`: the session is over. Each but `end` carries its position as its id.
 */
export const liveEvents = ['ready', 'change', 'reset', 'end'] as const;
export type LiveEventKind = (typeof liveEvents)[number];

/** Requests to a workspace, which are told of without being kept: whoever begins to listen asks for them once. */
export const requestsNoun = 'requests';

/** That something in a workspace is not as it was; what it is now is asked for. */
export interface LiveChange {
  workspaceId: number;
  /** What was changed, as the procedures group it: `projects`, `collections`, `documents`. */
  noun: string;
  /** Of the thing; of documents, that of their collection. Null: of several, or it has none. */
  id: number | null;
  /** Of the request that did it; null: not of one. */
  requestId: string | null;
}
