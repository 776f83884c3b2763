import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { trpc } from '../trpc.ts';
import { applyChanges } from './apply-changes.ts';
import { setLiveState } from './live-state.ts';
import { livePosition, setLivePosition } from './position.ts';
import { sessionCheck } from './session-check.ts';
import { shareLive } from './share-live.ts';

/**
 * While somebody is signed in, what changes elsewhere is fetched anew where it is shown, and the end of the session is noticed. A session that has
 * lapsed goes on from where it was.
 */
export function useLive(userId: number | null, isLapsed: boolean): void {
  const queryClient = useQueryClient();
  const { client } = trpc.useUtils();
  const [restarts, setRestarts] = useState(0);
  useEffect(() => {
    if (userId !== null) return () => setLivePosition(null);
  }, [userId]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each restart opens a stream
  useEffect(() => {
    if (userId === null || isLapsed) return;
    const applied = applyChanges(queryClient);
    const session = sessionCheck({ queryClient, client, onStillThere: () => setRestarts((n) => n + 1) });
    const leave = shareLive({
      position: livePosition,
      onMessage(message) {
        setLivePosition(message.position);
        setLiveState(true);
        applied.take(message);
      },
      onBreak() {
        setLiveState(false);
        session.onBreak();
      },
      onEnd: session.onEnd,
    });
    return () => {
      leave();
      applied.stop();
      session.stop();
    };
  }, [userId, isLapsed, queryClient, client, restarts]);
}
