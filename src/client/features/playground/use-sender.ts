import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { invalidate } from '#client/lib/invalidate.ts';
import { toast } from '#client/lib/toast.ts';
import type { Noun } from '#client/lib/trpc.ts';
import { useRevealKey } from '#client/lib/use-reveal-key.ts';
import type { ApiKey } from '#shared/api-keys.ts';
import type { Endpoint } from './endpoints.ts';
import type { Draft } from './fit-request.ts';
import type { SentRequest } from './history.ts';
import { requestPath } from './request-path.ts';
import { type ApiRequest, type ApiResponse, sendRequest } from './send-request.ts';

export interface Answered {
  endpoint: Endpoint;
  request: ApiRequest;
  response: ApiResponse;
}

interface Sender {
  apiKey: ApiKey | null;
  collectionId: number | null;
  onSent: (sent: SentRequest) => void;
  onAnswered: (answered: Answered) => void;
}

/** Sends one request at a time with the chosen key, whose value lives in memory only, as long as the page does. */
export function useSender({ apiKey, collectionId, onSent, onAnswered }: Sender) {
  const queryClient = useQueryClient();
  const { reveal } = useRevealKey();
  const values = useRef(new Map<number, string>());
  const [running, setRunning] = useState<{ endpoint: string; controller: AbortController } | null>(null);
  const [answered, setAnswered] = useState<Answered | null>(null);
  const controller = running?.controller;
  useEffect(() => () => controller?.abort(), [controller]);

  /** Null where it was said why. */
  const keyValue = async (): Promise<string | null> => {
    if (!apiKey) {
      toast({
        title: 'API Key Required',
        description: 'Please select an API key to authenticate your request.',
        kind: 'error',
      });
      return null;
    }
    const value = values.current.get(apiKey.id) ?? (await reveal(apiKey.id));
    if (value !== null) values.current.set(apiKey.id, value);
    return value;
  };

  const send = async (endpoint: Endpoint, draft: Draft): Promise<void> => {
    const path = requestPath(draft.url);
    if (running || path === null) return;
    if (draft.body !== null && !isJson(draft.body)) {
      toast({ title: 'Invalid JSON', description: 'Please check your request body format', kind: 'error' });
      return;
    }
    const own = new AbortController();
    setRunning({ endpoint: endpoint.id, controller: own });
    try {
      const key = await keyValue();
      if (key === null || !apiKey) return;
      const request = { method: endpoint.method, path, body: draft.body };
      const response = await sendRequest(request, key, own.signal);
      // It may have been rotated meanwhile.
      if (response.status === 401) values.current.delete(apiKey.id);
      const { status, timeMs } = response;
      const about = { endpoint: endpoint.id, collection: collectionId, keyName: apiKey.name };
      onSent({ ...request, ...about, status, timeMs, atMs: Date.now() });
      setAnswered({ endpoint, request, response });
      onAnswered({ endpoint, request, response });
      if (endpoint.method !== 'GET') await invalidate(queryClient, nounOf(endpoint));
    } catch (error) {
      if (!own.signal.aborted) throw error;
    } finally {
      setRunning(null);
    }
  };
  return { send, running: running?.endpoint ?? null, cancel: () => controller?.abort(), answered, keyValue };
}

/** What of the cache it may have changed. */
function nounOf({ tab }: Endpoint): Noun {
  return tab.toLowerCase() as Lowercase<typeof tab>;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // The caller says so.
  }
}
