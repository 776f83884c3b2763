/** What emails and usernames are compared by: however they are composed, and in whatever case. */
export function identityKey(text: string): string {
  return text.trim().normalize('NFKC').toLowerCase();
}
