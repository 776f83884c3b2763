import type { Conversation } from '#shared/chat.ts';

interface ConversationGroup {
  label: string;
  conversations: Conversation[];
}

const dayMs = 24 * 60 * 60_000;

/** By the reader's days, the last one first. `now`: milliseconds since 1970. */
export function groupConversations(conversations: Conversation[], now: number): ConversationGroup[] {
  const today = new Date(now).setHours(0, 0, 0, 0);
  const labelOf = ({ updatedAt }: Conversation) => {
    const at = Date.parse(updatedAt);
    if (at >= today) return 'Today';
    // A day may have 23 hours.
    if (at >= new Date(today - dayMs / 2).setHours(0, 0, 0, 0)) return 'Yesterday';
    return at >= today - 6 * dayMs ? 'Last 7 days' : 'Earlier';
  };
  const groups = new Map<string, Conversation[]>();
  for (const each of conversations) groups.set(labelOf(each), [...(groups.get(labelOf(each)) ?? []), each]);
  return [...groups].map(([label, rows]) => ({ label, conversations: rows }));
}
