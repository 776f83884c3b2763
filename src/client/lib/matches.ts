/** Whether the name or the description contains what is looked for, whatever the case. */
export function matches(
  { name, description }: { name: string; description: string | null },
  query: string,
): boolean {
  const wanted = query.trim().toLowerCase();
  return name.toLowerCase().includes(wanted) || (description ?? '').toLowerCase().includes(wanted);
}
