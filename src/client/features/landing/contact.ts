/** Whom visitors may write to, as the server's page names it (`CONTACT_EMAIL`); null: nobody. */
export function findContact(): string | null {
  const said = document.querySelector<HTMLMetaElement>('meta[name="contact-email"]')?.content ?? '';
  return said.includes('@') ? said : null;
}

/** A letter to them, begun. */
export function letterTo(contact: string, subject: string): string {
  return `mailto:${contact}?${new URLSearchParams({ subject }).toString().replaceAll('+', '%20')}`;
}
