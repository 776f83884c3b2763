/** Requests of this tab, by the ids that their answers bore: what they changed was seen to when they were answered. */
const rememberedMax = 200;
const ids = new Set<string>();

export function noteOwnRequest(answer: Response): void {
  const id = answer.headers.get('X-Request-Id');
  if (id === null) return;
  ids.add(id);
  const [oldest] = ids;
  if (ids.size > rememberedMax && oldest !== undefined) ids.delete(oldest);
}

export function isOwnRequest(id: string | null): boolean {
  return id !== null && ids.has(id);
}
