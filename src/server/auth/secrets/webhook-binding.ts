/** What a webhook's sealed secret is bound to. */
export function webhookBinding(workspaceId: number, webhookId: number): string {
  return `webhook:${workspaceId}:${webhookId}`;
}
