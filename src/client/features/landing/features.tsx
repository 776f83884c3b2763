import IconBolt from '@tabler/icons-react/dist/esm/icons/IconBolt.mjs';
import IconChartBar from '@tabler/icons-react/dist/esm/icons/IconChartBar.mjs';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import IconSparkles from '@tabler/icons-react/dist/esm/icons/IconSparkles.mjs';
import IconStar from '@tabler/icons-react/dist/esm/icons/IconStar.mjs';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import { CardGrid } from './card-grid.tsx';
import { Section } from './section.tsx';

export function Features() {
  return (
    <Section
      id="features"
      title="Everything between a sentence and its answer"
      lead="One service in place of a search engine, a vector database and an embedding service side by side."
      isTinted
    >
      <CardGrid
        columns={3}
        cards={[
          {
            icon: IconSparkles,
            title: 'Understands intent',
            text: 'Finds what is meant, not only what is written: “my back hurts at work” finds a standing desk.',
          },
          {
            icon: IconBolt,
            title: 'Instant results',
            text: 'Answers in under 100 milliseconds, so that results can appear while people type.',
          },
          {
            icon: IconUsers,
            title: 'Accessible',
            text: 'The console follows WCAG 2.1 AA: by keyboard, with a screen reader, in light and dark.',
          },
          {
            icon: IconSearch,
            title: 'Natural-language queries',
            text: 'Whole sentences are welcome, and so are names, codes and words with a typo in them.',
          },
          {
            icon: IconStar,
            title: 'Zero-query suggestions',
            text: 'Show something useful before the first letter: list and facet a whole collection without a query.',
          },
          {
            icon: IconChartBar,
            title: 'User insights',
            text: 'See how much is searched, day by day, and what happened in your workspace.',
          },
        ]}
      />
    </Section>
  );
}
