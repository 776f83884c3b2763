import {
  boltIcon,
  chartBarIcon,
  searchIcon,
  sparklesIcon,
  starIcon,
  usersIcon,
} from '#client/components/display/icon-shapes.gen.ts';
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
            icon: sparklesIcon,
            title: 'Understands intent',
            text: 'Finds what is meant, not only what is written: “my back hurts at work” finds a standing desk.',
          },
          {
            icon: boltIcon,
            title: 'Instant results',
            text: 'Answers in under 100 milliseconds, so that results can appear while people type.',
          },
          {
            icon: usersIcon,
            title: 'Accessible',
            text: 'The console follows WCAG 2.1 AA: by keyboard, with a screen reader, in light and dark.',
          },
          {
            icon: searchIcon,
            title: 'Natural-language queries',
            text: 'Whole sentences are welcome, and so are names, codes and words with a typo in them.',
          },
          {
            icon: starIcon,
            title: 'Zero-query suggestions',
            text: 'Show something useful before the first letter: list and facet a whole collection without a query.',
          },
          {
            icon: chartBarIcon,
            title: 'User insights',
            text: 'See how much is searched, day by day, and what happened in your workspace.',
          },
        ]}
      />
    </Section>
  );
}
