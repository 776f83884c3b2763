import type { ChatEvent } from '#shared/chat.ts';

/** The events of a whole `text/event-stream`. */
export function eventsIn(text: string): ChatEvent[] {
  const parts = text.split('\n\n');
  if (parts.pop() !== '') throw new Error(`the stream ends amid an event: ${text.slice(-100)}`);
  return parts.map((part) => {
    const [first = '', second = '', ...others] = part.split('\n');
    if (!first.startsWith('event: ') || !second.startsWith('data: ') || others.length > 0)
      throw new Error(`this is no event: ${part}`);
    return { event: first.slice(7), data: JSON.parse(second.slice(6)) } as ChatEvent;
  });
}
