import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { applyChanges } from './apply-changes.ts';
import { setLiveState } from './live-state.ts';
import { livePosition, setLivePosition } from './position.ts';
import { shareLive } from './share-live.ts';

/** While somebody is signed in, what changes elsewhere is fetched anew where it is shown. A session that has lapsed goes on from where it was. */
export function useLive(userId: number | null, isLapsed: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (userId !== null) return () => setLivePosition(null);
  }, [userId]);
  useEffect(() => {
    if (userId === null || isLapsed) return;
    const applied = applyChanges(queryClient);
    const leave = shareLive({
      position: livePosition,
      onMessage(message) {
        setLivePosition(message.position);
        setLiveState(true);
        applied.take(message);
      },
      onBreak: () => setLiveState(false),
    });
    return () => {
      leave();
      applied.stop();
    };
  }, [userId, isLapsed, queryClient]);
}
