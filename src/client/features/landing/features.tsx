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
            text: 'Made to answer in under 100 milliseconds, so that results appear while people type.',
          },
          {
            icon: usersIcon,
            title: 'Accessible',
            text: 'The console is tested against WCAG 2.1 AA on every screen: by keyboard, in light and in dark.',
          },
          {
            icon: searchIcon,
            title: 'Natural-language queries',
            text: 'Whole sentences are welcome, and so are names, codes and words with a typo in them.',
          },
          {
            icon: starIcon,
            title: 'Zero-query suggestions',
            text: 'Before the first letter, offer what many search for; then complete what is typed from queries and titles.',
          },
          {
            icon: chartBarIcon,
            title: 'User insights',
            text: 'What is searched for, what finds nothing, what nobody clicks: counted by day, without noting who.',
          },
        ]}
      />
    </Section>
  );
}
