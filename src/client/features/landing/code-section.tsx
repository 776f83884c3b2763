import { Snippet } from '#client/components/display/snippet.tsx';
import { restCall } from '#shared/rest-addresses.ts';
import classes from './section.module.css';
import { Section } from './section.tsx';

/** With the sample's own variable where the name stands. */
const path = restCall('GET /api/collections/{name}/hybrid-search', { name: 'NAME' }).path.replace(
  'NAME',
  `\${collection}`,
);

/** Runs as it stands, in a browser or in Node; the parameters are those of the REST API. */
function sample(origin: string): string {
  return `const client = { apiKey: 'YOUR_API_KEY', serverUrl: '${origin}' };

async function search({ collection, query, queryBy, limit }) {
  const parameters = new URLSearchParams({ query, query_by: queryBy, limit: String(limit) });
  const response = await fetch(
    \`\${client.serverUrl}${path}?\${parameters}\`,
    { headers: { 'X-API-Key': client.apiKey } },
  );
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

async function onType(query) {
  if (query.length > 2) {
    const { hits } = await search({ collection: 'products', query, queryBy: 'name,description', limit: 5 });
    console.log(hits.map((hit) => hit.document.name));
  }
}`;
}

export function CodeSection() {
  return (
    <Section
      id="docs"
      title="Made for developers"
      lead="A key and a URL are all it takes. No client library is needed."
    >
      <div className={classes['whole']}>
        <Snippet title="Search as people type" code={sample(window.location.origin)} copyLabel="Copy code" />
      </div>
    </Section>
  );
}
