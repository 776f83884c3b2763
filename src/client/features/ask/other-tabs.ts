import { useEffect } from 'react';
import { trpc } from '#client/lib/trpc.ts';

/** Conversations are seen by one reader alone, so the stream of changes does not tell of them: this browser's tabs tell one another. */
const channelName = 'conversations';
const thisTab = crypto.randomUUID();

/** That something was asked, renamed, deleted or restored here. */
export function tellOtherTabs(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(thisTab);
  channel.close();
}

/** What is on screen and was changed in another tab is fetched anew. */
export function useOtherTabs(): void {
  const utils = trpc.useUtils();
  useEffect(() => {
    const channel = new BroadcastChannel(channelName);
    channel.onmessage = ({ data: tab }: MessageEvent<unknown>) => {
      if (tab !== thisTab) void utils.conversations.invalidate();
    };
    return () => channel.close();
  }, [utils]);
}
