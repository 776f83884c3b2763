import {
  bookIcon,
  deviceDesktopIcon,
  shieldCheckIcon,
  starIcon,
} from '#client/components/display/icon-shapes.gen.ts';
import { CardGrid } from './card-grid.tsx';
import { Section } from './section.tsx';

export function UseCases() {
  return (
    <Section
      id="use-cases"
      title="Where it is used"
      lead="Anything that has text and somebody who looks for it."
    >
      <CardGrid
        columns={4}
        cards={[
          {
            icon: starIcon,
            title: 'E-commerce',
            text: 'Shoppers describe what they want. Facets and filters take them the rest of the way.',
          },
          {
            icon: bookIcon,
            title: 'Knowledge base',
            text: 'Questions find the article that answers them, even if it uses other words.',
          },
          {
            icon: shieldCheckIcon,
            title: 'Enterprise search',
            text: 'Workspaces, projects and keys keep the documents of each team and application apart.',
          },
          {
            icon: deviceDesktopIcon,
            title: 'Mobile apps',
            text: 'One REST call with one key, small answers, typo-tolerant for small keyboards.',
          },
        ]}
      />
    </Section>
  );
}
