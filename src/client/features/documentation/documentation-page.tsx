import { SimpleGrid, Stack } from '@mantine/core';
import { PageHeader } from '#client/components/display/page-header.tsx';
import { Panel } from '#client/components/display/panel.tsx';
import { SearchField } from '#client/components/fields/search-field.tsx';
import type { SampleRequest } from '#shared/articles/sample-request.ts';
import { contents } from './articles.ts';
import classes from './documentation-page.module.css';
import type { ChangeDocumentation, DocumentationState } from './documentation-state.ts';
import { FoundPassages } from './found-passages.tsx';
import { LinkCards, type LinkedCard } from './link-cards.tsx';
import { OwnValuesProvider, useReadOwnValues } from './own-values.ts';
import { OwnValuesBar } from './own-values-bar.tsx';
import { QuickStart } from './quick-start.tsx';
import { SampleCode } from './sample-code.tsx';
import { SectionCards } from './section-cards.tsx';
import { sectionsWith } from './sections-with.ts';
import { useTypedQuery } from './use-typed-query.ts';

const firstSearch: SampleRequest = {
  method: 'POST',
  path: '/api/collections/films/hybrid-search',
  headers: {},
  body: { query: 'robots learning to love', per_page: 3 },
};

const clients: LinkedCard[] = [
  { slug: 'rest', title: 'REST', description: 'Any language that can send HTTP. Nothing to install.' },
  { slug: 'curl', title: 'curl', description: 'For a terminal, a script or a cron job.' },
  { slug: 'javascript', title: 'JavaScript', description: 'fetch, in Node and in the browser.' },
  { slug: 'python', title: 'Python', description: 'The standard library is enough.' },
];

const community: LinkedCard[] = [
  { slug: 'operations', title: 'Operations', description: 'Running, backing up and upgrading a server.' },
  {
    slug: 'security',
    title: 'Security',
    description: 'What is protected, how, and what is tried against it.',
  },
  {
    slug: 'coming-from-typesense',
    title: 'Coming from Typesense',
    description: 'What is called the same, and what is not.',
  },
  { slug: 'limits', title: 'Limits', description: 'Every number that a caller can run into.' },
];

interface DocumentationPageProps {
  state: DocumentationState;
  onChange: ChangeDocumentation;
}

/** 'Documentation': everything there is to read, and a search over it. */
export function DocumentationPage({ state, onChange }: DocumentationPageProps) {
  const values = useReadOwnValues(state.collection, (collection) => onChange({ collection }));
  const { typed, type } = useTypedQuery(state.q, (q) => onChange({ q }));
  const query = typed.trim();
  const sections = sectionsWith(contents.sections, query);
  return (
    <OwnValuesProvider value={values}>
      <PageHeader title="Documentation" description={contents.summary} />
      <div className={classes['search']}>
        <SearchField
          label="Search documentation"
          placeholder="Search documentation: “pin a result”, “import a CSV”, “filter by price”"
          value={typed}
          onChange={type}
        />
      </div>
      <Stack gap="xl">
        {query !== '' && <FoundPassages query={query} />}
        {query === '' && <QuickStart hasCollections={values.collections.length > 0} />}
        {sections.length > 0 && <SectionCards sections={sections} query={query} />}
        {query === '' && (
          <>
            <Panel title="Code Examples">
              <OwnValuesBar />
              <SampleCode request={firstSearch} label="Search a collection" />
            </Panel>
            <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
              <LinkCards title="SDKs and clients" cards={clients} />
              <LinkCards title="Community" cards={community} />
            </SimpleGrid>
          </>
        )}
      </Stack>
    </OwnValuesProvider>
  );
}
