import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { applyChanges } from './apply-changes.ts';
import { livePosition, setLivePosition } from './position.ts';
import { shareLive } from './share-live.ts';

/** While somebody is signed in, what changes elsewhere is fetched anew where it is shown. */
export function useLive(userId: number | null): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (userId === null) return;
    const applied = applyChanges(queryClient);
    const leave = shareLive({
      position: livePosition,
      onMessage(message) {
        setLivePosition(message.position);
        applied.take(message);
      },
    });
    return () => {
      leave();
      applied.stop();
      setLivePosition(null);
    };
  }, [userId, queryClient]);
}
