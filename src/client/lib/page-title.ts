/** A route's `head`: `head: () => pageTitle('Dashboard')`. Most specific part first: `pageTitle('Films', 'Projects')`. */
export function pageTitle(...parts: string[]): { meta: { title: string }[] } {
  return { meta: [{ title: [...parts, 'Vectora'].join(' · ') }] };
}
